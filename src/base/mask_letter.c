/* Reading through escapes: a key written \u0073k-..., %73k-... or &#115;k-... is the same key.
 * Takes a place in a text, gives the letter there; knows nothing of keys. */
#include "base/mask_letter.h"

#include <string.h>

#define BREAK_BYTES_MAX 64 /* of an end of a line with the blanks behind it; a key ends at more */
#define BACKSLASHES_MAX 16 /* each layer of JSON doubles them; a run of more is no escape */

/* `digits` hexadecimal digits at s[at]; -1 when there are fewer or they are beyond ASCII. */
static int read_hex(struct str s, size_t at, size_t digits)
{
    int value = 0;
    if (at + digits > s.len) {
        return -1;
    }
    for (size_t i = at; i < at + digits; i++) {
        int digit = str_hex_value(s.ptr[i]);
        value = digit < 0 || value > 0x7F ? -1 : value * 16 + digit;
        if (value < 0) {
            return -1;
        }
    }
    return value <= 0x7F ? value : -1;
}

/* \u0073, \x73 and \/, behind several backslashes where JSON stands in JSON. */
static size_t read_backslash(struct str s, size_t at, char *letter)
{
    size_t end = at;
    while (end < s.len && end - at < BACKSLASHES_MAX && s.ptr[end] == '\\') {
        end++;
    }
    if (end == s.len) {
        return 1;
    }
    size_t digits = s.ptr[end] == 'u' ? 4 : s.ptr[end] == 'x' ? 2 : 0;
    int value = s.ptr[end] == '/' ? '/' : digits ? read_hex(s, end + 1, digits) : -1;
    if (value < 0) {
        return 1;
    }
    *letter = (char)value;
    return end + 1 + digits - at;
}

/* &#115; and &#x73; */
static size_t read_entity(struct str s, size_t at, char *letter)
{
    if (at + 3 >= s.len || s.ptr[at + 1] != '#') {
        return 1;
    }
    bool is_hex = s.ptr[at + 2] == 'x' || s.ptr[at + 2] == 'X';
    int value = 0;
    size_t first = at + 2 + is_hex, end = first;
    for (; end < s.len && end < first + 6 && value <= 0x7F; end++) {
        int digit = str_hex_value(s.ptr[end]);
        if (digit < 0 || (!is_hex && digit > 9)) {
            break;
        }
        value = value * (is_hex ? 16 : 10) + digit;
    }
    if (end == first || end >= s.len || s.ptr[end] != ';' || value > 0x7F) {
        return 1;
    }
    *letter = (char)value;
    return end + 1 - at;
}

size_t mask_letter(struct str s, size_t at, char *letter)
{
    if (at >= s.len) {
        return 0;
    }
    *letter = s.ptr[at];
    if (s.ptr[at] == '\\') {
        return read_backslash(s, at, letter);
    }
    if (s.ptr[at] == '&') {
        return read_entity(s, at, letter);
    }
    int value = s.ptr[at] == '%' ? read_hex(s, at + 1, 2) : -1;
    if (value < 0) {
        return 1;
    }
    *letter = (char)value;
    return 3;
}

/* \n and \r behind any backslashes, and these letters in whatever other guise. */
static size_t read_line_end(struct str s, size_t at)
{
    char letter = '\0';
    size_t length = mask_letter(s, at, &letter), end = at;
    if (length && (letter == '\n' || letter == '\r')) {
        return length;
    }
    while (end < s.len && end - at < BACKSLASHES_MAX && s.ptr[end] == '\\') {
        end++;
    }
    return end > at && end < s.len && str_is_of(s.ptr[end], "nr\n\r") ? end + 1 - at : 0;
}

size_t mask_break(struct str s, size_t at)
{
    size_t end = at, length;
    bool may_end = at < s.len && (mask_may_escape(s.ptr[at]) || str_is_of(s.ptr[at], "\n\r"));
    if (!may_end) {
        return 0;
    }
    while (end - at <= BREAK_BYTES_MAX && (length = read_line_end(s, end))) {
        end += length;
    }
    while (end > at && end - at <= BREAK_BYTES_MAX && end < s.len &&
           (s.ptr[end] == ' ' || s.ptr[end] == '\t')) {
        end++;
    }
    return end - at <= BREAK_BYTES_MAX ? end - at : 0;
}

static bool ends_code(struct str s, size_t at)
{
    const char *end = s.ptr + at;
    return (at >= 3 && end[-3] == '%' && read_hex(s, at - 2, 2) >= 0) ||
           (at >= 4 && end[-4] == '\\' && end[-3] == 'x' && read_hex(s, at - 2, 2) >= 0) ||
           (at >= 6 && end[-6] == '\\' && end[-5] == 'u' && read_hex(s, at - 4, 4) >= 0);
}

static bool is_parameter(char c)
{
    return str_is_digit(c) || c == ';' || c == ':' || c == '?';
}

/* A terminal's sequence: ESC [ 31 m or ESC ( B, where ESC is a byte, written out, or lost on the
 * way ("[31m"), as in logs of CI. */
static bool ends_sequence(struct str s, size_t at)
{
    size_t begin = at > 0 ? at - 1 : 0;
    while (begin > 0 && at - begin < MASK_SEQUENCE_BYTES_MAX && is_parameter(s.ptr[begin - 1])) {
        begin--;
    }
    char opening = begin > 0 ? s.ptr[begin - 1] : '\0';
    bool is_csi = opening == '[' || opening == '\x9b'; /* the last one is ESC [ in one byte */
    bool is_led = opening == '\x9b' ||
                  (begin >= 2 && (s.ptr[begin - 2] == '\x1b' || ends_code(s, begin - 1)));
    return (is_csi || opening == '(') && (is_led || (is_csi && begin + 1 < at));
}

bool mask_ends_escape(struct str s, size_t at)
{
    return ends_code(s, at) || ends_sequence(s, at);
}
