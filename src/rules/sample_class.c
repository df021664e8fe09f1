/* Characters out of classes. Takes the text of a class or an escape of a pattern, gives one
 * character that belongs to it. */
#include "rules/sample_class.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

#define ASCII 128

struct members {
    bool has[ASCII];
    struct str other; /* the first one outside ASCII, or unset */
};

static bool is_in_kind(char kind, int c)
{
    switch (tolower((unsigned char)kind)) {
    case 'd':
        return isdigit(c);
    case 'w':
        return isalnum(c) || c == '_';
    default:
        return isspace(c);
    }
}

/* \d \W ...: their members; false for another letter. */
static bool add_kind(struct members *members, char kind)
{
    if (!strchr("dDwWsS", kind) || kind == '\0') {
        return false;
    }
    for (int c = 0; c < ASCII; c++) {
        members->has[c] |= is_in_kind(kind, c) != (isupper((unsigned char)kind) != 0);
    }
    return true;
}

static char plain_escape(char letter)
{
    static const char from[] = "ntrfve", to[] = "\n\t\r\f\v\x1B";
    const char *at = letter ? strchr(from, letter) : NULL;
    return at ? to[at - from] : letter;
}

/* Steps over one member of a class, adds it; gives its code when a range may begin with it. */
static int read_member(struct str pattern, size_t *at, struct members *members)
{
    uint32_t ignored;
    char c = pattern.ptr[*at];
    if (c == '\\' && *at + 1 < pattern.len) {
        char letter = pattern.ptr[*at + 1];
        *at += 2;
        if (add_kind(members, letter)) {
            return -1;
        }
        c = plain_escape(letter);
    } else if ((unsigned char)c >= ASCII) {
        size_t length = utf8_decode(pattern, *at, &ignored);
        length = length ? length : 1;
        members->other =
            str_is_set(members->other) ? members->other : str_slice(pattern, *at, *at + length);
        *at += length;
        return -1;
    } else if (c == '[' && *at + 1 < pattern.len && pattern.ptr[*at + 1] == ':') {
        ptrdiff_t end = str_find(str_slice(pattern, *at, pattern.len), STR(":]"));
        *at += end < 0 ? 1 : (size_t)end + 2;
        c = 'a'; /* of all the named classes in use */
    } else {
        ++*at;
    }
    members->has[(unsigned char)c % ASCII] = true;
    return (unsigned char)c % ASCII;
}

static void read_members(struct str pattern, size_t *at, struct members *members)
{
    bool is_first = true;
    while (*at < pattern.len && (is_first || pattern.ptr[*at] != ']')) {
        is_first = false;
        int from = read_member(pattern, at, members);
        bool is_range = from >= 0 && *at + 1 < pattern.len && pattern.ptr[*at] == '-' &&
                        pattern.ptr[*at + 1] != ']';
        if (is_range) {
            ++*at;
            int to = read_member(pattern, at, members);
            for (int c = from; c <= to; c++) {
                members->has[c] = true;
            }
        }
    }
    *at += *at < pattern.len;
}

/* One of the members, printable ones before others. */
static struct str choose(const struct members *members, bool is_negated, uint32_t random)
{
    static const char order[] = "xa0 Z9_-.:,;/=+\"'()[]{}<>!?#$%&*@\\^`|~bcdefghijklmnopqrstuvwyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXY12345678\n\t\r";
    const char *found[2] = {NULL, NULL};
    size_t count = 0;
    for (size_t i = 0; i + 1 < sizeof order && count < 2; i++) {
        if (members->has[(unsigned char)order[i]] != is_negated) {
            found[count++] = &order[i];
        }
    }
    if (count == 0) {
        return members->other;
    }
    return (struct str){found[random % count], 1};
}

struct str sample_class(struct str pattern, size_t *at, uint32_t random)
{
    struct members members = {.other = {NULL, 0}};
    ++*at;
    bool is_negated = *at < pattern.len && pattern.ptr[*at] == '^';
    *at += is_negated;
    read_members(pattern, at, &members);
    return choose(&members, is_negated, random);
}

/* Steps over {...} or 'digits behind an escape such as \x or \p. */
static void skip_argument(struct str pattern, size_t *at, size_t digits)
{
    if (*at < pattern.len && pattern.ptr[*at] == '{') {
        ptrdiff_t end = str_find_char(str_slice(pattern, *at, pattern.len), '}');
        *at = end < 0 ? pattern.len : *at + (size_t)end + 1;
        return;
    }
    for (; digits && *at < pattern.len && isxdigit((unsigned char)pattern.ptr[*at]); digits--) {
        ++*at;
    }
}

struct str sample_escape(struct str pattern, size_t *at, uint32_t random)
{
    static const char escaped[] = "\n\t\r\f\v\x1B";
    struct members members = {.other = {NULL, 0}};
    char letter = *at + 1 < pattern.len ? pattern.ptr[*at + 1] : '\0';
    size_t letter_at = *at + 1;
    *at += letter ? 2 : 1;
    if (add_kind(&members, letter)) {
        return choose(&members, false, random);
    }
    if (letter == 'x' || letter == 'p' || letter == 'P') {
        skip_argument(pattern, at, letter == 'x' ? 2 : 1);
        return STR("a");
    }
    if (letter == 'h' || letter == 'N') {
        return letter == 'h' ? STR(" ") : STR("x");
    }
    if (letter == '\0' || strchr("bBAzZGKQE123456789", letter)) {
        return STR(""); /* an assertion, or a back reference */
    }
    char plain = plain_escape(letter);
    const char *shared = plain == letter ? NULL : strchr(escaped, plain);
    return shared ? (struct str){shared, 1} : str_slice(pattern, letter_at, letter_at + 1);
}
