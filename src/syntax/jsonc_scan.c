/* The JSON reader's scanner: blanks, comments, strings, numbers and words. Takes UTF-8 without NUL,
 * gives each of them in the form that cJSON reads rightly, and reports what it would let pass. */
#include "syntax/jsonc_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT STR("\\uFFFD")
#define REPORT_BYTES 400

int json_peek(const struct json_reader *reader, size_t k)
{
    size_t at = reader->at + k;
    return at < reader->text.len ? (unsigned char)reader->text.ptr[at] : -1;
}

void json_complain(struct json_reader *reader, size_t offset, const char *format, ...)
{
    char message[REPORT_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    tree_error(reader->arena, reader->text, reader->document, place_of(&reader->places, offset),
               "%s", message);
}

const char *json_found(struct json_reader *reader, size_t offset)
{
    return arena_cstr(reader->arena, tree_show_char(reader->arena, reader->text, offset));
}

/* Goes behind the comment here. */
static bool skip_comment(struct json_reader *reader)
{
    size_t start = reader->at;
    bool is_block = json_peek(reader, 1) == '*';
    if (reader->dialect == JSON_STRICT && !reader->is_comment_told) {
        reader->is_comment_told = true;
        json_complain(reader, start, "found a comment, which JSON does not have: remove it");
    }
    ptrdiff_t length = str_find(str_slice(reader->text, start + 2, reader->text.len),
                                is_block ? STR("*/") : STR("\n"));
    if (length < 0 && is_block) {
        json_complain(reader, start, "unterminated comment, expected */");
        return false;
    }
    reader->at = length < 0 ? reader->text.len : start + 2 + (size_t)length + (is_block ? 2 : 1);
    return true;
}

bool json_skip_blanks(struct json_reader *reader)
{
    for (int c = json_peek(reader, 0); c >= 0 && c <= '/'; c = json_peek(reader, 0)) {
        int next = c == '/' ? json_peek(reader, 1) : -1;
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            reader->at++;
        } else if (next != '/' && next != '*') {
            break;
        } else if (!skip_comment(reader)) {
            return false;
        }
    }
    return true;
}

