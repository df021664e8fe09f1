#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A borrowed run of bytes: not NUL-terminated, may hold any byte. ptr == NULL means "not set",
 * which differs from the empty string. Whoever made the bytes owns them. */
struct str {
    const char *ptr;
    size_t len;
};

/* A str of a literal: STR() in expressions, STR_INIT() in static initialisers. */
#define STR(lit) ((struct str){(lit), sizeof(lit) - 1})
#define STR_INIT(lit)                                                                              \
    {                                                                                              \
        (lit), sizeof(lit) - 1                                                                     \
    }
/* For printf: ("%.*s", STR_ARG(s)). Only for bytes already known to be safe to print. */
#define STR_ARG(s) (int)((s).len > 1000000 ? 1000000 : (s).len), ((s).ptr ? (s).ptr : "")

/* The str of a C string; NULL gives the unset str. */
struct str str_from(const char *text);
static inline bool str_is_set(struct str s)
{
    return s.ptr != NULL;
}

static inline bool str_is_empty(struct str s) /* unset or of length 0 */
{
    return s.len == 0;
}

/* The byte, a letter of ASCII in lower case. */
static inline char str_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* A figure of ASCII, whatever the locale. */
static inline bool str_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The value of a hexadecimal digit, or -1. */
static inline int str_hex_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* A letter of ASCII in lower case. */
static inline bool str_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* A letter of ASCII in upper case. */
static inline bool str_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* A letter of ASCII. */
static inline bool str_is_letter(char c)
{
    return str_is_lower(c) || str_is_upper(c);
}

/* A letter or a figure of ASCII. */
static inline bool str_is_alnum(char c)
{
    return str_is_letter(c) || str_is_digit(c);
}

/* A character of a word or a name of a program: as \w in a pattern. */
static inline bool str_is_word(char c)
{
    return str_is_alnum(c) || c == '_';
}

/* Comparison of bytes; the i forms ignore the case of ASCII letters. Unset equals empty. */
static inline bool str_eq(struct str a, struct str b)
{
    /* What is unset has no length, which the analyzer cannot know. */
    return a.len == b.len && /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
           (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* Order by bytes, as memcmp; what is a prefix of the other comes first. */
int str_cmp(struct str a, struct str b);

/* Most texts differ from a prefix in the first byte. */
static inline bool str_starts(struct str s, struct str prefix)
{
    return prefix.len == 0 || (s.len >= prefix.len && s.ptr[0] == prefix.ptr[0] &&
                               memcmp(s.ptr, prefix.ptr, prefix.len) == 0);
}

/* str_starts for letters of either case. */
static inline bool str_istarts(struct str s, struct str prefix)
{
    size_t same = 0;
    while (same < prefix.len && same < s.len &&
           str_lower(s.ptr[same]) == str_lower(prefix.ptr[same])) {
        same++;
    }
    return same == prefix.len;
}

/* str_eq for letters of either case. */
static inline bool str_ieq(struct str a, struct str b)
{
    return a.len == b.len && str_istarts(a, b);
}

/* Whether s begins with one of the prefixes, none of which is empty; istarts folds case. */
bool str_starts_any(struct str s, const struct str *prefixes, size_t count);
bool str_istarts_any(struct str s, const struct str *prefixes, size_t count);
#define STARTS_ANY(s, table) str_starts_any((s), (table), sizeof(table) / sizeof(table)[0])
#define ISTARTS_ANY(s, table) str_istarts_any((s), (table), sizeof(table) / sizeof(table)[0])

/* As str_starts and its like, at the other end. */
bool str_ends(struct str s, struct str suffix);
bool str_ends_any(struct str s, const struct str *suffixes, size_t count);
#define ENDS_ANY(s, table) str_ends_any((s), (table), sizeof(table) / sizeof(table)[0])

/* Offset of the first occurrence, or -1. An empty needle is found at 0. */
ptrdiff_t str_find(struct str hay, struct str needle);
ptrdiff_t str_ifind(struct str hay, struct str needle);

/* Offset of the first one, or -1. */
static inline ptrdiff_t str_find_char(struct str hay, char c)
{
    const char *hit = hay.len ? (const char *)memchr(hay.ptr, (unsigned char)c, hay.len) : NULL;
    return hit ? hit - hay.ptr : -1;
}

/* Whether c is one of the characters of a set. Byte 0 is not, which strchr finds at the end of any:
 * texts of others hold it as well. */
static inline bool str_is_of(int c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* The next one at or behind `at`; hay.len when there is none. */
static inline size_t str_next_char(struct str hay, size_t at, char c)
{
    size_t rest = at < hay.len ? hay.len - at : 0;
    const char *hit = rest ? (const char *)memchr(hay.ptr + at, (unsigned char)c, rest) : NULL;
    return hit ? (size_t)(hit - hay.ptr) : hay.len;
}

/* The same for whichever of four characters comes first. */
size_t str_next_of(struct str hay, size_t at, const char chars[4]);

/* Whether no byte is above 0x7F. */
bool str_is_ascii(struct str text);

/* How often the character occurs. */
size_t str_count_char(struct str hay, char c);

/* Part [from, to) of s, both clipped to its length. */
static inline struct str str_slice(struct str s, size_t from, size_t to)
{
    to = to < s.len ? to : s.len;
    from = from < to ? from : to;
    return (struct str){s.len ? s.ptr + from : s.ptr, to - from};
}

/* A blank, tab, CR or LF. */
static inline bool str_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* s without leading and trailing blanks, tabs, CR and LF. */
static inline struct str str_trim(struct str s)
{
    size_t from = 0, to = s.len;
    while (from < to && str_is_blank(s.ptr[from])) {
        from++;
    }
    while (to > from && str_is_blank(s.ptr[to - 1])) {
        to--;
    }
    return str_slice(s, from, to);
}

/* Takes the bytes up to `sep` off the front of *rest (sep is consumed, not returned). False when
 * *rest is unset, that is when everything was taken. "a,b" gives "a", "b"; "" gives "" once. */
bool str_split(struct str *rest, char sep, struct str *part);

/* The only number parsers: whole of s, decimal, optional sign, no blanks. False on anything else
 * and on overflow; *out is then untouched. */
bool str_to_i64(struct str s, int64_t *out);
bool str_to_double(struct str s, double *out);

/* Parses a duration, a decimal number with unit: "500ms", "20s", "1.5m", "2h". A bare number is
 * refused. Gives milliseconds. */
bool str_to_duration_ms(struct str s, int64_t *out_ms);

/* Edits (insert, delete, change, swap of neighbours) that turn a into b, for suggestions. Strings
 * over 64 bytes give a distance of 1000. */
unsigned str_distance(struct str a, struct str b);
/* True when b is near enough to a to be offered as "did you mean". */
bool str_is_near(struct str a, struct str b);
/* The word of a list that was probably meant: the nearest one, or unset when none is near. */
struct str str_nearest(struct str written, const struct str *words, size_t count);

#endif
