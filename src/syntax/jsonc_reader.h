#ifndef SYNTAX_JSONC_READER_H
#define SYNTAX_JSONC_READER_H

#include "base/buf.h"
#include "syntax/jsonc.h"
#include "syntax/tree.h"

/* What the parts of the JSON reader share. The scanner checks the text, notes the place of every
 * value in document order and writes `plain`, a text that cJSON takes as it should: without
 * comments, trailing commas and bad values, and with all brackets closed. */

struct json_mark {
    struct pos key_pos; /* of members of objects */
    struct pos pos;
    int64_t integer;
    double number;
    enum node_kind kind; /* told apart for numbers: INTEGER or FLOAT */
    bool is_bad;         /* reported; `plain` has null in its place */
};

struct json_reader {
    struct arena *arena;
    struct str text;
    size_t at;
    enum json_dialect dialect;
    struct document *document;
    struct place_cursor places;
    struct buf plain;
    struct json_mark *marks;
    size_t mark_count, mark_capacity;
    char open[SYNTAX_DEPTH_MAX]; /* '{' or '[' */
    unsigned line[SYNTAX_DEPTH_MAX];
    size_t depth;
    bool is_comment_told;
};

/* --- jsonc_scan.c: blanks, comments, strings, numbers, words --- */

/* The byte so many behind the next one, -1 at the end. A complaint is a problem at that offset. */
int json_peek(const struct json_reader *reader, size_t k);
__attribute__((format(printf, 3, 4))) void json_complain(struct json_reader *reader, size_t offset,
                                                         const char *format, ...);
/* The character at an offset, for a message. */
const char *json_found(struct json_reader *reader, size_t offset);
/* Skips blanks and comments. False, after a report, when a comment has no end. */
bool json_skip_blanks(struct json_reader *reader);
/* Reads a string at its quote and adds it, fit for cJSON, to `out`. False when it has no end: what
 * was added is then to be cut off. */
bool json_scan_string(struct json_reader *reader, struct buf *out);
/* Reads a number or word, or the run of bytes that stands in its place. */
void json_scan_token(struct json_reader *reader, struct json_mark *mark);

/* --- jsonc_shape.c: the grammar of arrays and objects --- */

/* Reads the whole text. What is wrong is reported; plain is empty when there is no value. */
void json_scan(struct json_reader *reader);

#endif