/* Value of the four hex digits at an offset, or -1. */
static int32_t hex4(struct str text, size_t at)
{
    int32_t value = 0;
    for (size_t i = at; i < at + 4; i++) {
        char c = i < text.len ? text.ptr[i] : '\0';
        int digit = str_hex_value(c);
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

/* Copies the escape here to `out`; what is wrong is reported and replaced. */
static void scan_escape(struct json_reader *reader, struct buf *out)
{
    struct str text = reader->text;
    size_t at = reader->at;
    int letter = json_peek(reader, 1);
    if (letter > 0 && strchr("\"\\/bfnrt", letter)) {
        buf_add(out, str_slice(text, at, at + 2));
        reader->at += 2;
        return;
    }
    int32_t code = letter == 'u' ? hex4(text, at + 2) : -1;
    if (code < 0) {
        json_complain(reader, at,
                      letter == 'u'
                          ? "the escape \\u needs 4 hex digits, but %s follows"
                          : "unknown escape, backslash and %s: write \\\\ for a backslash",
                      json_found(reader, at + (letter == 'u' ? 2 : 1)));
        buf_add(out, STR("\\\\"));
        reader->at++;
        return;
    }
    bool is_pair = code >= 0xD800 && code < 0xDC00 && json_peek(reader, 6) == '\\' &&
                   json_peek(reader, 7) == 'u' && (hex4(text, at + 8) & 0xFC00) == 0xDC00;
    size_t length = is_pair ? 12 : 6;
    if (code >= 0xD800 && code < 0xE000 && !is_pair) {
        json_complain(reader, at,
                      "half of a surrogate pair, expected both of \\uD800 to \\uDBFF "
                      "and \\uDC00 to \\uDFFF");
        buf_add(out, REPLACEMENT);
    } else {
        buf_add(out, code == 0 ? REPLACEMENT : str_slice(text, at, at + length));
    }
    reader->at += length;
}

/* Whether any of eight bytes ends a run: a control, a quote, a backslash. */
static bool has_end(uint64_t eight)
{
    static const uint64_t each = UINT64_C(0x0101010101010101);
    uint64_t quotes = eight ^ each * '"', slashes = eight ^ each * '\\';
    uint64_t controls = (eight - each * 0x20) & ~eight;
    return (controls | ((quotes - each) & ~quotes) | ((slashes - each) & ~slashes)) & each * 0x80;
}

/* The end of the run of bytes from text[at] on that stand for themselves in a string. */
static size_t plain_end(struct str text, size_t at)
{
    for (uint64_t eight; at + sizeof eight <= text.len; at += sizeof eight) {
        memcpy(&eight, text.ptr + at, sizeof eight);
        if (has_end(eight)) {
            break;
        }
    }
    while (at < text.len && (unsigned char)text.ptr[at] >= 0x20 && text.ptr[at] != '"' &&
           text.ptr[at] != '\\') {
        at++;
    }
    return at;
}

bool json_scan_string(struct json_reader *reader, struct buf *out)
{
    size_t start = reader->at++;
    for (size_t run = start;; run = reader->at) { /* the quotes are parts of the runs beside them */
        reader->at = plain_end(reader->text, reader->at);
        int c = json_peek(reader, 0);
        reader->at += c == '"';
        buf_add(out, str_slice(reader->text, run, reader->at));
        if (c == '"') {
            return true;
        }
        if (c < 0 || c == '\n') {
            json_complain(reader, start, "unterminated string, expected '\"' before the end of %s",
                          c < 0 ? "the text" : "the line");
            return false;
        }
        if (c == '\\') {
            scan_escape(reader, out);
            continue;
        }
        json_complain(reader, reader->at,
                      "control character U+%04X in a string, expected the escape \\u%04X",
                      (unsigned)c, (unsigned)c);
        buf_printf(out, "\\u%04X", (unsigned)c);
        reader->at++;
    }
}

static size_t count_digits(struct str s, size_t at)
{
    size_t start = at;
    while (at < s.len && str_is_digit(s.ptr[at])) {
        at++;
    }
    return at - start;
}

/* What is wrong with the form of a number, or NULL. */
static const char *check_number(struct str token)
{
    size_t at = token.ptr[0] == '-' ? 1 : 0;
    size_t whole = count_digits(token, at);
    if (whole == 0) {
        return at < token.len && token.ptr[at] == '.' ? "expected a digit before the point"
                                                      : "not a number";
    }
    if (whole > 1 && token.ptr[at] == '0') {
        return "a number has no leading zeros; quote it if it is a string";
    }
    at += whole;
    if (at < token.len && token.ptr[at] == '.') {
        size_t fraction = count_digits(token, at + 1);
        if (fraction == 0) {
            return "expected digits after the point";
        }
        at += 1 + fraction;
    }
    if (at < token.len && (token.ptr[at] == 'e' || token.ptr[at] == 'E')) {
        at++;
        at += at < token.len && (token.ptr[at] == '+' || token.ptr[at] == '-') ? 1 : 0;
        size_t exponent = count_digits(token, at);
        if (exponent == 0) {
            return "expected digits after the exponent's e";
        }
        at += exponent;
    }
    return at == token.len ? NULL : "not a number; string values must be quoted";
}

/* Numbers are read here: cJSON takes 63 bytes of one and keeps no integer over 2^53. */
static const char *read_number(struct arena *arena, struct str token, struct json_mark *mark)
{
    const char *wrong = check_number(token);
    if (wrong) {
        return wrong;
    }
    mark->kind = NODE_FLOAT;
    mark->number = strtod(arena_cstr(arena, token), NULL);
    if (str_to_i64(token, &mark->integer)) { /* no point, no exponent, in range */
        mark->kind = NODE_INTEGER;
    }
    return isfinite(mark->number) ? NULL : "number out of range, expected at most 1.8e308";
}

static const char *word_advice(struct str word)
{
    static const struct {
        struct str word;
        const char *advice;
    } words[] = {
        {STR_INIT("true"), "found an unquoted word, expected true in small letters"},
        {STR_INIT("false"), "found an unquoted word, expected false in small letters"},
        {STR_INIT("null"), "found an unquoted word, expected null in small letters"},
        {STR_INIT("none"), "found an unquoted word, expected null"},
        {STR_INIT("undefined"), "found an unquoted word, expected null"},
        {STR_INIT("nan"), "JSON has no NaN: leave the key out"},
        {STR_INIT("infinity"), "JSON has no infinity: leave the key out"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (str_ieq(word, words[i].word)) {
            return words[i].advice;
        }
    }
    return "found an unquoted word, expected a value: string values must be in double quotes";
}

/* Bytes of the word, number or single-quoted string here; 1 for any other character. */
static size_t token_bytes(const struct json_reader *reader)
{
    size_t length = 0;
    int c = json_peek(reader, 0);
    if (c == '\'') {
        do {
            c = json_peek(reader, ++length);
        } while (c >= 0 && c != '\'' && c != '\n');
        return length + (c == '\'' ? 1 : 0);
    }
    while (c >= 0 && !strchr(" \t\r\n,:[]{}\"", c) && !(c == '/' && length)) {
        c = json_peek(reader, ++length);
    }
    return length ? length : 1;
}

void json_scan_token(struct json_reader *reader, struct json_mark *mark)
{
    struct str token = str_slice(reader->text, reader->at, reader->at + token_bytes(reader));
    const char *wrong = NULL;
    unsigned char first = (unsigned char)token.ptr[0];
    if (str_eq(token, STR("true")) || str_eq(token, STR("false")) || str_eq(token, STR("null"))) {
        buf_add(&reader->plain, token);
        reader->at += token.len;
        return;
    }
    if (strchr("0123456789-.", first)) {
        wrong = read_number(reader->arena, token, mark);
    } else if (first == '\'') {
        wrong = "found a single quote, expected a string in double quotes";
    } else if ((first | 0x20) >= 'a' && (first | 0x20) <= 'z') {
        wrong = word_advice(token);
    } else {
        wrong = arena_cstr(reader->arena, arena_printf(reader->arena, "found %s, expected a value",
                                                       json_found(reader, reader->at)));
    }
    if (wrong) {
        json_complain(reader, reader->at, "%s", wrong);
        mark->is_bad = true;
    }
    buf_add(&reader->plain, wrong ? STR("null") : STR("0"));
    reader->at += token.len;
}
