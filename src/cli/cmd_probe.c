/* diagnose probe: one small real request to every configured model, and what follows from it. */
#include "base/text.h"
#include "cli/deliver.h"
#include "cli/plan_show.h"
#include "cli/say.h"
#include "cli/street.h"

static const struct opt rows[] = {
    {.name = "model",
     .argument = "MODEL",
     .kind = OPT_TEXT,
     .member = offsetof(struct options, model),
     .help = "ask this model in place of the configured one"},
    {.name = "dry-run",
     .kind = OPT_FLAG,
     .member = offsetof(struct options, is_dry_run),
     .help = "print the plan and send nothing"},
    {.name = "per-host",
     .argument = "N",
     .kind = OPT_INTEGER,
     .max = 1000,
     .member = offsetof(struct options, per_host),
     .help = "requests in flight to one host at a time; 8 by default, 0 for no limit"},
    {.name = "fail-on",
     .argument = "LIST",
     .kind = OPT_TEXT,
     .member = offsetof(struct options, fail_on),
     .help = "only these layers, blames or diagnoses make the exit code other than 0"},
};

/* The report of a run that found nothing to probe: where it looked, and a way on. */
static int show_nothing(void *context)
{
    struct street *street = context;
    struct cli *cli = street->cli;
    struct config *config = &street->config;
    if (!cli->is_human) {
        return street_print(street);
    }
    buf_printf(&cli->out, "%s\n",
               say(cli, "Nothing is configured to probe.", "没有可探测的配置。"));
    if (config->looked_count) {
        buf_printf(&cli->out, "\n%s\n", say(cli, "Looked at:", "已查看："));
    }
    for (size_t i = 0; i < config->looked_count; i++) {
        buf_printf(&cli->out, "  %.*s\n", STR_ARG(text_show(cli->arena, config->looked[i], 0)));
    }
    buf_printf(&cli->out, "\n%s\n",
               say(cli,
                   "To see what it does without a key:  diagnose demo\n"
                   "To judge an error that you have:    diagnose classify FILE, or - for a pipe\n"
                   "To name a model to probe:           man diagnose, FILES",
                   "无需密钥即可查看效果：diagnose demo\n"
                   "分析已有的报错：      diagnose classify FILE，管道输入用 -\n"
                   "添加要探测的模型：    见 man diagnose 的 FILES 一节"));
    return EXIT_UNKNOWN;
}

static void judge_nothing(struct street *street)
{
    street_judge(street, NULL, 0);
    street->report.exit_code = EXIT_UNKNOWN;
    street->report.blame = BLAME_UNKNOWN;
    street->report.summary = str_from(
        say(street->cli, "Nothing is configured to probe; diagnose demo shows what it does.",
            "没有可探测的配置；运行 diagnose demo 可看到效果。"));
}

static int show(void *context)
{
    return street_print(context);
}

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
        judge_nothing(street);
        return deliver_all(cli, show_nothing, street);
    }
    street_plan(street, &plan, &key_proofs);
    if (cli->options.is_dry_run) {
        return plan_show(street, &plan, &key_proofs);
    }
    if (plan.request_count) {
        say_remark(cli, "%s", plan_sentence(cli, &plan));
    }
    return street_run(street, err) ? say_error(cli, err) : deliver_all(cli, show, street);
}

static int run(struct cli *cli)
{
    struct err err = {0};
    struct street street = {0};
    int code = street_open(&street, cli, &err) ? say_error(cli, &err) : run_street(&street, &err);
    street_close(&street);
    return code;
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
