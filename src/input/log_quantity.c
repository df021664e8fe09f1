/* Quantities in the words of entries. Takes a text and a place in it, gives the number there if
 * words beside it tell that it is one. Judges nothing. */
#include "input/log_quantity.h"

#define DIGITS_MIN 4 /* fewer may be a status, a code, a count of tries */
#define DIGITS_MAX 12

#define BEFORE(word)
#define AFTER(word)
#define SIGN(sign)

static const struct str words_before[] = {
#undef BEFORE
#define BEFORE(word) STR_INIT(word),
#include "input/log_quantity.def"
#undef BEFORE
#define BEFORE(word)
};

static const struct str words_after[] = {
#undef AFTER
#define AFTER(word) STR_INIT(word),
#include "input/log_quantity.def"
#undef AFTER
#define AFTER(word)
};

static const struct str signs[] = {
#undef SIGN
#define SIGN(sign) STR_INIT(sign),
#include "input/log_quantity.def"
#undef SIGN
#define SIGN(sign)
};

#undef BEFORE
#undef AFTER
#undef SIGN

/* Whether the text begins with one of the words, whole. */
static bool begins_with_word(struct str text)
{
    for (size_t i = 0; i < sizeof words_after / sizeof words_after[0]; i++) {
        size_t end = words_after[i].len;
        if (str_istarts(text, words_after[i]) &&
            (end == text.len || !str_is_alnum(text.ptr[end]))) {
            return true;
        }
    }
    return false;
}

static bool ends_with_word(struct str text)
{
    for (size_t i = 0; i < sizeof words_before / sizeof words_before[0]; i++) {
        size_t begin = text.len - words_before[i].len;
        if (text.len >= words_before[i].len &&
            str_istarts(str_slice(text, begin, text.len), words_before[i]) &&
            (begin == 0 || !str_is_alnum(text.ptr[begin - 1]))) {
            return true;
        }
    }
    return false;
}

static size_t skip_digits(struct str text, size_t at)
{
    while (at < text.len && str_is_digit(text.ptr[at])) {
        at++;
    }
    return at;
}

/* Whether a number is one of many: long, and more than zeros. */
static bool is_telling(struct str number)
{
    size_t digits = 0;
    bool has_other = false;
    for (size_t i = 0; i < number.len; i++) {
        digits += str_is_digit(number.ptr[i]);
        has_other = has_other || !str_is_of(number.ptr[i], "0.");
    }
    return digits >= DIGITS_MIN && digits <= DIGITS_MAX && has_other;
}

/* What stands before a number without the blank, colon or equals sign between; empty if none is. */
static struct str without_link(struct str head)
{
    size_t end = head.len;
    while (end > 0 && head.len - end < 2 && str_is_of(head.ptr[end - 1], " :=")) {
        end--;
    }
    return end < head.len ? str_slice(head, 0, end) : STR("");
}

struct str log_quantity_at(struct str text, size_t at)
{
    size_t whole = skip_digits(text, at), end = whole;
    if (end + 1 < text.len && text.ptr[end] == '.' && str_is_digit(text.ptr[end + 1])) {
        end = skip_digits(text, end + 1);
    }
    struct str number = str_slice(text, at, end), head = str_slice(text, 0, at);
    bool goes_on = end < text.len && (str_is_word(text.ptr[end]) || text.ptr[end] == '%');
    if (!is_telling(number) || goes_on) {
        return (struct str){NULL, 0};
    }
    bool is_money = ENDS_ANY(head, signs);
    bool is_count = end == whole && text.ptr[at] != '0' &&
                    ((end < text.len && text.ptr[end] == ' ' &&
                      begins_with_word(str_slice(text, end + 1, text.len))) ||
                     ends_with_word(without_link(head)));
    return is_money || is_count ? number : (struct str){NULL, 0};
}
