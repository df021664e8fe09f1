/* Typed reading of the blocks of rule files. Takes TOML trees, gives values in the table's arena;
 * every complaint carries file, line and column, so that a person can go there. */
#include "rules/block.h"

#include <string.h>

#define PROBLEMS_MAX 20

static const struct str language_keys[LANG_COUNT] = {
    [LANG_EN] = STR_INIT("en"), [LANG_ZH] = STR_INIT("zh")};

struct origin block_origin(const struct block *block, struct pos pos)
{
    return (struct origin){.kind = ORIGIN_FILE,
                           .name = arena_dup(block->source->arena, block->source->file),
                           .line = pos.line,
                           .column = pos.column};
}

void block_complain(struct block *block, struct pos pos, const char *code, struct str suggestion,
                    struct str message)
{
    struct arena *arena = block->source->problem_arena;
    block->is_broken = true;
    if (++block->source->problem_count > PROBLEMS_MAX) {
        if (block->source->problem_count == PROBLEMS_MAX + 1) {
            problems_add(
                arena, block->source->problems,
                (struct problem){
                    .code = str_from(code),
                    .origin = {.kind = ORIGIN_FILE, .name = arena_dup(arena, block->source->file)},
                    .message = STR("has more problems than these; its broken blocks are "
                                   "all left out"),
                });
        }
        return;
    }
    struct problem *problem =
        problems_add(arena, block->source->problems,
                     (struct problem){
                         .code = str_from(code),
                         .origin = {.kind = ORIGIN_FILE,
                                    .name = arena_dup(arena, block->source->file),
                                    .line = pos.line,
                                    .column = pos.column},
                         .message = message,
                         .suggestion = arena_dup(arena, suggestion),
                     });
    problem->line_text = pos_line_text(arena, block->source->text, pos, &problem->line_text_column);
}

void block_complain_value(struct block *block, const char *key, const char *wanted)
{
    struct arena *arena = block->source->problem_arena;
    const struct entry *entry = node_entry(block->table, str_from(key));
    struct str message = {NULL, 0};
    if (entry && entry->value->kind == NODE_STRING) {
        message = arena_printf(arena, "\"%s\" is \"%.*s\", expected %s", key,
                               STR_ARG(entry->value->string), wanted);
    } else if (entry && entry->value->kind == NODE_ARRAY) {
        message = arena_printf(arena, "\"%s\" is not %s", key, wanted);
    }
    if (entry && str_is_set(message)) {
        block_complain(block, entry->value->pos, "bad_value", (struct str){NULL, 0}, message);
    }
}

void block_complain_taken(struct block *block, struct str id, struct origin first)
{
    struct arena *arena = block->source->problem_arena;
    struct str place = origin_text(arena, first);
    const struct entry *entry = node_entry(block->table, STR("id"));
    block_complain(block, entry ? entry->value->pos : block->table->pos, "duplicate_key",
                   (struct str){NULL, 0},
                   arena_printf(arena, "the id \"%.*s\" is taken%s%.*s", STR_ARG(id),
                                place.len ? " by " : "", STR_ARG(place)));
}

struct block block_of(const struct block *parent, const struct node *table)
{
    return (struct block){.source = parent->source, .table = table};
}

static bool is_among(struct str key, const char *const *names)
{
    for (size_t i = 0; names[i]; i++) {
        if (str_eq(key, str_from(names[i]))) {
            return true;
        }
    }
    return false;
}

static struct str nearest_of(struct arena *arena, struct str key, const char *const *names)
{
    size_t count = 0;
    while (names[count]) {
        count++;
    }
    struct str *words = ARENA_ARRAY(arena, count, struct str);
    for (size_t i = 0; i < count; i++) {
        words[i] = str_from(names[i]);
    }
    return str_nearest(key, words, count);
}

void block_check_keys(struct block *block, const char *const *names)
{
    struct arena *arena = block->source->problem_arena;
    for (size_t i = 0; i < block->table->count; i++) {
        const struct entry *entry = &block->table->entries[i];
        if (!is_among(entry->key, names)) {
            block_complain(
                block, entry->pos, "unknown_key", nearest_of(arena, entry->key, names),
                arena_printf(arena, "this kind of block has no key \"%.*s\"", STR_ARG(entry->key)));
        }
    }
}

static void complain_kind(struct block *block, const struct entry *entry, const char *wanted)
{
    block_complain(block, entry->value->pos, "bad_type", (struct str){NULL, 0},
                   arena_printf(block->source->problem_arena, "\"%.*s\" is a %s, expected %s",
                                STR_ARG(entry->key), node_kind_name(entry->value->kind), wanted));
}

