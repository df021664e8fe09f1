/* diagnose demo: the main job on a scripted provider that this process runs on loopback, one model
 * for each kind of failure. Every failure is scripted, but the requests and the judgement are real,
 * so it is a self-test as well. */
#include "base/file.h"
#include "cli/deliver.h"
#include "cli/rule_show.h"
#include "cli/say.h"
#include "cli/street.h"
#include "serve/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCRIPT_BYTES_MAX ((size_t)1024 * 1024)
#define DEMO_TIMEOUT_MS 2000 /* the model that never answers ends the demo after this */
#define DEMO_KEY "sk-demo-0000000000000000000000000000"

#define DEMO_VERDICTS_WHOLE 1 /* one example fits a screen beside the table */

#define DEMO_NOTICE                                                                                \
    "DEMO: every failure below is scripted, by a provider that this program runs on this "         \
    "machine. "                                                                                    \
    "The requests and the judgement are real."
#define DEMO_NOTICE_ZH                                                                             \
    "演示：以下故障均由本程序在本机运行的模拟服务按脚本产生；请求与判断过程是真实的。"

static const struct opt rows[] = {
    {.name = "serve",
     .kind = OPT_FLAG,
     .member = offsetof(struct options, is_serving),
     .help = "keep the scripted provider up for a client of yours, until Ctrl-C"},
    {.name = "port",
     .argument = "N",
     .kind = OPT_INTEGER,
     .min = 1,
     .max = 65535,
     .member = offsetof(struct options, port),
     .help = "port on loopback; any free one by default"},
    {.name = "script",
     .argument = "FILE",
     .kind = OPT_FILE,
     .member = offsetof(struct options, script),
     .help = "answer as this script says, in place of the demo's own"},
    {.name = "requests",
     .argument = "FILE",
     .kind = OPT_FILE,
     .member = offsetof(struct options, requests),
     .help = "append one JSON object to FILE for each request that arrives"},
};

/* The provider while it runs. */
struct stage {
    const struct script *script;
    const struct demo_row *rows;
    size_t row_count;
    struct serve *serve;
    unsigned short port;
    int request_log;
};

static enum err_code read_script(struct cli *cli, struct stage *stage, struct err *err)
{
    struct str name = cli->options.script, text = {NULL, 0};
    int os_errno = 0;
    if (!str_is_set(name)) {
        name = STR(SCRIPT_OF_DEMO);
        text = script_embedded(SCRIPT_OF_DEMO);
    } else {
        enum file_status status =
            file_read(cli->arena, arena_cstr(cli->arena, name), SCRIPT_BYTES_MAX, &text, &os_errno);
        if (status != FILE_OK) {
            struct str why = file_status_text(cli->arena, status, SCRIPT_BYTES_MAX, os_errno);
            return err_set(err, ERR_FILE, "%.*s %.*s", STR_ARG(name), STR_ARG(why));
        }
    }
    enum err_code code = script_parse(cli->arena, name, text, &stage->script, err);
    if (!code) {
        stage->rows = script_rows(stage->script, &stage->row_count);
    }
    return code;
}

static enum err_code open_stage(struct cli *cli, struct stage *stage, struct err *err)
{
    *stage = (struct stage){.request_log = -1};
    enum err_code code = read_script(cli, stage, err);
    if (!code && str_is_set(cli->options.requests)) {
        const char *path = arena_cstr(cli->arena, cli->options.requests);
        stage->request_log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (stage->request_log < 0) {
            code = err_set(err, ERR_FILE, "%s cannot be written: %s", path, strerror(errno));
        }
    }
    if (!code) {
        unsigned short port = (unsigned short)(cli->options.port > 0 ? cli->options.port : 0);
        code =
            serve_start(stage->script, port, stage->request_log, &stage->serve, &stage->port, err);
        if (code && port) {
            struct str why = arena_dup(cli->arena, str_from(err->text));
            err_set(err, code, "%.*s; give another --port, or none: any free one is taken then",
                    STR_ARG(why));
        }
    }
    return code;
}

static void close_stage(struct stage *stage)
{
    serve_stop(stage->serve);
    if (stage->request_log >= 0) {
        close(stage->request_log);
    }
}

