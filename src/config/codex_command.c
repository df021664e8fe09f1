/* What the command line of a run of Codex says: -m, -c, -p, -C, --oss and their kin, as each
 * version takes them before and behind the subcommand. Takes the options of the line, gives the
 * values that they say and a layer of settings for each -c; what a version loses is told. Options
 * that change no request are stepped over. */
#include "config/codex.h"
#include "config/codex_line.h"

#include "syntax/toml.h"

#define OVERRIDES_MAX 100
#define KEY_PARTS_MAX 4

static bool is_listed(const struct client_behaviour *behaviour, struct str name)
{
    for (size_t i = 0; behaviour && i < behaviour->value_count; i++) {
        if (str_eq(behaviour->values[i], name)) {
            return true;
        }
    }
    return false;
}

/* This version forgets the option, since it stands before the subcommand. */
static bool is_lost(const struct codex *codex, const struct codex_line *line,
                    const struct codex_said *said)
{
    if (said->option->kind != KIND_OVERRIDE) {
        return said->level == 0 && line->level > 0 &&
               is_listed(codex_behaviour(codex, STR("front_options_lost")), said->option->name);
    }
    for (size_t i = 0; i < line->said_count; i++) {
        const struct codex_said *other = &line->said[i];
        if (other->option->kind == KIND_OVERRIDE && other->level > said->level) {
            return codex_behaviour(codex, STR("front_overrides_lost")) != NULL;
        }
    }
    return false;
}

static struct origin origin_of(struct codex *codex, const struct codex_said *said)
{
    struct str key = {NULL, 0}, rest = said->text;
    if (said->option->kind != KIND_OVERRIDE) {
        return (struct origin){ORIGIN_OPTION, said->shown, 0, 0};
    }
    str_split(&rest, '=', &key);
    return (struct origin){ORIGIN_OPTION,
                           arena_printf(codex->arena, "%.*s %.*s", STR_ARG(said->shown),
                                        STR_ARG(codex_name(codex, str_trim(key)))),
                           0, 0};
}

static void note_lost(struct codex *codex, struct str subcommand, const struct codex_said *said)
{
    struct origin origin = origin_of(codex, said);
    const char *why = said->option->kind == KIND_OVERRIDE ? ", which has a -c of its own" : "";
    struct problem *problem = note_add(
        codex->arena, &codex->command.problems, origin, STR("unused_key"), true,
        arena_printf(codex->arena, "%.*s is lost: Codex %.*s forgets it before %.*s%s",
                     STR_ARG(origin.name), STR_ARG(codex->version.text), STR_ARG(subcommand), why));
    problem->suggestion = arena_printf(codex->arena, "codex %.*s %.*s ...", STR_ARG(subcommand),
                                       STR_ARG(origin.name));
    problem->suggestion_kind = SUGGESTION_COMMAND;
    if (said->option->kind == KIND_MODEL || str_starts(said->text, STR("model="))) {
        struct str text = said->option->kind == KIND_MODEL
                              ? said->text
                              : str_slice(said->text, STR("model=").len, said->text.len);
        codex->command.lost_model = (struct value){.text = text, .origin = origin};
    }
}

/* The value of -c as Codex reads it: TOML, else the text itself without quotes around it. */
static struct node *value_of(struct codex *codex, struct str raw)
{
    struct document document;
    struct str text = arena_printf(codex->arena, "_x_ = %.*s", STR_ARG(raw));
    enum toml_version version = codex_behaviour(codex, STR("toml_1_0")) ? TOML_1_0 : TOML_1_1;
    if (toml_parse(codex->arena, text, version, &document) && document.root->count == 1) {
        return document.root->entries[0].value;
    }
    struct node *node = ARENA_NEW(codex->arena, struct node);
    struct str bare = str_trim(raw);
    while (bare.len && (bare.ptr[0] == '"' || bare.ptr[0] == '\'')) {
        bare = str_slice(bare, 1, bare.len);
    }
    while (bare.len && (bare.ptr[bare.len - 1] == '"' || bare.ptr[bare.len - 1] == '\'')) {
        bare.len--;
    }
    *node = (struct node){.kind = NODE_STRING, .string = bare};
    return node;
}

static struct node *table_around(struct codex *codex, struct str key, struct node *value)
{
    struct node *table = ARENA_NEW(codex->arena, struct node);
    struct entry *entry = ARENA_NEW(codex->arena, struct entry);
    *entry = (struct entry){.key = key, .value = value};
    *table = (struct node){.kind = NODE_TABLE, .entries = entry, .count = 1};
    return table;
}

