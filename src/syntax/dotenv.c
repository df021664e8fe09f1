/* Reads .env files line by line. Takes any bytes and the variables that may be referred to, gives a
 * table of strings; nothing of a value gets into a message, since values here are mostly keys. */
#include "syntax/dotenv.h"

#include "base/buf.h"
#include "syntax/tree.h"

/* Of all values with variables in them together: each may repeat the longest one before it. */
#define EXPANDED_BYTES_MAX ((size_t)256 * 1024)

struct dotenv_reader {
    struct arena *arena;
    struct str text;
    size_t at;
    struct document *document;
    struct place_cursor places;
    const struct env *env;
    size_t expanded_bytes;
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
    while (peek(reader) >= 0 && str_is_of(peek(reader), " \t\r")) {
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

static void add_variable(struct dotenv_reader *reader, struct str name, struct buf *out)
{
    const struct entry *entry = tree_find(reader->document->root, name);
    if (entry && entry->value->kind == NODE_STRING) {
        buf_add(out, entry->value->string);
    } else if (reader->env && name.len) {
        buf_add(out, env_get(reader->env, arena_cstr(reader->arena, name)));
    }
}

static bool is_variable_byte(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80;
}

/* Adds what the variable behind the dollar at body[at] stands for; *next gets what comes after it.
 * False where its name has no end. */
static bool expand_one(struct dotenv_reader *reader, struct str body, bool is_quoted, size_t at,
                       size_t *next, struct buf *out)
{
    bool is_braced = at + 1 < body.len && body.ptr[at + 1] == '{';
    size_t start = at + (is_braced ? 2 : 1), end = start;
    while (end < body.len && (is_braced ? body.ptr[end] != '}' : is_variable_byte(body.ptr[end]))) {
        end++;
    }
    /* The library takes a quote behind a bare name for a part of the text. */
    if (end == body.len && (is_braced || is_quoted)) {
        return false;
    }
    add_variable(reader, str_slice(body, start, end), out);
    *next = end + (is_braced ? 1 : 0);
    return true;
}

/* The body of a value without its escapes and variables. */
static bool expand(struct dotenv_reader *reader, size_t offset, struct str body, bool is_quoted,
                   struct str *value)
{
    struct buf out = buf_create(body.len + EXPANDED_BYTES_MAX - reader->expanded_bytes);
    bool is_whole = true;
    for (size_t i = 0; i < body.len && is_whole;) {
        bool is_escape = body.ptr[i] == '\\' && i + 1 < body.len;
        char c = is_escape ? unescape(body.ptr[i + 1]) : '\0';
        if (c && (is_quoted || c == '$')) {
            buf_add_char(&out, c);
            i += 2;
        } else if (body.ptr[i] == '$') {
            is_whole = expand_one(reader, body, is_quoted, i, &i, &out);
        } else {
            buf_add_char(&out, body.ptr[i++]);
        }
    }
    *value = arena_dup(reader->arena, buf_str(&out));
    bool is_full = out.is_full;
    reader->expanded_bytes += value->len > body.len ? value->len - body.len : 0;
    buf_free(&out);
    return is_whole && !is_full ? true
                                : complain(reader, offset,
                                           is_full ? "expected less text for its variables"
                                                   : "expected } behind the name of a variable: "
                                                     "write ${NAME}");
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
    reader->at = (size_t)end + 1;
    *value = quote == '"' ? body : arena_dup(reader->arena, body);
    if (quote == '"' && !expand(reader, start, body, true, value)) {
        return false;
    }
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
static bool read_plain(struct dotenv_reader *reader, struct str *value)
{
    size_t start = reader->at;
    while (!is_line_end(peek(reader))) {
        bool is_behind_blank =
            reader->at == start || str_is_of(reader->text.ptr[reader->at - 1], " \t");
        if (peek(reader) == '#' && is_behind_blank) {
            break;
        }
        reader->at++;
    }
    struct str body = str_trim(str_slice(reader->text, start, reader->at));
    return expand(reader, start, body, false, value);
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
    } else if (!read_plain(reader, &value->string)) {
        return;
    }
    put(reader, name, name_pos, value);
}

bool dotenv_parse(struct arena *arena, struct str text, const struct env *env,
                  struct document *document)
{
    bool is_text = tree_open(arena, text, document);
    document->root = tree_node(arena, NODE_TABLE, (struct pos){1, 1});
    struct dotenv_reader reader = {
        .arena = arena,
        .text = text,
        .document = document,
        .places = place_start(text),
        .env = env,
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
