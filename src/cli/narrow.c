/* What the command line narrows down on the street: which targets are meant, and which failures
 * count for --fail-on. Takes words of the user, gives an error with the nearest names for unknown
 * ones. */
#include "cli/street.h"

#include "cli/suggest.h"

enum err_code street_select(struct street *street, const struct str *names, size_t count,
                            struct err *err)
{
    struct arena *arena = street->cli->arena;
    bool *is_wanted = ARENA_ARRAY(arena, street->target_count + 1, bool);
    for (size_t n = 0; n < count; n++) {
        struct names known = {0};
        bool is_found = false;
        for (size_t i = 0; i < street->target_count; i++) {
            const struct target *target = street->targets[i];
            if (str_eq(target->name, names[n]) || str_eq(target->model.text, names[n])) {
                is_wanted[i] = is_found = true;
            }
            names_add(arena, &known, target->name);
            names_add(arena, &known, target->model.text);
        }
        if (!is_found) {
            struct str hint = suggest_nearest(arena, &known, names[n]);
            hint = hint.len ? hint : STR("; diagnose config lists what is configured");
            return err_set(err, ERR_USAGE, "no target or model is called \"%.*s\"%.*s",
                           STR_ARG(names[n]), STR_ARG(hint));
        }
    }
    size_t kept = 0;
    for (size_t i = 0; count && i < street->target_count; i++) {
        if (is_wanted[i]) {
            street->targets[kept++] = street->targets[i];
        }
    }
    street->target_count = count ? kept : street->target_count;
    return ERR_OK;
}

/* Every word that --fail-on takes. */
static void list_failures(const struct street *street, struct names *names)
{
    struct arena *arena = street->cli->arena;
    for (size_t i = 0; i < BLAME_COUNT; i++) {
        names_add(arena, names, blame_name((enum blame)i));
    }
    for (size_t i = 0; i < rules_diagnosis_count(street->rules); i++) {
        names_add(arena, names, rules_diagnosis_at(street->rules, i)->layer);
        names_add(arena, names, rules_diagnosis_at(street->rules, i)->id);
    }
}

enum err_code street_read_fail_on(struct street *street, struct err *err)
{
    struct arena *arena = street->cli->arena;
    struct str rest = street->cli->options.fail_on, word;
    struct names known = {0}, wanted = {0};
    if (!str_is_set(rest)) {
        return ERR_OK;
    }
    list_failures(street, &known);
    while (str_split(&rest, ',', &word)) {
        word = str_trim(word);
        bool is_known = false;
        for (size_t i = 0; i < known.count; i++) {
            is_known = is_known || str_eq(known.items[i], word);
        }
        if (!is_known) {
            struct str hint = suggest_nearest(arena, &known, word);
            return err_set(err, ERR_USAGE,
                           "--fail-on takes layers, blames and diagnoses parted by commas; "
                           "\"%.*s\" is none%.*s",
                           STR_ARG(word), STR_ARG(hint));
        }
        names_add(arena, &wanted, word);
    }
    street->fail_on = wanted.items;
    street->fail_on_count = wanted.count;
    return ERR_OK;
}
