/* TOML strings: basic and literal, of one line and of several. Takes the reader at the opening
 * quote, gives the decoded text. Finds the end first, so that a bad escape inside costs no more
 * than its own report. */
#include "syntax/toml_reader.h"

#include "base/text.h"

#include <string.h>

/* Offset of the closing quotes, or -1. Up to two more quotes may stand before those of a long
 * string; they belong to its text. */
static ptrdiff_t find_end(struct str text, size_t at, char quote, bool is_long)
{
    if (quote == '\'' && !is_long) {
        struct str rest = str_slice(text, at, text.len);
        ptrdiff_t end = str_find_char(rest, quote);
        ptrdiff_t line = end < 0 ? -1 : str_find_char(str_slice(rest, 0, (size_t)end), '\n');
        return end < 0 || line >= 0 ? -1 : (ptrdiff_t)at + end;
    }
    for (; at < text.len; at++) {
        char c = text.ptr[at];
        if (c == '\\' && quote == '"') {
            at++;
        } else if (c == quote && !is_long) {
            return (ptrdiff_t)at;
        } else if (c == quote) {
            size_t run = 1;
            while (run < 5 && at + run < text.len && text.ptr[at + run] == quote) {
                run++;
            }
            if (run >= 3) {
                return (ptrdiff_t)(at + run - 3);
            }
            at += run - 1;
        } else if (c == '\n' && !is_long) {
            return -1;
        }
    }
    return -1;
}

