#ifndef CLASSIFY_LOOSE_H
#define CLASSIFY_LOOSE_H

#include "base/arena.h"
#include "classify/parts.h"

/* A forgiving reader of values as they turn up in evidence: JSON, the repr of Python dicts, Node's
 * inspect form, Rust's debug form; cut off at the end, wrapped by a terminal, or followed by prose.
 * What must be exact (NDJSON, config files) is read by the syntax room. */

enum loose_kind { LOOSE_TABLE, LOOSE_ARRAY, LOOSE_STRING, LOOSE_NUMBER, LOOSE_WORD };

struct loose {
    enum loose_kind kind;
    struct str key;  /* name in the table that holds it; unset in arrays and for the root */
    enum part part;  /* what that name means */
    struct str text; /* STRING: decoded; NUMBER and WORD (true, None, SocketError): as written */
    struct loose *first, *next; /* children of TABLE and ARRAY, next sibling */
    size_t begin, end;          /* bytes of the text that was read */
    bool is_whole;              /* its end was there */
};

/* Work allowed for one piece of evidence, shared by all its values. */
struct loose_budget {
    size_t bytes, nodes;
};

/* Reads the table or array that begins at text[at] ('{' or '['). NULL when there is none with at
 * least one key or value, or when the budget is used up. What needed no decoding stays in text.
 * is_wrapped: a terminal may have put raw line ends into strings; with the blanks around it, such a
 * one becomes a blank. */
struct loose *loose_parse(struct arena *arena, struct loose_budget *budget, struct str text,
                          size_t at, bool is_wrapped);

/* Child of a table, ignoring the case of ASCII letters, or NULL. table may be NULL. */
const struct loose *loose_get(const struct loose *table, const char *key);
/* First child of a table whose name means that and whose value is not null, or NULL. */
const struct loose *loose_find(const struct loose *table, enum part part);
/* Text of a string, number or word; unset for others, for null, None, undefined and for NULL. */
struct str loose_text(const struct loose *value);
bool loose_is_null(const struct loose *value);
bool loose_is_false(const struct loose *value); /* false or False, not NULL */

#endif
