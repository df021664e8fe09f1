/* Helps to tell at a glance that an entry of a log matches no rule: patterns are tried on the bytes
 * as they stand (classify/screen_pattern.c makes them fit), which can only say no where nothing in
 * them is hidden. */
#include "classify/screen.h"

#include "base/buf.h"
#include "base/text.h"

#include <string.h>

/* Code unit of the four digits at text[at]; they are known to be hex. */
static uint32_t unit_at(struct str text, size_t at)
{
    uint32_t value = 0;
    for (size_t i = at; i < at + 4 && i < text.len; i++) {
        char c = text.ptr[i];
        value = value << 4 | (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return value;
}

/* Offset of the last digit of the sign outside the first plane that begins with the unit whose u
 * stands at text[at], "ud83d\udeab"; *sign becomes its code. `at` where there is none. */
static size_t pair_end(struct str text, size_t at, uint32_t *sign)
{
    size_t low_at = at + 5;
    uint32_t high = unit_at(text, at + 1);
    while (low_at < text.len && text.ptr[low_at] == '\\') {
        low_at++;
    }
    bool is_unit = low_at > at + 5 && low_at + 4 < text.len && text.ptr[low_at] == 'u';
    uint32_t low = is_unit ? unit_at(text, low_at + 1) : 0;
    if (high < 0xD800 || high >= 0xDC00 || low < 0xDC00 || low >= 0xE000) {
        return at;
    }
    *sign = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    return low_at + 4;
}

struct str screen_plain(struct arena *arena, struct str text)
{
    static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
    if (str_find_char(text, '\\') < 0) {
        return text;
    }
    struct buf out = buf_create(text.len + 1);
    for (size_t at = 0; at < text.len; at++) {
        bool is_escape = text.ptr[at] == '\\';
        while (at + 1 < text.len && text.ptr[at] == '\\') {
            at++;
        }
        char c = text.ptr[at], bytes[4];
        const char *plain = is_escape && c ? strchr(from, c) : NULL;
        if (is_escape && c == 'u' && at + 4 < text.len) {
            uint32_t sign = unit_at(text, at + 1);
            size_t end = pair_end(text, at, &sign);
            buf_add(&out, (struct str){bytes, utf8_encode(sign, bytes)});
            at = end > at ? end : at + 4;
        } else {
            buf_add_char(&out, plain ? to[plain - from] : c);
        }
    }
    struct str decoded = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return decoded;
}
