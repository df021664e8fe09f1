/* Reader of our own file. Finds it and walks its top level. A diagnose.toml in the project's
 * directory is named and never opened: a stranger's repository could send a key of the environment
 * to a stranger's host. */
#include "config/own.h"

#include "config/add.h"
#include "config/layer.h"
#include "config/open.h"
#include "config/path.h"
#include "config/reader.h"
#include "config/settings.h"
#include "syntax/toml.h"

#include <unistd.h>

#define CLIENT STR("diagnose")
#define ARENA_PER_BYTE 64 /* of the file, for its tree and the targets that it makes */

static void read_timeout(struct own *own)
{
    const struct entry *entry = own->defaults.entries[OWN_TIMEOUT];
    struct value value = {0};
    if (entry) {
        str_to_duration_ms(entry->value->string, &own->config->timeout_ms);
        value = layer_over(own->arena, value, entry->value->string,
                           note_origin(&own->source, entry->value->pos));
    }
    value = layer_over(own->arena, value, own->request->timeout,
                       (struct origin){ORIGIN_OPTION, STR("--timeout"), 0, 0});
    settings_add(own->arena, own->rules, own->config, CLIENT, STR("timeout"), &value);
}

#define KEEP_DAYS 90
#define KEEP_DAYS_MAX 36500
static const struct str keep_days_key = STR_INIT("keep_days");

static void note_unknown_history(struct own *own, const struct entry *entry)
{
    struct str name = note_quote(own->arena, &own->source.mask, entry->key);
    struct problem *problem = note_at(
        own->arena, &own->config->problems, &own->source, entry->pos, STR("unknown_key"), true,
        arena_printf(own->arena,
                     "%.*s is not known under [history], so it is not read: expected "
                     "keep_days",
                     STR_ARG(name)));
    problem->suggestion = str_nearest(entry->key, &keep_days_key, 1);
}

/* How long the record of past requests is kept. */
static void read_history(struct own *own, const struct node *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct entry *entry = &table->entries[i];
        const struct node *number = entry->value;
        if (!str_eq(entry->key, keep_days_key)) {
            note_unknown_history(own, entry);
        } else if (number->kind != NODE_INTEGER || number->integer < 0 ||
                   number->integer > KEEP_DAYS_MAX) {
            note_at(own->arena, &own->config->problems, &own->source, number->pos, STR("bad_type"),
                    false,
                    STR("keep_days takes a whole number of days from 0 to 36500; 0 keeps all"));
        } else {
            own->config->keep_days = number->integer;
            struct value value =
                layer_over(own->arena, (struct value){0},
                           arena_printf(own->arena, "%lld", (long long)number->integer),
                           note_origin(&own->source, number->pos));
            settings_add(own->arena, own->rules, own->config, CLIENT, keep_days_key, &value);
        }
    }
}

static void note_unknown_top(struct own *own, const struct entry *entry)
{
    static const struct str known[] = {STR_INIT("target"), STR_INIT("defaults"),
                                       STR_INIT("history")};
    struct str name = note_quote(own->arena, &own->source.mask, entry->key);
    struct problem *problem = note_at(
        own->arena, &own->config->problems, &own->source, entry->pos, STR("unknown_key"), true,
        arena_printf(own->arena,
                     "%.*s is not known at the top of this file, so it is not read: expected "
                     "[defaults], [history] or [[target]]",
                     STR_ARG(name)));
    size_t count;
    const struct str *keys = own_key_names(&count);
    problem->suggestion = str_nearest(entry->key, known, sizeof known / sizeof known[0]);
    for (size_t i = 0; i < count && !str_is_set(problem->suggestion); i++) {
        if (str_eq(keys[i], entry->key)) {
            problem->suggestion =
                own_key_is_default(entry->key)
                    ? arena_printf(own->arena, "[defaults] %.*s", STR_ARG(entry->key))
                    : arena_printf(own->arena, "[[target]] %.*s", STR_ARG(entry->key));
        }
    }
}

