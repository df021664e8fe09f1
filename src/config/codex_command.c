/* The command line of a run of Codex: -m, -c, -p, -C, --oss and their kin, as each version takes
 * them before and behind the subcommand. Takes the words behind the program's name, gives the
 * values that they say and a layer of settings for each -c; what a version loses is told. Options
 * that change no request are stepped over. */
#include "config/codex.h"

#include "syntax/toml.h"

#define WORDS_MAX 1000
#define OVERRIDES_MAX 100
#define KEY_PARTS_MAX 4

enum option_kind {
    KIND_FLAG, /* nothing that a request is made of */
    KIND_VALUE,
    KIND_VALUES, /* takes all words up to the next option */
    KIND_MODEL,
    KIND_PROFILE,
    KIND_DIRECTORY,
    KIND_OVERRIDE,
    KIND_ENABLE,
    KIND_DISABLE,
    KIND_OSS,
    KIND_OSS_PROVIDER,
    KIND_NO_USER_FILE,
    KIND_TRUST,
    KIND_STRICT
};

/* Of all versions: `codex --help`, `codex exec --help` of 0.40.0 to 0.171.0. What is not listed is
 * a flag. */
static const struct option {
    struct str name;
    char letter;
    enum option_kind kind;
} options[] = {
    {.name = STR_INIT("config"), .letter = 'c', .kind = KIND_OVERRIDE},
    {.name = STR_INIT("model"), .letter = 'm', .kind = KIND_MODEL},
    {.name = STR_INIT("profile"), .letter = 'p', .kind = KIND_PROFILE},
    {.name = STR_INIT("cd"), .letter = 'C', .kind = KIND_DIRECTORY},
    {.name = STR_INIT("enable"), .kind = KIND_ENABLE},
    {.name = STR_INIT("disable"), .kind = KIND_DISABLE},
    {.name = STR_INIT("oss"), .kind = KIND_OSS},
    {.name = STR_INIT("local-provider"), .kind = KIND_OSS_PROVIDER},
    {.name = STR_INIT("ignore-user-config"), .kind = KIND_NO_USER_FILE},
    {.name = STR_INIT("trust"), .kind = KIND_TRUST},
    {.name = STR_INIT("strict-config"), .kind = KIND_STRICT},
    {.name = STR_INIT("image"), .letter = 'i', .kind = KIND_VALUES},
    {.name = STR_INIT("sandbox"), .letter = 's', .kind = KIND_VALUE},
    {.name = STR_INIT("ask-for-approval"), .letter = 'a', .kind = KIND_VALUE},
    {.name = STR_INIT("output-last-message"), .letter = 'o', .kind = KIND_VALUE},
    {.name = STR_INIT("add-dir"), .kind = KIND_VALUE},
    {.name = STR_INIT("remote"), .kind = KIND_VALUE},
    {.name = STR_INIT("remote-auth-token-env"), .kind = KIND_VALUE},
    {.name = STR_INIT("output-schema"), .kind = KIND_VALUE},
    {.name = STR_INIT("color"), .kind = KIND_VALUE},
    {.name = STR_INIT("base"), .kind = KIND_VALUE},
    {.name = STR_INIT("commit"), .kind = KIND_VALUE},
    {.name = STR_INIT("title"), .kind = KIND_VALUE},
    {.name = STR_INIT("thread-source"), .kind = KIND_VALUE},
    {.name = STR_INIT("cyber-access-program"), .kind = KIND_VALUE},
};

/* Subcommands that send requests and have options of their own. */
static const struct str subcommands[] = {STR_INIT("exec"), STR_INIT("e"), STR_INIT("resume"),
                                         STR_INIT("review"), STR_INIT("fork")};

/* One option of the line with what it says. */
struct said {
    const struct option *option;
    struct str shown, text; /* shown: "-m", "--model" */
    unsigned level;         /* 0 before the subcommand, 1 behind it, 2 behind one of its own */
};

struct reading {
    struct codex *codex;
    const struct str *words;
    size_t count, at;
    unsigned level;
    struct str subcommand; /* the last one */
    struct said *said;
    size_t said_count;
};

static const struct option *find_long(struct str name)
{
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (str_eq(options[i].name, name)) {
            return &options[i];
        }
    }
    return NULL;
}

static const struct option *find_letter(char letter)
{
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        if (options[i].letter == letter) {
            return &options[i];
        }
    }
    return NULL;
}

static bool is_flag(const struct option *option)
{
    return option->kind == KIND_FLAG || option->kind == KIND_OSS ||
           option->kind == KIND_NO_USER_FILE || option->kind == KIND_TRUST ||
           option->kind == KIND_STRICT;
}

static bool is_option(struct str word)
{
    return word.len > 1 && word.ptr[0] == '-';
}

static void add_said(struct reading *reading, const struct option *option, struct str shown,
                     struct str text)
{
    reading->said[reading->said_count++] =
        (struct said){.option = option, .shown = shown, .text = text, .level = reading->level};
}

/* The rest of the word, or the next one. */
static struct str argument_of(struct reading *reading, const struct option *option,
                              struct str joined)
{
    struct str text = joined;
    if (!is_flag(option) && !str_is_set(joined) && reading->at + 1 < reading->count) {
        text = reading->words[++reading->at];
    }
    while (option->kind == KIND_VALUES && reading->at + 1 < reading->count &&
           !is_option(reading->words[reading->at + 1])) {
        reading->at++;
    }
    return text;
}