/* The entry of a key when it is there and of that kind. */
static const struct entry *entry_of(struct block *block, const char *key, enum node_kind kind,
                                    const char *wanted, enum need need)
{
    const struct entry *entry = node_entry(block->table, str_from(key));
    if (!entry && need == REQUIRED) {
        block_complain(block, block->table->pos, "missing_key", (struct str){NULL, 0},
                       arena_printf(block->source->problem_arena, "\"%s\" is missing here", key));
    }
    if (entry && entry->value->kind != kind) {
        complain_kind(block, entry, wanted);
        return NULL;
    }
    return entry;
}

struct str block_string(struct block *block, const char *key, enum need need)
{
    const struct entry *entry = entry_of(block, key, NODE_STRING, "a string", need);
    if (!entry) {
        return (struct str){NULL, 0};
    }
    if (need == REQUIRED && str_trim(entry->value->string).len == 0) {
        block_complain(block, entry->value->pos, "bad_value", (struct str){NULL, 0},
                       arena_printf(block->source->problem_arena, "\"%s\" is empty", key));
    }
    return arena_dup(block->source->arena, entry->value->string);
}

bool block_bool(struct block *block, const char *key, bool fallback)
{
    const struct entry *entry = entry_of(block, key, NODE_BOOL, "true or false", OPTIONAL);
    return entry ? entry->value->boolean : fallback;
}

int64_t block_integer(struct block *block, const char *key, int64_t fallback)
{
    const struct entry *entry = entry_of(block, key, NODE_INTEGER, "a whole number", OPTIONAL);
    return entry ? entry->value->integer : fallback;
}

const struct str *block_strings(struct block *block, const char *key, size_t *count)
{
    const struct entry *entry = entry_of(block, key, NODE_ARRAY, "a list of strings", OPTIONAL);
    *count = 0;
    if (!entry) {
        return NULL;
    }
    struct str *strings = ARENA_ARRAY(block->source->arena, entry->value->count, struct str);
    for (size_t i = 0; i < entry->value->count; i++) {
        const struct node *item = entry->value->items[i];
        if (item->kind != NODE_STRING) {
            complain_kind(block, entry, "a list of strings");
            return NULL;
        }
        strings[(*count)++] = arena_dup(block->source->arena, item->string);
    }
    return strings;
}

const struct header *block_headers(struct block *block, const char *key, size_t *count)
{
    const struct header *written = block_texts(block, key, count);
    struct header *headers = ARENA_ARRAY(block->source->arena, *count + 1, struct header);
    for (size_t i = 0; i < *count; i++) {
        headers[i] = written[i];
        headers[i].name = arena_lower(block->source->arena, written[i].name);
    }
    return headers;
}

const struct header *block_texts(struct block *block, const char *key, size_t *count)
{
    const struct entry *entry = entry_of(block, key, NODE_TABLE, "a table of strings", OPTIONAL);
    *count = 0;
    if (!entry) {
        return NULL;
    }
    struct header *headers = ARENA_ARRAY(block->source->arena, entry->value->count, struct header);
    for (size_t i = 0; i < entry->value->count; i++) {
        const struct entry *header = &entry->value->entries[i];
        if (header->value->kind != NODE_STRING) {
            complain_kind(block, header, "a string");
            continue;
        }
        headers[(*count)++] =
            (struct header){.name = arena_dup(block->source->arena, header->key),
                            .value = arena_dup(block->source->arena, header->value->string)};
    }
    return headers;
}

static struct phrase read_phrase(struct block *block, const struct node *table)
{
    static const char *const names[] = {"en", "zh", NULL};
    struct block texts = block_of(block, table);
    struct phrase phrase = {0};
    block_check_keys(&texts, names);
    for (size_t lang = 0; lang < LANG_COUNT; lang++) {
        phrase.in[lang] = block_string(&texts, language_keys[lang].ptr, REQUIRED);
    }
    block->is_broken = block->is_broken || texts.is_broken;
    return phrase;
}

struct phrase block_phrase(struct block *block, const char *key)
{
    const struct entry *entry = entry_of(
        block, key, NODE_TABLE, "a text in each language: { en = ..., zh = ... }", REQUIRED);
    return entry ? read_phrase(block, entry->value) : (struct phrase){0};
}

struct phrases block_phrases(struct block *block, const char *key)
{
    const struct entry *entry =
        entry_of(block, key, NODE_ARRAY, "a list of texts: [{ en = ..., zh = ... }]", REQUIRED);
    if (!entry) {
        return (struct phrases){0};
    }
    struct phrase *items = ARENA_ARRAY(block->source->arena, entry->value->count, struct phrase);
    size_t count = 0;
    for (size_t i = 0; i < entry->value->count; i++) {
        if (entry->value->items[i]->kind != NODE_TABLE) {
            complain_kind(block, entry, "a list of texts: [{ en = ..., zh = ... }]");
            break;
        }
        items[count++] = read_phrase(block, entry->value->items[i]);
    }
    return (struct phrases){.items = items, .count = count};
}
