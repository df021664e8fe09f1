#ifndef CLASSIFY_LITERALS_H
#define CLASSIFY_LITERALS_H

#include "rules/rules.h"

#define LITERAL_BYTES_MAX ((size_t)48)

/* Whether a filter can look for a literal: it has eight bytes, or two Chinese characters in front.
 */
bool literal_is_usable(struct str literal);

/* Literals of which every match of something holds at least one; lower case. count 0: none are
 * known. */
struct literals {
    const struct str *items;
    size_t count;
};

/* How telling a set is, by how rare its words are in English; an empty one is less so than any. */
double literals_score(struct literals set);

/* What a caseless pattern needs, read out of its text. Nothing is known of patterns with syntax
 * that this reader does not follow: it never guesses. */
struct literal_tree; /* classify/literal_tree.h */
const struct literal_tree *literals_tree(struct arena *arena, struct str pattern);

/* Of all that the set whose words are the rarest in English. */
struct literals literals_of_pattern(struct arena *arena, struct str pattern);

#endif
