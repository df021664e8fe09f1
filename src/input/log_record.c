/* Structured logs. Takes a line, gives values of its members as they are written; judges nothing.
 */
#include "input/log_record.h"

#include "base/buf.h"
#include "base/text.h"

#include <string.h>

bool log_is_record(struct str line)
{
    return line.len > 2 && line.ptr[0] == '{' &&
           (line.ptr[1] == '"' || (line.ptr[1] == ' ' && line.ptr[2] == '"'));
}

static bool is_escaped(struct str line, size_t from, size_t at)
{
    size_t slashes = 0;
    while (at - slashes > from && line.ptr[at - slashes - 1] == '\\') {
        slashes++;
    }
    return slashes % 2 == 1;
}

/* Offset behind the string that begins with the quote at line[at]. */
static size_t string_end(struct str line, size_t at)
{
    size_t from = at + 1, end = str_next_char(line, from, '"');
    while (end < line.len && is_escaped(line, from, end)) {
        end = str_next_char(line, end + 1, '"');
    }
    return end < line.len ? end + 1 : line.len;
}

/* Offset behind the value that begins at line[at]. */
static size_t value_end(struct str line, size_t at)
{
    size_t depth = 0;
    while (at < line.len) {
        char c = line.ptr[at];
        if (c == '"') {
            at = string_end(line, at);
        } else if (c == '{' || c == '[') {
            depth++;
            at++;
        } else if ((c == '}' || c == ']' || c == ',') && depth == 0) {
            return at;
        } else {
            depth -= c == '}' || c == ']';
            at++;
        }
        if (depth == 0 && (c == '"' || c == '}' || c == ']')) {
            return at;
        }
    }
    return at;
}

static size_t skip(struct str line, size_t at, const char *signs)
{
    while (at < line.len && str_is_of(line.ptr[at], signs)) {
        at++;
    }
    return at;
}

bool log_record_next(struct str line, size_t *at, struct log_member *member)
{
    size_t from = skip(line, *at ? *at : 1, " ,\t");
    if (from >= line.len || line.ptr[from] != '"') {
        return false;
    }
    size_t name_end = string_end(line, from);
    size_t begin = skip(line, name_end, " :\t");
    member->name = str_slice(line, from + 1, name_end > from + 1 ? name_end - 1 : from + 1);
    *at = value_end(line, begin);
    member->value = str_slice(line, begin, *at);
    return true;
}

struct str log_record_member(struct str line, const struct str *names, size_t count)
{
    struct log_member member;
    for (size_t at = 0; log_record_next(line, &at, &member);) {
        for (size_t i = 0; i < count; i++) {
            if (str_eq(member.name, names[i])) {
                return member.value;
            }
        }
    }
    return (struct str){NULL, 0};
}

/* Offset behind the value of a pair that begins at line[at]. */
static size_t pair_end(struct str line, size_t at)
{
    return at < line.len && line.ptr[at] == '"' ? string_end(line, at)
                                                : str_next_char(line, at, ' ');
}

bool log_pairs_next(struct str line, size_t *at, struct log_member *member)
{
    for (size_t from = skip(line, *at, " "); from < line.len; from = skip(line, from, " ")) {
        size_t name_end = from;
        while (name_end < line.len && !str_is_of(line.ptr[name_end], "= \"")) {
            name_end++;
        }
        if (name_end > from && name_end < line.len && line.ptr[name_end] == '=') {
            *at = pair_end(line, name_end + 1);
            member->name = str_slice(line, from, name_end);
            member->value = str_slice(line, name_end + 1, *at);
            return true;
        }
        from = str_next_char(line, name_end, ' ');
    }
    return false;
}

struct str log_pair_value(struct str line, const struct str *leads, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ptrdiff_t hit = str_find(line, leads[i]);
        if (hit < 0) {
            continue;
        }
        size_t begin = (size_t)hit + leads[i].len;
        return str_slice(line, begin, pair_end(line, begin));
    }
    return (struct str){NULL, 0};
}

static uint32_t hex_at(struct str text, size_t at)
{
    uint32_t value = 0;
    for (size_t i = at; i < at + 4; i++) {
        char c = i < text.len ? text.ptr[i] : '?';
        int digit = str_hex_value(c);
        if (digit < 0) {
            return UINT32_MAX;
        }
        value = value << 4 | (uint32_t)digit;
    }
    return value;
}

/* Undoes the \uXXXX at text[at], a pair of surrogates taken together; gives the offset behind. */
static size_t add_unicode(struct buf *out, struct str text, size_t at)
{
    char bytes[4];
    uint32_t c = hex_at(text, at + 2), low;
    if (c == UINT32_MAX) {
        return at + 2;
    }
    at += 6;
    if (c >= 0xD800 && c < 0xDC00 && str_starts(str_slice(text, at, text.len), STR("\\u"))) {
        low = hex_at(text, at + 2);
        if (low >= 0xDC00 && low < 0xE000) {
            c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
            at += 6;
        }
    }
    size_t length = c ? utf8_encode(c, bytes) : 0;
    buf_add(out, (struct str){bytes, length});
    return at;
}

/* Undoes the escape at text[at], if there is one; gives the offset behind. */
static size_t add_escape(struct buf *out, struct str text, size_t at)
{
    static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
    char next = at + 1 < text.len ? text.ptr[at + 1] : '\0';
    const char *plain = next ? strchr(from, next) : NULL;
    if (next == 'u') {
        return add_unicode(out, text, at);
    }
    if (next) {
        buf_add_char(out, plain ? to[plain - from] : next);
    }
    return at + 2;
}

struct str log_unquote(struct arena *arena, struct str value)
{
    if (value.len < 2 || value.ptr[0] != '"') {
        return value;
    }
    bool is_closed = value.ptr[value.len - 1] == '"';
    struct str text = str_slice(value, 1, value.len - is_closed);
    if (str_find_char(text, '\\') < 0) {
        return text;
    }
    struct buf out = buf_create(text.len * 2);
    for (size_t at = 0; at < text.len;) {
        ptrdiff_t plain = str_find_char(str_slice(text, at, text.len), '\\');
        size_t slash = plain < 0 ? text.len : at + (size_t)plain;
        buf_add(&out, str_slice(text, at, slash));
        at = add_escape(&out, text, slash);
    }
    struct str plain = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return plain;
}
