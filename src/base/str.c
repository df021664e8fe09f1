/* Borrowed strings: comparing, searching, cutting and reading numbers. Takes bytes of any kind,
 * gives slices of them or values; allocates nothing. */
#include "base/str.h"

#include "base/fastest.h"

#include <math.h>
#include <stdlib.h>

#define COUNTED_AT_ONCE ((size_t)192) /* whole vectors, and no more than a byte counts */
#define PLACES_AT_ONCE ((size_t)32)
#define CASE '\x20' /* of ASCII letters */
#define NUMBER_BYTES_MAX ((size_t)32)

struct str str_from(const char *text)
{
    return (struct str){text, text ? strlen(text) : 0};
}

int str_cmp(struct str a, struct str b)
{
    size_t n = a.len < b.len ? a.len : b.len;
    int order = n ? memcmp(a.ptr, b.ptr, n) : 0;
    if (order != 0) {
        return order;
    }
    return a.len < b.len ? -1 : a.len > b.len;
}

bool str_starts_any(struct str s, const struct str *prefixes, size_t count)
{
    /* Most texts differ from all of them in the first byte. */
    for (size_t i = 0; i < count && s.len; i++) {
        if (prefixes[i].ptr[0] == s.ptr[0] && str_starts(s, prefixes[i])) {
            return true;
        }
    }
    return false;
}

bool str_istarts_any(struct str s, const struct str *prefixes, size_t count)
{
    for (size_t i = 0; i < count && s.len; i++) {
        if ((prefixes[i].ptr[0] | CASE) == (s.ptr[0] | CASE) && str_istarts(s, prefixes[i])) {
            return true;
        }
    }
    return false;
}

bool str_ends(struct str s, struct str suffix)
{
    return s.len >= suffix.len && str_eq(str_slice(s, s.len - suffix.len, s.len), suffix);
}

bool str_ends_any(struct str s, const struct str *suffixes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_ends(s, suffixes[i])) {
            return true;
        }
    }
    return false;
}

/* Two bytes of a needle, its first and its last, and how far apart they stand; case: 0x20 where
 * that of letters is ignored, which takes some other signs for one another as well. */
struct ends {
    char first, last, fold;
    size_t apart;
};

static bool are_at(const char *bytes, const struct ends *ends)
{
    return (bytes[0] | ends->fold) == ends->first &&
           (bytes[ends->apart] | ends->fold) == ends->last;
}

/* The first of `count` places where both ends stand; count when there is none, 0 where they are too
 * few to tell. The last places are looked at together with some before them. */
FASTEST static size_t near_ends(const char *bytes, size_t count, const struct ends *ends)
{
    const char first = ends->first, last = ends->last, fold = ends->fold;
    for (size_t at = 0; at + PLACES_AT_ONCE <= count;) {
        const char *here = bytes + at, *behind = here + ends->apart;
        unsigned char are_here[PLACES_AT_ONCE];
        uint64_t eights[PLACES_AT_ONCE / 8];
        for (size_t i = 0; i < PLACES_AT_ONCE; i++) { /* in vectors */
            are_here[i] = ((here[i] | fold) == first) & ((behind[i] | fold) == last);
        }
        memcpy(eights, are_here, sizeof eights);
        if (eights[0] | eights[1] | eights[2] | eights[3]) {
            const unsigned char *hit = memchr(are_here, 1, sizeof are_here);
            return at + (size_t)(hit - are_here);
        }
        size_t rest = count - at - PLACES_AT_ONCE;
        if (rest == 0) {
            return count;
        }
        at += rest < PLACES_AT_ONCE ? rest : PLACES_AT_ONCE;
    }
    return 0;
}

/* The first of `count` places where both ends stand; count when there is none. */
static size_t next_ends(const char *bytes, size_t count, const struct ends *ends)
{
    size_t at = near_ends(bytes, count, ends);
    while (at < count && !are_at(bytes + at, ends)) {
        at++;
    }
    return at;
}

ptrdiff_t str_find(struct str hay, struct str needle)
{
    if (needle.len == 0 || needle.len > hay.len) {
        return needle.len == 0 ? 0 : -1;
    }
    size_t places = hay.len - needle.len + 1;
    const char *hit = memchr(hay.ptr, needle.ptr[0], places);
    const struct ends ends = {
        .first = needle.ptr[0], .last = needle.ptr[needle.len - 1], .apart = needle.len - 1};
    for (size_t at = hit ? (size_t)(hit - hay.ptr) : places; at < places; at++) {
        at += next_ends(hay.ptr + at, places - at, &ends);
        if (at < places && memcmp(hay.ptr + at, needle.ptr, needle.len) == 0) {
            return (ptrdiff_t)at;
        }
    }
    return -1;
}

ptrdiff_t str_ifind(struct str hay, struct str needle)
{
    if (needle.len == 0 || needle.len > hay.len) {
        return needle.len == 0 ? 0 : -1;
    }
    size_t places = hay.len - needle.len + 1;
    const struct ends ends = {.first = needle.ptr[0] | CASE,
                              .last = needle.ptr[needle.len - 1] | CASE,
                              .fold = CASE,
                              .apart = needle.len - 1};
    for (size_t at = 0; at < places; at++) {
        at += next_ends(hay.ptr + at, places - at, &ends);
        if (at < places && str_istarts((struct str){hay.ptr + at, hay.len - at}, needle)) {
            return (ptrdiff_t)at;
        }
    }
    return -1;
}

FASTEST bool str_is_ascii(struct str text)
{
    unsigned char all = 0;
    for (size_t i = 0; i < text.len; i++) {
        all |= (unsigned char)text.ptr[i];
    }
    return all < 0x80;
}

