/* TOML values: tells the kinds apart and reads arrays and inline tables. Takes the reader at a
 * value's first character; what is no value is reported with what to write instead. */
#include "syntax/toml_reader.h"

#include "base/text.h"

#include <string.h>

bool toml_is_full(const struct toml_reader *reader)
{
    return reader->document->error_count == SYNTAX_ERRORS_MAX;
}

static bool is_token_byte(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c > 0 && strchr("_+-.:", c));
}

static bool is_value_end(int c)
{
    return c < 0 || strchr(" \t\r\n,]}#", c);
}

/* The run of token bytes here; a date takes the time behind its blank along. */
static struct str peek_token(const struct toml_reader *reader)
{
    size_t length = 0;
    while (is_token_byte(toml_peek(reader, length))) {
        length++;
    }
    struct str token = str_slice(reader->text, reader->at, reader->at + length);
    int digit = toml_peek(reader, length + 1);
    if (length == 10 && token.ptr[4] == '-' && toml_is_time_like(token) &&
        toml_peek(reader, length) == ' ' && digit >= '0' && digit <= '9') {
        for (length++; is_token_byte(toml_peek(reader, length));) {
            length++;
        }
    }
    return str_slice(reader->text, reader->at, reader->at + length);
}

/* What to write in place of a word that is no value. */
static const char *word_advice(struct str word)
{
    static const struct {
        struct str word;
        const char *advice;
    } words[] = {
        {STR_INIT("true"), "a boolean is written true, in small letters"},
        {STR_INIT("false"), "a boolean is written false, in small letters"},
        {STR_INIT("yes"), "a boolean is written true; string values must be quoted"},
        {STR_INIT("no"), "a boolean is written false; string values must be quoted"},
        {STR_INIT("on"), "a boolean is written true; string values must be quoted"},
        {STR_INIT("off"), "a boolean is written false; string values must be quoted"},
        {STR_INIT("null"), "TOML has no null: leave the key out"},
        {STR_INIT("nil"), "TOML has no null: leave the key out"},
        {STR_INIT("none"), "TOML has no null: leave the key out; string values must be quoted"},
        {STR_INIT("inf"), "infinity is written inf, in small letters"},
        {STR_INIT("nan"), "not-a-number is written nan, in small letters"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (str_ieq(word, words[i].word)) {
            return words[i].advice;
        }
    }
    return "string values must be quoted";
}

/* Goes behind what stands in place of a value: to the next comma or bracket inside brackets, else
 * to the end of the line. */
static void skip_bad_value(struct toml_reader *reader)
{
    const char *stops = reader->open_count ? "\n#,]}" : "\n#";
    while (toml_peek(reader, 0) >= 0 && !strchr(stops, toml_peek(reader, 0))) {
        reader->at++;
    }
    if (reader->at > 0 && toml_peek(reader, 0) == '\n' &&
        reader->text.ptr[reader->at - 1] == '\r') {
        reader->at--;
    }
}

/* Never shows the value itself: it may be a key that lost its quotes. */
static void complain_of_word(struct toml_reader *reader, struct str token)
{
    uint32_t c = 0;
    int next = toml_peek(reader, 0);
    utf8_decode(reader->text, reader->at, &c);
    if (toml_newline(reader) || next < 0 || next == '#') {
        toml_complain(reader, reader->at, "missing value, expected one before the %s",
                      next == '#' ? "comment" : toml_found(reader, reader->at));
    } else if (c >= 0x2018 && c <= 0x201F) {
        toml_complain(reader, reader->at,
                      "found the typographic quote %s, expected a plain \" or '",
                      toml_found(reader, reader->at));
    } else if (token.len > 0 && is_value_end(toml_peek(reader, token.len))) {
        toml_complain(reader, reader->at, "found an unquoted word, expected a value: %s",
                      word_advice(token));
    } else {
        toml_complain(reader, reader->at, "found %s, expected a value: %s",
                      toml_found(reader, reader->at), word_advice(token));
    }
}

/* Booleans, numbers, dates and times; *out stays NULL after a report. */
static void read_token(struct toml_reader *reader, struct pos pos, struct node **out)
{
    struct str token = peek_token(reader);
    bool is_whole = token.len > 0 && is_value_end(toml_peek(reader, token.len));
    struct node *node = tree_node(reader->arena, NODE_BOOL, pos);
    const char *wrong = NULL;
    if (is_whole && (str_eq(token, STR("true")) || str_eq(token, STR("false")))) {
        node->boolean = token.ptr[0] == 't';
    } else if (is_whole && toml_is_time_like(token)) {
        wrong = toml_read_time(reader->arena, token, reader->version, node);
    } else if (is_whole && (strchr("0123456789+-", token.ptr[0]) || str_eq(token, STR("inf")) ||
                            str_eq(token, STR("nan")))) {
        wrong = toml_read_number(reader->arena, token, node);
    } else {
        complain_of_word(reader, token);
        skip_bad_value(reader);
        return;
    }
    if (wrong) {
        toml_complain(reader, reader->at, "%s", wrong);
        skip_bad_value(reader);
        return;
    }
    reader->at += token.len;
    *out = node;
}

static bool read_array(struct toml_reader *reader, unsigned depth, struct node *array)
{
    bool is_first = true;
    array->flags = TOML_INLINE;
    for (;;) {
        bool is_new_line = toml_skip_lines(reader);
        int c = toml_peek(reader, 0);
        if (!is_first && c == ',') {
            reader->at++;
            is_new_line = toml_skip_lines(reader);
            c = toml_peek(reader, 0);
        } else if (!is_first && c != ']') {
            return toml_lose(reader, reader->at,
                             "found %s, expected ',' or ']' in the array opened on line %u",
                             toml_found(reader, reader->at), array->pos.line);
        }
        if (c == ']') {
            reader->at++;
            return true;
        }
        if (c < 0 || (is_new_line && toml_is_statement_like(reader->text, reader->at))) {
            return toml_lose(reader, reader->at,
                             "found %s, expected a value or ']': the array opened on line %u is "
                             "not closed",
                             c < 0 ? "end of file" : "the next setting", array->pos.line);
        }
        struct node *item = NULL;
        if (!toml_read_value(reader, depth + 1, &item)) {
            return false;
        }
        if (item) {
            tree_push(reader->arena, array, item);
        }
        is_first = false;
    }
}

/* Blanks inside an inline table; *is_told keeps the report for TOML 1.0 to one a table. */
static void skip_inside_table(struct toml_reader *reader, bool *is_told)
{
    toml_skip_blanks(reader);
    size_t line_end = reader->at;
    if (toml_skip_lines(reader) && reader->version == TOML_1_0 && !*is_told) {
        *is_told = true;
        toml_complain(reader, line_end,
                      "an inline table over several lines needs TOML 1.1, expected it on one line");
    }
}

static bool read_inline_table(struct toml_reader *reader, unsigned depth, struct node *table)
{
    bool is_told = false;
    for (bool is_first = true;; is_first = false) {
        size_t last_end = reader->at;
        skip_inside_table(reader, &is_told);
        int c = toml_peek(reader, 0);
        if (!is_first && c == ',') {
            size_t comma = reader->at++;
            skip_inside_table(reader, &is_told);
            c = toml_peek(reader, 0);
            if (c == '}' && reader->version == TOML_1_0) {
                toml_complain(reader, comma,
                              "a comma before the '}' of an inline table needs TOML 1.1");
            }
        } else if (!is_first && c != '}') {
            return toml_lose(reader, c < 0 ? last_end : reader->at,
                             "found %s, expected ',' or '}' in the inline table opened on line %u",
                             toml_found(reader, reader->at), table->pos.line);
        }
        if (c == '}') {
            reader->at++;
            table->flags = TOML_INLINE;
            return true;
        }
        if (c < 0) {
            return toml_lose(reader, reader->at,
                             "found end of file, expected '}': the inline table opened on line %u "
                             "is not closed",
                             table->pos.line);
        }
        if (!toml_read_pair(reader, table, depth)) {
            return false;
        }
    }
}

/* On success the brackets are as they were before; after a loss toml_recover wants them open. */
static bool read_bracket(struct toml_reader *reader, unsigned depth, struct pos pos,
                         struct node **out)
{
    size_t outer = reader->innermost;
    bool is_array = toml_peek(reader, 0) == '[';
    if (depth > SYNTAX_DEPTH_MAX) {
        return toml_lose(reader, reader->at, "nested deeper than %d levels", SYNTAX_DEPTH_MAX);
    }
    struct node *node = tree_node(reader->arena, is_array ? NODE_ARRAY : NODE_TABLE, pos);
    reader->innermost = reader->at++;
    reader->open_count++;
    if (!(is_array ? read_array(reader, depth, node) : read_inline_table(reader, depth, node))) {
        return false;
    }
    reader->open_count--;
    reader->innermost = outer;
    *out = node;
    return true;
}

bool toml_read_value(struct toml_reader *reader, unsigned depth, struct node **out)
{
    if (toml_is_full(reader)) {
        reader->lost_at = reader->at;
        return false;
    }
    struct pos pos = toml_place(reader, reader->at);
    int c = toml_peek(reader, 0);
    if (c == '[' || c == '{') {
        return read_bracket(reader, depth, pos, out);
    }
    if (c == '"' || c == '\'') {
        struct str string;
        if (!toml_read_string(reader, &string)) {
            return false;
        }
        *out = tree_node(reader->arena, NODE_STRING, pos);
        (*out)->string = string;
        return true;
    }
    read_token(reader, pos, out);
    return true;
}