/* Value of `count` hex digits, or -1. */
static int64_t hex_value(struct str digits, size_t count)
{
    int64_t value = 0;
    if (digits.len < count) {
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        int digit = str_hex_value(digits.ptr[i]);
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

static const struct escape {
    char letter;
    char byte;     /* what it stands for, or */
    size_t digits; /* how many hex digits follow */
    bool is_new;   /* since TOML 1.1 */
} escapes[] = {
    {.letter = 'b', .byte = '\b'},
    {.letter = 't', .byte = '\t'},
    {.letter = 'n', .byte = '\n'},
    {.letter = 'f', .byte = '\f'},
    {.letter = 'r', .byte = '\r'},
    {.letter = '"', .byte = '"'},
    {.letter = '\\', .byte = '\\'},
    {.letter = 'e', .byte = '\x1B', .is_new = true},
    {.letter = 'x', .digits = 2, .is_new = true},
    {.letter = 'u', .digits = 4},
    {.letter = 'U', .digits = 8},
};

static const struct escape *find_escape(char letter)
{
    for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; i++) {
        if (escapes[i].letter == letter) {
            return &escapes[i];
        }
    }
    return NULL;
}

/* Decodes the escape at an offset to out; adds to *length, gives the offset behind it. What is
 * wrong is reported and kept as it stands. */
static size_t decode_escape(struct toml_reader *reader, struct str body, size_t at, char *out,
                            size_t *length)
{
    size_t offset = (size_t)(body.ptr - reader->text.ptr) + at;
    const struct escape *escape = at + 1 < body.len ? find_escape(body.ptr[at + 1]) : NULL;
    if (!escape) {
        toml_complain(reader, offset,
                      "unknown escape, backslash and %s: write \\\\ for a backslash, or put the "
                      "string in single quotes",
                      toml_found(reader, offset + 1));
        out[(*length)++] = '\\';
        return at + 1;
    }
    if (escape->is_new && reader->version == TOML_1_0) {
        toml_complain(reader, offset, "the escape \\%c needs TOML 1.1, expected \\u and 4 digits",
                      escape->letter);
    }
    if (escape->digits == 0) {
        out[(*length)++] = escape->byte;
        return at + 2;
    }
    int64_t value = hex_value(str_slice(body, at + 2, body.len), escape->digits);
    char bytes[4];
    size_t count = value >= 0 ? utf8_encode((uint32_t)value, bytes) : 0;
    if (count == 0) {
        toml_complain(reader, offset,
                      value < 0
                          ? "the escape \\%c needs %zu hex digits: write \\\\ for a backslash, "
                            "or put the string in single quotes"
                          : "the escape \\%c with its %zu digits is no Unicode character",
                      escape->letter, escape->digits);
        out[(*length)++] = '\\';
        return at + 1;
    }
    memcpy(out + *length, bytes, count);
    *length += count;
    return at + 2 + escape->digits;
}

/* Length of a line-ending backslash: the blanks and line ends it swallows; 0 when it is none. */
static size_t folded_bytes(struct str body, size_t at)
{
    size_t end = at + 1;
    while (end < body.len && (body.ptr[end] == ' ' || body.ptr[end] == '\t')) {
        end++;
    }
    bool is_line_end = end < body.len &&
                       (body.ptr[end] == '\n' ||
                        (body.ptr[end] == '\r' && end + 1 < body.len && body.ptr[end + 1] == '\n'));
    if (!is_line_end) {
        return 0;
    }
    while (end < body.len &&
           (str_is_of(body.ptr[end], " \t\n") ||
            (body.ptr[end] == '\r' && end + 1 < body.len && body.ptr[end + 1] == '\n'))) {
        end++;
    }
    return end - at;
}

/* Reports a control character at an offset of the body when it may not be there. */
static void check_control(struct toml_reader *reader, struct str body, size_t at, bool is_long)
{
    char c = body.ptr[at];
    bool is_line_end = c == '\n' || (c == '\r' && at + 1 < body.len && body.ptr[at + 1] == '\n');
    if (toml_is_control((unsigned char)c) && !(is_long && is_line_end)) {
        toml_complain(reader, (size_t)(body.ptr - reader->text.ptr) + at,
                      "control character U+%04X in a string, expected the escape \\u%04X",
                      (unsigned char)c, (unsigned char)c);
    }
}

/* Decodes what stands at an offset of the body to out; gives the offset behind it. */
static size_t decode_next(struct toml_reader *reader, struct str body, size_t at, bool is_basic,
                          bool is_long, char *out, size_t *length)
{
    if (body.ptr[at] != '\\' || !is_basic) {
        check_control(reader, body, at, is_long);
        out[(*length)++] = body.ptr[at];
        return at + 1;
    }
    size_t folded = is_long ? folded_bytes(body, at) : 0;
    return folded ? at + folded : decode_escape(reader, body, at, out, length);
}

/* Bytes at an offset of the body that stand for themselves, whatever kind of string it is. */
static size_t plain_run(struct str body, size_t at, bool is_basic)
{
    size_t end = at;
    while (end < body.len && (unsigned char)body.ptr[end] >= 0x20 && body.ptr[end] != 0x7F &&
           !(is_basic && body.ptr[end] == '\\')) {
        end++;
    }
    return end - at;
}

static struct str decode(struct toml_reader *reader, struct str body, bool is_basic, bool is_long)
{
    char *out = arena_alloc(reader->arena, body.len + 1);
    size_t length = 0;
    for (size_t at = 0; at < body.len;) {
        size_t plain = plain_run(body, at, is_basic);
        memcpy(out + length, body.ptr + at, plain);
        length += plain;
        at += plain;
        if (at == body.len) {
            break;
        }
        at = decode_next(reader, body, at, is_basic, is_long, out, &length);
    }
    return (struct str){out, length};
}

/* Steps over the opening quotes: are they three? */
static bool open_quotes(struct toml_reader *reader, char quote)
{
    bool is_long = toml_peek(reader, 1) == quote && toml_peek(reader, 2) == quote;
    reader->at += is_long ? 3 : 1;
    return is_long;
}

bool toml_read_string(struct toml_reader *reader, struct str *out)
{
    size_t start = reader->at;
    char quote = (char)toml_peek(reader, 0);
    bool is_long = open_quotes(reader, quote);
    ptrdiff_t end = find_end(reader->text, reader->at, quote, is_long);
    if (end < 0) {
        const char *quotes = is_long        ? (quote == '"' ? "\"\"\"" : "'''")
                             : quote == '"' ? "\""
                                            : "'";
        return toml_lose(reader, start, "unterminated string, expected %s before the end of the %s",
                         quotes, is_long ? "file" : "line");
    }
    if (is_long) {
        reader->at += toml_newline(reader);
    }
    struct str body = str_slice(reader->text, reader->at, (size_t)end);
    *out = decode(reader, body, quote == '"', is_long);
    reader->at = (size_t)end + (is_long ? 3 : 1);
    return true;
}

struct pos toml_string_pos(struct str text, struct pos pos, size_t offset)
{
    struct arena *arena = arena_create();
    struct document document = {0};
    struct toml_reader *reader = ARENA_NEW(arena, struct toml_reader);
    *reader = (struct toml_reader){.arena = arena,
                                   .text = text,
                                   .version = TOML_1_1,
                                   .document = &document,
                                   .at = place_offset(text, pos)};
    char quote = (char)toml_peek(reader, 0);
    bool is_long = open_quotes(reader, quote);
    ptrdiff_t end = find_end(text, reader->at, quote, is_long);
    reader->at += is_long ? toml_newline(reader) : 0;
    struct str body = str_slice(text, reader->at, end < 0 ? text.len : (size_t)end);
    char *value = arena_alloc(arena, body.len + 1);
    size_t at = 0, length = 0;
    while (at < body.len && length < offset) {
        at = decode_next(reader, body, at, quote == '"', is_long, value, &length);
    }
    struct pos found = pos_of_offset(text, reader->at + at);
    arena_free(arena);
    return found;
}
