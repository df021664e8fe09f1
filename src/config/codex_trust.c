/* Files of projects: .codex/config.toml from the project's root down to the working directory. They
 * count only where the user trusts the project; of the others it is said why they do not. */
#include "config/codex.h"

#include "config/add.h"
#include "config/path.h"

#include <stdlib.h>
#include <unistd.h>

#define DIRECTORIES_MAX 64

static bool is_there(const struct codex *codex, struct str directory, struct str name)
{
    struct str path = arena_printf(codex->arena, "%.*s/%.*s", STR_ARG(directory), STR_ARG(name));
    return access(arena_cstr(codex->arena, path), F_OK) == 0;
}

/* What marks a project's root: project_root_markers, or ".git". */
static bool is_root(const struct codex *codex, const struct stack *users, struct str directory)
{
    const struct node *markers = stack_node(users, KEY_PATH(STR("project_root_markers")), NULL);
    if (!markers || markers->kind != NODE_ARRAY) {
        return is_there(codex, directory, STR(".git"));
    }
    for (size_t i = 0; i < markers->count; i++) {
        if (markers->items[i]->kind == NODE_STRING &&
            is_there(codex, directory, markers->items[i]->string)) {
            return true;
        }
    }
    return false;
}

/* Directories from the working directory up to the project's root, that alone when there is none.
 */
static size_t list_directories(const struct codex *codex, const struct stack *users,
                               struct str directories[DIRECTORIES_MAX])
{
    struct str start = str_is_empty(codex->command.directory) ? STR(".") : codex->command.directory;
    char *real = realpath(arena_cstr(codex->arena, start), NULL);
    struct str directory = real ? arena_dup(codex->arena, str_from(real)) : (struct str){NULL, 0};
    size_t count = 0;
    free(real);
    while (str_is_set(directory) && count < DIRECTORIES_MAX) {
        directories[count++] = directory;
        if (is_root(codex, users, directory)) {
            return count;
        }
        directory = directory.len > 1 ? path_directory(directory) : (struct str){NULL, 0};
    }
    return count ? 1 : 0;
}

static struct str trust_of(const struct codex *codex, const struct stack *users,
                           struct str directory, struct str root)
{
    struct value none = {0};
    struct value level = stack_string(codex->arena, users, none,
                                      KEY_PATH(STR("projects"), directory, STR("trust_level")));
    if (!str_is_set(level.text)) {
        level = stack_string(codex->arena, users, none,
                             KEY_PATH(STR("projects"), root, STR("trust_level")));
    }
    return level.text;
}

static void name_unused(struct codex *codex, struct str path, struct str why, struct str step)
{
    struct str shown = codex_path(codex, path);
    add_file(codex->arena, codex->config, shown, CONFIG_IGNORED)->reason = why;
    struct problem *problem = note_add(
        codex->arena, &codex->config->problems, (struct origin){.kind = ORIGIN_FILE, .name = shown},
        STR("unused_file"), true,
        arena_printf(codex->arena, "%.*s is not read: %.*s", STR_ARG(shown), STR_ARG(why)));
    problem->suggestion = step;
    problem->suggestion_kind = SUGGESTION_STEP;
}

static struct str trust_step(struct codex *codex, struct str root)
{
    return arena_printf(codex->arena,
                        "If you trust it, add two lines at the end of %.*s/config.toml: "
                        "[projects.\"%.*s\"] and trust_level = \"trusted\"",
                        STR_ARG(codex_path(codex, codex->home)), STR_ARG(root));
}

void codex_open_projects(struct codex *codex)
{
    struct str directories[DIRECTORIES_MAX];
    struct codex_view users = codex_view_of(codex, NULL, (struct str){NULL, 0});
    size_t count = list_directories(codex, &users.stack, directories);
    const struct client_behaviour *denies = codex_behaviour(codex, STR("project_denies"));
    codex->projects.layers = ARENA_ARRAY(codex->arena, count + 1, struct layer *);
    for (size_t i = count; i > 0; i--) {
        struct str directory = directories[i - 1], root = directories[count - 1];
        struct str folder = arena_printf(codex->arena, "%.*s/.codex", STR_ARG(directory));
        struct str path = arena_printf(codex->arena, "%.*s/config.toml", STR_ARG(folder));
        char *home = realpath(arena_cstr(codex->arena, codex->home), NULL);
        bool is_home = home && str_eq(folder, str_from(home));
        free(home);
        if (is_home || !is_there(codex, folder, STR("config.toml"))) {
            continue;
        }
        if (!codex_behaviour(codex, STR("project_files"))) {
            name_unused(codex, path,
                        arena_printf(codex->arena, "Codex %.*s reads no files of projects",
                                     STR_ARG(codex->version.text)),
                        (struct str){NULL, 0});
        } else if (!codex->command.trusts && codex_behaviour(codex, STR("projects_need_trust")) &&
                   !str_eq(trust_of(codex, &users.stack, directory, root), STR("trusted"))) {
            name_unused(codex, path, STR("the project is not trusted"), trust_step(codex, root));
        } else {
            struct layer *layer = codex_open(codex, path, STR("project file"), denies);
            if (layer) {
                layer->project = directory;
                codex->projects.layers[codex->projects.count++] = layer;
            }
        }
    }
}
