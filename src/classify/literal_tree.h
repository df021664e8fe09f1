#ifndef CLASSIFY_LITERAL_TREE_H
#define CLASSIFY_LITERAL_TREE_H

#include "classify/literals.h"

/* What every match of a pattern holds, as a tree: sets of literals of which one is there. A filter
 * takes one set at each of the places where two would do.
 *
 *     (?:rate|usage) limit.*too many (?:requests|tokens)
 *
 *     EITHER  SET "rate limit" "usage limit"
 *             SET "too many requests" "too many tokens"
 *
 * NULL is the tree of nothing known. Private to src/classify; trees live in the arena given. */
enum literal_tree_kind {
    TREE_SET,
    TREE_EITHER, /* what `first` says holds, and what `second` says, too: one of both is enough */
    TREE_BOTH,   /* one of the two holds: a filter has to look for both */
};

struct literal_tree {
    enum literal_tree_kind kind;
    struct literals set; /* of TREE_SET */
    const struct literal_tree *first, *second;
};

/* NULL of an empty set. */
const struct literal_tree *literal_tree_of(struct arena *arena, struct literals set);
/* Where one is not known it is the other one. */
const struct literal_tree *literal_tree_either(struct arena *arena,
                                               const struct literal_tree *first,
                                               const struct literal_tree *second);
/* Where one is not known nothing is. */
const struct literal_tree *literal_tree_both(struct arena *arena, const struct literal_tree *first,
                                             const struct literal_tree *second);

/* The tree with that part of each literal that a log itself holds: what is judged of a record has
 * its message in front and empty values in place of some (input/log_bare.h). */
const struct literal_tree *literal_tree_written(struct arena *arena,
                                                const struct literal_tree *tree);

/* What is left of a tree when a filter can look for usable literals alone. */
const struct literal_tree *literal_tree_usable(struct arena *arena,
                                               const struct literal_tree *tree);

/* The literals of the sets whose words are the rarest in English. */
struct literals literal_tree_choose(struct arena *arena, const struct literal_tree *tree);

#endif
