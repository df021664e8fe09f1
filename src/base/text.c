/* UTF-8, and making untrusted text fit to be shown. Takes any bytes, gives valid UTF-8 without
 * control characters; what a terminal would obey is written out instead. */
#include "base/text.h"

#include <string.h>

#include "base/buf.h"

#include <stdio.h>

size_t utf8_decode(struct str s, size_t at, uint32_t *code_point)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (at >= s.len) {
        return 0;
    }
    const unsigned char *p = (const unsigned char *)s.ptr + at;
    size_t length = p[0] < 0x80             ? 1
                    : (p[0] & 0xE0) == 0xC0 ? 2
                    : (p[0] & 0xF0) == 0xE0 ? 3
                    : (p[0] & 0xF8) == 0xF0 ? 4
                                            : 0;
    if (length == 0 || length > s.len - at) {
        return 0;
    }
    uint32_t value = length == 1 ? p[0] : p[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xC0) != 0x80) {
            return 0;
        }
        value = value << 6 | (p[i] & 0x3Fu);
    }
    if (value < smallest[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
        return 0;
    }
    *code_point = value;
    return length;
}

size_t utf8_encode(uint32_t code_point, char out[4])
{
    if (code_point < 0x80) {
        out[0] = (char)code_point;
        return 1;
    }
    if (code_point < 0x800) {
        out[0] = (char)(0xC0 | code_point >> 6);
        out[1] = (char)(0x80 | (code_point & 0x3F));
        return 2;
    }
    if (code_point >= 0xD800 && code_point <= 0xDFFF) {
        return 0;
    }
    if (code_point < 0x10000) {
        out[0] = (char)(0xE0 | code_point >> 12);
        out[1] = (char)(0x80 | (code_point >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code_point & 0x3F));
        return 3;
    }
    if (code_point > 0x10FFFF) {
        return 0;
    }
    out[0] = (char)(0xF0 | code_point >> 18);
    out[1] = (char)(0x80 | (code_point >> 12 & 0x3F));
    out[2] = (char)(0x80 | (code_point >> 6 & 0x3F));
    out[3] = (char)(0x80 | (code_point & 0x3F));
    return 4;
}

/* Bytes from s[at] on that are known to be ASCII, looked at eight by eight: at least 0, and not
 * always all there are. */
static size_t ascii_run(struct str s, size_t at)
{
    static const uint64_t high_bits = 0x8080808080808080U;
    size_t begin = at;
    for (uint64_t word; at + sizeof word <= s.len; at += sizeof word) {
        memcpy(&word, s.ptr + at, sizeof word);
        if (word & high_bits) {
            break;
        }
    }
    return at - begin;
}

ptrdiff_t utf8_find_invalid(struct str s)
{
    uint32_t ignored;
    for (size_t at = 0; at < s.len;) {
        at += ascii_run(s, at);
        if (at == s.len) {
            break;
        }
        size_t length = utf8_decode(s, at, &ignored);
        if (length == 0) {
            return (ptrdiff_t)at;
        }
        at += length;
    }
    return -1;
}

struct str text_without_bom(struct str s)
{
    return str_starts(s, STR("\xEF\xBB\xBF")) ? str_slice(s, 3, s.len) : s;
}

struct range {
    uint32_t first, last;
};

/* The ranges stand in order. */
static bool is_in(const struct range *ranges, size_t count, uint32_t c)
{
    size_t i = 0;
    while (i < count && c > ranges[i].last) {
        i++;
    }
    return i < count && c >= ranges[i].first;
}

