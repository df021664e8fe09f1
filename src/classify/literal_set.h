#ifndef CLASSIFY_LITERAL_SET_H
#define CLASSIFY_LITERAL_SET_H

#include "classify/literals.h"

#include <stdbool.h>

/* All texts that a piece of a pattern can match, as long as they are few. Private to src/classify;
 * what is made lives in the arena given. */
struct literal_set {
    struct str *items;
    size_t count, capacity;
    bool is_known; /* else anything */
};

/* The set of that one text. */
struct literal_set literal_set_of(struct arena *arena, struct str item);

/* One more alternative; too many make the set unknown. */
void literal_set_add(struct arena *arena, struct literal_set *set, struct str item);

/* a followed by b; unknown when that is too much. May share the items of either. */
struct literal_set literal_set_product(struct arena *arena, const struct literal_set *a,
                                       const struct literal_set *b);

/* The set as literals of which one is in every match; none where it may be empty or anything. */
struct literals literal_set_needs(const struct literal_set *set);

#endif
