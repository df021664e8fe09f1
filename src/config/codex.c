/* Reader of Codex's settings. Finds the version that is asked for or installed and the directory
 * CODEX_HOME, and goes through the parts in their order. Writes nothing and refreshes nothing that
 * is Codex's. */
#include "config/codex.h"

#include "config/add.h"
#include "config/layer.h"
#include "config/path.h"
#include "config/reader.h"

#include <sys/stat.h>

const struct client_behaviour *codex_behaviour(const struct codex *codex, struct str name)
{
    return rules_client_behaviour(codex->rules, CODEX, name, codex->version.text);
}

struct str codex_behaviour_value(const struct codex *codex, struct str name)
{
    const struct client_behaviour *behaviour = codex_behaviour(codex, name);
    return behaviour ? behaviour->value : (struct str){NULL, 0};
}

struct value codex_variable(const struct codex *codex, struct str behaviour)
{
    struct str name = codex_behaviour_value(codex, behaviour);
    struct value value = {0};
    if (str_is_set(name)) {
        value = overlay_get(codex->arena, &codex->overlay, name);
        value.text = str_is_set(value.text) ? str_trim(value.text) : value.text;
    }
    return value;
}

struct str codex_path(struct codex *codex, struct str path)
{
    return mask_text(codex->arena, &codex->mask, path_shown(codex->arena, codex->user_home, path));
}

struct str codex_name(struct codex *codex, struct str name)
{
    struct str quoted = note_quote(codex->arena, &codex->mask, name);
    return str_slice(quoted, 1, quoted.len - 1);
}

struct origin codex_default_origin(const struct codex *codex)
{
    struct str name =
        arena_printf(codex->arena, "%.*s %.*s", STR_ARG(codex->client->name.in[LANG_EN]),
                     STR_ARG(codex->version.text));
    return (struct origin){ORIGIN_DEFAULT, name, 0, 0};
}

/* The version asked for, else the installed one, else the newest that is known. */
static void find_version(struct codex *codex)
{
    const struct config_request *request = codex->request;
    struct str newest = codex->client->versions[codex->client->version_count - 1];
    struct value *version = &codex->version;
    *version = (struct value){.text = newest,
                              .origin = {ORIGIN_DEFAULT, STR("newest version known"), 0, 0}};
    if (str_is_set(request->client_version)) {
        *version = layer_over(codex->arena, *version, request->client_version,
                              (struct origin){ORIGIN_OPTION, STR("--client-version"), 0, 0});
    } else if (request->ask_version) {
        struct str said = request->ask_version(request->ask_context, codex->arena, CODEX);
        *version = layer_over(codex->arena, *version, version_find(said),
                              (struct origin){ORIGIN_DEFAULT, STR("codex --version"), 0, 0});
    }
}

static bool is_directory(const struct codex *codex, struct str path)
{
    struct stat status;
    return stat(arena_cstr(codex->arena, path), &status) == 0 && S_ISDIR(status.st_mode);
}

/* False when Codex would not start for want of its directory. */
static bool find_home(struct codex *codex)
{
    struct str moved = env_get(codex->env, "CODEX_HOME");
    codex->user_home = path_home(codex->env, codex->request);
    if (str_is_empty(moved)) {
        if (str_is_set(codex->user_home)) {
            codex->home = arena_printf(codex->arena, "%.*s/.codex", STR_ARG(codex->user_home));
        }
        return str_is_set(codex->home);
    }
    codex->is_home_moved = codex->has_files = true;
    codex->home = moved;
    while (codex->home.len > 1 && str_ends(codex->home, STR("/"))) {
        codex->home.len--;
    }
    if (is_directory(codex, codex->home)) {
        return true;
    }
    struct str shown = note_quote(codex->arena, &codex->mask, moved);
    note_add(codex->arena, &codex->config->problems,
             (struct origin){ORIGIN_ENV, STR("CODEX_HOME"), 0, 0}, STR("unreadable"), false,
             arena_printf(codex->arena,
                          "CODEX_HOME is %.*s, which is no directory, so Codex does not start",
                          STR_ARG(shown)));
    return false;
}

/* With CODEX_HOME elsewhere, the file where people look first is not read. */
static void name_unused_home(struct codex *codex)
{
    struct str usual = arena_printf(codex->arena, "%.*s/.codex", STR_ARG(codex->user_home));
    struct str path = arena_printf(codex->arena, "%.*s/config.toml", STR_ARG(usual));
    struct stat status;
    if (!codex->is_home_moved || !str_is_set(codex->user_home) || str_eq(usual, codex->home) ||
        stat(arena_cstr(codex->arena, path), &status) != 0) {
        return;
    }
    struct str shown = codex_path(codex, path);
    add_file(codex->arena, codex->config, shown, CONFIG_IGNORED)->reason =
        STR("CODEX_HOME is another directory");
    note_add(codex->arena, &codex->config->problems,
             (struct origin){.kind = ORIGIN_FILE, .name = shown}, STR("unused_file"), true,
             arena_printf(codex->arena, "%.*s is not read: CODEX_HOME is %.*s", STR_ARG(shown),
                          STR_ARG(codex_path(codex, codex->home))));
}

/* A variable with a key that this reader would look at. */
static bool has_key_variable(const struct codex *codex)
{
    struct str name = codex_behaviour_value(codex, STR("key_variable"));
    return str_istarts(name, codex_behaviour_value(codex, STR("env_drops"))) &&
           !str_is_empty(env_get(codex->env, arena_cstr(codex->arena, name)));
}

static void read_codex(struct arena *arena, const struct env *env, const struct rules *rules,
                       const struct config_request *request, struct config *config)
{
    struct codex *codex = ARENA_NEW(arena, struct codex);
    *codex = (struct codex){.arena = arena,
                            .env = env,
                            .rules = rules,
                            .request = request,
                            .config = config,
                            .client = rules_client(rules, CODEX),
                            .mask = note_mask(rules)};
    if (!codex->client || codex->client->version_count == 0) {
        return; /* a table without this client: there is nothing to go by */
    }
    codex->plain_keys = key_table_plain(arena, rules, CODEX, &codex->plain_key_count);
    if (!find_home(codex)) {
        return;
    }
    bool is_named = str_eq(request->client, CODEX);
    if (!is_named && !codex->is_home_moved && !is_directory(codex, codex->home) &&
        str_is_empty(env_get(env, "CODEX_API_KEY"))) {
        struct str shown = codex_path(codex, codex->home);
        add_looked(arena, config, arena_printf(arena, "%.*s/config.toml", STR_ARG(shown)));
        return;
    }
    find_version(codex);
    codex->check = (struct key_check){
        .arena = arena,
        .rules = rules,
        .client = CODEX,
        .client_name = codex->client->name.in[LANG_EN],
        .version = codex->version.text,
        .are_unknown_named = codex_behaviour(codex, STR("unknown_keys_warned")) != NULL};
    codex_read_command(codex);
    name_unused_home(codex);
    codex_open_files(codex);
    codex_read_login(codex);
    if (codex->has_files || is_named || has_key_variable(codex)) {
        codex_open_projects(codex);
        codex_add_targets(codex);
    }
}

const struct reader reader_codex = {.client = STR_INIT("codex"), .read = read_codex};
