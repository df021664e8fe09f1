#ifndef SYNTAX_WRITE_H
#define SYNTAX_WRITE_H

#include "base/buf.h"
#include "syntax/node.h"

enum write_dialect { WRITE_TOML, WRITE_JSON };

/* What is changed on the way. */
struct write_edit {
    const struct str *drops; /* dotted keys that are left out: "mcp_servers", "env.NAME" */
    size_t drop_count;
    const struct str *paths; /* dotted keys whose relative paths are put behind `directory` */
    size_t path_count;
    struct str directory, home; /* home: for "~/" in those paths */
};

/* Writes a TABLE as a document that means the same, one line for each top-level key. Comments and
 * order of tables are lost, values are not. */
void syntax_write(const struct node *table, enum write_dialect dialect,
                  const struct write_edit *edit, struct buf *out);

#endif
