/* The TOML reader's scanner: blanks, line ends, comments, error reports, and finding the next
 * statement after an error. Takes bytes that are known to be UTF-8 without NUL. */
#include "syntax/toml_reader.h"

#include <stdio.h>
#include <string.h>

int toml_peek(const struct toml_reader *reader, size_t k)
{
    size_t at = reader->at + k;
    return at < reader->text.len ? (unsigned char)reader->text.ptr[at] : -1;
}

size_t toml_newline(const struct toml_reader *reader)
{
    int c = toml_peek(reader, 0);
    return c == '\n' ? 1 : c == '\r' && toml_peek(reader, 1) == '\n' ? 2 : 0;
}

void toml_skip_blanks(struct toml_reader *reader)
{
    while (toml_peek(reader, 0) == ' ' || toml_peek(reader, 0) == '\t') {
        reader->at++;
    }
}

bool toml_is_control(int c)
{
    return (c >= 0 && c < 0x20 && c != '\t') || c == 0x7F;
}

void toml_skip_comment(struct toml_reader *reader)
{
    if (toml_peek(reader, 0) != '#') {
        return;
    }
    bool is_clean = true;
    for (; toml_peek(reader, 0) >= 0 && toml_newline(reader) == 0; reader->at++) {
        if (is_clean && toml_is_control(toml_peek(reader, 0))) {
            is_clean = false;
            toml_complain(reader, reader->at, "control character U+%04X in a comment: remove it",
                          (unsigned)toml_peek(reader, 0));
        }
    }
}

bool toml_skip_lines(struct toml_reader *reader)
{
    bool is_crossed = false;
    for (;;) {
        toml_skip_blanks(reader);
        toml_skip_comment(reader);
        size_t length = toml_newline(reader);
        if (length == 0) {
            return is_crossed;
        }
        is_crossed = true;
        reader->at += length;
    }
}

struct pos toml_place(struct toml_reader *reader, size_t offset)
{
    return place_of(&reader->places, offset);
}

#define REPORT_BYTES 400

void toml_complain(struct toml_reader *reader, size_t offset, const char *format, ...)
{
    char message[REPORT_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    tree_error(reader->arena, reader->text, reader->document, toml_place(reader, offset), "%s",
               message);
}

bool toml_lose(struct toml_reader *reader, size_t offset, const char *format, ...)
{
    char message[REPORT_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    tree_error(reader->arena, reader->text, reader->document, toml_place(reader, offset), "%s",
               message);
    reader->lost_at = offset;
    return false;
}

const char *toml_found(struct toml_reader *reader, size_t offset)
{
    return arena_cstr(reader->arena, tree_show_char(reader->arena, reader->text, offset));
}

bool toml_is_bare(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

/* Runs of bare or quoted key parts, dots and blanks: gives the offset behind them. */
static size_t skip_key_like(struct str text, size_t at)
{
    char quote = '\0';
    for (; at < text.len && text.ptr[at] != '\n'; at++) {
        char c = text.ptr[at];
        if (quote != '\0') {
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (!toml_is_bare((unsigned char)c) && c != '.' && c != ' ' && c != '\t') {
            break;
        }
    }
    return at;
}

static size_t skip_blanks_at(struct str text, size_t at)
{
    while (at < text.len && str_is_of(text.ptr[at], " \t\r")) {
        at++;
    }
    return at;
}

static bool is_line_end_at(struct str text, size_t at)
{
    return at >= text.len || text.ptr[at] == '\n' || text.ptr[at] == '#';
}

static bool is_pair_like(struct str text, size_t line)
{
    size_t at = skip_blanks_at(text, line);
    if (at >= text.len || !toml_is_bare((unsigned char)text.ptr[at])) {
        return false;
    }
    at = skip_key_like(text, at);
    return at < text.len && text.ptr[at] == '=';
}

/* [word...] alone on its line, unless the word is a value: then it is an array in an array. */
static bool is_header_like(struct str text, size_t line)
{
    static const struct str values[] = {STR_INIT("true]"), STR_INIT("false]"), STR_INIT("inf]"),
                                        STR_INIT("nan]")};
    size_t at = skip_blanks_at(text, line);
    size_t brackets = 0;
    for (; brackets < 2 && at < text.len && text.ptr[at] == '['; brackets++) {
        at++;
    }
    if (brackets == 0 || at >= text.len || !toml_is_bare((unsigned char)text.ptr[at]) ||
        str_is_of(text.ptr[at], "0123456789-")) {
        return false;
    }
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (str_starts(str_slice(text, at, text.len), values[i])) {
            return false;
        }
    }
    at = skip_key_like(text, at);
    for (; brackets > 0 && at < text.len && text.ptr[at] == ']'; brackets--) {
        at++;
    }
    return brackets == 0 && is_line_end_at(text, skip_blanks_at(text, at));
}

bool toml_is_statement_like(struct str text, size_t line)
{
    return is_header_like(text, line) || is_pair_like(text, line);
}

/* True when nothing stands between an open bracket and its line's end: the values follow on lines
 * of their own, and key = there belongs to an inline table. */
static bool is_opened_for_lines(struct str text, size_t bracket)
{
    return text.ptr[bracket] == '{' && is_line_end_at(text, skip_blanks_at(text, bracket + 1));
}

/* Offset behind the string whose quote stands at an offset; a string of one line ends with it. */
static size_t skip_string(struct str text, size_t at)
{
    char quote = text.ptr[at];
    bool is_long = at + 2 < text.len && text.ptr[at + 1] == quote && text.ptr[at + 2] == quote;
    for (at += is_long ? 3 : 1; at < text.len; at++) {
        if (text.ptr[at] == '\\' && quote == '"') {
            at++;
        } else if (is_long) {
            if (str_starts(str_slice(text, at, text.len),
                           quote == '"' ? STR("\"\"\"") : STR("'''"))) {
                return at + 3;
            }
        } else if (text.ptr[at] == quote) {
            return at + 1;
        } else if (text.ptr[at] == '\n') {
            return at;
        }
    }
    return text.len;
}

/* Goes to the end of the line, over strings and comments, keeping count of the brackets. */
static size_t skip_line(struct str text, size_t at, size_t *open_count)
{
    while (at < text.len && text.ptr[at] != '\n') {
        char c = text.ptr[at];
        if (c == '#') {
            const char *end = memchr(text.ptr + at, '\n', text.len - at);
            return end ? (size_t)(end - text.ptr) : text.len;
        }
        if (c == '"' || c == '\'') {
            at = skip_string(text, at);
            continue;
        }
        if (c == '[' || c == '{') {
            ++*open_count;
        } else if ((c == ']' || c == '}') && *open_count > 0) {
            --*open_count;
        }
        at++;
    }
    return at;
}

void toml_recover(struct toml_reader *reader, size_t statement_at)
{
    struct str text = reader->text;
    size_t open_count = reader->open_count;
    bool is_pair_end = open_count == 0 || !is_opened_for_lines(text, reader->innermost);
    size_t at = reader->lost_at;
    size_t line = at;
    while (line > statement_at && text.ptr[line - 1] != '\n') {
        line--;
    }
    /* The error may be that the next statement came where the end of this one was expected. */
    bool is_new_line = line > statement_at;
    for (;;) {
        if (is_new_line &&
            (is_header_like(text, line) || (is_pair_end && is_pair_like(text, line)))) {
            at = line;
            break;
        }
        at = skip_line(text, at, &open_count);
        if (at >= text.len) {
            break;
        }
        at++;
        if (open_count == 0) {
            break;
        }
        line = at;
        is_new_line = true;
    }
    reader->at = at;
    reader->open_count = 0;
}
