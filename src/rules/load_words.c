/* Blocks of words: what diagnoses mean, and the quick-reference rows. Takes one block each, gives a
 * row of the table. */
#include "rules/table.h"

static enum severity read_severity(struct block *block)
{
    enum severity severity = SEVERITY_ERROR;
    if (!severity_from_name(block_string(block, "severity", REQUIRED), &severity)) {
        block_complain_value(block, "severity", "one of: info, warning, error");
    }
    return severity;
}

void rules_load_diagnosis(struct rules *rules, struct block *block)
{
    static const char *const names[] = {
        "id",       "layer",   "blame", "severity", "retryable", "step",    "capacity", "timeout",
        "key_open", "healthy", "title", "meaning",  "differs",   "actions", "avoid",    NULL};
    struct diagnosis *row = ARENA_NEW(rules->arena, struct diagnosis);
    block_check_keys(block, names);
    *row = (struct diagnosis){
        .id = block_string(block, "id", REQUIRED),
        .layer = block_string(block, "layer", REQUIRED),
        .severity = read_severity(block),
        .is_retryable = block_bool(block, "retryable", false),
        .is_capacity = block_bool(block, "capacity", false),
        .is_transient_network = block_bool(block, "timeout", false),
        .leaves_key_open = block_bool(block, "key_open", false),
        .is_healthy = block_bool(block, "healthy", false),
        .title = block_phrase(block, "title"),
        .meaning = block_phrase(block, "meaning"),
        .differs = block_phrase(block, "differs"),
        .origin = block_origin(block, block->table->pos),
        .actions = block_phrases(block, "actions"),
        .avoid = block_phrases(block, "avoid"),
    };
    if (!blame_from_name(block_string(block, "blame", REQUIRED), &row->blame)) {
        block_complain_value(block, "blame", "one of: none, ours, theirs, network, unknown");
    }
    if (!step_from_name(block_string(block, "step", REQUIRED), &row->step)) {
        block_complain_value(block, "step",
                             "one of: config, key, dns, connect, tls, http, auth, model, answer");
    }
    if (rules_diagnosis(rules, row->id)) {
        block_complain_taken(block, row->id, rules_diagnosis(rules, row->id)->origin);
    }
    if (!block->is_broken) {
        rules_add_row(rules, &rules->diagnoses, row);
    }
}

static struct phrases optional_phrases(struct block *block, const char *key)
{
    return node_get(block->table, str_from(key)) ? block_phrases(block, key)
                                                 : (struct phrases){NULL, 0};
}

/* Reads the numbers of `when`; what it does not hold has its usual value. */
static void read_thresholds(struct block *block, int64_t *when)
{
    static const struct {
        const char *name;
        int64_t fallback;
    } thresholds[] = {
#define THRESHOLD(id, name, fallback) {name, fallback},
#include "rules/threshold.def"
#undef THRESHOLD
    };
    const char *names[THRESHOLD_COUNT + 1] = {NULL};
    const struct node *table = node_get(block->table, STR("when"));
    bool is_table = table && table->kind == NODE_TABLE;
    struct block inner = is_table ? block_of(block, table) : *block;
    for (size_t i = 0; i < THRESHOLD_COUNT; i++) {
        names[i] = thresholds[i].name;
        when[i] = is_table ? block_integer(&inner, thresholds[i].name, thresholds[i].fallback)
                           : thresholds[i].fallback;
    }
    for (size_t i = 0; i < THRESHOLD_COUNT; i++) {
        if (when[i] < 1) {
            block_complain_value(&inner, thresholds[i].name, "a number from 1");
        }
    }
    if (is_table) {
        block_check_keys(&inner, names);
        block->is_broken = block->is_broken || inner.is_broken;
    } else if (table) {
        block_complain(block, table->pos, "bad_type", (struct str){NULL, 0},
                       STR("when must be a table of numbers: { failures = 5, hours = 24 }"));
    }
}

void rules_load_verdict(struct rules *rules, struct block *block)
{
    static const char *const names[] = {
        "id",       "severity", "when",  "title",           "why",
        "rests_on", "actions",  "avoid", "recovered_title", "recovered_actions",
        NULL};
    struct verdict_row *row = ARENA_NEW(rules->arena, struct verdict_row);
    block_check_keys(block, names);
    *row = (struct verdict_row){
        .id = block_string(block, "id", REQUIRED),
        .severity = read_severity(block),
        .title = block_phrase(block, "title"),
        .why = block_phrase(block, "why"),
        .rests_on = optional_phrases(block, "rests_on"),
        .actions = block_phrases(block, "actions"),
        .avoid = block_phrases(block, "avoid"),
        .recovered_actions = optional_phrases(block, "recovered_actions"),
    };
    if (node_get(block->table, STR("recovered_title"))) {
        row->recovered_title = block_phrase(block, "recovered_title");
    }
    read_thresholds(block, row->when);
    if (rules_verdict_row(rules, row->id)) {
        block_complain_taken(block, row->id, (struct origin){0});
    }
    if (!block->is_broken) {
        rules_add_row(rules, &rules->verdicts, row);
    }
}