/* The base URL of a wire on this stage: what the vendor's own URL has behind its host. */
static struct str base_url_of(struct arena *arena, const struct stage *stage,
                              const struct provider *provider)
{
    struct str url = provider ? provider->base_url : STR("");
    ptrdiff_t at = str_find(url, STR("://"));
    struct str rest = str_slice(url, at < 0 ? 0 : (size_t)at + 3, url.len);
    ptrdiff_t slash = str_find_char(rest, '/');
    struct str path = slash < 0 ? STR("") : str_slice(rest, (size_t)slash, rest.len);
    return arena_printf(arena, "http://127.0.0.1:%u%.*s", stage->port, STR_ARG(path));
}

static struct target target_of_row(struct street *street, const struct stage *stage,
                                   const struct demo_row *row)
{
    struct arena *arena = street->cli->arena;
    const struct provider *provider = rules_provider_of_wire(street->rules, row->wire);
    struct origin scripted = {ORIGIN_DEFAULT, STR("the demo's script"), 0, 0};
    return (struct target){
        .name = row->model,
        .wire = row->wire,
        .chain = row->model,
        .base_url = {base_url_of(arena, stage, provider), scripted, NULL},
        .model = {row->model, scripted, NULL},
        .proxy = {STR(""), scripted, NULL}, /* set to nothing: loopback goes through no proxy */
        .wire_origin = scripted,
        .key = secret_create(arena, STR(DEMO_KEY)),
        .key_origin = scripted,
        .auth_header = provider ? provider->auth_header : STR("Authorization"),
        .auth_prefix = provider ? provider->auth_prefix : STR("Bearer "),
        .headers = provider ? provider->headers : NULL,
        .header_count = provider ? provider->header_count : 0,
    };
}

static void take_targets(struct street *street, const struct stage *stage)
{
    struct arena *arena = street->cli->arena;
    struct target *targets = ARENA_ARRAY(arena, stage->row_count + 1, struct target);
    struct secret *secret = ARENA_NEW(arena, struct secret);
    street->targets = ARENA_ARRAY(arena, stage->row_count + 1, const struct target *);
    for (size_t i = 0; i < stage->row_count; i++) {
        targets[i] = target_of_row(street, stage, &stage->rows[i]);
        street->targets[i] = &targets[i];
    }
    *secret = secret_create(arena, STR(DEMO_KEY));
    street->target_count = stage->row_count;
    street->mask.secrets = secret;
    street->mask.secret_count = 1;
    street->config.timeout_ms = DEMO_TIMEOUT_MS;
}

static const struct demo_row *row_of(const struct stage *stage, const struct target *target)
{
    for (size_t i = 0; i < stage->row_count; i++) {
        if (str_eq(stage->rows[i].model, target->name)) {
            return &stage->rows[i];
        }
    }
    return NULL;
}

/* Names every diagnosis that is not the scripted one. */
static size_t compare(struct street *street, const struct stage *stage)
{
    struct cli *cli = street->cli;
    size_t differences = 0;
    for (size_t i = 0; i < street->report.result_count; i++) {
        const struct result *result = &street->report.results[i];
        const struct demo_row *row = row_of(stage, result->target);
        struct str got = result->finding ? result->finding->diagnosis->id : STR("no diagnosis");
        if (row && !str_eq(got, row->diagnosis)) {
            fprintf(cli->streams.errors, "diagnose: %.*s should be %.*s and was named %.*s\n",
                    STR_ARG(row->model), STR_ARG(row->diagnosis), STR_ARG(got));
            differences++;
        }
    }
    return differences;
}

static int by_script(const void *a, const void *b)
{
    const struct result *first = ((const struct verdict *)a)->results[0];
    const struct result *second = ((const struct verdict *)b)->results[0];
    return first < second ? -1 : first > second;
}

/* The problems have nothing to do with one another, so they stand in the order of the script, whose
 * first one is what people come for, and not by urgency. */
