/* Shapes of values against what a table of keys asks for. Pure: takes a node, gives a judgement. */
#include "config/key_shape.h"

static bool are_strings(const struct node *node)
{
    for (size_t i = 0; i < node->count; i++) {
        const struct node *item =
            node->kind == NODE_ARRAY ? node->items[i] : node->entries[i].value;
        if (item->kind != NODE_STRING) {
            return false;
        }
    }
    return true;
}

bool key_shape_fits(enum key_shape shape, const struct node *node)
{
    const enum node_kind kind = node->kind;
    switch (shape) {
    case SHAPE_STRING:
        return kind == NODE_STRING;
    case SHAPE_INTEGER:
        return kind == NODE_INTEGER;
    case SHAPE_UNSIGNED:
        return kind == NODE_INTEGER && node->integer >= 0;
    case SHAPE_NUMBER:
        return kind == NODE_INTEGER || kind == NODE_FLOAT;
    case SHAPE_BOOLEAN:
        return kind == NODE_BOOL;
    case SHAPE_STRINGS:
        return kind == NODE_ARRAY && are_strings(node);
    case SHAPE_STRING_OR_STRINGS:
        return kind == NODE_STRING || (kind == NODE_ARRAY && are_strings(node));
    case SHAPE_STRING_OR_TABLE:
        return kind == NODE_STRING || kind == NODE_TABLE;
    case SHAPE_BOOLEAN_OR_TABLE:
        return kind == NODE_BOOL || kind == NODE_TABLE;
    case SHAPE_MAP:
    case SHAPE_VARIABLES:
        return kind == NODE_TABLE && are_strings(node);
    case SHAPE_TABLE:
    case SHAPE_OPEN:
        return kind == NODE_TABLE;
    case SHAPE_ANY:
    case SHAPE_COUNT:
        break;
    }
    return true;
}

/* "is a list with other things than strings in it" would be told as the list's own kind. */
const char *key_shape_of(const struct node *node)
{
    if (node->kind == NODE_ARRAY && !are_strings(node)) {
        return "array of more than strings";
    }
    if (node->kind == NODE_TABLE && !are_strings(node)) {
        return "table of more than strings";
    }
    return node->kind == NODE_INTEGER && node->integer < 0 ? "number below 0"
                                                           : node_kind_name(node->kind);
}
