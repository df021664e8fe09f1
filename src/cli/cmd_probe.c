/* diagnose probe: one small real request to every configured model, and what follows from it. */
#include "cli/plan_show.h"
#include "cli/say.h"
#include "cli/street.h"

static const struct opt rows[] = {
    {.name = "model",
     .argument = "MODEL",
     .kind = OPT_TEXT,
     .member = offsetof(struct options, model),
     .help = "ask this model in place of the configured one"},
    OPT_DRY_RUN,
    OPT_PER_HOST,
    OPT_FAIL_ON,
};

static int run_street(struct street *street, struct err *err)
{
    struct cli *cli = street->cli;
    struct plan plan = {0}, key_proofs = {0};
    if (street_configure(street, err)) {
        return say_error_of_file(cli, err, &street->config.problems);
    }
    if (street_select(street, cli->operands, cli->operand_count, err) ||
        street_read_fail_on(street, err)) {
        return say_error(cli, err);
    }
    if (street_is_empty(street)) {
        return street_show_nothing(street);
    }
    street_plan(street, &plan, &key_proofs);
    if (cli->options.is_dry_run) {
        return plan_show(street, &plan, &key_proofs);
    }
    if (plan.request_count) {
        say_remark(cli, "%s", plan_sentence(cli, &plan));
    }
    return street_run(street, err) ? say_error(cli, err) : street_deliver(street);
}

static int run(struct cli *cli)
{
    return street_with(cli, run_street);
}

const struct command command_probe = {
    .name = "probe",
    .summary = "ask every configured model once and say what is wrong (the default)",
    .synopsis = "[TARGET...]",
    .details =
        "Finds what is configured here, sends one small real request to every configured model and "
        "says for each problem what it is, whose it is, what to do and what will not help. TARGET "
        "is the name of a target or a model; without one all are probed.\n\n"
        "A request asks for as few output tokens as the API allows; the line on standard error "
        "tells how many before anything is sent. Where an answer leaves open whether the key is "
        "good, one free request per key follows.",
    .opts = {rows, sizeof rows / sizeof *rows},
    .prints_report = true,
    .keeps_history = true,
    .run = run,
};
