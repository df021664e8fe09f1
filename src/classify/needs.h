#ifndef CLASSIFY_NEEDS_H
#define CLASSIFY_NEEDS_H

#include "classify/literals.h"

/* For each of the rules [from, to) of a table, in order, literals of which the evidence of every
 * match holds one: the rule's keywords or those that its patterns show, whichever tell more; count
 * 0 = none are known. Takes as long as compiling the patterns does: for the build. Lives in arena.
 */
const struct literals *needs_of_rules(struct arena *arena, const struct rules *rules, size_t from,
                                      size_t to);
/* The same with the keywords alone, borrowed from the rules, for rules that a run reads. */
const struct literals *needs_said_by_rules(struct arena *arena, const struct rules *rules,
                                           size_t from, size_t to);

#endif
