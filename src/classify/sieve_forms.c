/* The ways to write a literal with escapes. Takes a literal and a number, gives one of its forms:
 * the number's digits choose, sign by sign of those that it has, how that sign is written. */
#include "classify/sieve_forms.h"

#include "base/buf.h"
#include "base/text.h"

/* A sign as it is, behind backslashes, or as \uXXXX behind so many. Strings in strings in strings:
 * what is escaped again doubles its backslashes, and a quote's own one is added. */
struct form {
    unsigned slashes;
    bool is_unit;
};

static const struct form forms[] = {{0, false}, {1, true},  {2, true}, {4, true},
                                    {1, false}, {2, false}, {3, false}};
#define UNIT_FORMS 4 /* of a sign that has no form with a mere backslash */
#define ALL_FORMS (sizeof forms / sizeof forms[0])

/* Signs that are written alike; WIDE is all that is not ASCII. */
enum sign { SIGN_QUOTE, SIGN_APOSTROPHE, SIGN_SLASH, SIGN_MARKUP, SIGN_WIDE, SIGN_PLAIN };

static inline enum sign sign_of(char c)
{
    switch (c) {
    case '"':
        return SIGN_QUOTE;
    case '\'':
        return SIGN_APOSTROPHE;
    case '/':
        return SIGN_SLASH;
    case '<':
    case '>':
    case '&':
        return SIGN_MARKUP;
    default:
        return (unsigned char)c < 0x80 ? SIGN_PLAIN : SIGN_WIDE;
    }
}

static void find_signs(struct str literal, bool has[static SIGN_PLAIN + 1])
{
    for (size_t at = 0; at < literal.len; at++) {
        has[sign_of(literal.ptr[at])] = true;
    }
}

static size_t forms_of(enum sign sign)
{
    return sign < SIGN_MARKUP ? ALL_FORMS : UNIT_FORMS;
}

size_t sieve_forms_count(struct str literal)
{
    bool has[SIGN_PLAIN + 1] = {false};
    size_t count = 1;
    find_signs(literal, has);
    for (enum sign sign = 0; sign < SIGN_PLAIN; sign++) {
        count *= has[sign] ? forms_of(sign) : 1;
    }
    return count;
}

static void add_slashes(struct buf *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        buf_add_char(out, '\\');
    }
}

static void add_unit(struct buf *out, uint32_t unit, unsigned slashes)
{
    static const char digits[] = "0123456789abcdef";
    const char hex[] = {'u', digits[unit >> 12 & 15], digits[unit >> 8 & 15],
                        digits[unit >> 4 & 15], digits[unit & 15]};
    add_slashes(out, slashes);
    buf_add(out, (struct str){hex, sizeof hex});
}

/* As one \uXXXX, or as a pair where one does not reach. */
static void add_units(struct buf *out, uint32_t sign, unsigned slashes)
{
    if (sign < 0x10000) {
        add_unit(out, sign, slashes);
    } else {
        add_unit(out, 0xD800 + ((sign - 0x10000) >> 10), slashes);
        add_unit(out, 0xDC00 + ((sign - 0x10000) & 0x3FF), slashes);
    }
}

struct str sieve_form_of(struct arena *arena, struct str literal, size_t number)
{
    bool has[SIGN_PLAIN + 1] = {false};
    const struct form *chosen[SIGN_PLAIN + 1] = {&forms[0]};
    if (number == 0) {
        return literal;
    }
    find_signs(literal, has);
    for (enum sign sign = 0; sign <= SIGN_PLAIN; sign++) {
        size_t count = sign < SIGN_PLAIN && has[sign] ? forms_of(sign) : 1;
        chosen[sign] = &forms[number % count];
        number /= count;
    }
    struct buf out = buf_create(literal.len * 12 + 1);
    for (size_t at = 0; at < literal.len;) {
        const struct form *form = chosen[sign_of(literal.ptr[at])];
        uint32_t sign = 0;
        size_t length = form->is_unit ? utf8_decode(literal, at, &sign) : 0;
        if (length) {
            add_units(&out, sign, form->slashes);
        } else {
            length = 1;
            add_slashes(&out, form->slashes);
            buf_add_char(&out, literal.ptr[at]);
        }
        at += length;
    }
    struct str text = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return text;
}
