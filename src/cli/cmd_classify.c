/* diagnose classify: evidence that somebody pasted, saved or piped in, judged without any network.
 * The line mode of --ndjson is in ndjson.c. */
#include "base/file.h"
#include "base/text.h"
#include "classify/evidence.h"
#include "cli/deliver.h"
#include "cli/json.h"
#include "cli/ndjson.h"
#include "cli/say.h"
#include "cli/street.h"
#include "input/input.h"

#include <cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define LIFTED_COLUMNS 160

static const struct opt rows[] = {
    {.name = "input",
     .argument = "KIND",
     .kind = OPT_CHOICE,
     .member = offsetof(struct options, input),
     .choices = "auto|text|http",
     .help = "what FILE holds: prose of an error, or an HTTP answer as curl -i prints it"},
    {.name = "ndjson",
     .kind = OPT_FLAG,
     .member = offsetof(struct options, is_ndjson),
     .help = "one JSON object a line in, one out, in order and without delay"},
    {.name = "explain",
     .kind = OPT_FLAG,
     .member = offsetof(struct options, is_explaining),
     .help = "show the rule, its runner-up and the fields that were lifted out"},
};

/* One piece of evidence: what was read, and what became of it. */
struct event {
    struct str name;
    unsigned line_to;
    const struct finding *finding;
};

static enum err_code read_evidence(struct cli *cli, struct str name, struct str *text,
                                   struct err *err)
{
    bool is_stdin = str_eq(name, STR("-"));
    int os_errno = 0;
    int fd = is_stdin ? cli->streams.in : open(arena_cstr(cli->arena, name), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return err_set(err, ERR_FILE, "%.*s cannot be read: %s", STR_ARG(name), strerror(errno));
    }
    if (is_stdin && isatty(fd)) {
        say_remark(cli, "diagnose: reading from the terminal; Ctrl-D on an empty line ends it");
    }
    enum file_status status = file_read_fd(cli->arena, fd, INPUT_BYTES_MAX, text, &os_errno);
    if (!is_stdin) {
        close(fd);
    }
    struct str shown = is_stdin ? STR("standard input") : name;
    if (status == FILE_TOO_BIG) {
        say_remark(cli, "diagnose: %.*s is over 1 MiB; only its first 1 MiB was judged",
                   STR_ARG(shown));
    } else if (status != FILE_OK) {
        struct str why = file_status_text(cli->arena, status, INPUT_BYTES_MAX, os_errno);
        return err_set(err, ERR_FILE, "%.*s %.*s", STR_ARG(shown), STR_ARG(why));
    }
    if (text->len == 0) {
        say_remark(cli, "diagnose: %.*s is empty", STR_ARG(shown));
    }
    return ERR_OK;
}

static enum input_kind kind_of(struct str input)
{
    return str_eq(input, STR("http"))   ? INPUT_HTTP
           : str_eq(input, STR("text")) ? INPUT_TEXT
                                        : INPUT_AUTO;
}

static unsigned count_lines(struct str text)
{
    unsigned lines = 1;
    text = str_trim(text);
    for (size_t i = 0; i < text.len; i++) {
        lines += text.ptr[i] == '\n';
    }
    return lines;
}

static enum err_code judge_file(struct street *street, struct str name, struct event *event,
                                struct err *err)
{
    struct cli *cli = street->cli;
    struct str text = {NULL, 0};
    enum err_code code = read_evidence(cli, name, &text, err);
    if (code) {
        return code;
    }
    struct observation *observation = ARENA_NEW(cli->arena, struct observation);
    *observation = input_paste(cli->arena, &street->mask, text, kind_of(cli->options.input));
    if (!str_eq(name, STR("-"))) {
        observation->origin = (struct origin){ORIGIN_FILE, name, 1, 1};
    }
    event->name = name;
    event->line_to = count_lines(text);
    event->finding = street_classify(street, observation);
    return ERR_OK;
}

/* Adds each field of the evidence that has a value, innermost layer first. */
static void explain_fields(struct cli *cli, const struct finding *finding, struct cJSON *fields)
{
    struct evidence *evidence = ARENA_NEW(cli->arena, struct evidence);
    evidence_lift(cli->arena, finding->observation, evidence);
    for (size_t f = 0; f < FIELD_COUNT; f++) {
        struct str name = field_name((enum field)f);
        struct cJSON *array =
            fields && evidence->counts[f] ? json_array(fields, arena_cstr(cli->arena, name)) : NULL;
        for (size_t v = 0; v < evidence->counts[f]; v++) {
            struct str value = text_show(cli->arena, evidence->values[f][v], LIFTED_COLUMNS);
            if (array) {
                json_text_element(cli->arena, array, value);
            } else {
                buf_printf(&cli->out, "    %-15.*s %.*s\n", STR_ARG(name), STR_ARG(value));
            }
        }
    }
}

static void explain(struct cli *cli, const struct event *event)
{
    const struct finding *finding = event->finding;
    buf_printf(&cli->out, "\n  %s\n", say(cli, "how it was told:", "判断过程："));
    buf_printf(&cli->out, "    %-15s %.*s\n", "rule",
               STR_ARG(finding->rule_id.len ? finding->rule_id : STR("-")));
    if (finding->reason.len) {
        buf_printf(&cli->out, "    %-15s %.*s\n", "reason", STR_ARG(finding->reason));
    }
    if (finding->runner_up) {
        buf_printf(&cli->out, "    %-15s %.*s (%.*s)\n", "runner-up",
                   STR_ARG(finding->runner_up->id), STR_ARG(finding->runner_up_rule));
    }
    if (finding->skipped_rule.len) {
        buf_printf(&cli->out, "    %-15s %.*s\n", "rule skipped", STR_ARG(finding->skipped_rule));
    }
    explain_fields(cli, finding, NULL);
}

