/* Reads .env files line by line. Takes any bytes, gives a table of strings; nothing is expanded and
 * nothing of a value gets into a message, since values here are mostly keys. */
#include "syntax/dotenv.h"

#include "syntax/tree.h"

#include <string.h>

struct dotenv_reader {
    struct arena *arena;
    struct str text;
    size_t at;
    struct document *document;
    struct place_cursor places;
};

static int peek(const struct dotenv_reader *reader)
{
    return reader->at < reader->text.len ? (unsigned char)reader->text.ptr[reader->at] : -1;
}

static bool is_line_end(int c)
{
    return c < 0 || c == '\n';
}

static void skip_blanks(struct dotenv_reader *reader)
{
    while (peek(reader) >= 0 && strchr(" \t\r", peek(reader))) {
        reader->at++;
    }
}

static void skip_line(struct dotenv_reader *reader)
{
    while (!is_line_end(peek(reader))) {
        reader->at++;
    }
}

static bool complain(struct dotenv_reader *reader, size_t offset, const char *expected)
{
    tree_error(reader->arena, reader->text, reader->document, place_of(&reader->places, offset),
               "found %s, %s",
               arena_cstr(reader->arena, tree_show_char(reader->arena, reader->text, offset)),
               expected);
    return false;
}

static bool is_name_byte(int c, bool is_first)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           (!is_first && ((c >= '0' && c <= '9') || c == '.' || c == '-'));
}

/* Reads NAME, or export NAME. */
static bool read_name(struct dotenv_reader *reader, struct str *name, size_t *offset)
{
    for (bool may_be_export = true;; may_be_export = false) {
        *offset = reader->at;
        while (is_name_byte(peek(reader), reader->at == *offset)) {
            reader->at++;
        }
        *name = str_slice(reader->text, *offset, reader->at);
        if (name->len == 0) {
            return complain(reader, reader->at,
                            "expected a name: letters, digits and _, no digit first");
        }
        bool has_blank = peek(reader) == ' ' || peek(reader) == '\t';
        skip_blanks(reader);
        if (peek(reader) == '=') {
            reader->at++;
            return true;
        }
        if (!may_be_export || !has_blank || !str_eq(*name, STR("export"))) {
            return complain(reader, reader->at, "expected '=' after the name");
        }
    }
}

/* What backslash and a letter stand for between double quotes; 0 when both stay as they are. */
static char unescape(char letter)
{
    static const char pairs[][2] = {{'n', '\n'}, {'r', '\r'},  {'t', '\t'},
                                    {'"', '"'},  {'\\', '\\'}, {'$', '$'}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (pairs[i][0] == letter) {
            return pairs[i][1];
        }
    }
    return '\0';
}

/* Offset of the closing quote, or -1. */
static ptrdiff_t find_quote(struct str text, size_t at, char quote)
{
    for (; at < text.len; at++) {
        if (text.ptr[at] == quote) {
            return (ptrdiff_t)at;
        }
        if (text.ptr[at] == '\\' && quote == '"') {
            at++;
        }
    }
    return -1;
}

static bool read_quoted(struct dotenv_reader *reader, struct str *value)
{
    size_t start = reader->at;
    char quote = (char)peek(reader);
    ptrdiff_t end = find_quote(reader->text, start + 1, quote);
    if (end < 0) {
        tree_error(reader->arena, reader->text, reader->document, place_of(&reader->places, start),
                   "unterminated value, expected another %c", quote);
        return false;
    }
    struct str body = str_slice(reader->text, start + 1, (size_t)end);
    char *out = arena_alloc(reader->arena, body.len + 1);
    size_t length = 0;
    for (size_t i = 0; i < body.len; i++) {
        bool is_escape = quote == '"' && body.ptr[i] == '\\' && i + 1 < body.len;
        char c = is_escape ? unescape(body.ptr[i + 1]) : '\0';
        out[length++] = c ? c : body.ptr[i];
        i += c ? 1 : 0;
    }
    *value = (struct str){out, length};
    reader->at = (size_t)end + 1;
    skip_blanks(reader);
    if (is_line_end(peek(reader)) || peek(reader) == '#') {
        return true;
    }
    /* Often the quote that closes here was meant to open, and the first one was never closed. */
    unsigned opened_on = place_of(&reader->places, start).line;
    return complain(reader, reader->at,
                    arena_printf(reader->arena,
                                 "expected the end of the line after the closing quote of the "
                                 "value that begins on line %u",
                                 opened_on)
                        .ptr);
}

/* Up to the line's end or a '#' behind a blank. */
static void read_plain(struct dotenv_reader *reader, struct str *value)
{
    size_t start = reader->at;
    while (!is_line_end(peek(reader))) {
        bool is_behind_blank =
            reader->at == start || strchr(" \t", reader->text.ptr[reader->at - 1]);
        if (peek(reader) == '#' && is_behind_blank) {
            break;
        }
        reader->at++;
    }
    *value = arena_dup(reader->arena, str_trim(str_slice(reader->text, start, reader->at)));
}

static void put(struct dotenv_reader *reader, struct str name, struct pos name_pos,
                struct node *value)
{
    struct node *root = reader->document->root;
    struct entry *there = tree_find(root, name);
    if (!there) {
        tree_put(reader->arena, root, arena_dup(reader->arena, name), name_pos, value);
        return;
    }
    tree_duplicate(reader->arena, reader->text, reader->document, name_pos,
                   "%s is set again, before on line %u: the last one is in force",
                   arena_cstr(reader->arena, tree_show_key(reader->arena, name)), there->pos.line);
    there->pos = name_pos;
    there->value = value;
}

static void read_setting(struct dotenv_reader *reader)
{
    struct str name;
    size_t name_at;
    if (!read_name(reader, &name, &name_at)) {
        return;
    }
    skip_blanks(reader);
    struct pos name_pos = place_of(&reader->places, name_at);
    struct node *value =
        tree_node(reader->arena, NODE_STRING, place_of(&reader->places, reader->at));
    if (peek(reader) == '"' || peek(reader) == '\'') {
        if (!read_quoted(reader, &value->string)) {
            return;
        }
    } else {
        read_plain(reader, &value->string);
    }
    put(reader, name, name_pos, value);
}

bool dotenv_parse(struct arena *arena, struct str text, struct document *document)
{
    bool is_text = tree_open(arena, text, document);
    document->root = tree_node(arena, NODE_TABLE, (struct pos){1, 1});
    struct dotenv_reader reader = {
        .arena = arena,
        .text = text,
        .document = document,
        .places = place_start(text),
    };
    reader.at = reader.places.offset;
    while (is_text && peek(&reader) >= 0 && document->error_count < SYNTAX_ERRORS_MAX) {
        skip_blanks(&reader);
        if (!is_line_end(peek(&reader)) && peek(&reader) != '#') {
            read_setting(&reader);
        }
        skip_line(&reader);
        reader.at++;
    }
    return document->error_count == 0;
}
