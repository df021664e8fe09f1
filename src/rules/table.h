#ifndef RULES_TABLE_H
#define RULES_TABLE_H

#include "rules/block.h"

/* What struct rules is made of, for the loaders and for src/bake. Lists hold pointers, so that a
 * row never moves once another row points at it. */

struct row_list {
    const void **items;
    size_t count, capacity;
    size_t first_count; /* rows of the user's that stand before all others */
};

struct rules {
    struct arena *arena;
    /* built.h has a row for each list. */
    struct row_list diagnoses, verdicts, providers, clients, rules;
    struct row_list client_keys, client_behaviours, client_providers, client_says, client_runs,
        model_tiers;
    const struct str *key_prefixes;
    size_t key_prefix_count, key_prefix_capacity;
    const struct str *key_shapes;
    size_t key_shape_count, key_shape_capacity;
    const struct diagnosis *ok, *unknown;
    size_t built_count; /* of the rules: those at the end that were built in, not read */
    bool is_full;       /* of the user's rules; was told */
};

/* Adds a row behind all others; it is borrowed, and lives as long as the table. */
void rules_add_row(struct rules *rules, struct row_list *list, const void *row);
/* Adds a row before all that are not the user's. */
void rules_add_first(struct rules *rules, struct row_list *list, const void *row);

/* Reads texts into a table that may have rows already. */
void rules_read_texts(struct rules *rules, const struct rules_text *texts, size_t count,
                      struct problems *problems, struct arena *problem_arena);
/* Whether a file of rules/ holds no blocks of the table: it belongs to another room. */
bool rules_is_foreign(struct str file);

/* Each reads one block of its kind and adds its row, unless the block is broken or its id taken. */
void rules_load_diagnosis(struct rules *rules, struct block *block);
void rules_load_verdict(struct rules *rules, struct block *block);
void rules_load_provider(struct rules *rules, struct block *block);
void rules_load_client(struct rules *rules, struct block *block);
void rules_load_client_keys(struct rules *rules, struct block *block);
void rules_load_client_behaviour(struct rules *rules, struct block *block);
void rules_load_client_provider(struct rules *rules, struct block *block);
void rules_load_client_run(struct rules *rules, struct block *block);
void rules_load_client_says(struct rules *rules, struct block *block);
void rules_load_model_tier(struct rules *rules, struct block *block);
void rules_load_rule(struct rules *rules, struct block *block);

/* Reads one example into *example; complains like the rest. */
void rules_load_example(struct block *block, struct example *example);

#endif
