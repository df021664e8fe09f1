/* Many secrets at once. Takes a place in a text, gives the secret that stands there. The secrets
 * lie sorted; letter by letter those are kept that still read like the text:
 *
 *     text    sk-7f2...        sk-01  sk-7a  sk-7f2  sk-91
 *     "sk-"                   [                           ]
 *     "sk-7"                         [             ]
 *     "sk-7f"                               [      ]
 */
#include "base/mask_index.h"

#include "base/mask_begin.h"
#include "base/mask_letter.h"

#include <stdlib.h>

struct entry {
    struct str value;
    size_t number; /* in the list of the mask */
};

struct mask_index {
    struct mask of;
    struct mask_begin begin;
    struct entry *sorted;
};

static int by_value(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = str_cmp(a->value, b->value);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

const struct mask_index *mask_index_create(struct arena *arena, const struct mask *mask)
{
    struct mask_index *index = ARENA_NEW(arena, struct mask_index);
    index->of = *mask;
    index->sorted = ARENA_ARRAY(arena, mask->secret_count + 1, struct entry);
    mask_begin_read(&index->begin, mask);
    for (size_t i = 0; i < mask->secret_count; i++) {
        index->sorted[i] = (struct entry){mask->secrets[i].value, i};
    }
    qsort(index->sorted, mask->secret_count, sizeof *index->sorted, by_value);
    return index;
}

const struct mask_index *mask_index_of(const struct mask *mask)
{
    const struct mask *of = mask->index ? &mask->index->of : NULL;
    bool is_same = of && of->secrets == mask->secrets && of->secret_count == mask->secret_count &&
                   of->key_prefixes == mask->key_prefixes &&
                   of->prefix_count == mask->prefix_count && of->key_shapes == mask->key_shapes &&
                   of->shape_count == mask->shape_count;
    return is_same ? mask->index : NULL;
}

const struct mask_begin *mask_index_begin(const struct mask_index *index)
{
    return &index->begin;
}

/* The first entry in [from, to), which agree in `depth` letters, whose next letter is at least
 * `letter`. A value that ends there comes before all others. */
static size_t first_with(const struct mask_index *index, size_t from, size_t to, size_t depth,
                         int letter)
{
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        struct str value = index->sorted[middle].value;
        int its = value.len > depth ? (unsigned char)value.ptr[depth] : -1;
        from = its < letter ? middle + 1 : from;
        to = its < letter ? to : middle;
    }
    return from;
}

/* The same, of letters as they stand or as escapes read, over ends of lines; *which is only ever
 * made smaller. */
static size_t find(const struct mask_index *index, struct str s, size_t at, size_t least_bytes,
                   bool is_plain, size_t *which)
{
    size_t from = 0, to = index->of.secret_count, end = at, found = 0;
    for (size_t depth = 0; from < to; depth++) {
        const struct entry *shortest = &index->sorted[from];
        if (depth && shortest->value.len == depth && depth >= least_bytes &&
            shortest->number < *which) {
            *which = shortest->number;
            found = end - at;
        }
        char c = '\0';
        end += depth && !is_plain ? mask_break(s, end) : 0;
        size_t length = mask_letter(s, end, &c);
        if (length == 0) {
            break;
        }
        int letter = (unsigned char)(is_plain ? s.ptr[end] : c);
        end += is_plain ? 1 : length;
        from = first_with(index, from, to, depth, letter);
        to = first_with(index, from, to, depth, letter + 1);
    }
    return found;
}

size_t mask_index_find(const struct mask_index *index, struct str s, size_t at, size_t least_bytes,
                       size_t *which)
{
    *which = SIZE_MAX;
    size_t plain = find(index, s, at, least_bytes, true, which);
    size_t escaped = find(index, s, at, least_bytes, false, which);
    return escaped ? escaped : plain;
}

bool mask_index_holds(const struct mask_index *index, struct str value)
{
    size_t from = 0, to = index->of.secret_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        int order = str_cmp(index->sorted[middle].value, value);
        if (order == 0) {
            return true;
        }
        from = order < 0 ? middle + 1 : from;
        to = order < 0 ? to : middle;
    }
    return false;
}
