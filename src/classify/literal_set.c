/* Sets of the texts that a piece of a pattern can match. */
#include "classify/literal_set.h"

#include <string.h>

#define SET_MAX 640

struct literal_set literal_set_of(struct arena *arena, struct str item)
{
    struct literal_set set = {.is_known = true};
    literal_set_add(arena, &set, item);
    return set;
}

void literal_set_add(struct arena *arena, struct literal_set *set, struct str item)
{
    if (set->count == SET_MAX) {
        set->is_known = false;
    } else {
        set->items = arena_grow(arena, set->items, set->count, &set->capacity, sizeof *set->items);
        set->items[set->count++] = item;
    }
}

static bool is_nothing(const struct literal_set *set)
{
    return set->is_known && set->count == 1 && set->items[0].len == 0;
}

static struct str joined(struct arena *arena, struct str a, struct str b)
{
    if (a.len == 0 || b.len == 0) {
        return a.len ? a : b;
    }
    char *bytes = arena_alloc(arena, a.len + b.len);
    memcpy(bytes, a.ptr, a.len);
    memcpy(bytes + a.len, b.ptr, b.len);
    return (struct str){bytes, a.len + b.len};
}

struct literal_set literal_set_product(struct arena *arena, const struct literal_set *a,
                                       const struct literal_set *b)
{
    struct literal_set all = {.is_known = a->is_known && b->is_known};
    if (is_nothing(a) && b->is_known) {
        all = *b;
        all.capacity = all.count; /* shared: what is added goes elsewhere */
        return all;
    }
    all.is_known = all.is_known && a->count * b->count <= SET_MAX;
    for (size_t i = 0; all.is_known && i < a->count; i++) {
        for (size_t k = 0; k < b->count; k++) {
            if (a->items[i].len + b->items[k].len > LITERAL_BYTES_MAX) {
                all.is_known = false;
                return all;
            }
            literal_set_add(arena, &all, joined(arena, a->items[i], b->items[k]));
        }
    }
    return all;
}

struct literals literal_set_needs(const struct literal_set *set)
{
    const struct literals none = {NULL, 0};
    if (!set->is_known) {
        return none;
    }
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].len == 0) {
            return none;
        }
    }
    return (struct literals){set->items, set->count};
}
