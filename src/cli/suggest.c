/* "Did you mean": takes a word that nothing has and the names that exist, gives the tail of an
 * error message. */
#include "cli/suggest.h"

#define OFFERED_MAX 3
#define LISTED_MAX ((size_t)8)

void names_add(struct arena *arena, struct names *names, struct str name)
{
    names->items =
        arena_grow(arena, names->items, names->count, &names->capacity, sizeof *names->items);
    names->items[names->count++] = name;
}

struct str names_list(struct arena *arena, const struct names *names)
{
    struct str list = STR("");
    for (size_t i = 0; i < names->count; i++) {
        list = arena_printf(arena, "%.*s%s%.*s", STR_ARG(list), i ? ", " : "",
                            STR_ARG(names->items[i]));
    }
    return list;
}

static unsigned rank(struct str name, struct str text)
{
    if (text.len >= 2 && str_istarts(name, text)) {
        return 0;
    }
    return str_is_near(text, name) ? str_distance(text, name) : 1000;
}

/* The nearest name that is not taken yet; false when none is near. */
static bool next_nearest(const struct names *names, struct str text, const bool *is_taken,
                         size_t *best)
{
    unsigned least = 1000;
    for (size_t i = 0; i < names->count; i++) {
        unsigned r = is_taken[i] ? 1000 : rank(names->items[i], text);
        if (r < least) {
            least = r;
            *best = i;
        }
    }
    return least < 1000;
}

static struct str offer(struct arena *arena, const struct names *names, struct str text,
                        const char *before, const char *after)
{
    struct str hint = STR("");
    bool *is_taken = ARENA_ARRAY(arena, names->count + 1, bool);
    size_t best = 0, offered = 0;
    for (size_t i = 0; i < names->count; i++) {
        is_taken[i] = str_eq(names->items[i], text);
    }
    while (offered < OFFERED_MAX && next_nearest(names, text, is_taken, &best)) {
        is_taken[best] = true;
        for (size_t i = best; i < names->count; i++) { /* the same name may be listed twice */
            is_taken[i] = is_taken[i] || str_eq(names->items[i], names->items[best]);
        }
        hint = arena_printf(arena, "%.*s%s%s%.*s%s", STR_ARG(hint),
                            offered ? " or " : "; did you mean ", before,
                            STR_ARG(names->items[best]), after);
        offered++;
    }
    return offered ? arena_printf(arena, "%.*s?", STR_ARG(hint)) : hint;
}

struct str suggest_nearest(struct arena *arena, const struct names *names, struct str text)
{
    return offer(arena, names, text, "\"", "\"");
}

struct str suggest_any(struct arena *arena, const struct names *names)
{
    struct names first = *names;
    first.count = names->count < LISTED_MAX ? names->count : LISTED_MAX;
    struct str list = names_list(arena, &first);
    return names->count == 0 ? STR("")
           : first.count < names->count
               ? arena_printf(arena, "; there are %.*s and %zu more", STR_ARG(list),
                              names->count - first.count)
               : arena_printf(arena, "; there %s %.*s", names->count == 1 ? "is" : "are",
                              STR_ARG(list));
}

struct str suggest_option(struct arena *arena, const struct names *names, struct str text)
{
    struct str hint = offer(arena, names, text, "--", "");
    return hint.len ? hint : STR("; --help lists the options");
}
