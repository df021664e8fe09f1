#ifndef RULES_BLOCK_H
#define RULES_BLOCK_H

#include "rules/rules.h"
#include "syntax/node.h"

/* Reading one block of a rule file with typed getters. What is wrong is added to the problems with
 * its place, and marks the block as broken: it is then left out. Private to src/rules. */

/* Where blocks come from and where complaints go. */
struct source {
    struct arena *arena; /* of the table; strings of blocks stay there */
    struct problems *problems;
    struct arena *problem_arena;
    struct str file, text;
    bool is_users;
    size_t problem_count; /* told and untold */
};

struct block {
    struct source *source;
    const struct node *table;
    bool is_broken;
};

/* Adds a problem at pos and breaks the block. suggestion may be unset. Of one file the first 20 are
 * told: each takes a look at the whole text, and nobody reads more. */
void block_complain(struct block *block, struct pos pos, const char *code, struct str suggestion,
                    struct str message);

/* Complains that a string, or what is in an array, is none that the key takes. Nothing is added
 * where the key is missing or of another kind: the getter has said so already. */
void block_complain_value(struct block *block, const char *key, const char *wanted);
/* Complains that the id of a block is taken by the one at first, which may be unset. */
void block_complain_taken(struct block *block, struct str id, struct origin first);

/* Complains about every key of the block that is not among names (NULL at the end), with the
 * nearest name as suggestion. */
void block_check_keys(struct block *block, const char *const *names);

enum need { OPTIONAL, REQUIRED };

/* Each gives the value of a key. A missing REQUIRED key and a value of another kind are problems;
 * the result is then unset, false, 0 or empty. */
struct str block_string(struct block *block, const char *key, enum need need);
bool block_bool(struct block *block, const char *key, bool fallback);
int64_t block_integer(struct block *block, const char *key, int64_t fallback);
const struct str *block_strings(struct block *block, const char *key, size_t *count);
const struct header *block_headers(struct block *block, const char *key, size_t *count);
/* The same with the names as they are written. */
const struct header *block_texts(struct block *block, const char *key, size_t *count);
/* A text in all languages: { en = "...", zh = "..." }. */
struct phrase block_phrase(struct block *block, const char *key);
struct phrases block_phrases(struct block *block, const char *key);

/* A child of the block that must be a table or an array of tables, as a block of its own. */
struct block block_of(const struct block *parent, const struct node *table);
struct origin block_origin(const struct block *block, struct pos pos);

#endif
