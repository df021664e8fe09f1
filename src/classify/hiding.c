/* Bytes that may hide a literal from whoever looks for it in a text as it stands. Takes text, tells
 * of a place whether what is decoded later can differ from it in more than quotes and line ends. */
#include "classify/hiding.h"

/* The code unit of \uXXXX whose u stands at text[at], or -1. */
static int code_unit(struct str text, size_t at)
{
    int value = 0;
    for (size_t i = at + 1; i < at + 5; i++) {
        int digit = i < text.len ? str_hex_value(text.ptr[i]) : -1;
        if (digit < 0) {
            return -1;
        }
        value = value << 4 | digit;
    }
    return value;
}

/* \uXXXX hides something unless it is punctuation that no literal needs, the half of a pair, or a
 * sign outside ASCII that stands among its like: literals are looked for in that form. */
static bool unit_hides(struct str text, size_t slash, size_t at)
{
    static const int harmless[] = {'\n', '\r', '\t', '"', '&', '\'', '/', '<', '>'};
    int unit = code_unit(text, at);
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++) {
        if (unit == harmless[i]) {
            return false;
        }
    }
    bool is_raw_before = slash > 0 && (unsigned char)text.ptr[slash - 1] >= 0x80;
    bool is_raw_behind = at + 5 < text.len && (unsigned char)text.ptr[at + 5] >= 0x80;
    if (unit >= 0xD800 && unit < 0xDC00) {
        size_t next = at + 5;
        while (next < text.len && text.ptr[next] == '\\') {
            next++;
        }
        int low = next < text.len && text.ptr[next] == 'u' ? code_unit(text, next) : -1;
        return low < 0xDC00 || low >= 0xE000;
    }
    if (unit >= 0xDC00 && unit < 0xE000) { /* of a pair that was looked at already */
        return slash < 5 || text.ptr[slash - 5] != 'u';
    }
    return unit < 0x80 || unit == 0x212A || unit == 0x17F || is_raw_before || is_raw_behind;
}

/* A run of backslashes that begins at text[slash]: literals are looked for behind as many as
 * classify/sieve_forms.h has. */
static bool slash_hides(struct str text, size_t slash)
{
    size_t at = slash;
    while (at < text.len && text.ptr[at] == '\\') {
        at++;
    }
    size_t slashes = at - slash;
    char c = at < text.len ? text.ptr[at] : '\n';
    if (c == 'u') {
        return slashes == 3 || slashes > 4 || unit_hides(text, slash, at);
    }
    return str_is_of(c, "\"'/") ? slashes > 3 : !str_is_of(c, "nrtbf\n");
}

static bool tag_hides(struct str text)
{
    static const struct str tags[] = {STR_INIT("<!doctype"), STR_INIT("<html"), STR_INIT("<head"),
                                      STR_INIT("<title")};
    return ISTARTS_ANY(text, tags);
}

bool hiding_at(struct str text, size_t at)
{
    unsigned char c = (unsigned char)text.ptr[at];
    if (c == '\\') {
        return (at == 0 || text.ptr[at - 1] != '\\') && slash_hides(text, at);
    }
    if (c == '<') {
        return tag_hides(str_slice(text, at, text.len));
    }
    if (c == '\r') {
        return at + 1 < text.len && text.ptr[at + 1] != '\n';
    }
    return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
}

bool hiding_in(struct str text)
{
    for (size_t at = 0; at < text.len; at++) {
        if (hiding_at(text, at)) {
            return true;
        }
    }
    return false;
}
