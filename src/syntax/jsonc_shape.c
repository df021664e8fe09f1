/* The grammar of JSON: what may follow what. Takes the scanner's pieces, gives the marks and the
 * plain text for cJSON. Iterative: the open brackets are a bounded list. After a fault that leaves
 * the structure in doubt it stops and closes what is open. */
#include "syntax/jsonc_reader.h"

static struct json_mark *add_mark(struct json_reader *reader, struct pos key_pos)
{
    reader->marks = arena_grow(reader->arena, reader->marks, reader->mark_count,
                               &reader->mark_capacity, sizeof *reader->marks);
    struct json_mark *mark = &reader->marks[reader->mark_count++];
    *mark = (struct json_mark){.key_pos = key_pos, .pos = place_of(&reader->places, reader->at)};
    return mark;
}

/* Reads a key and its colon to `key`, in the form that cJSON takes. */
static bool scan_key(struct json_reader *reader, struct buf *key)
{
    size_t start = reader->at;
    if (json_peek(reader, 0) != '"') {
        json_complain(reader, start, "found %s, expected a key in double quotes",
                      json_found(reader, start));
        return false;
    }
    if (!json_scan_string(reader, key) || !json_skip_blanks(reader)) {
        return false;
    }
    if (json_peek(reader, 0) != ':') {
        json_complain(reader, reader->at, "found %s, expected ':' after the key",
                      json_found(reader, reader->at));
        return false;
    }
    reader->at++;
    return json_skip_blanks(reader);
}

/* Reads a value that is no bracket, or opens one. False when the structure is lost. */
static bool scan_value(struct json_reader *reader, struct str before, struct pos key_pos)
{
    int c = json_peek(reader, 0);
    size_t rewind = reader->plain.len;
    if (c < 0 || c == ',' || c == ':' || c == ']' || c == '}') {
        json_complain(reader, reader->at, "found %s, expected a value",
                      json_found(reader, reader->at));
        return false;
    }
    if ((c == '[' || c == '{') && reader->depth == SYNTAX_DEPTH_MAX) {
        json_complain(reader, reader->at, "nested deeper than %d levels", SYNTAX_DEPTH_MAX);
        return false;
    }
    struct json_mark *mark = add_mark(reader, key_pos);
    buf_add(&reader->plain, before);
    if (c == '[' || c == '{') {
        buf_add_char(&reader->plain, (char)c);
        reader->line[reader->depth] = mark->pos.line;
        reader->open[reader->depth++] = (char)c;
        reader->at++;
    } else if (c == '"') {
        if (!json_scan_string(reader, &reader->plain)) {
            reader->plain.len = rewind;
            return false;
        }
    } else {
        json_scan_token(reader, mark);
    }
    return true;
}

static void close_bracket(struct json_reader *reader)
{
    reader->depth--;
    buf_add_char(&reader->plain, reader->open[reader->depth] == '{' ? '}' : ']');
}

/* Reads the comma or closing bracket after a value. A missing comma is reported and taken as read.
 */
static bool scan_separator(struct json_reader *reader, bool *has_comma)
{
    bool is_object = reader->open[reader->depth - 1] == '{';
    int c = json_peek(reader, 0);
    *has_comma = false;
    if (c == (is_object ? '}' : ']')) {
        reader->at++;
        close_bracket(reader);
        return true;
    }
    *has_comma = true;
    if (c == ',') {
        reader->at++;
        return true;
    }
    json_complain(reader, reader->at, "found %s, expected ',' or '%c' in the %s opened on line %u",
                  json_found(reader, reader->at), is_object ? '}' : ']',
                  is_object ? "object" : "array", reader->line[reader->depth - 1]);
    return c == '"' || (!is_object && c >= 0 && c != '}' && c != ':');
}

/* Reads one member or item, or the bracket that closes where one could stand. */
static bool scan_member(struct json_reader *reader, bool is_first, size_t comma, struct buf *key)
{
    bool is_object = reader->open[reader->depth - 1] == '{';
    if (json_peek(reader, 0) == (is_object ? '}' : ']')) {
        if (!is_first && reader->dialect == JSON_STRICT) {
            json_complain(reader, comma,
                          "found a comma before '%c', expected none after the last %s",
                          is_object ? '}' : ']', is_object ? "member" : "item");
        }
        reader->at++;
        close_bracket(reader);
        return true;
    }
    struct pos key_pos = {0, 0};
    key->len = 0;
    if (!is_first) {
        buf_add_char(key, ',');
    }
    if (is_object) {
        key_pos = place_of(&reader->places, reader->at);
        if (!scan_key(reader, key)) {
            return false;
        }
        buf_add_char(key, ':');
    }
    return scan_value(reader, buf_str(key), key_pos);
}

/* Reads on behind the root's opening bracket until it is closed. */
static bool scan_inside(struct json_reader *reader, struct buf *key)
{
    size_t comma = 0;
    size_t last_depth = 0;
    bool is_member_next = true;
    while (reader->depth > 0) {
        if (!json_skip_blanks(reader) || reader->document->error_count == SYNTAX_ERRORS_MAX) {
            return false;
        }
        if (!is_member_next) {
            comma = reader->at;
            if (!scan_separator(reader, &is_member_next)) {
                return false;
            }
            continue;
        }
        bool is_first = reader->depth > last_depth;
        last_depth = reader->depth;
        if (!scan_member(reader, is_first, comma, key)) {
            return false;
        }
        is_member_next = reader->depth > last_depth;
    }
    return true;
}

void json_scan(struct json_reader *reader)
{
    struct buf key = buf_create(reader->plain.max);
    bool is_whole = json_skip_blanks(reader) && scan_value(reader, STR(""), (struct pos){0, 0}) &&
                    scan_inside(reader, &key) && json_skip_blanks(reader);
    if (is_whole && json_peek(reader, 0) >= 0) {
        json_complain(reader, reader->at, "found %s, expected nothing after the document",
                      json_found(reader, reader->at));
    }
    while (reader->depth > 0) {
        close_bracket(reader);
    }
    buf_free(&key);
}
