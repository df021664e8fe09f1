/* TOML integers and floats. Takes one token, gives its value or what is wrong with it. */
#include "syntax/toml_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit_of(char c, unsigned base)
{
    int digit = str_hex_value(c);
    return digit >= 0 && (unsigned)digit < base;
}

/* Bytes of a run of digits with single underscores between them; 0 when it is none. */
static size_t digit_run(struct str s, size_t at, unsigned base)
{
    size_t start = at;
    while (at < s.len && (is_digit_of(s.ptr[at], base) ||
                          (s.ptr[at] == '_' && at > start && s.ptr[at - 1] != '_' &&
                           at + 1 < s.len && is_digit_of(s.ptr[at + 1], base)))) {
        at++;
    }
    return at - start;
}

static struct str without_underscores(struct arena *arena, struct str s)
{
    char *out = arena_alloc(arena, s.len + 1);
    size_t length = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] != '_') {
            out[length++] = s.ptr[i];
        }
    }
    return (struct str){out, length};
}

static const char out_of_range[] =
    "integer out of range, expected -9223372036854775808 to 9223372036854775807";

static const char *read_prefixed(struct arena *arena, struct str token, struct node *node)
{
    unsigned base = token.ptr[1] == 'x' ? 16 : token.ptr[1] == 'o' ? 8 : 2;
    if (token.len == 2 || digit_run(token, 2, base) != token.len - 2) {
        return base == 16  ? "not a hexadecimal number, expected digits 0-9 and a-f after 0x"
               : base == 8 ? "not an octal number, expected digits 0-7 after 0o"
                           : "not a binary number, expected digits 0 and 1 after 0b";
    }
    struct str digits = without_underscores(arena, str_slice(token, 2, token.len));
    uint64_t value = 0;
    for (size_t i = 0; i < digits.len; i++) {
        char c = digits.ptr[i];
        unsigned digit = c <= '9' ? (unsigned)(c - '0') : ((unsigned)c | 0x20u) - 'a' + 10;
        if (value > ((uint64_t)INT64_MAX - digit) / base) {
            return out_of_range;
        }
        value = value * base + digit;
    }
    node->kind = NODE_INTEGER;
    node->integer = (int64_t)value;
    node->number = (double)node->integer;
    return NULL;
}

static const char *read_special(struct str word, bool is_negative, struct node *node)
{
    double value = str_eq(word, STR("inf")) ? (double)INFINITY : (double)NAN;
    node->kind = NODE_FLOAT;
    node->number = is_negative ? -value : value;
    return NULL;
}

/* The token is known to be well formed; strtod, since str_to_double takes 63 bytes at most. */
static const char *read_float(struct arena *arena, struct str token, struct node *node)
{
    double value = strtod(arena_cstr(arena, without_underscores(arena, token)), NULL);
    if (!isfinite(value)) {
        return "number out of range, expected at most 1.8e308";
    }
    node->kind = NODE_FLOAT;
    node->number = value;
    return NULL;
}

/* What is wrong with the form of a decimal number whose digits begin behind `sign`, or NULL. */
static const char *check_decimal(struct str token, size_t sign, bool *is_float)
{
    size_t whole = digit_run(token, sign, 10);
    if (whole == 0) {
        return "not a number, expected a digit";
    }
    if (whole > 1 && token.ptr[sign] == '0') {
        return "a number has no leading zeros; quote it if it is a string";
    }
    size_t at = sign + whole;
    if (at < token.len && token.ptr[at] == '.') {
        size_t fraction = digit_run(token, at + 1, 10);
        if (fraction == 0) {
            return "not a number, expected digits after the point; quote it if it is a string";
        }
        at += 1 + fraction;
        *is_float = true;
    }
    if (at < token.len && (token.ptr[at] == 'e' || token.ptr[at] == 'E')) {
        at++;
        at += at < token.len && (token.ptr[at] == '+' || token.ptr[at] == '-') ? 1 : 0;
        size_t exponent = digit_run(token, at, 10);
        if (exponent == 0) {
            return "not a number, expected digits after the exponent's e";
        }
        at += exponent;
        *is_float = true;
    }
    if (at == token.len) {
        return NULL;
    }
    return token.ptr[at] == '_' ? "an underscore in a number stands between two digits"
                                : "not a number or date; string values must be quoted";
}

const char *toml_read_number(struct arena *arena, struct str token, struct node *node)
{
    size_t sign = token.len && (token.ptr[0] == '+' || token.ptr[0] == '-') ? 1 : 0;
    struct str rest = str_slice(token, sign, token.len);
    if (str_eq(rest, STR("inf")) || str_eq(rest, STR("nan"))) {
        return read_special(rest, sign && token.ptr[0] == '-', node);
    }
    if (rest.len >= 2 && rest.ptr[0] == '0' && str_is_of(rest.ptr[1], "xob")) {
        return sign ? "no sign is allowed before 0x, 0o or 0b" : read_prefixed(arena, token, node);
    }
    bool is_float = false;
    const char *wrong = check_decimal(token, sign, &is_float);
    if (wrong || is_float) {
        return wrong ? wrong : read_float(arena, token, node);
    }
    node->kind = NODE_INTEGER;
    if (!str_to_i64(without_underscores(arena, token), &node->integer)) {
        return out_of_range;
    }
    node->number = (double)node->integer;
    return NULL;
}
