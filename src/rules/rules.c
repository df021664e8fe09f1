/* The rule table: texts in, rows out. Takes the texts of rule files, gives rows of a table in which
 * the user's rules stand first. Which file holds which blocks does not matter. */
#include "rules/rules.h"

#include "rules/table.h"
#include "syntax/toml.h"

#include <string.h>

#define MISSING_MAX 20

/* Files beside the rules that belong to other rooms. */
static const struct str foreign_files[] = {STR_INIT("rules/demo.toml"),
                                           STR_INIT("rules/observe.toml")};

/* The kinds of blocks, in the order in which they are loaded: what others name stands before them.
 * Of two blocks with one id the built-in one keeps it, so those are loaded first. */
static const struct {
    struct str name;
    void (*load)(struct rules *rules, struct block *block);
} kinds[] = {
    {STR_INIT("diagnosis"), rules_load_diagnosis},
    {STR_INIT("verdict"), rules_load_verdict},
    {STR_INIT("provider"), rules_load_provider},
    {STR_INIT("client"), rules_load_client},
    {STR_INIT("client_keys"), rules_load_client_keys},
    {STR_INIT("client_behaviour"), rules_load_client_behaviour},
    {STR_INIT("client_provider"), rules_load_client_provider},
    {STR_INIT("client_says"), rules_load_client_says},
    {STR_INIT("client_run"), rules_load_client_run},
    {STR_INIT("model_tier"), rules_load_model_tier},
    {STR_INIT("rule"), rules_load_rule},
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

void rules_add_first(struct rules *rules, struct row_list *list, const void *row)
{
    rules_add_row(rules, list, row);
    const void **place = &list->items[list->first_count];
    memmove(place + 1, place, (list->count - 1 - list->first_count) * sizeof *place);
    *place = row;
    list->first_count++;
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
            for (size_t i = 0; i < count; i++) {
                if (files[i].source.is_users == (round == 1) && files[i].document.root) {
                    load_blocks(rules, &files[i], kind);
                }
            }
        }
    }
}

void rules_read_texts(struct rules *rules, const struct rules_text *texts, size_t count,
                      struct problems *problems, struct arena *problem_arena)
{
    struct arena *trees = arena_create();
    struct parsed_file *files = ARENA_ARRAY(trees, count, struct parsed_file);
    for (size_t i = 0; i < count; i++) {
        files[i].source = (struct source){
            .arena = rules->arena,
            .problems = problems,
            .problem_arena = problem_arena,
            .file = texts[i].file,
            .text = texts[i].is_users ? arena_dup(rules->arena, texts[i].text) : texts[i].text,
            .is_users = texts[i].is_users};
        if (!toml_parse(trees, texts[i].text, TOML_1_0, &files[i].document)) {
            complain_syntax(&files[i]);
        }
        if (files[i].document.root) {
            complain_kinds(&files[i]);
        }
    }
    load_files(rules, files, count);
    check_as(rules, problems, problem_arena);
    arena_free(trees);
}

enum err_code rules_open_texts(const struct rules_text *texts, size_t count,
                               struct problems *problems, struct arena *problem_arena,
                               struct rules **rules, struct err *err)
{
    struct arena *arena = arena_create();
    struct rules *table = ARENA_NEW(arena, struct rules);
    size_t before = problems->count;
    table->arena = arena;
    rules_read_texts(table, texts, count, problems, problem_arena);
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

void rules_close(struct rules *rules)
{
    if (rules) {
        arena_free(rules->arena);
    }
}

bool rules_is_foreign(struct str file)
{
    for (size_t i = 0; i < sizeof foreign_files / sizeof foreign_files[0]; i++) {
        if (str_eq(foreign_files[i], file)) {
            return true;
        }
    }
    return false;
}
