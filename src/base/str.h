#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
bool str_is_set(struct str s);
bool str_is_empty(struct str s); /* unset or of length 0 */

/* Comparison of bytes; the i forms ignore the case of ASCII letters. Unset equals empty. */
bool str_eq(struct str a, struct str b);
bool str_ieq(struct str a, struct str b);
int str_cmp(struct str a, struct str b);
bool str_starts(struct str s, struct str prefix);
bool str_istarts(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);

/* Offset of the first occurrence, or -1. An empty needle is found at 0. */
ptrdiff_t str_find(struct str hay, struct str needle);
ptrdiff_t str_ifind(struct str hay, struct str needle);
ptrdiff_t str_find_char(struct str hay, char c);
/* How often the character occurs. */
size_t str_count_char(struct str hay, char c);

/* Part [from, to) of s, both clipped to its length. */
struct str str_slice(struct str s, size_t from, size_t to);
/* s without leading and trailing blanks, tabs, CR and LF. */
struct str str_trim(struct str s);
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
