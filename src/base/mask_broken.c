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

/* What a letter of a word is; 0 for what joins words. */
enum letter_class { CLASS_NONE, CLASS_LOWER, CLASS_UPPER, CLASS_DIGIT };

static enum letter_class class_of(char c)
{
    return str_is_lower(c)   ? CLASS_LOWER
           : str_is_upper(c) ? CLASS_UPPER
           : str_is_digit(c) ? CLASS_DIGIT
                             : CLASS_NONE;
}

/* Capitals, small letters and figures in one word of that length are no prose, nor is a word that
 * goes from one to the other at every third letter, as hexadecimal figures do. */
static bool is_random(struct str word)
{
    bool has[CLASS_DIGIT + 1] = {false};
    enum letter_class last = CLASS_NONE;
    size_t changes = 0;
    for (size_t i = 0; i < word.len; i++) {
        enum letter_class own = class_of(word.ptr[i]);
        has[own] = true;
        if (own != CLASS_NONE) {
            changes += last != CLASS_NONE && own != last;
            last = own;
        }
    }
    bool has_all = has[CLASS_LOWER] && has[CLASS_UPPER] && has[CLASS_DIGIT];
    return word.len >= MASK_KEY_MIN && (has_all || changes * 3 >= word.len) &&
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
