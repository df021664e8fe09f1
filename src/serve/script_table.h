#ifndef SERVE_SCRIPT_TABLE_H
#define SERVE_SCRIPT_TABLE_H

#include "base/arena.h"
#include "base/err.h"
#include "syntax/node.h"

/* How a script's tables are read. Private to the reader of scripts. */

/* One parse: where results live, and where in the user's file we are. */
struct script_reading {
    struct arena *arena;
    struct str file;
    struct err *err;
};

/* A key of a table: how its value is read, and where in the struct it goes. */
struct script_key {
    struct str name;
    enum err_code (*read)(const struct script_reading *reading, const struct script_key *key,
                          const struct node *value, void *field);
    size_t offset;
    int64_t min, max; /* of integers */
};

#define WRONG_AT(reading, place, ...)                                                              \
    err_set_at((reading)->err, ERR_PARSE, (reading)->file, (place).line, (place).column,           \
               __VA_ARGS__)

/* Sets the error for a value of the wrong kind and gives its code. wanted: "a string". */
enum err_code script_wrong_kind(const struct script_reading *reading, const struct script_key *key,
                                const struct node *value, const char *wanted);

/* Readers for keys: a struct str, which borrows from the document; an int64_t within the bounds of
 * the key; a bool. */
enum err_code script_read_text(const struct script_reading *reading, const struct script_key *key,
                               const struct node *value, void *field);
enum err_code script_read_integer(const struct script_reading *reading,
                                  const struct script_key *key, const struct node *value,
                                  void *field);
enum err_code script_read_flag(const struct script_reading *reading, const struct script_key *key,
                               const struct node *value, void *field);

/* Reads each key of a table with its reader into the struct `into`, whose other fields stay as they
 * are; ERR_PARSE at the first that is wrong or not among the keys. */
enum err_code script_read_table(const struct script_reading *reading, const struct script_key *keys,
                                size_t key_count, const struct node *table, void *into);

#endif
