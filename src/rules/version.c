/* Versions of clients: comparing, and finding one in what a program prints. Pure text. */
#include "rules/client.h"

/* Takes the number at the front of *rest and what parts it from the next. */
static int64_t next_number(struct str *rest)
{
    size_t end = 0;
    int64_t number = 0;
    while (end < rest->len && str_is_digit(rest->ptr[end])) {
        end++;
    }
    if (end == 0 || !str_to_i64(str_slice(*rest, 0, end), &number)) {
        number = 0;
    }
    bool has_more = end < rest->len && rest->ptr[end] == '.';
    *rest = has_more ? str_slice(*rest, end + 1, rest->len) : STR("");
    return number;
}

int version_compare(struct str a, struct str b)
{
    for (int part = 0; part < 3; part++) {
        int64_t of_a = next_number(&a), of_b = next_number(&b);
        if (of_a != of_b) {
            return of_a < of_b ? -1 : 1;
        }
    }
    return 0;
}

bool version_is_in(struct str version, struct version_range range)
{
    return (str_is_empty(range.since) || version_compare(version, range.since) >= 0) &&
           (str_is_empty(range.until) || version_compare(version, range.until) < 0);
}

/* Length of "N.N.N" at s[at], with letters behind it as in "-alpha.2"; 0 when there is none. */
static size_t version_length(struct str s, size_t at)
{
    size_t end = at;
    for (int part = 0; part < 3; part++) {
        size_t digits = 0;
        while (end < s.len && str_is_digit(s.ptr[end]) && digits < 6) {
            end++;
            digits++;
        }
        if (digits == 0 || (part < 2 && (end >= s.len || s.ptr[end++] != '.'))) {
            return 0;
        }
    }
    size_t tail = end;
    while (tail < s.len && tail - end < 24 &&
           (str_is_digit(s.ptr[tail]) || s.ptr[tail] == '.' || s.ptr[tail] == '-' ||
            str_is_lower(s.ptr[tail]))) {
        tail++;
    }
    return (tail > end && s.ptr[end] == '-' ? tail : end) - at;
}

struct str version_find(struct str text)
{
    for (size_t at = 0; at < text.len; at++) {
        bool is_start = str_is_digit(text.ptr[at]) &&
                        (at == 0 || (!str_is_digit(text.ptr[at - 1]) && text.ptr[at - 1] != '.'));
        size_t length = is_start ? version_length(text, at) : 0;
        if (length) {
            return str_slice(text, at, at + length);
        }
    }
    return (struct str){NULL, 0};
}