static void read_long(struct reading *reading, struct str word)
{
    struct str rest = str_slice(word, 2, word.len), name = {NULL, 0};
    str_split(&rest, '=', &name);
    const struct option *option = find_long(name);
    if (option) {
        struct str shown = str_slice(word, 0, 2 + name.len);
        add_said(reading, option, shown, argument_of(reading, option, rest));
    }
}

/* -m NAME, -mNAME, -m=NAME; letters that are not known are flags, which may be bundled. */
static void read_short(struct reading *reading, struct str word)
{
    for (size_t i = 1; i < word.len; i++) {
        const struct option *option = find_letter(word.ptr[i]);
        if (option) {
            struct str joined = str_slice(word, i + 1, word.len);
            joined = str_starts(joined, STR("=")) ? str_slice(joined, 1, joined.len) : joined;
            struct str shown = arena_printf(reading->codex->arena, "-%c", word.ptr[i]);
            bool has_more = i + 1 < word.len;
            add_said(reading, option, shown,
                     argument_of(reading, option, has_more ? joined : (struct str){NULL, 0}));
            return;
        }
    }
}

static bool is_subcommand(struct str word)
{
    for (size_t i = 0; i < sizeof subcommands / sizeof subcommands[0]; i++) {
        if (str_eq(subcommands[i], word)) {
            return true;
        }
    }
    return false;
}

/* "exec" and, behind it, "resume": only the first operands are subcommands, the rest is a prompt.
 */
static void read_words(struct reading *reading)
{
    bool is_over = false, is_prompt = false;
    for (; reading->at < reading->count; reading->at++) {
        struct str word = reading->words[reading->at];
        if (is_over || !is_option(word)) {
            is_prompt = is_prompt || is_over || reading->level == 2 || !is_subcommand(word);
            if (!is_prompt) {
                reading->level++;
                reading->subcommand = word;
            }
        } else if (str_eq(word, STR("--"))) {
            is_over = true;
        } else if (str_starts(word, STR("--"))) {
            read_long(reading, word);
        } else {
            read_short(reading, word);
        }
    }
}

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
static bool is_lost(const struct reading *reading, const struct said *said)
{
    const struct codex *codex = reading->codex;
    if (said->option->kind != KIND_OVERRIDE) {
        return said->level == 0 && reading->level > 0 &&
               is_listed(codex_behaviour(codex, STR("front_options_lost")), said->option->name);
    }
    for (size_t i = 0; i < reading->said_count; i++) {
        const struct said *other = &reading->said[i];
        if (other->option->kind == KIND_OVERRIDE && other->level > said->level) {
            return codex_behaviour(codex, STR("front_overrides_lost")) != NULL;
        }
    }
    return false;
}

static struct origin origin_of(struct codex *codex, const struct said *said)
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

static void note_lost(struct reading *reading, const struct said *said)
{
    struct codex *codex = reading->codex;
    struct origin origin = origin_of(codex, said);
    const char *why = said->option->kind == KIND_OVERRIDE ? ", which has a -c of its own" : "";
    struct problem *problem =
        note_add(codex->arena, &codex->command.problems, origin, STR("unused_key"), true,
                 arena_printf(codex->arena, "%.*s is lost: Codex %.*s forgets it before %.*s%s",
                              STR_ARG(origin.name), STR_ARG(codex->version.text),
                              STR_ARG(reading->subcommand), why));
    problem->suggestion = arena_printf(codex->arena, "codex %.*s %.*s ...",
                                       STR_ARG(reading->subcommand), STR_ARG(origin.name));
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

static void take_override(struct codex *codex, const struct said *said)
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

static void take_feature(struct codex *codex, const struct said *said, bool is_on)
{
    struct node *value = ARENA_NEW(codex->arena, struct node);
    struct origin origin = {ORIGIN_OPTION, said->shown, 0, 0};
    *value = (struct node){.kind = NODE_BOOL, .boolean = is_on};
    add_override(codex, origin, arena_printf(codex->arena, "features.%.*s", STR_ARG(said->text)),
                 value);
}

static void take(struct codex *codex, const struct said *said)
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
    struct reading reading = {.codex = codex,
                              .words = request->command,
                              .count = request->command_count < WORDS_MAX ? request->command_count
                                                                          : WORDS_MAX};
    command->overrides.layers = ARENA_ARRAY(codex->arena, OVERRIDES_MAX, struct layer *);
    reading.said = ARENA_ARRAY(codex->arena, reading.count + 1, struct said);
    command->model =
        (struct value){.text = request->model, .origin = {ORIGIN_OPTION, STR("--model"), 0, 0}};
    command->profile =
        (struct value){.text = request->profile, .origin = {ORIGIN_OPTION, STR("--profile"), 0, 0}};
    command->directory = request->directory;
    read_words(&reading);
    for (size_t i = 0; i < reading.said_count; i++) {
        codex->check.is_strict =
            codex->check.is_strict || reading.said[i].option->kind == KIND_STRICT;
    }
    for (size_t i = 0; i < reading.said_count; i++) {
        if (is_lost(&reading, &reading.said[i])) {
            note_lost(&reading, &reading.said[i]);
        } else {
            take(codex, &reading.said[i]);
        }
    }
}
