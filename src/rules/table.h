#ifndef RULES_TABLE_H
#define RULES_TABLE_H

#include "rules/block.h"

/* What struct rules is made of, for the loaders. Private to src/rules. Lists hold pointers, so that
 * a row never moves once another row points at it. */

struct row_list {
    const void **items;
    size_t count, capacity;
};

struct rules {
    struct arena *arena;
    struct row_list diagnoses, verdicts, providers, clients, rules;
    struct row_list client_keys, client_behaviours, client_providers, client_says, client_runs,
        model_tiers;
    struct str *key_prefixes;
    size_t key_prefix_count, key_prefix_capacity;
    struct str *key_shapes;
    size_t key_shape_count, key_shape_capacity;
    const struct diagnosis *ok, *unknown;
    bool is_full; /* of the user's rules; was told */
};

void rules_add_row(struct rules *rules, struct row_list *list, const void *row);

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
