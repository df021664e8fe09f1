/* Values of stacked files of settings. Takes trees with their files, gives values with origins and
 * shadows; judges nothing. */
#include "config/stack.h"

#include "config/layer.h"

const struct entry *layer_entry(const struct layer *layer, const struct key_path *path)
{
    const struct node *node = layer->document.root;
    const struct entry *entry = NULL;
    for (size_t i = 0; i < layer->denied_count && path->count; i++) {
        if (str_eq(layer->denied[i], path->parts[0])) {
            return NULL;
        }
    }
    for (size_t i = 0; i < path->count; i++) {
        entry = node_entry(node, path->parts[i]);
        if (!entry) {
            return NULL;
        }
        node = entry->value;
    }
    return entry;
}

const struct node *layer_node(const struct layer *layer, const struct key_path *path)
{
    const struct entry *entry = layer_entry(layer, path);
    return entry ? entry->value : NULL;
}

struct value stack_string(struct arena *arena, const struct stack *stack, struct value below,
                          struct key_path path)
{
    struct value value = below;
    for (size_t i = 0; i < stack->count; i++) {
        const struct node *node = layer_node(stack->layers[i], &path);
        if (node && node->kind == NODE_STRING) {
            value = layer_over(arena, value, node->string,
                               note_origin(&stack->layers[i]->source, node->pos));
        }
    }
    return value;
}

const struct node *stack_node(const struct stack *stack, struct key_path path,
                              const struct layer **layer)
{
    for (size_t i = stack->count; i > 0; i--) {
        const struct node *node = layer_node(stack->layers[i - 1], &path);
        if (node) {
            if (layer) {
                *layer = stack->layers[i - 1];
            }
            return node;
        }
    }
    return NULL;
}

bool stack_bool(const struct stack *stack, struct key_path path, bool fallback)
{
    const struct node *node = stack_node(stack, path, NULL);
    return node && node->kind == NODE_BOOL ? node->boolean : fallback;
}

struct str *stack_names(struct arena *arena, const struct stack *stack, struct key_path path,
                        size_t *count)
{
    struct str *names = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t i = 0; i < stack->count; i++) {
        const struct node *table = layer_node(stack->layers[i], &path);
        for (size_t e = 0; table && table->kind == NODE_TABLE && e < table->count; e++) {
            bool is_new = *count < STACK_NAMES_MAX;
            for (size_t n = 0; n < *count && is_new; n++) {
                is_new = !str_eq(names[n], table->entries[e].key);
            }
            if (is_new) {
                names = arena_grow(arena, names, *count, &capacity, sizeof *names);
                names[(*count)++] = table->entries[e].key;
            }
        }
    }
    return names;
}

void stack_fill_lines(struct arena *arena, const struct stack *stack, struct problems *problems,
                      size_t from)
{
    for (size_t i = from; i < problems->count; i++) {
        struct problem *problem = &problems->items[i];
        for (size_t l = 0; l < stack->count && problem->origin.kind == ORIGIN_FILE; l++) {
            struct source *source = &stack->layers[l]->source;
            if (!str_is_set(problem->line_text) && str_eq(problem->origin.name, source->path)) {
                const struct pos pos = {problem->origin.line, problem->origin.column};
                note_line(arena, source, pos, problem);
            }
        }
    }
}
