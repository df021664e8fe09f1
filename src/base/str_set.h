#ifndef BASE_STR_SET_H
#define BASE_STR_SET_H

#include "base/arena.h"

/* Strings with a number each, found by hash. A zeroed one is empty; the strings are borrowed, the
 * memory is the arena's. */
struct str_set {
    struct str_set_slot *slots;
    size_t slot_count, count;
};

/* The number of the string, SIZE_MAX when it is not there. */
size_t str_set_find(const struct str_set *set, struct str key);
/* Adds a string that is not there. Gives SIZE_MAX then, else the number that it has already. */
size_t str_set_add(struct arena *arena, struct str_set *set, struct str key, size_t number);

/* One string for several, which no other ones give. Lives in arena. */
struct str str_set_key(struct arena *arena, const struct str *parts, size_t count);

/* The bytes of a pointer or number as a part. */
#define STR_BYTES(object) ((struct str){(const char *)&(object), sizeof(object)})

#endif