static void note_wrong_kind(struct own *own, const struct entry *entry, const char *expected)
{
    struct str message =
        arena_printf(own->arena, "%.*s is of type %s: expected %s", STR_ARG(entry->key),
                     node_kind_name(entry->value->kind), expected);
    note_at(own->arena, &own->config->problems, &own->source, entry->value->pos, STR("bad_type"),
            false, message);
}

static void walk_top(struct own *own)
{
    const struct node *root = own->document.root;
    const struct entry *targets = NULL;
    for (size_t i = 0; root && i < root->count; i++) {
        const struct entry *entry = &root->entries[i];
        if (str_eq(entry->key, STR("target"))) {
            targets = entry->value->kind == NODE_ARRAY ? entry : NULL;
            if (!targets) {
                note_wrong_kind(own, entry, "tables under [[target]], in double brackets");
            }
        } else if (!str_eq(entry->key, STR("defaults")) && !str_eq(entry->key, STR("history"))) {
            note_unknown_top(own, entry);
        } else if (entry->value->kind != NODE_TABLE) {
            note_wrong_kind(own, entry, "a table in single brackets");
        } else if (str_eq(entry->key, STR("history"))) {
            read_history(own, entry->value);
        } else {
            own_block_read(own, entry->value, entry->value->pos, true, &own->defaults);
        }
    }
    for (size_t i = 0; i < own->defaults.problems.count; i++) {
        problems_add(own->arena, &own->config->problems, own->defaults.problems.items[i]);
    }
    if (targets) {
        own_targets_add(own, targets->value);
    }
}

/* The stray file is only named. access() tells no more than that it is there. */
static void name_stray_file(struct own *own)
{
    struct str name = STR("diagnose.toml");
    struct str path = path_resolve(own->arena, own->home, own->request->directory, name);
    if (access(arena_cstr(own->arena, path), F_OK) != 0) {
        return;
    }
    struct str shown =
        mask_text(own->arena, &own->source.mask, path_shown(own->arena, own->home, path));
    struct config_file *file = add_file(own->arena, own->config, shown, CONFIG_IGNORED);
    file->reason = STR("a file in a project's directory is not loaded by itself");
    const struct origin origin = {.kind = ORIGIN_FILE, .name = shown};
    struct problem *problem =
        note_add(own->arena, &own->config->problems, origin, STR("unused_file"), true,
                 arena_printf(own->arena,
                              "%.*s is not loaded by itself, since it could send your keys to "
                              "any host it names",
                              STR_ARG(shown)));
    problem->suggestion = arena_printf(own->arena, "diagnose --config %.*s", STR_ARG(shown));
    problem->suggestion_kind = SUGGESTION_COMMAND;
}

static void read_own(struct arena *arena, const struct env *env, const struct rules *rules,
                     const struct config_request *request, struct config *config)
{
    struct own own = {.arena = arena,
                      .env = env,
                      .rules = rules,
                      .request = request,
                      .config = config,
                      .home = path_home(env, request)};
    own.source.mask = note_mask(rules);
    own.source.lines_left = 200;
    own.source.plain_keys = own_key_names(&own.source.plain_key_count);
    bool is_named = str_is_set(request->config_path);
    struct str path = is_named
                          ? request->config_path
                          : path_user_config(arena, env, own.home, STR("diagnose/config.toml"));
    if (!is_named) {
        name_stray_file(&own);
    }
    struct opening opening = {
        .arena = arena, .config = config, .home = own.home, .problems = &config->problems};
    own.directory = path_directory(path);
    config->keep_days = KEEP_DAYS;
    if (str_is_set(path) && open_file(&opening, path, is_named, &own.source)) {
        arena_expect(arena, own.source.text.len * ARENA_PER_BYTE);
        toml_parse(arena, own.source.text, TOML_1_1, &own.document);
        open_check_syntax(&opening, &own.source, &own.document, "TOML");
        walk_top(&own);
    }
    read_timeout(&own);
}

const struct reader reader_own = {.client = STR_INIT("diagnose"), .read = read_own};