/* Coarse ranges of UAX #11 (wide, fullwidth) and of combining marks: what terminals agree upon. */
static size_t columns_of(uint32_t c)
{
    static const struct range wide[] = {
        {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x33FF}, {0x3400, 0x4DBF},
        {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xAC00, 0xD7A3}, {0xF900, 0xFAFF},
        {0xFE30, 0xFE4F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F},
        {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
    };
    static const struct range none[] = {
        {0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};
    if (c < 0x300) {
        return 1;
    }
    if (is_in(none, sizeof none / sizeof none[0], c)) {
        return 0;
    }
    return is_in(wide, sizeof wide / sizeof wide[0], c) ? 2 : 1;
}

size_t text_columns(struct str s)
{
    size_t columns = 0;
    if (str_is_ascii(s)) {
        return s.len;
    }
    for (size_t at = 0; at < s.len;) {
        uint32_t c;
        size_t length = utf8_decode(s, at, &c);
        columns += length ? columns_of(c) : 1;
        at += length ? length : 1;
    }
    return columns;
}

bool text_is_unsafe(uint32_t code_point)
{
    static const struct range unsafe[] = {{0, 0x1F},        {0x7F, 0x9F},      {0x061C, 0x061C},
                                          {0x200B, 0x200F}, {0x2028, 0x202E},  {0x2060, 0x206F},
                                          {0xFEFF, 0xFEFF}, {0xE0000, 0xE007F}};
    return is_in(unsafe, sizeof unsafe / sizeof unsafe[0], code_point);
}

/* The shown form of the character at s[at]; gives the input bytes it used up. */
static size_t show_one(struct str s, size_t at, char piece[16], size_t *piece_length)
{
    uint32_t c;
    size_t length = utf8_decode(s, at, &c);
    int written;
    if (length == 0) {
        written = snprintf(piece, 16, "\\x%02X", (unsigned char)s.ptr[at]);
        length = 1;
    } else if (text_is_unsafe(c)) {
        written = c < 0x100 ? snprintf(piece, 16, "\\x%02X", (unsigned)c)
                            : snprintf(piece, 16, "\\u{%X}", (unsigned)c);
    } else {
        memcpy(piece, s.ptr + at, length); /* nearly always: not worth a format */
        written = (int)length;
    }
    *piece_length = (size_t)written;
    return length;
}

/* Bytes from s[at] on that are shown as they are: printable ASCII without a second blank. */
static size_t shown_run(struct str s, size_t at)
{
    size_t end = at;
    while (end < s.len && s.ptr[end] >= ' ' && s.ptr[end] <= '~' &&
           !(s.ptr[end] == ' ' && end > 0 && s.ptr[end - 1] <= ' ')) {
        end++;
    }
    return end - at;
}

struct str text_show(struct arena *arena, struct str s, size_t max_columns)
{
    s = str_trim(s);
    if (s.len && shown_run(s, 0) == s.len && (!max_columns || s.len + 3 <= max_columns)) {
        return arena_dup(arena, s);
    }
    struct buf out = buf_create(s.len * 8 + 8);
    size_t columns = 0, cut_at = 0;
    bool is_cut = false, was_blank = false;
    for (size_t at = 0; at < s.len && !is_cut;) {
        char piece[16];
        size_t piece_length, run = shown_run(s, at);
        if (run && (!max_columns || columns + run + 3 <= max_columns)) {
            buf_add(&out, str_slice(s, at, at + run));
            at += run;
            columns += run;
            cut_at = out.len;
            was_blank = s.ptr[at - 1] == ' ';
            continue;
        }
        bool is_blank =
            s.ptr[at] == ' ' || s.ptr[at] == '\t' || s.ptr[at] == '\r' || s.ptr[at] == '\n';
        if (is_blank && was_blank) {
            at++;
            continue;
        }
        was_blank = is_blank;
        if (is_blank) {
            piece[0] = ' ';
            piece_length = 1;
            at++;
        } else {
            at += show_one(s, at, piece, &piece_length);
        }
        size_t width = text_columns((struct str){piece, piece_length});
        if (max_columns && columns + width > max_columns) {
            is_cut = true;
            break;
        }
        if (!max_columns || columns + width + 3 <= max_columns) {
            cut_at = out.len + piece_length;
        }
        buf_add(&out, (struct str){piece, piece_length});
        columns += width;
    }
    struct str shown = buf_str(&out);
    shown =
        is_cut ? arena_printf(arena, "%.*s...", (int)cut_at, shown.ptr) : arena_dup(arena, shown);
    buf_free(&out);
    return shown;
}
