/* The rule table: files in, rows out. Takes the embedded files and the user's, gives one read-only
 * table in which the user's rules stand first. Which file holds which blocks does not matter. */
#include "rules/rules.h"

#include "rules/embedded.h"
#include "rules/table.h"
#include "rules/user_files.h"
#include "syntax/toml.h"

#define MISSING_MAX 20

/* Files beside the rules that belong to other rooms. */
static const struct str foreign_files[] = {STR_INIT("rules/demo.toml"),
                                           STR_INIT("rules/observe.toml")};

/* The kinds of blocks, in the order in which they are loaded: what others name stands before them.
 * The user's rules come first, so that they win; of the rest the built-in block keeps its id. */
static const struct {
    struct str name;
    void (*load)(struct rules *rules, struct block *block);
    bool is_users_first;
} kinds[] = {
    {STR_INIT("diagnosis"), rules_load_diagnosis, false},
    {STR_INIT("verdict"), rules_load_verdict, false},
    {STR_INIT("provider"), rules_load_provider, false},
    {STR_INIT("client"), rules_load_client, false},
    {STR_INIT("client_keys"), rules_load_client_keys, false},
    {STR_INIT("client_behaviour"), rules_load_client_behaviour, false},
    {STR_INIT("client_provider"), rules_load_client_provider, false},
    {STR_INIT("client_says"), rules_load_client_says, false},
    {STR_INIT("client_run"), rules_load_client_run, false},
    {STR_INIT("model_tier"), rules_load_model_tier, true},
    {STR_INIT("rule"), rules_load_rule, true},
};
#define KIND_COUNT (sizeof kinds / sizeof kinds[0])

struct parsed_file {
    struct source source;
    struct document document;
};

void rules_add_row(struct rules *rules, struct row_list *list, const void *row)
{
    list->items =
        arena_grow(rules->arena, list->items, list->count, &list->capacity, sizeof *list->items);
    list->items[list->count++] = row;
}

static void complain_syntax(struct parsed_file *file)
{
    static const char *const rejects[] = {[SYNTAX_READ] = NULL,
                                          [SYNTAX_TOO_BIG] = "the file is too big",
                                          [SYNTAX_NOT_UTF8] = "the file is not UTF-8",
                                          [SYNTAX_HAS_NUL] = "the file holds a NUL byte"};
    struct block whole = {.source = &file->source, .table = file->document.root};
    for (size_t i = 0; i < file->document.error_count; i++) {
        const struct syntax_error *error = &file->document.errors[i];
        block_complain(&whole, error->pos, "syntax", (struct str){NULL, 0},
                       arena_dup(file->source.problem_arena, error->message));
    }
    const char *reject = rejects[file->document.reject];
    if (reject && file->document.error_count == 0) {
        block_complain(&whole, (struct pos){1, 1}, "syntax", (struct str){NULL, 0},
                       str_from(reject));
    }
}

/* Top-level keys that are no kind of block. */
static void complain_kinds(struct parsed_file *file)
{
    const char *names[KIND_COUNT + 1] = {NULL};
    for (size_t i = 0; i < KIND_COUNT; i++) {
        names[i] = kinds[i].name.ptr;
    }
    struct block whole = {.source = &file->source, .table = file->document.root};
    block_check_keys(&whole, names);
}

/* Line of the next block behind `line` in a file, or of its end. */
static unsigned next_block_line(const struct node *root, unsigned line)
{
    unsigned next = (unsigned)-1;
    for (size_t i = 0; i < root->count; i++) {
        const struct node *list = root->entries[i].value;
        for (size_t k = 0; list->kind == NODE_ARRAY && k < list->count; k++) {
            unsigned other = list->items[k]->pos.line;
            next = other > line && other < next ? other : next;
        }
    }
    return next;
}

/* A block with a syntax error in it is left out whole: with a condition lost it would fit too much.
 */
static bool has_syntax_error(const struct parsed_file *file, const struct node *table)
{
    if (file->document.error_count == 0) {
        return false;
    }
    unsigned end = next_block_line(file->document.root, table->pos.line);
    for (size_t i = 0; i < file->document.error_count; i++) {
        unsigned line = file->document.errors[i].pos.line;
        if (line >= table->pos.line && line < end) {
            return true;
        }
    }
    return false;
}

static void load_blocks(struct rules *rules, struct parsed_file *file, size_t kind)
{
    const struct entry *entry = node_entry(file->document.root, kinds[kind].name);
    if (!entry) {
        return;
    }
    for (size_t i = 0; entry->value->kind == NODE_ARRAY && i < entry->value->count; i++) {
        const struct node *table = entry->value->items[i];
        struct block block = {.source = &file->source, .table = table};
        if (table->kind != NODE_TABLE) {
            break;
        }
        if (!has_syntax_error(file, table)) {
            kinds[kind].load(rules, &block);
        }
    }
    if (entry->value->kind != NODE_ARRAY ||
        (entry->value->count && entry->value->items[0]->kind != NODE_TABLE)) {
        struct block whole = {.source = &file->source, .table = file->document.root};
        block_complain(&whole, entry->pos, "bad_type", (struct str){NULL, 0},
                       arena_printf(file->source.problem_arena,
                                    "blocks are written with double brackets: [[%.*s]]",
                                    STR_ARG(kinds[kind].name)));
    }
}

/* `as` names a diagnosis, which may stand in a later file than the example. The first few that do
 * not exist are told. */
