/* Guesses at the variable that was meant, and lists of choices in words. */
#include "config/suggest.h"

#include "base/buf.h"

#include <string.h>

static bool strip_end(struct str *name, struct str end)
{
    if (name->len >= end.len && str_ieq(str_slice(*name, name->len - end.len, name->len), end)) {
        name->len -= end.len;
        return true;
    }
    return false;
}

/* What is left of a variable's name without the words that say "key": OPENAI of OPENAI_API_KEY.
 * False when it has none of them. */
static bool stem_of(struct str name, struct str *stem)
{
    static const struct str ends[] = {
        STR_INIT("_KEY"),      STR_INIT("_TOKEN"), STR_INIT("_SECRET"), STR_INIT("_APIKEY"),
        STR_INIT("_APITOKEN"), STR_INIT("_API"),   STR_INIT("_AUTH"),   STR_INIT("_ACCESS"),
    };
    bool is_key = false;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (strip_end(&name, ends[i])) {
            is_key = true;
            i = (size_t)-1; /* from the start again: endings pile up in any order */
        }
    }
    *stem = name;
    return is_key && name.len > 0;
}

struct str suggest_key_variable(const struct env *env, struct str name)
{
    struct str stem, best = {NULL, 0};
    unsigned best_distance = 1000;
    bool has_stem = stem_of(name, &stem);
    for (char **v = env->variables; v && *v; v++) {
        const char *equals = strchr(*v, '=');
        if (!equals || equals == *v || equals[1] == '\0') {
            continue;
        }
        struct str other = {*v, (size_t)(equals - *v)};
        struct str other_stem;
        if (str_eq(other, name) || !stem_of(other, &other_stem)) {
            continue;
        }
        bool is_like = (has_stem && str_ieq(stem, other_stem)) || str_is_near(name, other);
        unsigned distance = str_distance(name, other);
        if (is_like && distance < best_distance) {
            best = other;
            best_distance = distance;
        }
    }
    return best;
}

struct str suggest_choices(struct arena *arena, const struct str *words, size_t count)
{
    struct buf list = buf_create(4096);
    for (size_t i = 0; i < count; i++) {
        const char *joint = i == 0 ? "" : i + 1 == count ? " or " : ", ";
        buf_printf(&list, "%s%.*s", joint, STR_ARG(words[i]));
    }
    struct str text = arena_dup(arena, buf_str(&list));
    buf_free(&list);
    return text;
}