FASTEST size_t str_next_of(struct str hay, size_t at, const char chars[4])
{
    const char a = chars[0], b = chars[1], c = chars[2], d = chars[3];
    for (; at + PLACES_AT_ONCE <= hay.len; at += PLACES_AT_ONCE) {
        const char *here = hay.ptr + at;
        unsigned char is_one[PLACES_AT_ONCE];
        for (size_t i = 0; i < PLACES_AT_ONCE; i++) { /* in vectors */
            is_one[i] = (here[i] == a) | (here[i] == b) | (here[i] == c) | (here[i] == d);
        }
        const unsigned char *hit = memchr(is_one, 1, sizeof is_one);
        if (hit) {
            return at + (size_t)(hit - is_one);
        }
    }
    while (at < hay.len && hay.ptr[at] != a && hay.ptr[at] != b && hay.ptr[at] != c &&
           hay.ptr[at] != d) {
        at++;
    }
    return at < hay.len ? at : hay.len;
}

FASTEST size_t str_count_char(struct str hay, char c)
{
    size_t count = 0;
    for (size_t at = 0; at < hay.len;) {
        size_t rest = hay.len - at, part = rest < COUNTED_AT_ONCE ? rest : COUNTED_AT_ONCE;
        unsigned char here = 0; /* so narrow that many fit in a vector */
        for (size_t i = 0; i < part; i++) {
            here = (unsigned char)(here + (hay.ptr[at + i] == c));
        }
        count += here;
        at += part;
    }
    return count;
}

bool str_split(struct str *rest, char sep, struct str *part)
{
    if (!str_is_set(*rest)) {
        return false;
    }
    ptrdiff_t at = str_find_char(*rest, sep);
    if (at < 0) {
        *part = *rest;
        *rest = (struct str){NULL, 0};
        return true;
    }
    *part = str_slice(*rest, 0, (size_t)at);
    *rest = str_slice(*rest, (size_t)at + 1, rest->len);
    return true;
}

bool str_to_i64(struct str s, int64_t *out)
{
    bool is_negative = s.len && s.ptr[0] == '-';
    size_t at = is_negative || (s.len && s.ptr[0] == '+');
    int64_t value = 0;
    if (at == s.len || s.len >= NUMBER_BYTES_MAX) {
        return false;
    }
    for (; at < s.len; at++) {
        int64_t digit = s.ptr[at] - '0';
        /* Summed up below zero, where there is one number more. */
        if (!str_is_digit(s.ptr[at]) || value < (INT64_MIN + digit) / 10) {
            return false;
        }
        value = value * 10 - digit;
    }
    if (!is_negative && value == INT64_MIN) {
        return false;
    }
    *out = is_negative ? value : -value;
    return true;
}

bool str_to_double(struct str s, double *out)
{
    char text[2 * NUMBER_BYTES_MAX];
    char *end;
    if (s.len == 0 || s.len >= sizeof text) {
        return false;
    }
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (!str_is_digit(c) && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E') {
            return false;
        }
        text[i] = c;
    }
    text[s.len] = '\0'; /* where strtod finds the end */
    double value = strtod(text, &end);
    if (*end != '\0' || end == text || !isfinite(value)) {
        return false;
    }
    *out = value;
    return true;
}

bool str_to_duration_ms(struct str s, int64_t *out_ms)
{
    static const struct {
        struct str unit;
        double ms;
    } units[] = {
        /* "ms" stands before "s" and "m": the longest suffix is tried first. */
        {STR_INIT("ms"), 1},
        {STR_INIT("s"), 1000},
        {STR_INIT("m"), 60000},
        {STR_INIT("h"), 3600000},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        double value;
        if (!str_ends(s, units[i].unit)) {
            continue;
        }
        if (!str_to_double(str_slice(s, 0, s.len - units[i].unit.len), &value) || value < 0 ||
            value * units[i].ms > 1e13) {
            return false;
        }
        *out_ms = (int64_t)(value * units[i].ms);
        return true;
    }
    return false;
}

#define DISTANCE_MAX 64    /* bytes of a word that is compared */
#define DISTANCE_NONE 1000 /* of words that are not compared */

unsigned str_distance(struct str a, struct str b)
{
    unsigned row[3][DISTANCE_MAX + 1];
    if (a.len > DISTANCE_MAX || b.len > DISTANCE_MAX) {
        return DISTANCE_NONE;
    }
    for (size_t j = 0; j <= b.len; j++) {
        row[0][j] = (unsigned)j;
    }
    for (size_t i = 1; i <= a.len; i++) {
        unsigned *now = row[i % 3];
        const unsigned *last = row[(i + 2) % 3];
        const unsigned *before = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= b.len; j++) {
            unsigned cost = str_lower(a.ptr[i - 1]) != str_lower(b.ptr[j - 1]);
            unsigned best = last[j - 1] + cost;
            best = last[j] + 1 < best ? last[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && str_lower(a.ptr[i - 1]) == str_lower(b.ptr[j - 2]) &&
                str_lower(a.ptr[i - 2]) == str_lower(b.ptr[j - 1]) && before[j - 2] + 1 < best) {
                best = before[j - 2] + 1;
            }
            now[j] = best;
        }
    }
    return row[a.len % 3][b.len];
}

bool str_is_near(struct str a, struct str b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    return str_distance(a, b) <= (shorter < 4 ? 1 : shorter < 9 ? 2 : 3);
}

struct str str_nearest(struct str written, const struct str *words, size_t count)
{
    struct str best = {NULL, 0};
    unsigned least = DISTANCE_NONE;
    for (size_t i = 0; i < count; i++) {
        unsigned distance = str_distance(written, words[i]);
        if (str_is_near(written, words[i]) && distance < least) {
            best = words[i];
            least = distance;
        }
    }
    return best;
}
