/* What is there in Codex's files, well-formed and read, and yet chosen by nothing: profiles, tables
 * of providers, the address of the built-in provider. Takes a view and the provider in force, gives
 * remarks and problems. */
#include "config/codex.h"

#define NAMES_SHOWN 5

static struct problem *remark(struct codex *codex, struct problems *problems, struct origin origin,
                              struct str message)
{
    return note_add(codex->arena, problems, origin, STR("unselected"), true, message);
}

static struct str list_of(struct codex *codex, const struct str *names, size_t count)
{
    struct str list = {NULL, 0};
    for (size_t i = 0; i < count && i < NAMES_SHOWN; i++) {
        list = arena_printf(codex->arena, "%.*s%s%.*s", STR_ARG(list), i ? ", " : "",
                            STR_ARG(codex_name(codex, names[i])));
    }
    return count > NAMES_SHOWN ? arena_printf(codex->arena, "%.*s ...", STR_ARG(list)) : list;
}

/* Profiles besides the chosen one, of the kind that this version reads. */
static void remark_profiles(struct codex *codex, const struct codex_view *view,
                            struct problems *problems)
{
    const struct layer *layer = NULL;
    struct origin origin = {ORIGIN_FILE, codex_path(codex, codex->home), 0, 0};
    const struct codex_profiles *profiles = &codex->profiles;
    if (profiles->count == 0) {
        return;
    }
    const struct node *tables =
        stack_node(&view->stack, KEY_PATH(STR("profiles"), profiles->names[0]), &layer);
    if (tables && codex_behaviour(codex, STR("profile_tables"))) {
        origin = note_origin(&layer->source, tables->pos);
    } else {
        origin.name =
            codex_path(codex, arena_printf(codex->arena, "%.*s/%.*s.config.toml",
                                           STR_ARG(codex->home), STR_ARG(profiles->names[0])));
    }
    struct problem *problem = remark(
        codex, problems, origin,
        arena_printf(codex->arena, "profiles that are in force only when they are chosen: %.*s",
                     STR_ARG(list_of(codex, profiles->names, profiles->count))));
    problem->is_remark = true;
    problem->suggestion = arena_printf(codex->arena, "codex --profile %.*s",
                                       STR_ARG(codex_name(codex, profiles->names[0])));
    problem->suggestion_kind = SUGGESTION_COMMAND;
}

/* Some profile asks this provider. */
static bool is_of_profile(const struct codex *codex, struct str provider)
{
    const struct codex_profiles *profiles = &codex->profiles;
    for (size_t i = 0; i < profiles->count; i++) {
        if (str_eq(profiles->providers[i], provider)) {
            return true;
        }
    }
    return false;
}

/* Tables of providers, with no model_provider anywhere. */
static void remark_providers(struct codex *codex, const struct codex_view *view,
                             const struct value *provider, struct problems *problems)
{
    size_t count, own_count = 0;
    const struct layer *layer = NULL;
    struct str *names =
        stack_names(codex->arena, &view->stack, KEY_PATH(STR("model_providers")), &count);
    for (size_t i = 0; i < count; i++) {
        if (is_of_profile(codex, names[i])) {
            return;
        }
        if (!rules_client_provider(codex->rules, CODEX, names[i], codex->version.text)) {
            names[own_count++] = names[i];
        }
    }
    if (own_count == 0 || provider->origin.kind != ORIGIN_DEFAULT) {
        return;
    }
    const struct node *table =
        stack_node(&view->stack, KEY_PATH(STR("model_providers"), names[0]), &layer);
    remark(codex, problems, note_origin(&layer->source, table->pos),
           arena_printf(codex->arena,
                        "no model_provider chooses a provider that is defined (%.*s), so requests "
                        "go to %.*s",
                        STR_ARG(list_of(codex, names, own_count)), STR_ARG(provider->text)))
        ->suggestion =
        arena_printf(codex->arena, "model_provider = \"%.*s\" above the first [table]",
                     STR_ARG(codex_name(codex, names[0])));
}

/* The address of the built-in provider, while another one is asked. */
static void check_url(struct codex *codex, const struct codex_view *view,
                      const struct value *provider, struct problems *problems)
{
    struct str usual = codex_behaviour_value(codex, STR("default_provider"));
    const struct client_provider *builtin =
        rules_client_provider(codex->rules, CODEX, usual, codex->version.text);
    if (!builtin || !str_is_set(builtin->url_key) || str_eq(provider->text, usual) ||
        is_of_profile(codex, usual)) {
        return;
    }
    struct value url = codex_string(codex, view, builtin->url_key);
    if (str_is_empty(url.text)) {
        return;
    }
    note_add(codex->arena, problems, url.origin, STR("unused_key"), true,
             arena_printf(codex->arena,
                          "%.*s moves the provider %.*s only, and model_provider is %.*s",
                          STR_ARG(builtin->url_key), STR_ARG(usual),
                          STR_ARG(note_quote(codex->arena, &codex->mask, provider->text))))
        ->suggestion = arena_printf(codex->arena, "base_url under [model_providers.%.*s]",
                                    STR_ARG(codex_name(codex, provider->text)));
}

void codex_check_unused(struct codex *codex, const struct codex_view *view,
                        const struct value *provider)
{
    struct problems *problems = &codex->config->problems;
    remark_profiles(codex, view, problems);
    remark_providers(codex, view, provider, problems);
    check_url(codex, view, provider, problems);
}
