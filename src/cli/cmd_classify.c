/* diagnose classify: evidence that somebody pasted, saved or piped in, judged without any network.
 * The line mode of --ndjson is in ndjson.c. */
#include "cli/client_words.h"
#include "cli/deliver.h"
#include "cli/explain.h"
#include "cli/json.h"
#include "cli/log_merge.h"
#include "cli/log_scan.h"
#include "cli/log_show.h"
#include "cli/ndjson.h"
#include "cli/paste.h"
#include "cli/say.h"
#include "input/input.h"

#include <cJSON.h>

static const struct opt rows[] = {
    {.name = "input",
     .argument = "KIND",
     .kind = OPT_CHOICE,
     .member = offsetof(struct options, input),
     .choices = "auto|text|http|log|ndjson",
     .help = "what FILE holds: prose of an error, an HTTP answer as curl -i prints it, a log, or "
             "objects as for --ndjson"},
    {.name = "ndjson",
     .kind = OPT_FLAG,
     .member = offsetof(struct options, is_ndjson),
     .help = "one JSON object a line in, one out, in order and without delay"},
    {.name = "explain",
     .kind = OPT_FLAG,
     .member = offsetof(struct options, is_explaining),
     .help = "show the rule, its runner-up and the fields that were lifted out"},
    {.name = "threads",
     .argument = "N",
     .kind = OPT_INTEGER,
     .member = offsetof(struct options, threads),
     .min = 1,
     .max = 64,
     .help = "threads that read a log; without, one for each core"},
    {.name = "merge",
     .kind = OPT_FLAG,
     .member = offsetof(struct options, is_merging),
     .help = "add up what classify --json counted in several logs: FILEs are its results"},
    {.name = "no-prefilter",
     .kind = OPT_FLAG,
     .member = offsetof(struct options, has_no_prefilter),
     .help = "try every rule on every entry of a log: the same result, slowly"},
};

/* Tells by its front whether a source is a log; what is too long for a paste is read as one. */
static enum err_code recognise(struct cli *cli, struct source *source, bool *is_log,
                               struct err *err)
{
    struct str input = cli->options.input;
    bool is_open = !str_is_set(input) || str_eq(input, STR("auto"));
    *is_log = str_eq(input, STR("log"));
    enum err_code code = *is_log ? ERR_OK : source_read(cli, source, INPUT_SNIFF_BYTES, err);
    *is_log = *is_log || (is_open && !code && input_is_log(source->text));
    if (!*is_log && !code && !source->is_whole) {
        code = source_read(cli, source, INPUT_BYTES_MAX + 1, err);
    }
    *is_log = *is_log || (is_open && !code && !source->is_whole);
    return code;
}

