/* Keys in the environment, in the variables that providers.toml names. Every one is a secret. Those
 * that no client's reader has taken make a target each, at the provider's own address, for those
 * who ask for all keys only: a variable alone does not say that anybody asks a model with it. */
#include "config/add.h"
#include "config/key.h"
#include "config/layer.h"
#include "config/reader.h"
#include "config/settings.h"

#define CLIENT STR("environment")
#define WORD_BYTES_MAX 20 /* keys are longer, or have digits */

/* What one reading works on. */
struct reading {
    struct arena *arena;
    const struct env *env;
    const struct rules *rules;
    const struct config_request *request;
    struct config *config;
};

/* Another reader has made a target with the key of this variable. */
static bool is_taken(const struct config *config, struct str variable)
{
    for (size_t i = 0; i < config->target_count; i++) {
        const struct origin *origin = &config->targets[i].key_origin;
        if (origin->kind == ORIGIN_ENV && str_eq(origin->name, variable)) {
            return true;
        }
    }
    return false;
}

static void add_key(const struct reading *r, const struct provider *provider, struct str variable)
{
    struct str value = env_get(r->env, arena_cstr(r->arena, variable));
    if (str_is_empty(variable) || !str_is_set(value) || is_taken(r->config, variable)) {
        return;
    }
    const struct origin place = {ORIGIN_ENV, variable, 0, 0};
    struct str where = arena_printf(r->arena, "documented small model, %.*s",
                                    STR_ARG(provider->cheap_model_source));
    struct draft draft = {
        .client = CLIENT,
        .provider = {.text = provider->id, .origin = {ORIGIN_DEFAULT, STR("variable"), 0, 0}},
        .base_url_label = STR("base_url"),
        .key = {.is_wanted = true,
                .text = {.text = value, .origin = place},
                .name = variable,
                .named_at = place},
    };
    draft.model = layer_under(r->arena, draft.model, provider->cheap_model,
                              (struct origin){ORIGIN_DEFAULT, where, 0, 0});
    draft.model = layer_over(r->arena, draft.model, r->request->model,
                             (struct origin){ORIGIN_OPTION, STR("--model"), 0, 0});
    struct target target = draft_finish(r->arena, r->env, r->rules, &draft);
    target.role = ROLE_PRIMARY;
    add_target(r->arena, r->config, target);
    settings_add_target(r->arena, r->rules, r->config, STR(""), &draft, &target);
}

static void read_environment(struct arena *arena, const struct env *env, const struct rules *rules,
                             const struct config_request *request, struct config *config)
{
    const struct reading r = {arena, env, rules, request, config};
    if (!request->wants_all_keys && !str_eq(request->client, CLIENT)) {
        return;
    }
    add_looked(arena, config, STR("the usual variables of keys, as $GROQ_API_KEY"));
    for (size_t i = 0; i < rules_provider_count(rules); i++) {
        const struct provider *provider = rules_provider_at(rules, i);
        if (!str_is_set(provider->base_url) || provider->is_key_optional) {
            continue;
        }
        add_key(&r, provider, provider->key_env);
        for (size_t k = 0; k < provider->key_env_count; k++) {
            add_key(&r, provider, provider->key_envs[k]);
        }
    }
}

/* A word that stands where a local server wants no key, as "lm-studio": hiding it would blot out
 * the server's name. */
static bool is_word(struct str key)
{
    bool has_digit = false;
    for (size_t i = 0; i < key.len && !has_digit; i++) {
        has_digit = str_is_digit(key.ptr[i]);
    }
    return !has_digit && key.len < WORD_BYTES_MAX;
}

static void add_variable_secret(struct arena *arena, const struct env *env, struct config *config,
                                struct str variable)
{
    struct str value = str_is_set(variable) ? env_get(env, arena_cstr(arena, variable)) : variable;
    struct str core = key_core(value);
    if (!is_word(core)) {
        add_secret(arena, config, value);
        add_secret(arena, config, core);
    }
}

void config_add_environment_secrets(struct arena *arena, const struct env *env,
                                    const struct rules *rules, struct config *config)
{
    for (size_t i = 0; i < rules_provider_count(rules); i++) {
        const struct provider *provider = rules_provider_at(rules, i);
        add_variable_secret(arena, env, config, provider->key_env);
        for (size_t k = 0; k < provider->key_env_count; k++) {
            add_variable_secret(arena, env, config, provider->key_envs[k]);
        }
    }
}

const struct reader reader_environment = {.client = STR_INIT("environment"),
                                          .read = read_environment};
