/* What to do, of a diagnosis and of the client that met it. Takes both from the table, gives lines
 * that are ready to show. */
#include "rules/client.h"
#include "triage/fill_value.h"

const struct str *fill_advice(struct arena *arena, const struct fill *fill,
                              const struct phrases *phrases, struct str diagnosis, size_t *count)
{
    const struct str *lines = fill_lines(arena, fill, phrases, count);
    struct str id = fill_client_id(fill);
    const struct client_says *own =
        fill->rules && str_is_set(id)
            ? rules_client_actions(fill->rules, id, diagnosis, fill_client_version(fill))
            : NULL;
    if (own == NULL) {
        return lines;
    }
    size_t own_count, general_count = *count;
    const struct str *own_lines = fill_lines(arena, fill, &own->actions, &own_count);
    struct str *all = ARENA_ARRAY(arena, own_count + general_count + 1, struct str);
    size_t own_at = own->is_last ? general_count : 0;
    size_t general_at = own->is_last ? 0 : own_count;
    for (size_t i = 0; i < own_count; i++) {
        all[own_at + i] = own_lines[i];
    }
    for (size_t i = 0; i < general_count; i++) {
        all[general_at + i] = lines[i];
    }
    *count = own_count + general_count;
    return all;
}
