#ifndef SYNTAX_NODE_H
#define SYNTAX_NODE_H

#include "base/arena.h"

/* The value tree that every reader of this room gives, with the place of each key and value.
 * Everything lives in the arena given to the parser; strings are copies. */

struct pos {
    unsigned line, column; /* from 1; columns count characters, invalid bytes one each */
};

enum node_kind {
    NODE_NULL, /* JSON only */
    NODE_STRING,
    NODE_INTEGER,
    NODE_FLOAT,
    NODE_BOOL,
    NODE_OFFSET_DATETIME, /* the four TOML kinds of time keep their text in `string`, normalised to
                             RFC 3339 */
    NODE_LOCAL_DATETIME,
    NODE_LOCAL_DATE,
    NODE_LOCAL_TIME,
    NODE_ARRAY,
    NODE_TABLE,
};

struct node {
    enum node_kind kind;
    struct pos pos; /* of the value's first character; of the header for [table] */
    struct str string;
    int64_t integer;
    double number;
    bool boolean;
    struct node **items;   /* ARRAY */
    struct entry *entries; /* TABLE, in order of the file */
    size_t count;          /* of items or entries */
    size_t capacity;       /* the parser's own, as all below */
    unsigned flags;
    struct entry_link *links; /* search tree over the entries of a big TABLE; entry i has link i */
    uint32_t top_link;        /* its top, counted from 1 */
};

struct entry {
    struct str key;
    struct pos pos; /* of the key */
    struct node *value;
};

/* Something wrong in the text. */
struct syntax_error {
    struct pos pos;
    struct str
        message; /* what was found and what was expected: "unterminated string, expected '"'" */
    struct str line_text;      /* that line, at most 200 bytes around the place, raw: show with
                                  text_show after mask_text. A word is never cut in two, since half a
                                  key could not be recognised any more. */
    unsigned line_text_column; /* column of its first character, never behind pos.column: 1 unless
                                  the line was cut */
    bool is_duplicate_key;
};

/* What a parser gives: the tree of all that could be read (root is always a TABLE for TOML and
 * dotenv) and the errors, at most SYNTAX_ERRORS_MAX of them, in order of the file. */
#define SYNTAX_ERRORS_MAX 20
#define SYNTAX_DEPTH_MAX 128
#define SYNTAX_BYTES_MAX ((size_t)4 * 1024 * 1024)
struct document {
    struct node *root; /* NULL when nothing could be read */
    struct syntax_error *errors;
    size_t error_count;
    enum syntax_reject { SYNTAX_READ, SYNTAX_TOO_BIG, SYNTAX_NOT_UTF8, SYNTAX_HAS_NUL } reject;
};

/* Value of a key of a TABLE (case matters), or NULL; node may be NULL or of another kind. The first
 * of several equal keys in TOML, the last one in JSON and dotenv, as their readers do. */
const struct node *node_get(const struct node *node, struct str key);
const struct entry *node_entry(const struct node *node, struct str key);
/* Text of a STRING, else unset. */
struct str node_string(const struct node *node);
/* "string", "integer", "table" ... for messages. */
const char *node_kind_name(enum node_kind kind);

/* Line and column of a byte offset (lines end at LF; a BOM at the start has no column), for parsers
 * that only know offsets. */
struct pos pos_of_offset(struct str text, size_t offset);
/* The line around a place and the column of its first character, as in syntax_error. */
struct str pos_line_text(struct arena *arena, struct str text, struct pos pos, unsigned *column);

#endif