/* One -c, or a switch of a feature, as a layer of its own. */
static void add_override(struct codex *codex, struct origin origin, struct str key,
                         struct node *value)
{
    struct str parts[KEY_PARTS_MAX + 1], rest = key;
    size_t count = 0;
    while (count <= KEY_PARTS_MAX && str_split(&rest, '.', &parts[count])) {
        count++;
    }
    if (count > KEY_PARTS_MAX || codex->command.overrides.count >= OVERRIDES_MAX) {
        return; /* deeper than anything that a request is made of */
    }
    struct layer *layer = ARENA_NEW(codex->arena, struct layer);
    layer->label = STR("command line");
    layer->source =
        (struct source){.path = origin.name, .kind = ORIGIN_OPTION, .mask = codex->mask};
    for (size_t i = count; i > 0; i--) {
        value = table_around(codex, parts[i - 1], value);
    }
    layer->document.root = value;
    key_table_check(&codex->check, layer);
    codex->command.overrides.layers[codex->command.overrides.count++] = layer;
}

static void take_override(struct codex *codex, const struct codex_said *said)
{
    struct str raw = said->text, key = {NULL, 0};
    str_split(&raw, '=', &key);
    if (!str_is_set(raw) || str_is_empty(str_trim(key))) {
        note_add(codex->arena, &codex->command.problems, origin_of(codex, said), STR("bad_value"),
                 false,
                 arena_printf(codex->arena,
                              "%.*s takes KEY=VALUE, and Codex does not start with "
                              "anything else",
                              STR_ARG(said->shown)))
            ->suggestion = STR("-c model=\"NAME\"");
        return;
    }
    add_override(codex, origin_of(codex, said), str_trim(key), value_of(codex, raw));
}

static void take_feature(struct codex *codex, const struct codex_said *said, bool is_on)
{
    struct node *value = ARENA_NEW(codex->arena, struct node);
    struct origin origin = {ORIGIN_OPTION, said->shown, 0, 0};
    *value = (struct node){.kind = NODE_BOOL, .boolean = is_on};
    add_override(codex, origin, arena_printf(codex->arena, "features.%.*s", STR_ARG(said->text)),
                 value);
}

static void take(struct codex *codex, const struct codex_said *said)
{
    struct codex_command *command = &codex->command;
    struct value value = {.text = said->text, .origin = {ORIGIN_OPTION, said->shown, 0, 0}};
    switch (said->option->kind) {
    case KIND_MODEL:
        command->model = value;
        break;
    case KIND_PROFILE:
        command->profile = value;
        break;
    case KIND_DIRECTORY:
        command->directory = value.text;
        break;
    case KIND_OSS:
        command->is_oss = true;
        break;
    case KIND_OSS_PROVIDER:
        command->oss_provider = value;
        break;
    case KIND_NO_USER_FILE:
        command->leaves_out_user = true;
        break;
    case KIND_TRUST:
        command->trusts = true;
        break;
    case KIND_OVERRIDE:
        take_override(codex, said);
        break;
    case KIND_ENABLE:
    case KIND_DISABLE:
        take_feature(codex, said, said->option->kind == KIND_ENABLE);
        break;
    case KIND_STRICT: /* was looked for before the others */
    case KIND_FLAG:
    case KIND_VALUE:
    case KIND_VALUES:
        break;
    }
}

void codex_read_command(struct codex *codex)
{
    const struct config_request *request = codex->request;
    struct codex_command *command = &codex->command;
    const struct codex_line line =
        codex_read_line(codex->arena, request->command, request->command_count);
    command->overrides.layers = ARENA_ARRAY(codex->arena, OVERRIDES_MAX, struct layer *);
    command->model =
        (struct value){.text = request->model, .origin = {ORIGIN_OPTION, STR("--model"), 0, 0}};
    command->profile =
        (struct value){.text = request->profile, .origin = {ORIGIN_OPTION, STR("--profile"), 0, 0}};
    command->directory = request->directory;
    for (size_t i = 0; i < line.said_count; i++) {
        codex->check.is_strict = codex->check.is_strict || line.said[i].option->kind == KIND_STRICT;
    }
    for (size_t i = 0; i < line.said_count; i++) {
        if (is_lost(codex, &line, &line.said[i])) {
            note_lost(codex, line.subcommand, &line.said[i]);
        } else {
            take(codex, &line.said[i]);
        }
    }
}
