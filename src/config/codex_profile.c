/* Profiles of Codex: tables in the file in old versions, files of their own in new ones. Takes what
 * the command line and the files say, gives the view of a plain start. */
#include "config/codex.h"

#include "config/add.h"
#include "config/path.h"

#include <dirent.h>
#include <stdlib.h>

#define PROFILE_END STR(".config.toml")

static void complain(struct codex *codex, struct problems *problems, struct origin origin,
                     struct str message, struct str suggestion)
{
    note_add(codex->arena, problems, origin, STR("bad_value"), false, message)->suggestion =
        suggestion;
}

/* [profiles.NAME] chosen by --profile or by `profile`. */
static struct codex_view choose_table(struct codex *codex, struct problems *problems)
{
    struct codex_view view = codex_view_of(codex, NULL, (struct str){NULL, 0});
    struct value said = codex_string(codex, &view, STR("profile"));
    if (str_is_set(codex->command.profile.text)) {
        said = codex->command.profile;
    }
    view.profile = said.text;
    if (!str_is_set(said.text) ||
        stack_node(&view.stack, KEY_PATH(STR("profiles"), said.text), NULL)) {
        return view;
    }
    size_t count;
    struct str *names = stack_names(codex->arena, &view.stack, KEY_PATH(STR("profiles")), &count);
    complain(codex, problems, said.origin,
             arena_printf(codex->arena, "profile %.*s is not defined: there is no [profiles.%.*s]",
                          STR_ARG(note_quote(codex->arena, &codex->mask, said.text)),
                          STR_ARG(codex_name(codex, said.text))),
             str_nearest(said.text, names, count));
    return view;
}

/* What is left of tables of profiles in the files of a version that reads none. */
static void check_old_tables(struct codex *codex, const struct codex_view *view,
                             struct problems *problems)
{
    struct value profile = codex_string(codex, view, STR("profile"));
    struct str name =
        str_is_set(codex->command.profile.text) ? codex->command.profile.text : profile.text;
    struct str shown = codex_name(codex, name);
    const struct layer *layer = NULL;
    const struct node *tables = stack_node(&view->stack, KEY_PATH(STR("profiles")), &layer);
    struct str file = str_is_set(name)
                          ? arena_printf(codex->arena, "%.*s/%.*s.config.toml",
                                         STR_ARG(codex_path(codex, codex->home)), STR_ARG(shown))
                          : (struct str){NULL, 0};
    if (str_is_set(profile.text)) {
        complain(codex, problems, profile.origin,
                 arena_printf(codex->arena,
                              "profile = %.*s is no longer supported by Codex %.*s, which does not "
                              "start with it",
                              STR_ARG(note_quote(codex->arena, &codex->mask, profile.text)),
                              STR_ARG(codex->version.text)),
                 arena_printf(codex->arena, "codex --profile %.*s, with its keys in %.*s",
                              STR_ARG(shown), STR_ARG(file)));
    } else if (str_is_set(name) && node_get(tables, name)) {
        complain(codex, problems, note_origin(&layer->source, node_entry(tables, name)->pos),
                 arena_printf(codex->arena,
                              "[profiles.%.*s] is no longer supported by Codex %.*s, which does "
                              "not start with --profile %.*s while it is there",
                              STR_ARG(shown), STR_ARG(codex->version.text), STR_ARG(shown)),
                 file);
    } else if (tables && tables->kind == NODE_TABLE && tables->count) {
        struct problem *problem =
            note_add(codex->arena, problems, note_origin(&layer->source, tables->entries[0].pos),
                     STR("unused_key"), true,
                     arena_printf(codex->arena, "[profiles] is not read by Codex %.*s",
                                  STR_ARG(codex->version.text)));
        problem->suggestion =
            arena_printf(codex->arena,
                         "Move the keys of each [profiles.NAME] into a file of its own, "
                         "%.*s/NAME.config.toml",
                         STR_ARG(codex_path(codex, codex->home)));
        problem->suggestion_kind = SUGGESTION_STEP;
    }
}

static int by_name(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

size_t codex_list_profiles(struct codex *codex, struct str names[PROFILES_MAX])
{
    DIR *directory = opendir(arena_cstr(codex->arena, codex->home));
    size_t count = 0;
    if (!directory) {
        return 0;
    }
    for (struct dirent *file = readdir(directory); file && count < PROFILES_MAX;
         file = readdir(directory)) {
        struct str name = str_from(file->d_name);
        if (str_ends(name, PROFILE_END) && name.len > PROFILE_END.len) {
            names[count++] =
                arena_dup(codex->arena, str_slice(name, 0, name.len - PROFILE_END.len));
        }
    }
    closedir(directory);
    qsort(names, count, sizeof *names, by_name);
    return count;
}

/* NAME.config.toml chosen by --profile. */
static struct codex_view choose_file(struct codex *codex, struct problems *problems)
{
    const struct str none = {NULL, 0};
    struct str names[PROFILES_MAX];
    struct codex_view view = codex_view_of(codex, NULL, none);
    struct str name = codex->command.profile.text;
    check_old_tables(codex, &view, problems);
    if (!str_is_set(name)) {
        return view;
    }
    struct str path =
        arena_printf(codex->arena, "%.*s/%.*s.config.toml", STR_ARG(codex->home), STR_ARG(name));
    struct layer *layer = codex_open(codex, path, STR("profile file"), NULL);
    if (!layer) {
        note_add(codex->arena, problems, codex->command.profile.origin, STR("unused_file"), true,
                 arena_printf(codex->arena,
                              "%.*s is not there, and Codex goes on without it and says nothing",
                              STR_ARG(codex_path(codex, path))))
            ->suggestion = str_nearest(name, names, codex_list_profiles(codex, names));
    }
    return codex_view_of(codex, layer, none);
}

struct codex_view codex_choose_view(struct codex *codex, struct problems *problems)
{
    return codex_behaviour(codex, STR("profile_tables")) ? choose_table(codex, problems)
                                                         : choose_file(codex, problems);
}
