/* Building documents. Takes keys, values and places from the readers, gives the value tree and the
 * list of errors with the line each stands in; bounds what the text as a whole may be. */
#include "syntax/tree.h"

#include "base/text.h"
#include "syntax/tree_link.h"

#include <stdio.h>
#include <string.h>

/* Tables of up to this many entries are searched one by one. */
#define LINEAR_MAX 16
#define MESSAGE_BYTES 400

static bool is_before(struct pos a, struct pos b)
{
    return a.line != b.line ? a.line < b.line : a.column < b.column;
}

static void add_error(struct arena *arena, struct str text, struct document *document,
                      struct syntax_error error)
{
    if (document->error_count == SYNTAX_ERRORS_MAX) {
        return;
    }
    if (!document->errors) {
        document->errors = ARENA_ARRAY(arena, SYNTAX_ERRORS_MAX, struct syntax_error);
    }
    error.line_text = pos_line_text(arena, text, error.pos, &error.line_text_column);
    size_t at = document->error_count++;
    while (at > 0 && is_before(error.pos, document->errors[at - 1].pos)) {
        document->errors[at] = document->errors[at - 1];
        at--;
    }
    document->errors[at] = error;
}

void tree_error(struct arena *arena, struct str text, struct document *document, struct pos pos,
                const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    add_error(arena, text, document,
              (struct syntax_error){.pos = pos, .message = arena_dup(arena, str_from(message))});
}

void tree_duplicate(struct arena *arena, struct str text, struct document *document, struct pos pos,
                    const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    add_error(arena, text, document,
              (struct syntax_error){.pos = pos,
                                    .message = arena_dup(arena, str_from(message)),
                                    .is_duplicate_key = true});
}

bool tree_open(struct arena *arena, struct str text, struct document *document)
{
    *document = (struct document){.reject = SYNTAX_READ};
    if (text.len > SYNTAX_BYTES_MAX) {
        document->reject = SYNTAX_TOO_BIG;
        tree_error(arena, text, document, (struct pos){1, 1},
                   "too big: %zu bytes, expected at most %zu (4 MiB)", text.len, SYNTAX_BYTES_MAX);
        return false;
    }
    ptrdiff_t invalid = utf8_find_invalid(text);
    ptrdiff_t nul = str_find_char(text, '\0');
    bool is_utf16 = str_starts(text, STR("\xFF\xFE")) || str_starts(text, STR("\xFE\xFF"));
    if (invalid >= 0 && (nul < 0 || invalid < nul)) {
        document->reject = SYNTAX_NOT_UTF8;
        tree_error(arena, text, document, pos_of_offset(text, (size_t)invalid),
                   "byte 0x%02X is not valid UTF-8: %s", (unsigned char)text.ptr[invalid],
                   is_utf16 ? "the file is UTF-16, save it as UTF-8" : "save the file as UTF-8");
        return false;
    }
    if (nul >= 0) {
        document->reject = SYNTAX_HAS_NUL;
        tree_error(arena, text, document, pos_of_offset(text, (size_t)nul),
                   "NUL byte: the file is damaged, binary or UTF-16; save it as UTF-8 text");
        return false;
    }
    return true;
}

struct node *tree_node(struct arena *arena, enum node_kind kind, struct pos pos)
{
    struct node *node = ARENA_NEW(arena, struct node);
    node->kind = kind;
    node->pos = pos;
    return node;
}

/* Turns a left link of the same level into a right one. */
static uint32_t skew(struct entry_link *links, uint32_t at)
{
    uint32_t left = links[at - 1].left;
    if (left == 0 || links[left - 1].level != links[at - 1].level) {
        return at;
    }
    links[at - 1].left = links[left - 1].right;
    links[left - 1].right = at;
    return left;
}

/* Lifts the middle of three links of one level. */
static uint32_t split(struct entry_link *links, uint32_t at)
{
    uint32_t right = links[at - 1].right;
    uint32_t beyond = right ? links[right - 1].right : 0;
    if (beyond == 0 || links[beyond - 1].level != links[at - 1].level) {
        return at;
    }
    links[at - 1].right = links[right - 1].left;
    links[right - 1].left = at;
    links[right - 1].level++;
    return right;
}

/* Recursive as deep as the tree is high: under 2 log2 of the number of keys. */
static uint32_t insert_link(struct node *table, uint32_t at, uint32_t fresh)
{
    if (at == 0) {
        return fresh;
    }
    struct entry_link *link = &table->links[at - 1];
    if (link_order(table->entries[fresh - 1].key, table->entries[at - 1].key) < 0) {
        link->left = insert_link(table, link->left, fresh);
    } else {
        link->right = insert_link(table, link->right, fresh);
    }
    return split(table->links, skew(table->links, at));
}

static void add_link(struct node *table, size_t entry)
{
    table->links[entry].level = 1;
    table->top_link = insert_link(table, table->top_link, (uint32_t)entry + 1);
}

void tree_put(struct arena *arena, struct node *table, struct str key, struct pos pos,
              struct node *value)
{
    size_t link_capacity = table->capacity;
    size_t fresh = table->count;
    table->entries =
        arena_grow(arena, table->entries, fresh, &table->capacity, sizeof *table->entries);
    table->entries[fresh] = (struct entry){.key = key, .pos = pos, .value = value};
    table->count++;
    if (table->links) {
        table->links = arena_grow(arena, table->links, fresh, &link_capacity, sizeof *table->links);
        add_link(table, fresh);
    } else if (table->count > LINEAR_MAX) {
        table->links = ARENA_ARRAY(arena, table->capacity, struct entry_link);
        for (size_t i = 0; i < table->count; i++) {
            add_link(table, i);
        }
    }
}

struct entry *tree_find(struct node *table, struct str key)
{
    const struct entry *entry = node_entry(table, key);
    return entry ? &table->entries[entry - table->entries] : NULL;
}

void tree_push(struct arena *arena, struct node *array, struct node *item)
{
    array->items =
        arena_grow(arena, array->items, array->count, &array->capacity, sizeof(struct node *));
    array->items[array->count++] = item;
}

struct str tree_show_key(struct arena *arena, struct str key)
{
    return arena_printf(arena, "\"%.*s\"", STR_ARG(text_show(arena, key, 60)));
}

struct str tree_show_char(struct arena *arena, struct str text, size_t at)
{
    uint32_t code_point = 0;
    if (at >= text.len) {
        return STR("end of file");
    }
    size_t length = utf8_decode(text, at, &code_point);
    if (code_point == '\n' ||
        (code_point == '\r' && at + 1 < text.len && text.ptr[at + 1] == '\n')) {
        return STR("end of line");
    }
    if (code_point == '\'') {
        return STR("\"'\"");
    }
    if (code_point > ' ' && code_point < 0x7F) {
        return arena_printf(arena, "'%c'", (int)code_point);
    }
    if (code_point >= 0xA0 && text_columns(str_slice(text, at, at + length)) > 0) {
        return arena_printf(arena, "'%.*s' (U+%04X)",
                            STR_ARG(text_show(arena, str_slice(text, at, at + length), 0)),
                            (unsigned)code_point);
    }
    return code_point == ' '    ? STR("a blank")
           : code_point == '\t' ? STR("a tab")
                                : arena_printf(arena, "U+%04X", (unsigned)code_point);
}
