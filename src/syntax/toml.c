/* Reads TOML 1.0 and 1.1 line by line: blank lines, comments, [headers] and key = value pairs, each
 * of them ended by its line. Takes any bytes, gives the tree of what could be read and the errors;
 * after an error it goes on with the next line that looks like a statement. */
#include "syntax/toml.h"

#include "syntax/toml_reader.h"

/* Nothing but a comment may follow a statement on its line. */
static bool read_line_end(struct toml_reader *reader)
{
    toml_skip_blanks(reader);
    toml_skip_comment(reader);
    size_t length = toml_newline(reader);
    reader->at += length;
    if (length > 0 || toml_peek(reader, 0) < 0) {
        return true;
    }
    return toml_lose(reader, reader->at, "found %s, expected the end of the line",
                     toml_found(reader, reader->at));
}

static bool read_statement(struct toml_reader *reader)
{
    bool is_header = toml_peek(reader, 0) == '[';
    return (is_header ? toml_read_header(reader)
                      : toml_read_pair(reader, reader->table, reader->table_depth)) &&
           read_line_end(reader);
}

bool toml_parse(struct arena *arena, struct str text, enum toml_version version,
                struct document *document)
{
    bool is_text = tree_open(arena, text, document);
    document->root = tree_node(arena, NODE_TABLE, (struct pos){1, 1});
    if (!is_text) {
        return false;
    }
    struct toml_reader *reader = ARENA_NEW(arena, struct toml_reader);
    *reader = (struct toml_reader){
        .arena = arena,
        .text = text,
        .version = version,
        .document = document,
        .places = place_start(text),
        .table = document->root,
    };
    document->root->flags = TOML_EXPLICIT;
    reader->at = reader->places.offset;
    for (;;) {
        toml_skip_lines(reader);
        if (toml_peek(reader, 0) < 0 || toml_is_full(reader)) {
            return document->error_count == 0;
        }
        size_t statement_at = reader->at;
        if (!read_statement(reader)) {
            toml_recover(reader, statement_at);
        }
    }
}
