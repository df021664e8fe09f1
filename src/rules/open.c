/* The table of a run. Takes the rows that were built in and the user's files, gives one table; the
 * text of a built-in file is read again only for its examples. */
#include "rules/built.h"
#include "rules/embedded.h"
#include "rules/table.h"
#include "rules/user_files.h"

static struct row_list *list_at(struct rules *rules, size_t offset)
{
    return (struct row_list *)(void *)((char *)rules + offset);
}

/* The rows of the list stay where they are; only places are noted. */
static void take_list(struct rules *rules, const struct built_list *built)
{
    struct row_list *list = list_at(rules, built->list);
    list->items = ARENA_ARRAY(rules->arena, built->count, const void *);
    for (size_t i = 0; i < built->count; i++) {
        list->items[i] = (const char *)built->rows + i * built->row_bytes;
    }
    list->count = list->capacity = built->count;
}

static struct rules *take_built(void)
{
    struct arena *arena = arena_create();
    struct rules *rules = ARENA_NEW(arena, struct rules);
    rules->arena = arena;
    for (size_t i = 0; i < built_list_count; i++) {
        take_list(rules, &built_lists[i]);
    }
    rules->built_count = rules->rules.count;
    rules->key_prefixes = built_key_prefixes;
    rules->key_prefix_count = rules->key_prefix_capacity = built_key_prefix_count;
    rules->key_shapes = built_key_shapes;
    rules->key_shape_count = rules->key_shape_capacity = built_key_shape_count;
    rules->ok = rules_diagnosis(rules, STR("ok"));
    rules->unknown = rules_diagnosis(rules, STR("unknown"));
    return rules;
}

enum err_code rules_open_brief(struct str user_dir, struct problems *problems,
                               struct arena *problem_arena, struct rules **rules, struct err *err)
{
    struct rules *table = take_built();
    (void)err; /* the built-in rows were found whole when they were built */
    if (str_is_set(user_dir)) {
        size_t count = 0;
        struct rules_text *texts = ARENA_ARRAY(table->arena, USER_FILES_MAX, struct rules_text);
        user_files_read(table->arena, user_dir, texts, &count, problems, problem_arena);
        if (count) {
            rules_read_texts(table, texts, count, problems, problem_arena);
        }
    }
    *rules = table;
    return ERR_OK;
}

enum err_code rules_open(struct str user_dir, struct problems *problems,
                         struct arena *problem_arena, struct rules **rules, struct err *err)
{
    struct arena *arena = arena_create();
    struct rules_text *texts =
        ARENA_ARRAY(arena, embedded_file_count + USER_FILES_MAX, struct rules_text);
    size_t count = 0;
    if (str_is_set(user_dir)) {
        user_files_read(arena, user_dir, texts, &count, problems, problem_arena);
    }
    for (size_t i = 0; i < embedded_file_count; i++) {
        struct str file = str_from(embedded_files[i].name);
        if (!rules_is_foreign(file)) {
            texts[count++] = (struct rules_text){.file = file, .text = embedded_files[i].text};
        }
    }
    enum err_code code = rules_open_texts(texts, count, problems, problem_arena, rules, err);
    arena_free(arena);
    return code;
}
