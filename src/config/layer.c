/* Values said in several places. Takes texts with their origins in any order, gives one value with
 * its shadows; never judges a text. */
#include "config/layer.h"

static struct value *copy_of(struct arena *arena, struct value value)
{
    struct value *copy = ARENA_NEW(arena, struct value);
    *copy = value;
    return copy;
}

struct value layer_over(struct arena *arena, struct value below, struct str text,
                        struct origin origin)
{
    if (!str_is_set(text)) {
        return below;
    }
    struct value top = {.text = text, .origin = origin};
    if (str_is_set(below.text)) {
        top.shadowed = copy_of(arena, below);
    }
    return top;
}

struct value layer_under(struct arena *arena, struct value above, struct str text,
                         struct origin origin)
{
    struct value bottom = {.text = text, .origin = origin};
    if (!str_is_set(text)) {
        return above;
    }
    if (!str_is_set(above.text)) {
        return bottom;
    }
    /* The chain above is const, so it is copied down to its end. */
    struct value top = above;
    struct value *last = &top;
    while (last->shadowed) {
        struct value *copy = copy_of(arena, *last->shadowed);
        last->shadowed = copy;
        last = copy;
    }
    last->shadowed = copy_of(arena, bottom);
    return top;
}

struct str layer_name(struct origin origin)
{
    static const struct str names[] = {
        [ORIGIN_NONE] = STR_INIT("default"),   [ORIGIN_DEFAULT] = STR_INIT("default"),
        [ORIGIN_FILE] = STR_INIT("user file"), [ORIGIN_ENV] = STR_INIT("env"),
        [ORIGIN_OPTION] = STR_INIT("option"),
    };
    return names[origin.kind];
}