static void order_verdicts(struct street *street)
{
    struct report *report = &street->report;
    struct verdict *ordered =
        ARENA_ARRAY(street->cli->arena, report->verdict_count + 1, struct verdict);
    size_t count = 0;
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (report->verdicts[i].result_count > 0) {
            ordered[count++] = report->verdicts[i];
        }
    }
    qsort(ordered, count, sizeof *ordered, by_script);
    report->verdicts = ordered;
    report->verdict_count = count;
}

static int show(void *context)
{
    struct street *street = context;
    struct cli *cli = street->cli;
    if (cli->is_human && !cli->options.is_quiet) {
        rule_show_wrapped(cli, str_from(say(cli, DEMO_NOTICE, DEMO_NOTICE_ZH)), 0);
        buf_add_char(&cli->out, '\n');
    }
    return street_print(street);
}

static int probe_stage(struct street *street, const struct stage *stage, struct err *err)
{
    struct cli *cli = street->cli;
    street_say_problems(street);
    take_targets(street, stage);
    if (street_select(street, cli->operands, cli->operand_count, err) || street_run(street, err)) {
        return say_error(cli, err);
    }
    order_verdicts(street);
    cli->style.verdicts_whole = cli->operand_count ? 0 : DEMO_VERDICTS_WHOLE;
    size_t differences = compare(street, stage);
    const char *verdict =
        differences
            ? say(cli, "not every diagnosis is the scripted one", "并非所有诊断都与脚本一致")
            : say(cli, "every diagnosis is the scripted one", "所有诊断均与脚本一致");
    street->report.exit_code = differences ? EXIT_OURS : EXIT_FINE;
    street->report.blame = differences ? BLAME_OURS : BLAME_NONE;
    street->report.summary =
        cli->lang == LANG_ZH
            ? arena_printf(cli->arena, "演示：%zu 个模型，%zu 处不一致；%s。", street->target_count,
                           differences, verdict)
            : arena_printf(cli->arena, "Demo: %zu models, %zu named otherwise; %s.",
                           street->target_count, differences, verdict);
    return deliver_all(cli, show, street);
}

/* Tells where the provider is, and stays until the process is ended. */
static int serve_stage(struct street *street, const struct stage *stage, struct err *err)
{
    struct cli *cli = street->cli;
    struct buf *out = &cli->out;
    buf_printf(out, "listening on http://127.0.0.1:%u until Ctrl-C\n", stage->port);
    for (size_t i = 0; i < stage->row_count; i++) {
        const struct demo_row *row = &stage->rows[i];
        const struct provider *provider = rules_provider_of_wire(street->rules, row->wire);
        buf_printf(out, "  %-30.*s %-10.*s %-26.*s %.*s\n", STR_ARG(row->model), STR_ARG(row->wire),
                   STR_ARG(row->diagnosis), STR_ARG(base_url_of(cli->arena, stage, provider)));
    }
    if (cli_flush(cli, err)) {
        return say_error(cli, err);
    }
    for (;;) {
        pause();
    }
}

static int run(struct cli *cli)
{
    struct err err = {0};
    struct street street = {0};
    struct stage stage = {.request_log = -1};
    int code = EXIT_FINE;
    if (street_open(&street, cli, &err) || open_stage(cli, &stage, &err)) {
        code = say_error(cli, &err);
    } else if (cli->options.is_serving) {
        code = serve_stage(&street, &stage, &err);
    } else {
        code = probe_stage(&street, &stage, &err);
    }
    close_stage(&stage);
    street_close(&street);
    return code;
}

const struct command command_demo = {
    .name = "demo",
    .summary = "show the main job on a scripted provider, without a key",
    .synopsis = "[MODEL...]",
    .details =
        "Runs a scripted provider on loopback in this process, one model for each kind of failure, "
        "and probes it for real: every failure is scripted, the requests and the judgement are "
        "not. It takes about two seconds, the time until the model that never answers is given "
        "up. MODEL probes only these models of the demo and tells their problems in full, as -v "
        "does for all.\n\n"
        "The exit code is 0 when every diagnosis is the scripted one and 1 when one is not, so it "
        "is a self-test as well. With --serve the provider stays up and prints its base URLs.",
    .opts = {rows, sizeof rows / sizeof *rows},
    .prints_report = true,
    .run = run,
};
