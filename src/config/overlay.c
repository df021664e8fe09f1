/* A .env file over the shell's variables. Takes both, gives values with origins. */
#include "config/overlay.h"

#include "config/layer.h"

static const struct entry *entry_of(const struct overlay *overlay, struct str name)
{
    bool is_dropped =
        str_is_set(overlay->dropped_prefix) && str_istarts(name, overlay->dropped_prefix);
    return is_dropped ? NULL : node_entry(overlay->document.root, name);
}

void overlay_make(struct arena *arena, struct overlay *overlay)
{
    const struct node *root = overlay->document.root;
    size_t from_file = root ? root->count : 0, count = 0, of_shell = 0;
    while (overlay->shell->variables && overlay->shell->variables[of_shell]) {
        of_shell++;
    }
    char **variables = ARENA_ARRAY(arena, from_file + of_shell + 1, char *);
    for (size_t i = 0; i < from_file; i++) {
        const struct entry *entry = &root->entries[i];
        if (entry_of(overlay, entry->key) && entry->value->kind == NODE_STRING) {
            struct str line = arena_printf(arena, "%.*s=%.*s", STR_ARG(entry->key),
                                           STR_ARG(entry->value->string));
            char *copy = ARENA_ARRAY(arena, line.len + 1, char);
            for (size_t b = 0; b < line.len; b++) {
                copy[b] = line.ptr[b];
            }
            variables[count++] = copy;
        }
    }
    for (size_t i = 0; i < of_shell; i++) {
        variables[count++] = overlay->shell->variables[i];
    }
    overlay->merged = *overlay->shell;
    overlay->merged.variables = variables;
}

struct value overlay_get(struct arena *arena, const struct overlay *overlay, struct str name)
{
    struct value value = {0};
    value = layer_over(arena, value, env_get(overlay->shell, arena_cstr(arena, name)),
                       (struct origin){ORIGIN_ENV, name, 0, 0});
    const struct entry *entry = entry_of(overlay, name);
    if (entry && entry->value->kind == NODE_STRING) {
        value = layer_over(arena, value, entry->value->string,
                           note_origin(&overlay->source, entry->value->pos));
    }
    return value;
}
