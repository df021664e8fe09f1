/* Text form of origins. */
#include "core/origin.h"

struct str origin_text(struct arena *arena, struct origin origin)
{
    switch (origin.kind) {
    case ORIGIN_FILE:
        if (origin.line == 0) {
            return origin.name;
        }
        return arena_printf(arena, "%.*s:%u:%u", STR_ARG(origin.name), origin.line, origin.column);
    case ORIGIN_ENV:
        return arena_printf(arena, "env:%.*s", STR_ARG(origin.name));
    case ORIGIN_OPTION:
        return arena_printf(arena, "option:%.*s", STR_ARG(origin.name));
    case ORIGIN_DEFAULT:
        return arena_printf(arena, "default: %.*s", STR_ARG(origin.name));
    case ORIGIN_NONE:
        break;
    }
    return (struct str){NULL, 0};
}
