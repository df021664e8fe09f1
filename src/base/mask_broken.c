/* Keys that an end of a line parts, as a terminal, a table or a careless copy does. Takes a place
 * in a text where a key begins, gives how far it goes; a secret that is known is read over ends of
 * lines anyway, see mask_letter.h. */
#include "base/mask_broken.h"

#include "base/mask_letter.h"
#include "base/shape.h"

#include <string.h>

#define BROKEN_BYTES_MAX 256 /* of such a key */

/* Letters of a key at s[at], as far as such a key goes. */
static size_t plain_run(struct str s, size_t at)
{
    size_t end = at;
    while (end < s.len && end - at <= BROKEN_BYTES_MAX && mask_is_key_char(s.ptr[end])) {
        end++;
    }
    return end - at;
}

/* Only a shape with letters of its own tells a key of two words. */
size_t mask_broken_word(const struct mask *mask, struct str s, size_t at, size_t run)
{
    char joined[BROKEN_BYTES_MAX];
    size_t gap = run < sizeof joined ? mask_break(s, at + run) : 0, next = at + run + gap;
    size_t rest = gap ? plain_run(s, next) : 0;
    if (rest == 0 || run + rest > sizeof joined) {
        return 0;
    }
    memcpy(joined, s.ptr + at, run);
    memcpy(joined + run, s.ptr + next, rest);
    struct str word = {joined, run + rest};
    for (size_t i = 0; i < mask->shape_count; i++) {
        struct str shape = mask->key_shapes[i];
        if (shape.len && shape.ptr[0] == joined[0] && str_find(shape, STR("+")) < 0 &&
            shape_is_telling(shape) && shape_fits(shape, word)) {
            return next + rest - at;
        }
    }
    return 0;
}

/* Capitals, small letters and figures in one word of that length are no prose. */
static bool is_random(struct str word)
{
    bool has_lower = false, has_upper = false, has_digit = false;
    for (size_t i = 0; i < word.len; i++) {
        has_lower = has_lower || str_is_lower(word.ptr[i]);
        has_upper = has_upper || str_is_upper(word.ptr[i]);
        has_digit = has_digit || str_is_digit(word.ptr[i]);
    }
    return word.len >= MASK_KEY_MIN && has_lower && has_upper && has_digit &&
           str_find_char(word, '.') < 0;
}

size_t mask_with_rest(struct str s, size_t at, size_t used)
{
    for (size_t gap; (gap = mask_break(s, at + used));) {
        size_t next = at + used + gap, run = plain_run(s, next);
        if (!is_random(str_slice(s, next, next + run))) {
            break;
        }
        used += gap + run;
    }
    return used;
}
