/* What a log told, shown: a table of diagnoses with the verdicts for people, events and counts as
 * JSON, one object an event as NDJSON. Takes the digest; reads nothing. */
#include "cli/log_show.h"

#include "base/text.h"
#include "cli/deliver.h"
#include "cli/explain.h"
#include "cli/json.h"
#include "cli/say.h"
#include "report/layout.h"

#include <cJSON.h>
#include <inttypes.h>

#define EXAMPLE_COLUMNS 220
#define NAME_COLUMNS 24

static void add_place(struct cJSON *item, struct arena *arena, const struct log_event *event)
{
    json_text(arena, item, "file", event->file);
    json_number(item, "line", (int64_t)event->line);
    json_number(item, "line_to", (int64_t)event->line_to);
    cJSON_AddItemToObject(
        item, "time", event->time_ms < 0 ? cJSON_CreateNull() : report_json_time(event->time_ms));
}

void log_show_line(struct cli *cli, struct arena *arena, const struct log_event *event)
{
    struct json_writer writer = {.out = &cli->out, .is_line = true};
    json_write_open(&writer, NULL, '{');
    json_write_shown(&writer, arena, "file", event->file);
    json_write_number(&writer, "line", event->line);
    json_write_number(&writer, "line_to", event->line_to);
    json_write_time(&writer, "time", event->time_ms);
    report_write_judgement(&writer, &event->finding);
    json_write_shown(&writer, arena, "model", event->model);
    json_write_shown(&writer, arena, "provider", event->provider);
    if (cli->options.is_explaining) {
        struct cJSON *explained = explain_json(cli, &event->finding);
        json_write_tree(&writer, "explain", explained);
        cJSON_Delete(explained);
    }
    json_write_close(&writer, '}');
    buf_add_char(&cli->out, '\n');
}

/* The example of a kind: of a record its message, for of the record below it values are left out.
 */
static struct str example_of(struct arena *arena, const struct log_kind *kind)
{
    const struct observation *observation = kind->first.finding.observation;
    struct str text = observation->body;
    while (observation->is_unfolded && text.len && text.ptr[text.len - 1] != '\n') {
        text.len--;
    }
    text = str_trim(text);
    return text_show(arena, text.len ? text : observation->body, EXAMPLE_COLUMNS);
}

/* The end of a span: its line and time. */
static void add_end(struct cJSON *item, struct arena *arena, const char *name, struct str file,
                    uint64_t line, int64_t time_ms)
{
    struct cJSON *end = json_object(item, name);
    json_text(arena, end, "file", file);
    json_number(end, "line", (int64_t)line);
    cJSON_AddItemToObject(end, "time",
                          time_ms < 0 ? cJSON_CreateNull() : report_json_time(time_ms));
}

static void write_kinds(struct cli *cli, struct json_writer *writer,
                        const struct log_digest *digest)
{
    struct cJSON *counts = cJSON_CreateObject(), *kinds = cJSON_CreateArray();
    for (const struct log_kind *kind = digest->kinds; kind; kind = kind->next) {
        struct cJSON *item = json_element(kinds);
        json_number(counts, arena_cstr(cli->arena, kind->diagnosis->id), (int64_t)kind->count);
        json_text(cli->arena, item, "diagnosis", kind->diagnosis->id);
        json_number(item, "count", (int64_t)kind->count);
        add_end(item, cli->arena, "first", kind->first.file, kind->first.line, kind->first.time_ms);
        add_end(item, cli->arena, "last", kind->last_file, kind->last_line, kind->last_ms);
        json_text(cli->arena, item, "example", example_of(cli->arena, kind));
    }
    json_write_tree(writer, "counts", counts);
    json_write_tree(writer, "diagnoses", kinds);
    cJSON_Delete(counts);
    cJSON_Delete(kinds);
}

