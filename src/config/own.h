#ifndef CONFIG_OWN_H
#define CONFIG_OWN_H

#include "config/draft.h"
#include "config/note.h"

/* The parts of the reader of our own file: own.c finds and opens it, own_block.c reads one table's
 * keys, own_target.c makes targets of the tables, own_chain.c adds them with their fallbacks. */

/* own_key.def is the list. */
enum own_key {
#define OWN_KEY(id, name, shape, target, defaults, empty) OWN_##id,
#include "config/own_key.def"
#undef OWN_KEY
    OWN_KEY_COUNT
};

/* One [[target]] or [defaults] after its keys were checked. */
struct own_block {
    const struct entry *entries[OWN_KEY_COUNT]; /* of the right type, or NULL */
    bool is_bad[OWN_KEY_COUNT]; /* the key is there with a value that cannot be used */
    struct pos pos;
    struct problems problems;
    bool has_error; /* one of them is no warning */
};

/* One [[target]]. */
struct own_target {
    struct own_block block;
    struct draft draft;
    struct target target;
    bool is_left_out; /* an error of syntax lies in it */
};

struct own_targets {
    struct own_target *items;
    size_t count;
    struct str_set said;  /* names as they are given, of the first that has each */
    struct str_set names; /* names of the targets, unique */
};

/* The file while it is read. */
struct own {
    struct arena *arena;
    const struct env *env;
    const struct rules *rules;
    const struct config_request *request;
    struct config *config;
    struct str home, directory; /* directory of the file, for relative paths in it */
    struct source source;
    struct document document;
    unsigned error_owners[SYNTAX_ERRORS_MAX]; /* header line of the table each error lies in */
    struct own_block defaults;
    struct looks looks;
};

/* Checks the keys of a table: types, values that are wrong by themselves, unknown names. */
void own_block_read(struct own *own, const struct node *table, struct pos pos, bool is_defaults,
                    struct own_block *block);
/* All keys, for suggestions and for lines that may be shown. */
const struct str *own_key_names(size_t *count);
bool own_key_is_default(struct str name); /* may stand in [defaults] */

/* Makes the targets of all [[target]] tables and adds them with their chains and settings. */
void own_targets_add(struct own *own, const struct node *tables);
/* Adds the lines to problems from index `from` on: draft_finish knows places of the file, not its
 * text.
 */
void own_lines_fill(struct own *own, struct problems *problems, size_t from);
/* Adds a primary, its fallbacks behind it, and the settings of both. */
void own_chain_add(struct own *own, const struct own_targets *list, struct own_target *item);

#endif
