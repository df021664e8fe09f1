/* --only and --except of `diagnose check`. Takes lists of words, keeps the targets that are meant.
 */
#include "cli/check.h"
#include "cli/suggest.h"
#include "probe/url.h"

#define NAMES_MAX 8

/* The text is like the pattern, in which * stands for any letters. */
static bool fits(struct str pattern, struct str text)
{
    size_t p = 0, t = 0, star = SIZE_MAX, behind = 0;
    while (t < text.len) {
        if (p < pattern.len && pattern.ptr[p] == '*') {
            star = p++;
            behind = t;
        } else if (p < pattern.len && pattern.ptr[p] == text.ptr[t]) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++behind;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.ptr[p] == '*') {
        p++;
    }
    return p == pattern.len;
}

/* What a target can be called. */
static size_t names_of(struct arena *arena, const struct target *target,
                       struct str names[NAMES_MAX])
{
    struct str host = url_name(arena, target->base_url.text);
    const struct str all[] = {target->name,
                              target->model.text,
                              target->provider,
                              target->client,
                              target->key_name,
                              host,
                              str_from(target->key.fingerprint)};
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (!str_is_empty(all[i])) {
            names[count++] = all[i];
        }
    }
    return count;
}

static bool is_called(struct arena *arena, const struct target *target, struct str word)
{
    struct str names[NAMES_MAX];
    size_t count = names_of(arena, target, names);
    for (size_t i = 0; i < count; i++) {
        if (fits(word, names[i])) {
            return true;
        }
    }
    return false;
}

static enum err_code refuse(const struct check *check, const char *option, struct str word,
                            struct err *err)
{
    const struct street *street = check->street;
    struct arena *arena = street->cli->arena;
    struct names known = {0};
    for (size_t i = 0; i < street->target_count; i++) {
        struct str names[NAMES_MAX];
        size_t count = names_of(arena, street->targets[i], names);
        for (size_t n = 0; n < count; n++) {
            names_add(arena, &known, names[n]);
        }
    }
    struct str hint = suggest_nearest(arena, &known, word);
    hint = hint.len ? hint : STR("; diagnose check --dry-run lists what is there");
    return err_set(err, ERR_USAGE,
                   "%s takes names of keys, targets, models, providers, clients or hosts; "
                   "\"%.*s\" fits nothing that is configured%.*s",
                   option, STR_ARG(word), STR_ARG(hint));
}

/* A list of words, and the option that it stands behind. */
struct choice {
    const char *option;
    struct str list;
    bool may_fit_nothing; /* a pattern in it; a plain name would be a slip */
};

/* Marks the targets that a list names. A provider that is known but not configured is no slip. */
static enum err_code mark(const struct check *check, struct choice choice, bool *is_marked,
                          struct err *err)
{
    const struct street *street = check->street;
    struct str list = choice.list, word;
    while (str_is_set(list) && str_split(&list, ',', &word)) {
        word = str_trim(word);
        bool is_found = rules_provider(street->rules, word) != NULL ||
                        (choice.may_fit_nothing && str_find_char(word, '*') >= 0);
        for (size_t i = 0; i < street->target_count; i++) {
            if (is_called(street->cli->arena, street->targets[i], word)) {
                is_marked[i] = is_found = true;
            }
        }
        if (!is_found) {
            return refuse(check, choice.option, word, err);
        }
    }
    return ERR_OK;
}

/* Operands choose as --only does. */
static enum err_code mark_wanted(const struct check *check, bool *is_wanted, struct err *err)
{
    const struct cli *cli = check->street->cli;
    const struct choice only = {.option = "--only", .list = cli->options.only};
    enum err_code code = mark(check, only, is_wanted, err);
    for (size_t i = 0; !code && i < cli->operand_count; i++) {
        const struct choice operand = {.option = "KEY", .list = cli->operands[i]};
        code = mark(check, operand, is_wanted, err);
    }
    return code;
}

enum err_code check_filter(struct check *check, struct err *err)
{
    struct street *street = check->street;
    const struct cli *cli = street->cli;
    size_t count = street->target_count, kept = 0;
    bool *is_wanted = ARENA_ARRAY(cli->arena, count + 1, bool);
    bool *is_left_out = ARENA_ARRAY(cli->arena, count + 1, bool);
    bool chooses = str_is_set(cli->options.only) || cli->operand_count > 0;
    enum err_code code = mark_wanted(check, is_wanted, err);
    const struct choice except = {
        .option = "--except", .list = cli->options.except, .may_fit_nothing = true};
    code = code ? code : mark(check, except, is_left_out, err);
    for (size_t i = 0; !code && i < count; i++) {
        if ((!chooses || is_wanted[i]) && !is_left_out[i]) {
            street->targets[kept++] = street->targets[i];
        }
    }
    street->target_count = code ? count : kept;
    return code;
}
