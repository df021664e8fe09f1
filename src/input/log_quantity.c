/* Quantities in the words of entries. Takes a text and a place in it, gives the number there if
 * words beside it tell that it is one. Judges nothing. */
#include "input/log_quantity.h"

#define DIGITS_MIN 4 /* fewer may be a status, a code, a count of tries */
#define DIGITS_MAX 12

enum kind { KIND_BEFORE, KIND_AFTER, KIND_SIGN };

static const struct row {
    enum kind kind;
    struct str word;
} rows[] = {
#define BEFORE(word) {KIND_BEFORE, STR_INIT(word)},
#define AFTER(word) {KIND_AFTER, STR_INIT(word)},
#define SIGN(sign) {KIND_SIGN, STR_INIT(sign)},
#include "input/log_quantity.def"
#undef BEFORE
#undef AFTER
#undef SIGN
};

/* Whether a word of that kind stands at the end of the text that faces the number; whole, but for a
 * sign. */
static bool has_beside(enum kind kind, struct str text)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t length = rows[i].word.len;
        if (rows[i].kind != kind || text.len < length) {
            continue;
        }
        size_t begin = kind == KIND_AFTER ? 0 : text.len - length, end = begin + length;
        bool goes_on = kind == KIND_AFTER
                           ? end < text.len && str_is_alnum(text.ptr[end])
                           : kind == KIND_BEFORE && begin > 0 && str_is_alnum(text.ptr[begin - 1]);
        if (!goes_on && str_istarts(str_slice(text, begin, end), rows[i].word)) {
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
    bool is_money = has_beside(KIND_SIGN, head);
    bool is_count = end == whole && text.ptr[at] != '0' &&
                    ((end < text.len && text.ptr[end] == ' ' &&
                      has_beside(KIND_AFTER, str_slice(text, end + 1, text.len))) ||
                     has_beside(KIND_BEFORE, without_link(head)));
    return is_money || is_count ? number : (struct str){NULL, 0};
}
