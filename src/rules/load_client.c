/* Blocks of rules/clients/: the clients, the keys of their settings, what differs by version, and
 * what they print. Takes one block each, gives rows of the table. */
#include "rules/client.h"
#include "rules/table.h"

static const struct {
    struct str name, expected;
} shapes[SHAPE_COUNT] = {
#define SHAPE(id, name, expected) [SHAPE_##id] = {STR_INIT(name), STR_INIT(expected)},
#include "rules/client_key.def"
#undef SHAPE
};

bool key_shape_from_name(struct str name, enum key_shape *shape)
{
    for (size_t i = 0; i < SHAPE_COUNT; i++) {
        if (str_eq(shapes[i].name, name)) {
            *shape = (enum key_shape)i;
            return true;
        }
    }
    return false;
}

struct str key_shape_expected(enum key_shape shape)
{
    return shapes[shape].expected;
}

static struct str read_version(struct block *block, const char *key)
{
    struct str version = block_string(block, key, OPTIONAL);
    if (str_is_set(version) && !str_eq(version_find(version), version)) {
        block_complain_value(block, key, "a version such as \"0.104.0\"");
    }
    return version;
}

static struct version_range read_range(struct block *block)
{
    return (struct version_range){read_version(block, "since"), read_version(block, "until")};
}

void rules_load_client(struct rules *rules, struct block *block)
{
    static const char *const names[] = {"id",       "name",  "switch",  "auth", "versions",
                                        "programs", "marks", "library", NULL};
    struct client *row = ARENA_NEW(rules->arena, struct client);
    block_check_keys(block, names);
    *row = (struct client){
        .id = block_string(block, "id", REQUIRED),
        .name = block_phrase(block, "name"),
        .switch_actions = block_phrases(block, "switch"),
        .auth = block_string(block, "auth", OPTIONAL),
        .is_library = block_bool(block, "library", false),
    };
    row->marks = block_strings(block, "marks", &row->mark_count);
    row->versions = block_strings(block, "versions", &row->version_count);
    row->programs = block_strings(block, "programs", &row->program_count);
    if (rules_client(rules, row->id)) {
        block_complain_taken(block, row->id, (struct origin){0});
    }
    if (!block->is_broken) {
        rules_add_row(rules, &rules->clients, row);
    }
}

void rules_load_client_keys(struct rules *rules, struct block *block)
{
    static const char *const names[] = {
        "client",   "type",   "keys",   "since",  "until",    "values", "instead", "skip",
        "required", "filled", "secret", "unread", "fallback", "meant",  "note",    NULL};
    struct client_key shared = {0};
    size_t count;
    block_check_keys(block, names);
    shared.client = block_string(block, "client", REQUIRED);
    const struct str *paths = block_strings(block, "keys", &count);
    if (!key_shape_from_name(block_string(block, "type", REQUIRED), &shared.shape)) {
        block_complain_value(block, "type", "a shape of values");
    }
    shared.range = read_range(block);
    shared.values = block_strings(block, "values", &shared.value_count);
    shared.instead = block_string(block, "instead", OPTIONAL);
    shared.meant = block_string(block, "meant", OPTIONAL);
    shared.skip = block_string(block, "skip", OPTIONAL);
    shared.is_required = block_bool(block, "required", false);
    shared.is_filled = block_bool(block, "filled", false);
    shared.is_secret = block_bool(block, "secret", false);
    shared.is_fallback = block_bool(block, "fallback", false);
    shared.is_unread = block_bool(block, "unread", false);
    if (node_get(block->table, STR("note"))) {
        shared.note = block_phrase(block, "note");
    }
    shared.origin = block_origin(block, block->table->pos);
    for (size_t i = 0; i < count && !block->is_broken; i++) {
        struct client_key *row = ARENA_NEW(rules->arena, struct client_key);
        *row = shared;
        row->path = paths[i];
        struct str rest = paths[i];
        while (row->part_count < CLIENT_KEY_PARTS_MAX &&
               str_split(&rest, '.', &row->parts[row->part_count])) {
            row->part_count++;
        }
        if (str_is_set(rest)) {
            block_complain_value(block, "keys", "a list of paths of at most four names");
        }
        rules_add_row(rules, &rules->client_keys, row);
    }
}

void rules_load_client_behaviour(struct rules *rules, struct block *block)
{
    static const char *const names[] = {"client", "name",   "since", "until",
                                        "value",  "values", "why",   NULL};
    struct client_behaviour *row = ARENA_NEW(rules->arena, struct client_behaviour);
    block_check_keys(block, names);
    *row = (struct client_behaviour){
        .client = block_string(block, "client", REQUIRED),
        .name = block_string(block, "name", REQUIRED),
        .range = read_range(block),
        .value = block_string(block, "value", OPTIONAL),
    };
    row->values = block_strings(block, "values", &row->value_count);
    block_string(block, "why", OPTIONAL);
    if (!block->is_broken) {
        rules_add_row(rules, &rules->client_behaviours, row);
    }
}

