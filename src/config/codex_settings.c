/* Rows of `diagnose config` for Codex, under Codex's own names: what a request is made of, where
 * each part was said, and why Codex refuses to start when it does. */
#include "config/codex.h"

#include "config/header.h"
#include "config/settings.h"

static void add_row(struct codex *codex, struct str prefix, const char *name, struct value value)
{
    struct str key = arena_printf(codex->arena, "%.*s%s", STR_ARG(prefix), name);
    settings_add(codex->arena, codex->rules, codex->config, CODEX, key, &value);
}

/* Where the key comes from, in words of Codex. */
static struct value key_source(const struct codex_target *item, bool is_unsent)
{
    const struct key_source *key = &item->draft.key;
    struct value value = {.origin = key->named_at};
    if (is_unsent) {
        value.text = STR("none: what it holds cannot be sent");
    } else if (str_is_set(item->target.skip_reason) && !key->is_wanted) {
        value.text = STR("not readable");
    } else if (!key->is_wanted) {
        value.text = STR("none");
    } else if (item->draft.is_uncapped) {
        value.text = STR("ChatGPT login");
    } else {
        value.text = key->name;
    }
    return value;
}

/* A key with a line end in it: newer versions send the request without, and say nothing. */
static bool is_key_unsent(const struct codex *codex, const struct codex_target *item)
{
    return codex_behaviour(codex, STR("bad_key_unsent")) && item->draft.key.is_wanted &&
           !header_is_value(item->draft.key.text.text);
}

static void drop_row(struct codex *codex, struct str key, size_t from)
{
    struct config *config = codex->config;
    size_t kept = from;
    for (size_t i = from; i < config->setting_count; i++) {
        if (!str_eq(config->settings[i].key, key)) {
            config->settings[kept++] = config->settings[i];
        }
    }
    config->setting_count = kept;
}

static bool is_of_file(const struct setting *setting, struct str path)
{
    return path.len && str_starts(setting->origin, path) && setting->origin.len > path.len &&
           setting->origin.ptr[path.len] == ':';
}

void codex_name_layers(struct codex *codex, const struct stack *stack, size_t from)
{
    for (size_t i = from; i < codex->config->setting_count; i++) {
        struct setting *setting = &codex->config->settings[i];
        for (size_t l = 0; l < stack->count; l++) {
            if (is_of_file(setting, stack->layers[l]->source.path)) {
                setting->layer = stack->layers[l]->label;
            }
        }
        if (is_of_file(setting, codex->overlay.source.path)) {
            setting->layer = STR("env file");
        } else if (is_of_file(setting, codex->login.path)) {
            setting->layer = STR("login");
        }
    }
}

/* Leaves out rows that say the same as the first target's of that name, which need no repeating. */
static void drop_repeated(struct codex *codex, struct str prefix, size_t from)
{
    struct config *config = codex->config;
    size_t kept = from;
    for (size_t i = from; i < config->setting_count; i++) {
        const struct setting *row = &config->settings[i];
        struct str name = str_slice(row->key, prefix.len, row->key.len);
        bool is_repeated = false;
        for (size_t h = 0; h < from && !is_repeated; h++) {
            const struct setting *head = &config->settings[h];
            is_repeated = str_eq(head->client, row->client) && str_eq(head->key, name) &&
                          str_eq(head->value, row->value) && str_eq(head->origin, row->origin);
        }
        if (!is_repeated) {
            config->settings[kept++] = *row;
        }
    }
    config->setting_count = kept;
}

static struct value refusal(const struct target *target)
{
    struct value value = {0};
    for (size_t i = 0; i < target->problems.count && !str_is_set(value.text); i++) {
        const struct problem *problem = &target->problems.items[i];
        if (!problem->is_warning) {
            value.text = problem->message;
            value.origin = problem->origin;
        }
    }
    return value;
}

void codex_add_settings(struct codex *codex, const struct codex_target *item,
                        const struct stack *stack)
{
    size_t from = codex->config->setting_count;
    if (item->target.role == ROLE_PRIMARY) {
        add_row(codex, item->prefix, "version", codex->version);
    }
    add_row(codex, item->prefix, "model_provider", item->provider);
    add_row(codex, item->prefix, "wire_api", item->draft.wire);
    settings_add_target(codex->arena, codex->rules, codex->config, item->prefix, &item->draft,
                        &item->target);
    bool is_unsent = is_key_unsent(codex, item);
    if (is_unsent) {
        drop_row(codex, arena_printf(codex->arena, "%.*skey", STR_ARG(item->prefix)), from);
    }
    add_row(codex, item->prefix, "key_source", key_source(item, is_unsent));
    add_row(codex, item->prefix, "refused", refusal(&item->target));
    codex_name_layers(codex, stack, from);
    if (item->prefix.len) {
        drop_repeated(codex, item->prefix, from);
    }
}
