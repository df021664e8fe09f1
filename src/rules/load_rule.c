/* Rule blocks. Takes one block, gives a rule whose fields are known and whose examples are pieces
 * of evidence; whether the rule is any good is for rules_check. */
#include "rules/table.h"

#define USER_RULES_MAX 2000

static const struct str no_suggestion = {NULL, 0};

/* The field that a wrong name was probably meant for, or unset. */
static struct str nearest_field(struct str name)
{
    struct str names[FIELD_COUNT];
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        names[i] = field_name((enum field)i);
    }
    return str_nearest(name, names, FIELD_COUNT);
}

static struct str nearest_diagnosis(const struct rules *rules, struct arena *arena, struct str id)
{
    size_t count = rules_diagnosis_count(rules);
    struct str *ids = ARENA_ARRAY(arena, count, struct str);
    for (size_t i = 0; i < count; i++) {
        ids[i] = rules_diagnosis_at(rules, i)->id;
    }
    return str_nearest(id, ids, count);
}

static void read_condition(struct rules *rules, struct block *block, const struct entry *entry,
                           struct condition *condition)
{
    static const struct str prefix = STR_INIT("header.");
    *condition = (struct condition){.field = FIELD_COUNT,
                                    .origin = block_origin(block, entry->value->pos),
                                    .file_text = block->source->text};
    if (str_starts(entry->key, prefix) && entry->key.len > prefix.len) {
        /* Observations hold header names in lower case. */
        condition->header_name =
            arena_lower(rules->arena, str_slice(entry->key, prefix.len, entry->key.len));
    } else if (!field_from_name(entry->key, &condition->field)) {
        block_complain(block, entry->pos, "unknown_key", nearest_field(entry->key),
                       arena_printf(block->source->problem_arena, "evidence has no field \"%.*s\"",
                                    STR_ARG(entry->key)));
        return;
    }
    if (entry->value->kind != NODE_STRING || entry->value->string.len == 0) {
        block_complain(block, entry->value->pos, "bad_type", no_suggestion,
                       arena_printf(block->source->problem_arena,
                                    "the pattern of \"%.*s\" must be a string that is not empty",
                                    STR_ARG(entry->key)));
        return;
    }
    condition->pattern = arena_dup(rules->arena, entry->value->string);
}

static void read_conditions(struct rules *rules, struct block *block, struct rule *rule)
{
    const struct entry *match = node_entry(block->table, STR("match"));
    if (!match) {
        return;
    }
    if (match->value->kind != NODE_TABLE) {
        block_complain(block, match->value->pos, "bad_type", no_suggestion,
                       STR("\"match\" must be a table: { \"error.code\" = 'pattern' }"));
        return;
    }
    struct condition *conditions = ARENA_ARRAY(rules->arena, match->value->count, struct condition);
    for (size_t i = 0; i < match->value->count; i++) {
        read_condition(rules, block, &match->value->entries[i], &conditions[i]);
    }
    rule->conditions = conditions;
    rule->condition_count = match->value->count;
}

static void read_statuses(struct rules *rules, struct block *block, struct rule *rule)
{
    const struct entry *entry = node_entry(block->table, STR("status"));
    if (!entry) {
        return;
    }
    size_t count = entry->value->kind == NODE_ARRAY ? entry->value->count : 0;
    long *statuses = ARENA_ARRAY(rules->arena, count, long);
    for (size_t i = 0; i < count; i++) {
        const struct node *item = entry->value->items[i];
        bool is_status = item->kind == NODE_INTEGER && item->integer >= 100 && item->integer < 1000;
        statuses[i] = is_status ? (long)item->integer : 0;
        count = is_status ? count : 0;
    }
    if (count == 0) {
        block_complain(block, entry->value->pos, "bad_type", no_suggestion,
                       STR("\"status\" must be a list of HTTP statuses: [429, 503]"));
    }
    rule->statuses = statuses;
    rule->status_count = count;
}