static void write_event(struct cli *cli, const struct rules *rules, struct arena *scratch,
                        struct json_writer *writer, const struct log_event *event)
{
    struct cJSON *item = report_evidence_json(scratch, rules, &event->finding, cli->lang);
    add_place(item, scratch, event);
    json_text(scratch, item, "model", event->model);
    json_text(scratch, item, "provider", event->provider);
    if (cli->options.is_explaining) {
        cJSON_AddItemToObject(item, "explain", explain_json(cli, &event->finding));
    }
    json_write_tree(writer, NULL, item);
    cJSON_Delete(item);
}

static int show_json(struct street *street, struct log_digest *digest)
{
    struct cli *cli = street->cli;
    struct json_writer writer = json_open(cli);
    struct arena *scratch = arena_create(); /* of one event */
    json_write_open(&writer, "events", '[');
    for (size_t i = 0; i < digest->kept; i++) {
        write_event(cli, street->rules, scratch, &writer, &digest->events[i]);
        arena_reset(scratch);
    }
    json_write_close(&writer, ']');
    arena_free(scratch);
    json_write_number(&writer, "events_left_out", digest->count - digest->kept);
    write_kinds(cli, &writer, digest);
    say_hide_keys(cli, &street->mask); /* what follows is written out as it grows */
    log_aggregate_sort(&digest->aggregate);
    log_aggregate_write(cli, &writer, &digest->aggregate);
    json_write_number(&writer, "lines", digest->lines);
    json_write_shown(&writer, cli->arena, "blame", blame_name(street->report.blame));
    json_write_shown(&writer, cli->arena, "summary", street->report.summary);
    return json_close(cli, &writer, street->report.exit_code);
}

/* "2026-11-29 13:00:00", empty for none. */
static struct str clock_text(struct arena *arena, int64_t time_ms)
{
    struct cJSON *json = time_ms < 0 ? NULL : report_json_time(time_ms);
    struct str text = arena_dup(arena, str_from(json ? cJSON_GetStringValue(json) : NULL));
    cJSON_Delete(json);
    return text;
}

static struct str place_text(struct cli *cli, uint64_t line, int64_t time_ms)
{
    struct str clock = clock_text(cli->arena, time_ms);
    return arena_printf(cli->arena, "%s %" PRIu64 "%s%.*s", say(cli, "line", "第"), line,
                        say(cli, clock.len ? ", " : "", clock.len ? " 行，" : " 行"),
                        STR_ARG(clock));
}

static void show_head(struct cli *cli, const struct log_digest *digest)
{
    struct str from = clock_text(cli->arena, digest->first_ms);
    struct str to = clock_text(cli->arena, digest->last_ms);
    bool is_chinese = cli->lang == LANG_ZH;
    if (is_chinese) {
        buf_printf(&cli->out, "共 %" PRIu64 " 行，报错 %" PRIu64 " 处", digest->lines,
                   digest->count);
    } else {
        buf_printf(&cli->out, "%" PRIu64 " lines, %" PRIu64 " of them failures", digest->lines,
                   digest->count);
    }
    if (from.len) {
        buf_printf(&cli->out, "%s%.*s%s%.*s", is_chinese ? "，" : ", ", STR_ARG(from),
                   is_chinese ? " 至 " : " to ", STR_ARG(to));
    }
    buf_add_char(&cli->out, '\n');
}

/* "  capacity  2 times", its span and the first of its events. */
static void show_kind(struct cli *cli, const struct log_kind *kind)
{
    struct str times = arena_printf(cli->arena, "%" PRIu64 " %s", kind->count,
                                    say(cli, kind->count == 1 ? "time" : "times", "次"));
    struct str first = place_text(cli, kind->first.line, kind->first.time_ms);
    struct str last = place_text(cli, kind->last_line, kind->last_ms);
    bool is_span = kind->count > 1;
    buf_add(&cli->out, STR("\n  "));
    layout_pad(&cli->out, kind->diagnosis->id, NAME_COLUMNS);
    buf_printf(&cli->out, "%.*s\n    %.*s%s%.*s\n    ", STR_ARG(times), STR_ARG(first),
               is_span ? say(cli, " to ", " 至 ") : "", STR_ARG(is_span ? last : STR("")));
    layout_wrap(&cli->out, example_of(cli->arena, kind), 4, layout_columns(&cli->style), STR(""));
}

