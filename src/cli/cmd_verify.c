/* diagnose verify: did the settings take effect? Compares what is written with what is in force and
 * what a real request got, and answers the expectations of scripts. */
#include "cli/expect.h"
#include "cli/memory.h"
#include "cli/plan_show.h"
#include "cli/say.h"
#include "cli/since_last.h"
#include "cli/street.h"
#include "triage/truth.h"

static const struct opt rows[] = {
    {.name = "expect",
     .argument = "KEY=VALUE",
     .kind = OPT_LIST,
     .member = offsetof(struct options, expect),
     .help = "exit with 0 only when model, provider, base_url or served_model is VALUE"},
    {.name = "since-last",
     .kind = OPT_FLAG,
     .member = offsetof(struct options, is_since_last),
     .help = "say what changed since the last verify, and whether it took effect"},
    {.name = "offline",
     .kind = OPT_FLAG,
     .member = offsetof(struct options, is_offline),
     .help = "look at the settings only and send nothing"},
    OPT_DRY_RUN,
    OPT_PER_HOST,
    OPT_FAIL_ON,
};

static void note_other_model(struct street *street, const struct target *target,
                             const struct truth *truth)
{
    struct arena *arena = street->cli->arena;
    problems_add(arena, &street->problems,
                 (struct problem){.code = STR("served_other"),
                                  .origin = target->model.origin,
                                  .is_warning = true,
                                  .message = arena_printf(
                                      arena, "%.*s was asked, %.*s answered",
                                      STR_ARG(mask_text(arena, &street->mask, truth->sent)),
                                      STR_ARG(mask_text(arena, &street->mask, truth->answered)))});
}

static void find_truths(struct street *street, struct result *results)
{
    struct truth *truths = ARENA_ARRAY(street->cli->arena, street->target_count + 1, struct truth);
    for (size_t i = 0; i < street->target_count; i++) {
        const struct target *target = results[i].target;
        truths[i] = truth_of(&results[i]);
        results[i].truth = &truths[i];
        if (!str_is_empty(truths[i].answered) &&
            !truth_is_same_model(truths[i].sent, truths[i].answered)) {
            note_other_model(street, target, &truths[i]);
        }
    }
}

/* The summary of a run without errors; what is wrong has one already. */
static void summarise(struct street *street)
{
    struct report *report = &street->report;
    if (report->exit_code != EXIT_FINE || !street->is_offline) {
        return;
    }
    report->summary = str_from(say(street->cli, "The settings are in force as they are written.",
                                   "配置按所写的内容生效。"));
}

static int show_nothing(struct street *street)
{
    struct cli *cli = street->cli;
    street->report.is_verified = true;
    street_judge(street, NULL, 0);
    street->report.exit_code = EXIT_UNKNOWN;
    street->report.blame = BLAME_UNKNOWN;
    street->report.summary =
        str_from(say(cli, "Nothing is configured to verify; diagnose config shows where it looked.",
                     "没有可验证的配置；运行 diagnose config 可查看它找过的位置。"));
    return street_deliver(street);
}

static int verify(struct street *street, const struct expectations *expected, struct err *err)
{
    struct cli *cli = street->cli;
    struct result *results = NULL;
    if (street_probe(street, &results, err)) {
        return say_error(cli, err);
    }
    find_truths(street, results);
    street->report.is_verified = true;
    if (!street->is_offline) {
        memory_recall(street);
    }
    street_judge(street, results, street->target_count);
    if (cli->options.is_since_last) {
        since_last(street, results, street->target_count);
    }
    if (!street->is_offline) {
        memory_note_truths(street, results, street->target_count);
        memory_keep(street);
    }
    summarise(street);
    expect_judge(cli, expected, &street->report);
    return street_deliver(street);
}

static int run_street(struct street *street, struct err *err)
{
    struct cli *cli = street->cli;
    struct plan plan = {0}, key_proofs = {0};
    struct expectations expected;
    if (expect_read(cli, &expected, err)) {
        return say_error(cli, err);
    }
    if (street_configure(street, err)) {
        return say_error_of_file(cli, err, &street->config.problems);
    }
    if (street_read_fail_on(street, err)) {
        return say_error(cli, err);
    }
    if (street_is_empty(street)) {
        return show_nothing(street);
    }
    street_plan(street, &plan, &key_proofs);
    if (cli->options.is_dry_run) {
        return plan_show(street, &plan, &key_proofs);
    }
    street->are_warnings_errors = true;
    if (plan.request_count && !street->is_offline) {
        say_remark(cli, "%s", plan_sentence(cli, &plan));
    }
    return verify(street, &expected, err);
}

static int run(struct cli *cli)
{
    return street_with(cli, run_street);
}

const struct command command_verify = {
    .name = "verify",
    .summary = "prove that a change of the settings took effect",
    .synopsis = "[-- codex ARGUMENT...]",
    .details =
        "Says of every configured model in one line what was asked and where, what is in force "
        "after all layers and variables, what was sent, which model answered, and whether that is "
        "the same. Then everything that keeps settings from taking effect: keys that nothing "
        "reads, in this version or at this place, files that are not in force, variables that are "
        "ignored, running clients that are older than the last change; and what hides what.\n\n"
        "Behind -- stands a command line of the client: the settings are those of exactly that "
        "line, with the options that the version loses.\n\n"
        "With --expect the exit code is 0 when all hold, 1 when something observed differs, and "
        "that of the probe when nothing could be observed. The first primary model is meant. "
        "served_model is the model that the answer names.\n\n"
        "--since-last compares with the last verify of the same settings in the history: the model "
        "that was asked, in force and served, the provider and the host. A change took effect when "
        "a real request proved it.",
    .opts = {rows, sizeof rows / sizeof *rows},
    .keeps_history = true,
    .prints_report = true,
    .wants_remarks = true,
    .takes_command_line = true,
    .run = run,
};
