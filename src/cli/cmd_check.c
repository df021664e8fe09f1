/* diagnose check: is every key still good? One row for each distinct pair of endpoint and key, by
 * free requests only, for a machine that asks every night. */
#include "cli/check.h"
#include "cli/memory.h"
#include "cli/say.h"

#define MIN_HEADROOM_PERCENT 10
#define MIN_DAYS 14

#define MEMBER(name) offsetof(struct options, name)
static const struct opt rows[] = {
    {.name = "live",
     .kind = OPT_FLAG,
     .member = MEMBER(is_live),
     .help = "also ask each configured model for its smallest answer, which costs a little"},
    OPT_DRY_RUN,
    {.name = "budget",
     .argument = "N",
     .kind = OPT_INTEGER,
     .max = 1000000,
     .member = MEMBER(budget),
     .help = "send no more than N requests in all; keys beyond that are unproven"},
    {.name = "only",
     .argument = "LIST",
     .kind = OPT_TEXT,
     .member = MEMBER(only),
     .help = "only these keys, targets, models, providers, clients or hosts; * fits anything"},
    {.name = "except",
     .argument = "LIST",
     .kind = OPT_TEXT,
     .member = MEMBER(except),
     .help = "all but these"},
    OPT_FAIL_ON,
    {.name = "strict",
     .kind = OPT_FLAG,
     .member = MEMBER(is_strict),
     .help = "warnings fail, and so does a key that nothing proves"},
    {.name = "retry",
     .argument = "N",
     .kind = OPT_INTEGER,
     .max = 20,
     .member = MEMBER(retry),
     .help = "ask again, N times at most, where a failure may pass; waits as the server says"},
    {.name = "expect-keys",
     .argument = "N",
     .kind = OPT_INTEGER,
     .max = 1000000,
     .member = MEMBER(expect_keys),
     .help = "fail when fewer than N keys are there"},
    {.name = "min-headroom",
     .argument = "PERCENT",
     .kind = OPT_TEXT,
     .member = MEMBER(min_headroom),
     .help = "warn when less is left of a limit or budget; 10% by default"},
    {.name = "min-days",
     .argument = "N",
     .kind = OPT_INTEGER,
     .max = 36500,
     .member = MEMBER(min_days),
     .help = "warn when a key or certificate ends within N days; 14 by default"},
    OPT_PER_HOST,
};

/* "10", "10%", "2.5%" as permille. */
static enum err_code read_headroom(const struct cli *cli, int64_t *permille, struct err *err)
{
    struct str text = cli->options.min_headroom;
    double percent = MIN_HEADROOM_PERCENT;
    struct str number = str_ends(text, STR("%")) ? str_slice(text, 0, text.len - 1) : text;
    if (str_is_set(text) &&
        (!str_to_double(str_trim(number), &percent) || percent < 0 || percent > 100)) {
        return err_set(err, ERR_USAGE,
                       "--min-headroom takes a percentage from 0 to 100, not "
                       "\"%.*s\"",
                       STR_ARG(text));
    }
    *permille = (int64_t)(percent * 10);
    return ERR_OK;
}

static enum err_code read_terms(struct check *check, struct err *err)
{
    const struct options *options = &check->street->cli->options;
    check->terms = (struct key_terms){
        .min_days = options->min_days >= 0 ? options->min_days : MIN_DAYS,
        .expected_count = options->expect_keys > 0 ? options->expect_keys : 0,
        .is_strict = options->is_strict,
    };
    check->budget_left = options->budget >= 0 ? options->budget : INT64_MAX;
    return read_headroom(check->street->cli, &check->terms.min_headroom_permille, err);
}

/* The live results that were asked for, side by side, with the checks pointing at them. */
static size_t gather_live(struct check *check, struct result *live)
{
    struct street *street = check->street;
    size_t count = 0;
    for (size_t c = 0; check->live && c < check->count; c++) {
        struct key_check *one = &check->checks[c];
        one->live = ARENA_ARRAY(street->cli->arena, one->target_count, const struct result *);
        for (size_t t = 0; t < one->target_count; t++) {
            for (size_t i = 0; i < street->target_count; i++) {
                if (street->targets[i] == one->targets[t] && check->live[i].finding) {
                    live[count] = check->live[i];
                    one->live[t] = &live[count++];
                }
            }
        }
    }
    return count;
}

static void judge(struct check *check)
{
    struct street *street = check->street;
    struct cli *cli = street->cli;
    struct result *live = ARENA_ARRAY(cli->arena, street->target_count + 1, struct result);
    const struct triage_input input = {
        .rules = street->rules,
        .lang = cli->lang,
        .results = live,
        .result_count = gather_live(check, live),
        .config_findings = street_judge_problems(street, &street->problems, NULL),
        .config_finding_count = street->problems.count,
        .fail_on = street->fail_on,
        .fail_on_count = street->fail_on_count,
    };
    street->report.duration_ms = cli->env->monotonic_ms(cli->env->clock) - street->begun_ms;
    key_checks_judge(cli->arena, street->classifier, &input, &check->terms, check->checks,
                     check->count, &street->report);
}

static int run_check(struct check *check, struct err *err)
{
    struct street *street = check->street;
    struct cli *cli = street->cli;
    if (read_terms(check, err)) {
        return say_error(cli, err);
    }
    if (street_configure(street, err)) {
        return say_error_of_file(cli, err, &street->config.problems);
    }
    if (check_filter(check, err) || street_read_fail_on(street, err)) {
        return say_error(cli, err);
    }
    if (street_is_empty(street) && (!check->terms.expected_count || cli->options.is_dry_run)) {
        return street_show_nothing(street);
    }
    check_gather(check);
    if (cli->options.is_dry_run) {
        return check_show_plan(check);
    }
    say_remark(cli, "%s", check_plan_sentence(check));
    if (check_run(check, err)) {
        return say_error(cli, err);
    }
    judge(check);
    memory_keep(street);
    return street_deliver(street);
}

static int run(struct cli *cli)
{
    struct err err = {0};
    struct street street = {.wants_all_keys = true};
    struct check check = {.street = &street};
    street.report.is_of_keys = true;
    int code = street_open(&street, cli, &err) ? say_error(cli, &err) : run_check(&check, &err);
    street_close(&street);
    return code;
}

const struct command command_check = {
    .name = "check",
    .summary = "is every key still good? for CI, by free requests only",
    .synopsis = "[KEY...]",
    .details =
        "Finds all keys of the own configuration, of clients and of the usual variables, and asks "
        "each endpoint for something free that only a good key gets. One row for each distinct "
        "pair of endpoint and key says whether the key was accepted, which models it sees and "
        "whether the configured ones are among them, what is left of limits and balance, and "
        "when the key and the endpoint's certificate end. KEY chooses as --only does.\n\n"
        "What does not prove is called unproven, never invalid: a provider without such a "
        "request, a list that anybody gets, a key that may not list models. Unproven keys and "
        "warnings leave the exit code alone unless --strict is given. Where a list names no "
        "configured model, the nearest name is told; aliases are often not listed.\n\n"
        "A run that finds nothing exits 5; --expect-keys N makes a run that finds fewer exit 1, "
        "so that an empty environment fails.",
    .opts = {rows, sizeof rows / sizeof *rows},
    .prints_report = true,
    .keeps_history = true,
    .run = run,
};
