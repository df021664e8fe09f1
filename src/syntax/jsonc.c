/* Reads JSON and JSON with comments. Takes any bytes; our scanner checks them and notes the places,
 * cJSON parses, and both together give the value tree. */
#include "syntax/jsonc.h"

#include "syntax/jsonc_reader.h"

#include <cjson/cJSON.h>

/* The scanner writes at most \uNNNN for one byte, and brackets and null for what is missing. */
#define PLAIN_BYTES_MAX (6 * SYNTAX_BYTES_MAX + 4096)

static struct node *convert(struct json_reader *reader, const cJSON *item, size_t *next);

static void convert_member(struct json_reader *reader, struct node *table, const cJSON *item,
                           size_t *next)
{
    const struct json_mark *mark = &reader->marks[*next];
    struct node *value = convert(reader, item, next);
    struct str key = str_from(item->string);
    struct entry *there = tree_find(table, key);
    if (there) {
        tree_duplicate(reader->arena, reader->text, reader->document, mark->key_pos,
                       "duplicate key %s, already defined on line %u: the last one is in force",
                       arena_cstr(reader->arena, tree_show_key(reader->arena, key)),
                       there->pos.line);
        there->value = value ? value : there->value;
        there->pos = value ? mark->key_pos : there->pos;
    } else if (value) {
        tree_put(reader->arena, table, arena_dup(reader->arena, key), mark->key_pos, value);
    }
}

/* Recursive at most SYNTAX_DEPTH_MAX deep. Marks and items come in the same order; NULL for a value
 * that was reported bad. */
static struct node *convert(struct json_reader *reader, const cJSON *item, size_t *next)
{
    const struct json_mark *mark = &reader->marks[(*next)++];
    struct node *node = tree_node(reader->arena, NODE_NULL, mark->pos);
    if (mark->is_bad) {
        return NULL;
    }
    if (cJSON_IsString(item)) {
        node->kind = NODE_STRING;
        node->string = arena_dup(reader->arena, str_from(item->valuestring));
    } else if (cJSON_IsNumber(item)) {
        node->kind = mark->kind;
        node->integer = mark->integer;
        node->number = mark->number;
    } else if (cJSON_IsBool(item)) {
        node->kind = NODE_BOOL;
        node->boolean = cJSON_IsTrue(item);
    } else if (cJSON_IsArray(item) || cJSON_IsObject(item)) {
        node->kind = cJSON_IsArray(item) ? NODE_ARRAY : NODE_TABLE;
        for (const cJSON *child = item->child; child; child = child->next) {
            if (node->kind == NODE_TABLE) {
                convert_member(reader, node, child, next);
                continue;
            }
            struct node *value = convert(reader, child, next);
            if (value) {
                tree_push(reader->arena, node, value);
            }
        }
    }
    return node;
}

static void parse_plain(struct json_reader *reader)
{
    struct str plain = buf_str(&reader->plain);
    size_t next = 0;
    if (reader->plain.is_full) {
        json_complain(reader, 0, "too big to be read as JSON");
        return;
    }
    /* The NUL behind the buffer is counted: cJSON wants to see the end. */
    cJSON *tree = cJSON_ParseWithLengthOpts(plain.ptr, plain.len + 1, NULL, true);
    if (tree) {
        reader->document->root = convert(reader, tree, &next);
    } else {
        json_complain(reader, 0, "cannot be read as JSON");
    }
    cJSON_Delete(tree);
}

bool json_parse(struct arena *arena, struct str text, enum json_dialect dialect,
                struct document *document)
{
    if (!tree_open(arena, text, document)) {
        return false;
    }
    struct json_reader *reader = ARENA_NEW(arena, struct json_reader);
    *reader = (struct json_reader){
        .arena = arena,
        .text = text,
        .dialect = dialect,
        .document = document,
        .places = place_start(text),
        .plain = buf_create(PLAIN_BYTES_MAX),
    };
    reader->at = reader->places.offset;
    if (reader->at > 0 && dialect == JSON_STRICT) {
        json_complain(reader, 0, "byte order mark before the document: save it without");
    }
    json_scan(reader);
    if (reader->plain.len > 0) {
        parse_plain(reader);
    }
    buf_free(&reader->plain);
    return document->error_count == 0;
}
