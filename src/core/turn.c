/* Lists of turns. */
#include "core/turn.h"

struct turn turn_blank(void)
{
    return (struct turn){.started_ms = -1,
                         .ended_ms = -1,
                         .duration_ms = -1,
                         .session_ms = -1,
                         .context_tokens = -1,
                         .context_window = -1,
                         .limit_permille = -1};
}

struct turn *turns_add(struct arena *arena, struct turns *turns, struct turn turn)
{
    turns->items =
        arena_grow(arena, turns->items, turns->count, &turns->capacity, sizeof *turns->items);
    turns->items[turns->count] = turn;
    return &turns->items[turns->count++];
}

#define LOOK_BACK 1000 /* turns of one session come one after the other */

struct turn *turns_find(const struct turns *turns, struct str id)
{
    size_t oldest = turns->count > LOOK_BACK ? turns->count - LOOK_BACK : 0;
    for (size_t i = turns->count; i > oldest; i--) {
        if (str_eq(turns->items[i - 1].id, id)) {
            return &turns->items[i - 1];
        }
    }
    return NULL;
}
