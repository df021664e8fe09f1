/* Opening of Codex's files and putting them one over the other. Takes paths, gives layers with what
 * is wrong in each; whether that stops a run is decided by who uses the layer. */
#include "config/codex.h"

#include "base/file.h"
#include "config/add.h"
#include "config/layer.h"
#include "config/open.h"
#include "config/path.h"
#include "config/suggest.h"
#include "syntax/dotenv.h"
#include "syntax/toml.h"

#include <unistd.h>

#define LINES_MAX 200

/* Keys that a file of this kind may not set: each is named, and looked up no more. */
static void note_denied(struct codex *codex, struct layer *layer,
                        const struct client_behaviour *denies)
{
    layer->denied = denies->values;
    layer->denied_count = denies->value_count;
    for (size_t i = 0; i < denies->value_count; i++) {
        const struct entry *entry = node_entry(layer->document.root, denies->values[i]);
        if (entry) {
            note_at(codex->arena, &layer->problems, &layer->source, entry->pos, STR("unknown_key"),
                    true,
                    arena_printf(codex->arena, "%.*s is not taken from a project's file since %.*s",
                                 STR_ARG(denies->values[i]), STR_ARG(denies->range.since)))
                ->suggestion = arena_printf(codex->arena, "%.*s/config.toml",
                                            STR_ARG(codex_path(codex, codex->home)));
        }
    }
}

/* Tables with the id of a built-in provider: refused, or there without effect. */
static void check_builtin_tables(struct codex *codex, struct layer *layer)
{
    for (size_t i = 0; i < rules_client_provider_count(codex->rules); i++) {
        const struct client_provider *provider = rules_client_provider_at(codex->rules, i);
        const struct key_path path = KEY_PATH(STR("model_providers"), provider->id);
        const struct entry *entry = layer_entry(layer, &path);
        if (!entry || provider->override == OVERRIDE_ALLOWED || !str_eq(provider->client, CODEX) ||
            !version_is_in(codex->version.text, provider->range)) {
            continue;
        }
        bool is_refused = provider->override == OVERRIDE_REFUSED;
        struct str message = arena_printf(
            codex->arena,
            is_refused
                ? "model_providers.%.*s: a built-in provider cannot be overridden, so Codex "
                  "%.*s does not start"
                : "model_providers.%.*s has no effect: the built-in provider of that name is "
                  "used by Codex %.*s",
            STR_ARG(provider->id), STR_ARG(codex->version.text));
        struct problem *problem = note_at(
            codex->arena, &layer->problems, &layer->source, entry->pos,
            is_refused ? STR("reserved_provider") : STR("unused_key"), !is_refused, message);
        problem->suggestion =
            arena_printf(codex->arena, "[model_providers.%.*s-custom]%s%.*s", STR_ARG(provider->id),
                         str_is_set(provider->url_key) ? ", or " : "", STR_ARG(provider->url_key));
        layer->has_error = layer->has_error || is_refused;
    }
}

struct layer *codex_open_checked(struct codex *codex, const struct key_check *check,
                                 struct str path, struct str label)
{
    struct layer *layer = ARENA_NEW(codex->arena, struct layer);
    layer->label = label;
    layer->source = (struct source){.mask = codex->mask,
                                    .plain_keys = codex->plain_keys,
                                    .plain_key_count = codex->plain_key_count,
                                    .lines_left = LINES_MAX};
    struct opening opening = {.arena = codex->arena,
                              .config = codex->config,
                              .home = codex->user_home,
                              .problems = &layer->problems};
    if (!open_file(&opening, path, false, &layer->source)) {
        enum config_file_status status = codex->config->files[opening.file_index].status;
        layer->has_error = status == CONFIG_BROKEN;
        return status == CONFIG_MISSING ? NULL : layer;
    }
    enum toml_version version = codex_behaviour(codex, STR("toml_1_0")) ? TOML_1_0 : TOML_1_1;
    toml_parse(codex->arena, layer->source.text, version, &layer->document);
    layer->has_error = !open_check_syntax(&opening, &layer->source, &layer->document, "TOML");
    key_table_check(check, layer);
    codex->has_files = true;
    return layer;
}

struct layer *codex_open(struct codex *codex, struct str path, struct str label,
                         const struct client_behaviour *denies)
{
    struct layer *layer = codex_open_checked(codex, &codex->check, path, label);
    if (layer && denies) {
        note_denied(codex, layer, denies);
    }
    if (layer) {
        check_builtin_tables(codex, layer);
    }
    return layer;
}