static void explain_json(struct cli *cli, const struct event *event, struct cJSON *item)
{
    const struct finding *finding = event->finding;
    struct cJSON *object = json_object(item, "explain");
    json_text(cli->arena, object, "reason", finding->reason);
    json_text(cli->arena, object, "runner_up",
              finding->runner_up ? finding->runner_up->id : (struct str){NULL, 0});
    json_text(cli->arena, object, "runner_up_rule", finding->runner_up_rule);
    json_text(cli->arena, object, "skipped_rule", finding->skipped_rule);
    explain_fields(cli, finding, json_object(object, "fields"));
}

static struct cJSON *event_json(struct cli *cli, const struct event *event)
{
    struct cJSON *item = report_finding_json(cli->arena, event->finding, cli->lang);
    json_text(cli->arena, item, "file", event->name);
    json_number(item, "line", 1);
    json_number(item, "line_to", event->line_to);
    json_text(cli->arena, item, "time", (struct str){NULL, 0}); /* pasted text has none */
    if (cli->options.is_explaining) {
        explain_json(cli, event, item);
    }
    return item;
}

static void count_diagnosis(struct cli *cli, struct cJSON *counts, const struct finding *finding)
{
    const char *id = arena_cstr(cli->arena, finding->diagnosis->id);
    struct cJSON *count = cJSON_GetObjectItemCaseSensitive(counts, id);
    if (count) {
        cJSON_SetNumberValue(count, count->valuedouble + 1);
    } else {
        json_number(counts, id, 1);
    }
}

static int show_json(struct street *street, const struct event *events, size_t count)
{
    struct cli *cli = street->cli;
    struct cJSON *root = json_begin(cli), *array = json_array(root, "events");
    struct cJSON *counts = json_object(root, "counts");
    for (size_t i = 0; i < count; i++) {
        cJSON_AddItemToArray(array, event_json(cli, &events[i]));
        count_diagnosis(cli, counts, events[i].finding);
    }
    json_text(cli->arena, root, "blame", blame_name(street->report.blame));
    json_text(cli->arena, root, "summary", street->report.summary);
    return json_end(cli, root, street->report.exit_code);
}

static int show_lines(struct street *street, const struct event *events, size_t count)
{
    struct cli *cli = street->cli;
    for (size_t i = 0; i < count; i++) {
        json_line(cli, event_json(cli, &events[i]));
    }
    return street->report.exit_code;
}

/* What one call of show works on. */
struct shown {
    struct street *street;
    const struct event *events;
    size_t count;
};

static int show(void *context)
{
    const struct shown *shown = context;
    struct street *street = shown->street;
    struct cli *cli = street->cli;
    if (cli->is_json) {
        return show_json(street, shown->events, shown->count);
    }
    if (str_eq(cli->options.format, STR("ndjson"))) {
        return show_lines(street, shown->events, shown->count);
    }
    int exit_code = street_print(street);
    for (size_t i = 0; cli->is_human && cli->options.is_explaining && i < shown->count; i++) {
        explain(cli, &shown->events[i]);
    }
    return exit_code;
}

static int judge(struct street *street, const struct event *events, size_t count)
{
    struct cli *cli = street->cli;
    struct result *results = ARENA_ARRAY(cli->arena, count + 1, struct result);
    for (size_t i = 0; i < count; i++) {
        results[i].observation = events[i].finding->observation;
        results[i].finding = events[i].finding;
    }
    street_judge(street, results, count);
    struct shown shown = {street, events, count};
    return deliver_all(cli, show, &shown);
}

static int judge_all(struct street *street, struct err *err)
{
    struct cli *cli = street->cli;
    struct str standard_input = STR("-");
    const struct str *names = cli->operand_count ? cli->operands : &standard_input;
    size_t count = cli->operand_count ? cli->operand_count : 1;
    struct event *events = ARENA_ARRAY(cli->arena, count, struct event);
    street_say_problems(street);
    if (cli->options.is_ndjson) {
        return ndjson_run(street, names, count);
    }
    for (size_t i = 0; i < count; i++) {
        if (judge_file(street, names[i], &events[i], err)) {
            return say_error(cli, err);
        }
    }
    return judge(street, events, count);
}

static int run(struct cli *cli)
{
    struct err err = {0};
    struct street street = {0};
    int code = street_open(&street, cli, &err) ? say_error(cli, &err) : judge_all(&street, &err);
    street_close(&street);
    return code;
}

const struct command command_classify = {
    .name = "classify",
    .alias = "-",
    .summary = "say what an error means that was pasted, saved or piped in",
    .synopsis = "[FILE...]",
    .details =
        "Judges an error message, a JSON body or an HTTP answer as curl -i prints it, without any "
        "network. Without FILE, or where FILE is -, standard input is read, at most 1 MiB.\n\n"
        "With --ndjson each line is one object {\"id\", \"kind\", \"status\", \"headers\", "
        "\"body\"} and gives one object with the same id, in order and at once. A line that is no "
        "such object gives {\"id\":null,\"error\"} and the stream goes on; the exit code is 0 when "
        "all of it was read.",
    .opts = {rows, sizeof rows / sizeof *rows},
    .prints_report = true,
    .run = run,
};
