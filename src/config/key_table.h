#ifndef CONFIG_KEY_TABLE_H
#define CONFIG_KEY_TABLE_H

#include "config/stack.h"
#include "rules/client.h"

/* Checks a file of settings against the rows that rules/clients/ has for the client: unknown keys,
 * keys of other versions, types, values. */
struct key_check {
    struct arena *arena;
    const struct rules *rules;
    struct str client, version; /* "codex", "0.171.0" */
    struct str client_name;     /* for messages */
    bool is_strict;             /* the client refuses what it does not know */
    bool are_unknown_named;     /* the client itself says that it does not know a key */
    bool is_open;               /* the file has more keys than there are rows */
};

/* Adds what is wrong to layer->problems; errors are what makes the client refuse the file. */
void key_table_check(const struct key_check *check, struct layer *layer);

/* Adds an error for each table of the stack that lacks a key which tables of its kind need: what
 * one file leaves out another may say. */
void key_table_check_required(const struct key_check *check, const struct stack *stack,
                              struct problems *problems);

/* Names of keys whose lines may be shown. */
const struct str *key_table_plain(struct arena *arena, const struct rules *rules, struct str client,
                                  size_t *count);

/* The row of a key in this version, or one of another version, or NULL. */
const struct client_key *key_table_find(const struct key_check *check, const struct key_path *path,
                                        bool *is_of_version);

#endif
