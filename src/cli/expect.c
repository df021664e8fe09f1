/* Expectations of scripts: verify --expect KEY=VALUE. Takes the options and a judged report, gives
 * what holds and the exit code; the keys are a table. */
#include "cli/expect.h"

#include "cli/say.h"
#include "cli/suggest.h"
#include "triage/exit.h"
#include "triage/truth.h"

/* One key: what a result says of it (unset = not observed), and when two values are one. */
struct expect_key {
    struct str name;
    bool needs_answer;
    struct str (*have)(const struct result *result);
    bool (*holds)(const struct result *result, struct str want, struct str have);
};

static struct str have_model(const struct result *result)
{
    return result->target->is_refused ? (struct str){NULL, 0} : result->target->model.text;
}

static struct str have_provider(const struct result *result)
{
    const struct target *target = result->target;
    struct str id = str_is_set(target->provider_id) ? target->provider_id : target->provider;
    id = str_is_set(id) ? id : STR("none");
    return target->is_refused ? (struct str){NULL, 0} : id;
}

static struct str have_base_url(const struct result *result)
{
    return result->target->is_refused ? (struct str){NULL, 0} : result->target->base_url.text;
}

static struct str have_served(const struct result *result)
{
    struct str served = {NULL, 0};
    if (result->status == TARGET_OK && result->observation) {
        served = result->observation->served_model;
    }
    return str_is_empty(served) ? (struct str){NULL, 0} : served;
}

static bool is_text(const struct result *result, struct str want, struct str have)
{
    (void)result;
    return str_eq(want, have);
}

/* By the client's own name for it, or by ours. */
static bool is_provider(const struct result *result, struct str want, struct str have)
{
    return str_eq(want, have) || str_eq(want, result->target->provider);
}

static struct str without_slash(struct str url)
{
    while (str_ends(url, STR("/"))) {
        url.len--;
    }
    return url;
}

static bool is_url(const struct result *result, struct str want, struct str have)
{
    (void)result;
    return str_eq(without_slash(want), without_slash(have));
}

static bool is_model(const struct result *result, struct str want, struct str have)
{
    (void)result;
    return truth_is_same_model(want, have);
}

static const struct expect_key keys[] = {
    {.name = STR_INIT("model"), .have = have_model, .holds = is_text},
    {.name = STR_INIT("provider"), .have = have_provider, .holds = is_provider},
    {.name = STR_INIT("base_url"), .have = have_base_url, .holds = is_url},
    {.name = STR_INIT("served_model"),
     .needs_answer = true,
     .have = have_served,
     .holds = is_model},
};
#define KEY_COUNT (sizeof keys / sizeof keys[0])

static enum err_code read_one(struct cli *cli, struct str text, const struct expect_key **key,
                              struct str *want, struct err *err)
{
    struct str name = {NULL, 0};
    struct names names = {0};
    *want = text;
    str_split(want, '=', &name);
    for (size_t i = 0; i < KEY_COUNT; i++) {
        names_add(cli->arena, &names, keys[i].name);
        *key = str_eq(keys[i].name, name) ? &keys[i] : *key;
    }
    struct str list = names_list(cli->arena, &names);
    if (!*key) {
        return err_set(err, ERR_USAGE, "--expect takes one of %.*s before \"=\", not \"%.*s\"%.*s",
                       STR_ARG(list), STR_ARG(name),
                       STR_ARG(suggest_nearest(cli->arena, &names, name)));
    }
    if (!str_is_set(*want)) {
        return err_set(err, ERR_USAGE, "--expect takes KEY=VALUE, as in --expect %.*s=VALUE",
                       STR_ARG(name));
    }
    if ((*key)->needs_answer && cli->options.is_offline) {
        return err_set(err, ERR_USAGE,
                       "--expect %.*s needs an answer, and --offline sends no request",
                       STR_ARG(name));
    }
    return ERR_OK;
}

enum err_code expect_read(struct cli *cli, struct expectations *expected, struct err *err)
{
    const struct words *words = &cli->options.expect;
    const struct expect_key **found =
        ARENA_ARRAY(cli->arena, words->count + 1, const struct expect_key *);
    struct str *wanted = ARENA_ARRAY(cli->arena, words->count + 1, struct str);
    for (size_t i = 0; i < words->count; i++) {
        enum err_code code = read_one(cli, words->items[i], &found[i], &wanted[i], err);
        for (size_t k = 0; !code && k < i; k++) {
            if (found[k] == found[i]) {
                code = err_set(err, ERR_USAGE, "--expect %.*s is given twice",
                               STR_ARG(found[i]->name));
            }
        }
        if (code) {
            return code;
        }
    }
    *expected = (struct expectations){found, wanted, words->count};
    return ERR_OK;
}

static const struct result *first_primary(const struct report *report)
{
    for (size_t i = 0; i < report->result_count; i++) {
        if (report->results[i].target && report->results[i].target->role == ROLE_PRIMARY) {
            return &report->results[i];
        }
    }
    return report->result_count ? &report->results[0] : NULL;
}

/* 0, 1, or what the probe says of a thing that could not be seen. */
static void decide(struct cli *cli, const struct result *result, size_t differing, size_t unseen,
                   struct report *report)
{
    if (differing > 0) {
        report->exit_code = EXIT_OURS;
        report->blame = BLAME_OURS;
        report->summary = str_from(say(cli, "Something is not as expected.", "有与预期不符之处。"));
    } else if (unseen == 0) {
        report->exit_code = EXIT_FINE;
        report->blame = BLAME_NONE;
        report->summary = str_from(say(cli, "Everything is as expected.", "一切符合预期。"));
    } else {
        bool has_failed = result && result->status == TARGET_FAILED;
        report->blame = has_failed ? result->finding->diagnosis->blame : BLAME_UNKNOWN;
        report->exit_code = exit_code_of(report->blame);
    }
}

void expect_judge(struct cli *cli, const struct expectations *expected, struct report *report)
{
    const struct result *result = first_primary(report);
    struct expectation *list = ARENA_ARRAY(cli->arena, expected->count + 1, struct expectation);
    size_t differing = 0, unseen = 0;
    for (size_t i = 0; i < expected->count; i++) {
        const struct expect_key *key = expected->keys[i];
        struct expectation *one = &list[i];
        *one = (struct expectation){.key = key->name, .want = expected->wanted[i]};
        one->have = result ? key->have(result) : (struct str){NULL, 0};
        one->holds = str_is_set(one->have) && key->holds(result, one->want, one->have);
        differing += str_is_set(one->have) && !one->holds ? 1 : 0;
        unseen += str_is_set(one->have) ? 0 : 1;
    }
    report->expectations = list;
    report->expectation_count = expected->count;
    if (expected->count) {
        decide(cli, result, differing, unseen, report);
    }
}