static const struct example *read_examples(struct rules *rules, struct block *block,
                                           const char *key, size_t *count)
{
    const struct entry *entry = node_entry(block->table, str_from(key));
    *count = 0;
    if (!entry) {
        return NULL;
    }
    if (entry->value->kind != NODE_ARRAY) {
        block_complain(
            block, entry->value->pos, "bad_type", no_suggestion,
            arena_printf(block->source->problem_arena,
                         "\"%s\" must be a list of examples: [{ status = 503, body = '...' }]",
                         key));
        return NULL;
    }
    struct example *examples = ARENA_ARRAY(rules->arena, entry->value->count, struct example);
    for (size_t i = 0; i < entry->value->count; i++) {
        const struct node *item = entry->value->items[i];
        struct block inner = block_of(block, item);
        if (item->kind != NODE_TABLE) {
            block_complain(block, item->pos, "bad_type", no_suggestion,
                           STR("an example must be a table: { status = 503, body = '...' }"));
            continue;
        }
        rules_load_example(&inner, &examples[*count]);
        block->is_broken = block->is_broken || inner.is_broken;
        (*count)++;
    }
    return examples;
}

static const struct diagnosis *read_diagnosis(struct rules *rules, struct block *block)
{
    struct str id = block_string(block, "diagnosis", REQUIRED);
    const struct diagnosis *found = rules_diagnosis(rules, id);
    struct arena *arena = block->source->problem_arena;
    const struct entry *entry = node_entry(block->table, STR("diagnosis"));
    if (!found && entry && str_is_set(id)) {
        block_complain(block, entry->value->pos, "bad_value", nearest_diagnosis(rules, arena, id),
                       arena_printf(arena, "there is no diagnosis \"%.*s\"", STR_ARG(id)));
    }
    return found;
}

/* An id names one rule. Between two files the first keeps it; a built-in rule keeps its id before
 * the user's, so that no slip in a file of the user's switches one off. */
static void settle_id(const struct rules *rules, struct block *block, const struct rule *rule)
{
    const struct rule *other = rules_find(rules, rule->id);
    if (other && block->source->is_users && !other->is_users) {
        block_complain(block, block->table->pos, "duplicate_key", no_suggestion,
                       arena_printf(block->source->problem_arena,
                                    "the id \"%.*s\" is that of a built-in rule: give this rule "
                                    "another one, it comes first all the same",
                                    STR_ARG(rule->id)));
    } else if (other) {
        block_complain_taken(block, rule->id, other->origin);
    }
}

/* False, and told once, when the user has more rules than a run can be held up by. */
static bool has_room(struct rules *rules, struct block *block)
{
    if (!block->source->is_users || rules->rules.first_count < USER_RULES_MAX) {
        return true;
    }
    if (!rules->is_full) {
        block_complain(block, block->table->pos, "too_big", no_suggestion,
                       arena_printf(block->source->problem_arena,
                                    "over %d own rules: this one and those behind it are left out",
                                    USER_RULES_MAX));
    }
    rules->is_full = true;
    return false;
}

void rules_load_rule(struct rules *rules, struct block *block)
{
    static const char *const names[] = {"id",      "diagnosis", "keywords",  "status", "match",
                                        "reason",  "source",    "retryable", "yes",    "no",
                                        "meaning", "actions",   NULL};
    if (!has_room(rules, block)) {
        return;
    }
    struct rule *rule = ARENA_NEW(rules->arena, struct rule);
    block_check_keys(block, names);
    rule->id = block_string(block, "id", REQUIRED);
    rule->diagnosis = read_diagnosis(rules, block);
    rule->keywords = block_strings(block, "keywords", &rule->keyword_count);
    rule->reason = block_string(block, "reason", REQUIRED);
    rule->source = block_string(block, "source", REQUIRED);
    if (node_entry(block->table, STR("meaning"))) {
        rule->meaning = block_phrase(block, "meaning");
    }
    if (node_entry(block->table, STR("actions"))) {
        rule->actions = block_phrases(block, "actions");
    }
    rule->has_retryable = node_entry(block->table, STR("retryable")) != NULL;
    rule->is_retryable = block_bool(block, "retryable", false);
    rule->origin = block_origin(block, block->table->pos);
    rule->is_users = block->source->is_users;
    read_statuses(rules, block, rule);
    read_conditions(rules, block, rule);
    rule->yes = read_examples(rules, block, "yes", &rule->yes_count);
    rule->no = read_examples(rules, block, "no", &rule->no_count);
    if (rule->condition_count == 0 && rule->status_count == 0 && rule->keyword_count == 0) {
        block_complain(
            block, block->table->pos, "missing_key", no_suggestion,
            STR("a rule needs match, status or keywords: this one would fit everything"));
    }
    settle_id(rules, block, rule);
    if (!block->is_broken) {
        (rule->is_users ? rules_add_first : rules_add_row)(rules, &rules->rules, rule);
    }
}
