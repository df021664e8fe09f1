#ifndef CLASSIFY_KEYWORDS_H
#define CLASSIFY_KEYWORDS_H

#include "classify/literals.h"

/* The automaton (Aho and Corasick) that finds the literals of numbered sets, in arrays without a
 * pointer in them, so that one can be a constant of the program. State 0 is the root; states stand
 * in order of depth.
 */
struct keywords {
    size_t state_count, edge_count, end_count, set_count;
#define ARRAY(name, length) const uint32_t *name;
#include "classify/keywords.def"
#undef ARRAY
};

/* Of sets that stand for rules, say. Lives in arena. */
struct keywords keywords_create(struct arena *arena, const struct literals *sets, size_t count);

/* Sets hits[i] for each set i of which a literal occurs in text. Case of ASCII letters is ignored,
 * and the two signs outside ASCII that PCRE2 takes for k and s are too, so that no match of a
 * caseless pattern is missed. */
void keywords_scan(const struct keywords *keywords, struct str text, bool *hits);

#endif
