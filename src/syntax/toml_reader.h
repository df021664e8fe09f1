#ifndef SYNTAX_TOML_READER_H
#define SYNTAX_TOML_READER_H

#include "syntax/toml.h"
#include "syntax/tree.h"

/* What the parts of the TOML reader share. Offsets are bytes into text. */

struct toml_part {
    struct str name; /* in the arena */
    size_t offset;
};

struct toml_reader {
    struct arena *arena;
    struct str text;
    size_t at;
    enum toml_version version;
    struct document *document;
    struct place_cursor places;
    struct toml_part key[SYNTAX_DEPTH_MAX]; /* the (dotted) key read last */
    size_t key_count;
    size_t lost_at;     /* where the structure was lost, for toml_recover */
    size_t open_count;  /* brackets that are open there */
    size_t innermost;   /* offset of the innermost of them */
    struct node *table; /* that key = value lines go to */
    unsigned table_depth;
};

/* Flags of table and array nodes: how they came about decides who may add to them. */
enum toml_flag {
    TOML_EXPLICIT = 1, /* [table], or an element of [[tables]] */
    TOML_DOTTED = 2,   /* made by a dotted key */
    TOML_INLINE = 4,   /* { } or [ ]: complete */
    TOML_TABLES = 8,   /* the array behind [[tables]] */
};

/* --- toml_scan.c: characters, blanks, line ends, comments, errors --- */

/* The byte k places ahead, -1 behind the end. */
int toml_peek(const struct toml_reader *reader, size_t k);
/* Length of the line end (LF or CRLF) here; 0 when there is none. */
size_t toml_newline(const struct toml_reader *reader);
void toml_skip_blanks(struct toml_reader *reader);
/* Skips a comment, if there is one, up to its line end; reports what may not be in it. */
void toml_skip_comment(struct toml_reader *reader);
/* Skips blanks, line ends and comments. True when a line end was among them. */
bool toml_skip_lines(struct toml_reader *reader);
/* True for a control character that no TOML string or comment may hold as it is. */
bool toml_is_control(int c);
/* True for what a key without quotes consists of. */
bool toml_is_bare(int c);

struct pos toml_place(struct toml_reader *reader, size_t offset);
/* Reports an error after which reading goes on as if nothing were wrong. */
__attribute__((format(printf, 3, 4))) void toml_complain(struct toml_reader *reader, size_t offset,
                                                         const char *format, ...);
/* Reports an error after which nobody knows where the statement ends. Always false. */
__attribute__((format(printf, 3, 4))) bool toml_lose(struct toml_reader *reader, size_t offset,
                                                     const char *format, ...);
/* The character at an offset, for a message. */
const char *toml_found(struct toml_reader *reader, size_t offset);
/* True when the line at an offset looks like key = or [table], which no list of values does. */
bool toml_is_statement_like(struct str text, size_t line);
/* After toml_lose: goes on to the next line that may begin a statement. */
void toml_recover(struct toml_reader *reader, size_t statement_at);

/* --- toml_string.c --- */

/* Reads any of the four kinds of string at its opening quote. False when it has no end. */
bool toml_read_string(struct toml_reader *reader, struct str *out);

/* --- toml_number.c and toml_time.c: one token without blanks around it --- */

/* What is wrong with a token, or NULL when node->kind and value are filled in. */
const char *toml_read_number(struct arena *arena, struct str token, struct node *node);
/* The same for dates and times. */
const char *toml_read_time(struct arena *arena, struct str token, enum toml_version version,
                           struct node *node);
/* True when a token begins like a date (1979-) or a time (07:). */
bool toml_is_time_like(struct str token);

/* --- toml_value.c --- */

/* Reads a value. False when the structure was lost; *out is NULL when the value was reported bad
 * but its end is known. */
bool toml_read_value(struct toml_reader *reader, unsigned depth, struct node **out);

/* True when all the errors that a document holds were found: time to stop. */
bool toml_is_full(const struct toml_reader *reader);

/* --- toml_table.c --- */

/* Reads key = value into a table that is `depth` levels deep. */
bool toml_read_pair(struct toml_reader *reader, struct node *table, unsigned depth);
/* Reads [table] or [[table]] and makes it the reader's table. */
bool toml_read_header(struct toml_reader *reader);

#endif
