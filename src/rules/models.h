#ifndef RULES_MODELS_H
#define RULES_MODELS_H

#include "rules/rules.h"

/* How sought after a model is; rules/models.toml is the list. */
struct model_tier {
    struct str id;
    bool is_hot;              /* runs short when all the world works */
    const struct str *models; /* patterns in lower case, * for any run of characters */
    size_t model_count;
};

/* The first tier in the table with a pattern that fits the name without its provider's prefix, or
 * NULL. */
const struct model_tier *rules_model_tier(const struct rules *rules, struct str model);

#endif
