/* Looking things up in a value tree. Takes nodes of any kind, NULL included, gives what is there;
 * how trees are built is tree.c's. */
#include "syntax/node.h"

#include "syntax/tree_link.h"

const struct entry *node_entry(const struct node *node, struct str key)
{
    if (!node || node->kind != NODE_TABLE) {
        return NULL;
    }
    if (node->links) {
        uint32_t at = node->top_link;
        while (at != 0) {
            int order = link_order(key, node->entries[at - 1].key);
            if (order == 0) {
                return &node->entries[at - 1];
            }
            at = order < 0 ? node->links[at - 1].left : node->links[at - 1].right;
        }
        return NULL;
    }
    for (size_t i = 0; i < node->count; i++) {
        if (node->entries[i].key.len == key.len && str_eq(node->entries[i].key, key)) {
            return &node->entries[i];
        }
    }
    return NULL;
}

const struct node *node_get(const struct node *node, struct str key)
{
    const struct entry *entry = node_entry(node, key);
    return entry ? entry->value : NULL;
}

struct str node_string(const struct node *node)
{
    return node && node->kind == NODE_STRING ? node->string : (struct str){NULL, 0};
}

const char *node_kind_name(enum node_kind kind)
{
    static const char *const names[] = {
        [NODE_NULL] = "null",
        [NODE_STRING] = "string",
        [NODE_INTEGER] = "integer",
        [NODE_FLOAT] = "float",
        [NODE_BOOL] = "boolean",
        [NODE_OFFSET_DATETIME] = "date and time with offset",
        [NODE_LOCAL_DATETIME] = "local date and time",
        [NODE_LOCAL_DATE] = "local date",
        [NODE_LOCAL_TIME] = "local time",
        [NODE_ARRAY] = "array",
        [NODE_TABLE] = "table",
    };
    return (size_t)kind < sizeof names / sizeof names[0] ? names[kind] : "value";
}