static void check_as(const struct rules *rules, struct problems *problems, struct arena *arena)
{
    size_t missing = 0;
    for (size_t i = 0; i < rules_count(rules); i++) {
        const struct rule *rule = rules_at(rules, i);
        for (size_t k = 0; k < rule->no_count && missing < MISSING_MAX; k++) {
            if (str_is_set(rule->no[k].as) && !rules_diagnosis(rules, rule->no[k].as)) {
                missing++;
                problems_add(arena, problems,
                             (struct problem){
                                 .code = STR("bad_value"),
                                 .origin = rule->no[k].origin,
                                 .message = arena_printf(arena, "there is no diagnosis \"%.*s\"",
                                                         STR_ARG(rule->no[k].as))});
            }
        }
    }
}

static void load_files(struct rules *rules, struct parsed_file *files, size_t count)
{
    for (size_t kind = 0; kind < KIND_COUNT; kind++) {
        for (int round = 0; round < 2; round++) {
            bool is_users_turn = kinds[kind].is_users_first == (round == 0);
            for (size_t i = 0; i < count; i++) {
                if (files[i].source.is_users == is_users_turn && files[i].document.root) {
                    load_blocks(rules, &files[i], kind);
                }
            }
        }
    }
}

enum err_code rules_open_texts(const struct rules_text *texts, size_t count,
                               struct problems *problems, struct arena *problem_arena,
                               struct rules **rules, struct err *err)
{
    struct arena *arena = arena_create(), *trees = arena_create();
    struct rules *table = ARENA_NEW(arena, struct rules);
    struct parsed_file *files = ARENA_ARRAY(trees, count, struct parsed_file);
    size_t before = problems->count;
    table->arena = arena;
    for (size_t i = 0; i < count; i++) {
        files[i].source = (struct source){
            .arena = arena,
            .problems = problems,
            .problem_arena = problem_arena,
            .file = texts[i].file,
            .text = texts[i].is_users ? arena_dup(arena, texts[i].text) : texts[i].text,
            .is_users = texts[i].is_users};
        if (!toml_parse(trees, texts[i].text, TOML_1_0, &files[i].document)) {
            complain_syntax(&files[i]);
        }
        if (files[i].document.root) {
            complain_kinds(&files[i]);
        }
    }
    load_files(table, files, count);
    check_as(table, problems, problem_arena);
    arena_free(trees);
    table->ok = rules_diagnosis(table, STR("ok"));
    table->unknown = rules_diagnosis(table, STR("unknown"));
    if (!table->ok || !table->unknown) {
        struct str first = problems->count > before ? problems->items[before].message : STR("");
        struct str place =
            problems->count > before ? origin_text(arena, problems->items[before].origin) : STR("");
        enum err_code code = err_set(
            err, ERR_PARSE, "the rule table has no diagnoses \"ok\" and \"unknown\"%s%.*s %.*s",
            first.len ? "; " : "", STR_ARG(place), STR_ARG(first));
        arena_free(arena);
        return code;
    }
    *rules = table;
    return ERR_OK;
}

static bool is_foreign(struct str file)
{
    for (size_t i = 0; i < sizeof foreign_files / sizeof foreign_files[0]; i++) {
        if (str_eq(foreign_files[i], file)) {
            return true;
        }
    }
    return false;
}

/* How much of the embedded files is read. */
enum part { PART_WHOLE, PART_BRIEF, PART_SETTINGS };

/* A file of rules of which none tests a problem of settings. */
static bool is_about_answers(const struct embedded_file *embedded)
{
    const struct str text = {(const char *)embedded->brief, embedded->brief_size};
    return str_find(text, STR("[[rule]]")) >= 0 && str_find(text, STR("config.problem")) < 0;
}

static enum err_code open_table(struct str user_dir, enum part part, struct problems *problems,
                                struct arena *problem_arena, struct rules **rules, struct err *err)
{
    bool is_brief = part != PART_WHOLE;
    struct arena *arena = arena_create();
    struct rules_text *texts =
        ARENA_ARRAY(arena, embedded_file_count + USER_FILES_MAX, struct rules_text);
    size_t count = 0;
    if (str_is_set(user_dir)) {
        user_files_read(arena, user_dir, texts, &count, problems, problem_arena);
    }
    for (size_t i = 0; i < embedded_file_count; i++) {
        const struct embedded_file *embedded = &embedded_files[i];
        struct str file = str_from(embedded->name);
        bool is_left_out = part == PART_SETTINGS && is_about_answers(embedded);
        if (!is_foreign(file) && !is_left_out) {
            texts[count++] = (struct rules_text){
                .file = file,
                .text = {(const char *)(is_brief ? embedded->brief : embedded->bytes),
                         is_brief ? embedded->brief_size : embedded->size}};
        }
    }
    enum err_code code = rules_open_texts(texts, count, problems, problem_arena, rules, err);
    arena_free(arena);
    return code;
}

enum err_code rules_open(struct str user_dir, struct problems *problems,
                         struct arena *problem_arena, struct rules **rules, struct err *err)
{
    return open_table(user_dir, PART_WHOLE, problems, problem_arena, rules, err);
}

enum err_code rules_open_brief(struct str user_dir, struct problems *problems,
                               struct arena *problem_arena, struct rules **rules, struct err *err)
{
    return open_table(user_dir, PART_BRIEF, problems, problem_arena, rules, err);
}

enum err_code rules_open_settings(struct str user_dir, struct problems *problems,
                                  struct arena *problem_arena, struct rules **rules,
                                  struct err *err)
{
    return open_table(user_dir, PART_SETTINGS, problems, problem_arena, rules, err);
}

void rules_close(struct rules *rules)
{
    if (rules) {
        arena_free(rules->arena);
    }
}
