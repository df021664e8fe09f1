/* A set of strings. Takes strings and numbers, gives the number of a string at once, however many
 * there are: one slot in two is free at least, and a taken one sends on to the next. */
#include "base/str_set.h"

#include <stdint.h>
#include <string.h>

struct str_set_slot {
    struct str key;
    size_t number;
    bool is_taken;
};

static struct str_set_slot *slot_of(const struct str_set *set, struct str key)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (size_t i = 0; i < key.len; i++) {
        hash = (hash ^ (unsigned char)key.ptr[i]) * UINT64_C(1099511628211);
    }
    size_t last = set->slot_count - 1, at = (size_t)(hash ^ hash >> 32) & last;
    while (set->slots[at].is_taken && !str_eq(set->slots[at].key, key)) {
        at = (at + 1) & last;
    }
    return &set->slots[at];
}

size_t str_set_find(const struct str_set *set, struct str key)
{
    const struct str_set_slot *slot = set->slot_count ? slot_of(set, key) : NULL;
    return slot && slot->is_taken ? slot->number : SIZE_MAX;
}

static void grow(struct arena *arena, struct str_set *set)
{
    const struct str_set old = *set;
    set->slot_count = old.slot_count ? old.slot_count * 2 : 16;
    set->slots = ARENA_ARRAY(arena, set->slot_count, struct str_set_slot);
    for (size_t i = 0; i < old.slot_count; i++) {
        if (old.slots[i].is_taken) {
            *slot_of(set, old.slots[i].key) = old.slots[i];
        }
    }
}

size_t str_set_add(struct arena *arena, struct str_set *set, struct str key, size_t number)
{
    if ((set->count + 1) * 2 > set->slot_count) {
        grow(arena, set);
    }
    struct str_set_slot *slot = slot_of(set, key);
    if (slot->is_taken) {
        return slot->number;
    }
    *slot = (struct str_set_slot){key, number, true};
    set->count++;
    return SIZE_MAX;
}

struct str str_set_key(struct arena *arena, const struct str *parts, size_t count)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        length += sizeof parts[i].len + parts[i].len;
    }
    char *key = arena_alloc(arena, length + 1), *at = key;
    for (size_t i = 0; i < count; i++) {
        memcpy(at, &parts[i].len, sizeof parts[i].len);
        at += sizeof parts[i].len;
        if (parts[i].len) {
            memcpy(at, parts[i].ptr, parts[i].len);
            at += parts[i].len;
        }
    }
    return (struct str){key, length};
}