static int show_human(struct street *street, const struct log_digest *digest)
{
    struct cli *cli = street->cli;
    show_head(cli, digest);
    for (const struct log_kind *kind = digest->kinds; kind; kind = kind->next) {
        show_kind(cli, kind);
    }
    buf_add_char(&cli->out, '\n');
    street_print(street);
    for (const struct log_kind *kind = digest->kinds; cli->options.is_explaining && kind;
         kind = kind->next) {
        explain_human(cli, &kind->first.finding);
    }
    return street->report.exit_code;
}

void log_show_judge(struct street *street, struct result *results, size_t count, bool has_text)
{
    struct arena *arena = street->cli->arena;
    if (count == 0 && !has_text) {
        street_judge_blank(street);
        return;
    }
    if (count == 0) {
        struct observation *calm = ARENA_NEW(arena, struct observation);
        struct finding *fine = ARENA_NEW(arena, struct finding);
        *calm = observation_blank(OBSERVATION_TEXT);
        *fine = (struct finding){.observation = calm,
                                 .diagnosis = rules_ok(street->rules),
                                 .severity = rules_ok(street->rules)->severity,
                                 .wait_ms = -1};
        results[count++] = (struct result){.observation = calm, .finding = fine};
    }
    street_judge(street, results, count);
}

/* One result a diagnosis. */
static void judge(struct street *street, const struct log_digest *digest)
{
    struct arena *arena = street->cli->arena;
    struct result *results = ARENA_ARRAY(arena, digest->kind_count + 1, struct result);
    size_t count = 0;
    for (const struct log_kind *kind = digest->kinds; kind; kind = kind->next) {
        results[count].observation = kind->first.finding.observation;
        results[count++].finding = &kind->first.finding;
    }
    log_show_judge(street, results, count, digest->has_text);
}

bool log_show_is_streaming(const struct cli *cli)
{
    return str_eq(cli->options.format, STR("ndjson")) && !cli->is_aside;
}

static bool shows_events(struct str format)
{
    return str_eq(format, STR("json")) || str_eq(format, STR("ndjson"));
}

size_t log_show_events_max(const struct cli *cli)
{
    const struct outputs *outputs = &cli->options.outputs;
    bool is_shown = shows_events(cli->options.format) && !log_show_is_streaming(cli);
    for (size_t i = 0; i < outputs->count; i++) {
        is_shown = is_shown || shows_events(outputs->items[i].format);
    }
    return is_shown ? DIGEST_EVENTS_MAX : 0;
}

/* The events that were kept, for a file beside the main result. */
static int show_lines(struct street *street, const struct log_digest *digest)
{
    struct cli *cli = street->cli;
    for (size_t i = 0; i < digest->kept; i++) {
        log_show_line(cli, cli->arena, &digest->events[i]);
    }
    if (digest->count > digest->kept) {
        struct cJSON *rest = cJSON_CreateObject();
        json_number(rest, "events_left_out", (int64_t)(digest->count - digest->kept));
        json_line(cli, rest);
    }
    return street->report.exit_code;
}

/* What one call of show works on. */
struct shown {
    struct street *street;
    struct log_digest *digest;
};

static int write_result(const struct shown *shown)
{
    struct street *street = shown->street;
    struct cli *cli = street->cli;
    if (cli->is_human) {
        return show_human(street, shown->digest);
    }
    if (cli->is_json) {
        return show_json(street, shown->digest);
    }
    return str_eq(cli->options.format, STR("ndjson")) ? show_lines(street, shown->digest)
                                                      : street_print(street);
}

/* What a user's rules say may hold a key as well. */
static int show(void *context)
{
    const struct shown *shown = context;
    struct street *street = shown->street;
    if (log_show_is_streaming(street->cli)) {
        return street->report.exit_code;
    }
    int exit_code = write_result(shown);
    say_hide_keys(street->cli, &street->mask);
    return exit_code;
}

int log_show(struct street *street, struct log_digest *digest)
{
    struct shown shown = {street, digest};
    judge(street, digest);
    return deliver_all(street->cli, show, &shown);
}