static struct cJSON *event_json(const struct street *street, const struct paste_event *event)
{
    struct cli *cli = street->cli;
    struct cJSON *item = report_evidence_json(cli->arena, street->rules, event->finding, cli->lang);
    json_text(cli->arena, item, "file", event->name);
    json_number(item, "line", event->line);
    json_number(item, "line_to", event->line_to);
    json_text(cli->arena, item, "time", (struct str){NULL, 0}); /* pasted text has none */
    if (cli->options.is_explaining) {
        cJSON_AddItemToObject(item, "explain", explain_json(cli, event->finding));
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

static int show_json(struct street *street, const struct paste_event *events, size_t count)
{
    struct cli *cli = street->cli;
    struct cJSON *root = json_begin(cli), *array = json_array(root, "events");
    struct cJSON *counts = json_object(root, "counts");
    for (size_t i = 0; i < count; i++) {
        cJSON_AddItemToArray(array, event_json(street, &events[i]));
        count_diagnosis(cli, counts, events[i].finding);
    }
    json_text(cli->arena, root, "blame", blame_name(street->report.blame));
    json_text(cli->arena, root, "summary", street->report.summary);
    return json_end(cli, root, street->report.exit_code);
}

static int show_lines(struct street *street, const struct paste_event *events, size_t count)
{
    struct cli *cli = street->cli;
    for (size_t i = 0; i < count; i++) {
        json_line(cli, event_json(street, &events[i]));
    }
    return street->report.exit_code;
}

/* What one call of show works on. */
struct shown {
    struct street *street;
    const struct paste_event *events;
    size_t count;
};

static int write_result(const struct shown *shown)
{
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
        explain_human(cli, shown->events[i].finding);
    }
    return exit_code;
}

/* What a user's rules say may hold a key as well. */
static int show(void *context)
{
    const struct shown *shown = context;
    int exit_code = write_result(shown);
    say_hide_keys(shown->street->cli, &shown->street->mask);
    return exit_code;
}

/* Without any all operands were blank. */
static int judge(struct street *street, const struct paste_event *events, size_t count)
{
    struct cli *cli = street->cli;
    struct result *results = ARENA_ARRAY(cli->arena, count + 1, struct result);
    for (size_t i = 0; i < count; i++) {
        results[i].observation = events[i].finding->observation;
        results[i].finding = events[i].finding;
    }
    if (count) {
        street_judge(street, results, count);
    } else {
        street_judge_blank(street);
    }
    struct shown shown = {street, events, count};
    return deliver_all(cli, show, &shown);
}

/* A paste among logs is one event more. */
static void add_paste(struct street *street, const struct paste_event *event,
                      struct log_digest *digest)
{
    struct log_event shown = {.file = event->name,
                              .line = event->line,
                              .line_to = event->line_to,
                              .time_ms = -1,
                              .finding = *event->finding};
    digest->has_text = true;
    if (!event->finding->diagnosis->is_healthy) {
        log_digest_add(digest, &shown);
        if (log_show_is_streaming(street->cli)) {
            log_show_line(street->cli, street->cli->arena, &shown);
        }
    }
}

/* All operands, in order. Pastes alone are told each in full; where a log is among the operands
 * everything goes to the digest. */
struct work {
    struct street *street;
    struct paste_events pastes;
    struct log_digest digest;
};

static enum err_code judge_source(struct work *work, struct str name, struct err *err)
{
    struct cli *cli = work->street->cli;
    struct source source;
    bool is_log = false, had_log = work->digest.has_log;
    enum err_code code = source_open(cli, name, &source, err);
    source.name = mask_text(cli->arena, &work->street->mask, source.name);
    source.shown = mask_text(cli->arena, &work->street->mask, source.shown);
    code = code ? code : recognise(cli, &source, &is_log, err);
    for (size_t i = 0; !code && is_log && !had_log && i < work->pastes.count; i++) {
        add_paste(work->street, &work->pastes.items[i], &work->digest);
    }
    if (!code && is_log) {
        code = log_scan(work->street, &source, &work->digest, err);
    } else if (!code && str_trim(source.text).len == 0) {
        source_say_blank(cli, &source);
    } else if (!code) {
        size_t before = work->pastes.count;
        paste_judge(work->street, &source, &work->pastes);
        for (size_t i = before; had_log && i < work->pastes.count; i++) {
            add_paste(work->street, &work->pastes.items[i], &work->digest);
        }
    }
    source_close(&source);
    return code;
}

static int judge_all(struct street *street, struct err *err)
{
    struct cli *cli = street->cli;
    struct str standard_input = STR("-");
    const struct str *names = cli->operand_count ? cli->operands : &standard_input;
    size_t count = cli->operand_count ? cli->operand_count : 1;
    struct work work = {.street = street,
                        .digest = log_digest_create(cli->arena, log_show_events_max(cli),
                                                    cli->options.is_explaining)};
    const struct client *client;
    if (client_asked(street, &client, err)) {
        return say_error(cli, err);
    }
    work.digest.street = street;
    street_say_problems(street);
    if (cli->options.is_ndjson || str_eq(cli->options.input, STR("ndjson"))) {
        return ndjson_run(street, names, count);
    }
    if (cli->options.is_merging) {
        return log_merge_run(street, names, count);
    }
    for (size_t i = 0; i < count; i++) {
        if (judge_source(&work, names[i], err)) {
            return say_error(cli, err);
        }
    }
    return work.digest.has_log ? log_show(street, &work.digest)
                               : judge(street, work.pastes.items, work.pastes.count);
}

static int run(struct cli *cli)
{
    return street_with(cli, judge_all);
}

const struct command command_classify = {
    .name = "classify",
    .alias = "-",
    .summary = "say what an error means that was pasted, saved or piped in",
    .synopsis = "[FILE...]",
    .details =
        "Judges an error message, a JSON body, an HTTP answer as curl -i prints it, or a log, "
        "without any network. Without FILE, or where FILE is -, standard input is read: at most 1 "
        "MiB of a paste, all of a log. The client that printed a text is told by its own words "
        "(Codex, Claude Code, LiteLLM, SDKs ...) or named by --client, and the advice is in its "
        "words. Where several things were pasted that failed for different reasons, each reason "
        "is told. In a session of an agent (Codex, Claude Code, Gemini CLI) that tells a failure "
        "of its own call, what was asked, said and printed by tools is no evidence.\n\n"
        "A file is a log when many of its lines begin with a time or a level or are JSON records, "
        "when there are at least twenty and most begin with the same few words, when there are "
        "forty and it is no document, page, script, session or answer, or when it is over 1 MiB; "
        "--input "
        "says so outright. Each entry of a log (a line, with the traceback, body or message below "
        "it) is judged on its own. What is told: each diagnosis with its count, its "
        "first and last line and time, and an example, then what to do. --json has the first 1000 "
        "events one by one; --format ndjson writes one object an event with \"line\", \"line_to\" "
        "and \"time\" as it reads. Lines that report no failure of an LLM call give nothing, and a "
        "log without any exits with 0; where all input is empty or blank nothing can be told, and "
        "the exit code is 5. A time without a zone is taken as UTC. "
        "UTF-16, as PowerShell writes with >, is read like UTF-8.\n\n"
        "\"aggregate\" in --json counts events by diagnosis, model, provider and hour. --merge "
        "adds such results up: N workers on N parts of a log, cut at line ends, give together what "
        "one gives on the whole.\n\n"
        "With --ndjson each line is one object {\"id\", \"kind\", \"status\", \"headers\", "
        "\"body\"} and gives one object with the same id, in order and at once. A line that is no "
        "such object gives {\"id\", \"error\"}, with null for an id that cannot be read, and the "
        "stream goes on; the exit code is 0 when all of it was read.",
    .opts = {rows, sizeof rows / sizeof *rows},
    .prints_report = true,
    .takes_evidence = true,
    .run = run,
};
