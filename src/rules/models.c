/* Tiers of models. Takes blocks of rules/models.toml, answers which tier a name belongs to. */
#include "rules/models.h"

#include "rules/table.h"

#define NAME_BYTES_MAX 256

void rules_load_model_tier(struct rules *rules, struct block *block)
{
    static const char *const names[] = {"id", "hot", "why", "models", NULL};
    struct model_tier *row = ARENA_NEW(rules->arena, struct model_tier);
    block_check_keys(block, names);
    *row = (struct model_tier){
        .id = block_string(block, "id", REQUIRED),
        .is_hot = block_bool(block, "hot", false),
    };
    block_string(block, "why", OPTIONAL);
    row->models = block_strings(block, "models", &row->model_count);
    if (!block->is_broken) {
        bool is_users = block->source->is_users;
        (is_users ? rules_add_first : rules_add_row)(rules, &rules->model_tiers, row);
    }
}

/* Greedy from the left with one step back to the last star: enough for patterns without "?". */
static bool fits(struct str pattern, struct str name)
{
    size_t p = 0, n = 0, star = pattern.len, mark = 0;
    while (n < name.len) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = p++;
            mark = n;
        } else if (p < pattern.len && pattern.ptr[p] == str_lower(name.ptr[n])) {
            p++;
            n++;
        } else if (star < pattern.len) {
            p = star + 1;
            n = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*') {
        p++;
    }
    return p == pattern.len;
}

const struct model_tier *rules_model_tier(const struct rules *rules, struct str model)
{
    struct str rest = model, name = model;
    while (str_split(&rest, '/', &name)) {
    }
    if (name.len > NAME_BYTES_MAX) {
        return NULL;
    }
    for (size_t i = 0; i < rules->model_tiers.count; i++) {
        const struct model_tier *tier = rules->model_tiers.items[i];
        for (size_t m = 0; m < tier->model_count; m++) {
            if (fits(tier->models[m], name)) {
                return tier;
            }
        }
    }
    return NULL;
}