static void open_dotenv(struct codex *codex)
{
    struct overlay *overlay = &codex->overlay;
    struct str path = arena_printf(codex->arena, "%.*s/.env", STR_ARG(codex->home));
    overlay->shell = codex->env;
    overlay->source = (struct source){.mask = codex->mask, .lines_left = LINES_MAX};
    overlay->dropped_prefix = codex_behaviour_value(codex, STR("env_drops"));
    if (access(arena_cstr(codex->arena, path), F_OK) == 0) {
        struct opening opening = {.arena = codex->arena,
                                  .config = codex->config,
                                  .home = codex->user_home,
                                  .problems = &codex->config->problems};
        if (open_file(&opening, path, false, &overlay->source)) {
            dotenv_parse(codex->arena, overlay->source.text, codex->env, &overlay->document);
        }
    }
    overlay_make(codex->arena, overlay);
    const struct node *root = overlay->document.root;
    for (size_t i = 0; root && i < root->count; i++) {
        const struct entry *entry = &root->entries[i];
        if (str_is_set(overlay->dropped_prefix) &&
            str_istarts(entry->key, overlay->dropped_prefix)) {
            struct problem *problem = note_add(
                codex->arena, &codex->config->problems, note_origin(&overlay->source, entry->pos),
                STR("unused_key"), true,
                arena_printf(codex->arena,
                             "%.*s is not taken from this file: Codex leaves out names that "
                             "begin with %.*s",
                             STR_ARG(entry->key), STR_ARG(overlay->dropped_prefix)));
            problem->suggestion = STR("Export it in the shell");
            problem->suggestion_kind = SUGGESTION_STEP;
        }
    }
}

void codex_open_files(struct codex *codex)
{
    struct str root = str_is_set(codex->request->system_directory)
                          ? codex->request->system_directory
                          : STR("/etc");
    struct str system = arena_printf(codex->arena, "%.*s/codex/config.toml", STR_ARG(root));
    struct str managed =
        arena_printf(codex->arena, "%.*s/codex/managed_config.toml", STR_ARG(root));
    open_dotenv(codex);
    struct str user = arena_printf(codex->arena, "%.*s/config.toml", STR_ARG(codex->home));
    if (codex->command.leaves_out_user) {
        add_file(codex->arena, codex->config, codex_path(codex, user), CONFIG_IGNORED)->reason =
            STR("--ignore-user-config");
        codex->has_files = true;
    } else {
        codex->user = codex_open(codex, user, STR("user file"), NULL);
    }
    if (codex_behaviour(codex, STR("system_file"))) {
        codex->system = codex_open(codex, system, STR("system file"), NULL);
    }
    if (codex_behaviour(codex, STR("managed_file"))) {
        codex->managed = codex_open(codex, managed, STR("managed file"), NULL);
    }
    if (codex_behaviour(codex, STR("requirements_file"))) {
        codex_open_requirements(
            codex, arena_printf(codex->arena, "%.*s/codex/requirements.toml", STR_ARG(root)));
    }
}

struct codex_view codex_view_of(struct codex *codex, struct layer *profile_file, struct str profile)
{
    struct layer *const below[] = {codex->system, codex->user, profile_file};
    struct codex_view view = {.profile = profile};
    view.stack.layers = ARENA_ARRAY(
        codex->arena, codex->projects.count + codex->command.overrides.count + 4, struct layer *);
    for (size_t i = 0; i < sizeof below / sizeof below[0]; i++) {
        if (below[i]) {
            view.stack.layers[view.stack.count++] = below[i];
        }
    }
    for (size_t i = 0; i < codex->projects.count; i++) {
        view.stack.layers[view.stack.count++] = codex->projects.layers[i];
    }
    for (size_t i = 0; i < codex->command.overrides.count; i++) {
        view.stack.layers[view.stack.count++] = codex->command.overrides.layers[i];
    }
    if (codex->managed) {
        view.stack.layers[view.stack.count++] = codex->managed;
    }
    return view;
}

struct value codex_string(const struct codex *codex, const struct codex_view *view, struct str key)
{
    struct value value = {0};
    value = stack_string(codex->arena, &view->stack, value, KEY_PATH(key));
    if (str_is_set(view->profile)) {
        value = stack_string(codex->arena, &view->stack, value,
                             KEY_PATH(STR("profiles"), view->profile, key));
    }
    return value;
}

struct value codex_provider_string(const struct codex *codex, const struct codex_view *view,
                                   struct str id, struct str key)
{
    const struct value none = {0};
    const struct key_path path = KEY_PATH(STR("model_providers"), id, key);
    bool is_of_version;
    const struct client_key *row = key_table_find(&codex->check, &path, &is_of_version);
    return row && is_of_version ? stack_string(codex->arena, &view->stack, none, path) : none;
}
