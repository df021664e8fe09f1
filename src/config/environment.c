/* Keys in the environment that no client's reader has taken: each variable that providers.toml
 * names makes a target at the provider's own address. Only for those who ask for all keys, since a
 * variable alone does not say that anybody asks a model with it. */
#include "config/add.h"
#include "config/layer.h"
#include "config/reader.h"
#include "config/settings.h"

#define CLIENT STR("environment")

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

const struct reader reader_environment = {.client = STR_INIT("environment"),
                                          .read = read_environment};