static enum provider_override read_override(struct block *block)
{
    static const struct str words[] = {[OVERRIDE_ALLOWED] = STR_INIT("allowed"),
                                       [OVERRIDE_IGNORED] = STR_INIT("ignored"),
                                       [OVERRIDE_REFUSED] = STR_INIT("refused")};
    struct str said = block_string(block, "override", REQUIRED);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (str_eq(words[i], said)) {
            return (enum provider_override)i;
        }
    }
    block_complain_value(block, "override", "one of: allowed, ignored, refused");
    return OVERRIDE_ALLOWED;
}

void rules_load_client_provider(struct rules *rules, struct block *block)
{
    static const char *const names[] = {"client",   "id",          "since", "until",   "base_url",
                                        "wire",     "override",    "login", "url_key", "url_env",
                                        "port_env", "env_headers", "skip",  "note",    NULL};
    struct client_provider *row = ARENA_NEW(rules->arena, struct client_provider);
    block_check_keys(block, names);
    *row = (struct client_provider){
        .client = block_string(block, "client", REQUIRED),
        .id = block_string(block, "id", REQUIRED),
        .range = read_range(block),
        .base_url = block_string(block, "base_url", OPTIONAL),
        .wire = block_string(block, "wire", OPTIONAL),
        .override = read_override(block),
        .has_login = block_bool(block, "login", false),
        .url_key = block_string(block, "url_key", OPTIONAL),
        .url_env = block_string(block, "url_env", OPTIONAL),
        .port_env = block_string(block, "port_env", OPTIONAL),
        .skip_reason = block_string(block, "skip", OPTIONAL),
    };
    if (node_get(block->table, STR("note"))) {
        row->note = block_phrase(block, "note");
    }
    row->env_headers = block_headers(block, "env_headers", &row->env_header_count);
    if (!block->is_broken) {
        rules_add_row(rules, &rules->client_providers, row);
    }
}

void rules_load_client_run(struct rules *rules, struct block *block)
{
    static const char *const names[] = {
        "client",         "since",      "until",          "program",       "arguments", "home",
        "copies",         "drops",      "dotenv",         "option",        "url_key",   "providers",
        "urls",           "variables",  "unset",          "home_variable", "settings",  "paths",
        "login_settings", "login_note", "profile_option", "variables_key", NULL};
    struct client_run *row = ARENA_NEW(rules->arena, struct client_run);
    block_check_keys(block, names);
    *row = (struct client_run){
        .client = block_string(block, "client", REQUIRED),
        .range = read_range(block),
        .program = block_string(block, "program", OPTIONAL),
        .home = block_string(block, "home", OPTIONAL),
        .home_variable = block_string(block, "home_variable", OPTIONAL),
        .dotenv = block_string(block, "dotenv", OPTIONAL),
        .option = block_string(block, "option", OPTIONAL),
        .variables_key = block_string(block, "variables_key", OPTIONAL),
        .profile_option = block_string(block, "profile_option", OPTIONAL),
        .providers = block_string(block, "providers", OPTIONAL),
        .url_key = block_string(block, "url_key", OPTIONAL),
    };
    row->arguments = block_strings(block, "arguments", &row->argument_count);
    row->copies = block_strings(block, "copies", &row->copy_count);
    row->drops = block_strings(block, "drops", &row->drop_count);
    row->paths = block_strings(block, "paths", &row->path_count);
    row->settings = block_texts(block, "settings", &row->setting_count);
    row->login_settings = block_texts(block, "login_settings", &row->login_setting_count);
    if (node_get(block->table, STR("login_note"))) {
        row->login_note = block_phrase(block, "login_note");
    }
    row->urls = block_texts(block, "urls", &row->url_count);
    row->variables = block_texts(block, "variables", &row->variable_count);
    row->unset = block_strings(block, "unset", &row->unset_count);
    if (!rules_client(rules, row->client)) {
        block_complain_value(block, "client", "a client that exists");
    }
    if (!block->is_broken) {
        rules_add_row(rules, &rules->client_runs, row);
    }
}

void rules_load_client_says(struct rules *rules, struct block *block)
{
    static const char *const names[] = {"client", "diagnoses", "since", "until",
                                        "text",   "actions",   "last",  NULL};
    struct client_says *row = ARENA_NEW(rules->arena, struct client_says);
    block_check_keys(block, names);
    *row = (struct client_says){
        .client = block_string(block, "client", REQUIRED),
        .range = read_range(block),
        .text = block_string(block, "text", OPTIONAL),
        .is_last = block_bool(block, "last", false),
    };
    if (node_get(block->table, STR("actions"))) {
        row->actions = block_phrases(block, "actions");
    }
    row->diagnoses = block_strings(block, "diagnoses", &row->diagnosis_count);
    for (size_t i = 0; i < row->diagnosis_count; i++) {
        if (!rules_diagnosis(rules, row->diagnoses[i])) {
            block_complain_value(block, "diagnoses", "a list of diagnoses that exist");
        }
    }
    if (!block->is_broken) {
        rules_add_row(rules, &rules->client_says, row);
    }
}
