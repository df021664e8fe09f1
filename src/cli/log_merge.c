/* diagnose classify --merge: the sum of what several workers counted. Takes their JSON, gives the
 * result that one worker would have given, without single events. */
#include "cli/log_merge.h"

#include "base/text.h"
#include "cli/deliver.h"
#include "cli/json.h"
#include "cli/log_aggregate.h"
#include "cli/log_show.h"
#include "cli/say.h"
#include "cli/source.h"

#include <cJSON.h>
#include <inttypes.h>

#define DOCUMENT_BYTES_MAX ((size_t)64 * 1024 * 1024)

struct sum {
    struct street *street;
    struct log_aggregate aggregate;
    bool has_text; /* one of the documents tells of more than blanks */
};

/* Whether a document is that of blank input: any other without an event is fine. */
static bool is_blank(const struct cJSON *root, const struct cJSON *aggregate)
{
    const struct cJSON *lines = cJSON_GetObjectItemCaseSensitive(aggregate, "lines");
    const struct cJSON *cells = cJSON_GetObjectItemCaseSensitive(aggregate, "cells");
    const struct cJSON *exit_code = cJSON_GetObjectItemCaseSensitive(root, "exit_code");
    bool is_unknown = cJSON_IsNumber(exit_code) && exit_code->valueint == EXIT_UNKNOWN;
    return cJSON_GetArraySize(cells) == 0 && (is_unknown || cJSON_GetNumberValue(lines) == 0);
}

/* Adds what a document says; `shown` is its name. */
static enum err_code read_document(struct sum *sum, const struct cJSON *root, struct str shown,
                                   struct err *err)
{
    const struct cJSON *named = cJSON_GetObjectItemCaseSensitive(root, "aggregate");
    const struct cJSON *inner = named ? named : root;
    const struct cJSON *version = cJSON_GetObjectItemCaseSensitive(root, "schema_version");
    if (version && (!cJSON_IsNumber(version) || version->valueint != REPORT_SCHEMA_VERSION)) {
        return err_set(err, ERR_PARSE,
                       "%.*s has another schema_version than the %d that this diagnose reads",
                       STR_ARG(shown), REPORT_SCHEMA_VERSION);
    }
    if (!log_aggregate_read(&sum->aggregate, &sum->street->mask, inner)) {
        return err_set(err, ERR_PARSE,
                       "%.*s holds no aggregate; diagnose classify --json LOG writes one",
                       STR_ARG(shown));
    }
    sum->has_text = sum->has_text || !is_blank(root, inner);
    return ERR_OK;
}

static enum err_code add_document(struct sum *sum, struct str name, struct err *err)
{
    struct source source;
    enum err_code code = source_open(sum->street->cli, name, &source, err);
    code = code ? code : source_read(sum->street->cli, &source, DOCUMENT_BYTES_MAX, err);
    if (!code) {
        struct cJSON *root = cJSON_ParseWithLength(source.text.ptr, source.text.len);
        code = read_document(sum, root, source.shown, err);
        cJSON_Delete(root);
    }
    source_close(&source);
    return code;
}

/* One result a diagnosis that was counted; what this version does not know is counted only. */
static void judge(struct sum *sum)
{
    struct street *street = sum->street;
    struct arena *arena = street->cli->arena;
    size_t known = rules_diagnosis_count(street->rules), count = 0;
    struct result *results = ARENA_ARRAY(arena, known + 1, struct result);
    struct observation *nothing = ARENA_NEW(arena, struct observation);
    *nothing = observation_blank(OBSERVATION_TEXT);
    for (size_t i = 0; i < known; i++) {
        const struct diagnosis *diagnosis = rules_diagnosis_at(street->rules, i);
        bool is_counted = false;
        for (size_t c = 0; c < sum->aggregate.count && !is_counted; c++) {
            is_counted = str_eq(log_aggregate_at(&sum->aggregate, c).diagnosis, diagnosis->id);
        }
        if (is_counted) {
            struct finding *finding = ARENA_NEW(arena, struct finding);
            *finding = (struct finding){.observation = nothing,
                                        .diagnosis = diagnosis,
                                        .severity = diagnosis->severity,
                                        .is_retryable = diagnosis->is_retryable,
                                        .wait_ms = -1};
            results[count++] = (struct result){.observation = nothing, .finding = finding};
        }
    }
    log_show_judge(street, results, count, sum->has_text);
}

/* Calls `show` for each diagnosis with its count, in order. */
static void each_diagnosis(struct sum *sum,
                           void (*show)(struct sum *, struct str, uint64_t, void *), void *context)
{
    const struct log_aggregate *all = &sum->aggregate;
    for (size_t i = 0; i < all->count;) {
        uint64_t count = 0;
        struct str id = log_aggregate_at(all, i).diagnosis;
        for (; i < all->count && str_eq(log_aggregate_at(all, i).diagnosis, id); i++) {
            count = log_count_sum(count, log_aggregate_at(all, i).count);
        }
        show(sum, id, count, context);
    }
}

static void show_row(struct sum *sum, struct str id, uint64_t count, void *context)
{
    struct cli *cli = sum->street->cli;
    (void)context;
    buf_printf(&cli->out, "  %-24.*s%" PRIu64 " %s\n", STR_ARG(text_show(cli->arena, id, 40)),
               count, say(cli, count == 1 ? "time" : "times", "次"));
}

static void add_count(struct sum *sum, struct str id, uint64_t count, void *context)
{
    json_number(context, arena_cstr(sum->street->cli->arena, id), (int64_t)count);
}

static int show(void *context)
{
    struct sum *sum = context;
    struct cli *cli = sum->street->cli;
    log_aggregate_sort(&sum->aggregate);
    if (!cli->is_json) {
        if (cli->is_human) {
            buf_printf(&cli->out, "%" PRIu64 " %s\n\n", sum->aggregate.lines,
                       say(cli, "lines", "行"));
            each_diagnosis(sum, show_row, NULL);
            buf_add_char(&cli->out, '\n');
        }
        return street_print(sum->street);
    }
    struct json_writer writer = json_open(cli);
    struct cJSON *counts = cJSON_CreateObject();
    each_diagnosis(sum, add_count, counts);
    json_write_tree(&writer, "counts", counts);
    cJSON_Delete(counts);
    log_aggregate_write(cli, &writer, &sum->aggregate);
    json_write_number(&writer, "lines", sum->aggregate.lines);
    json_write_shown(&writer, cli->arena, "blame", blame_name(sum->street->report.blame));
    json_write_shown(&writer, cli->arena, "summary", sum->street->report.summary);
    return json_close(cli, &writer, sum->street->report.exit_code);
}

int log_merge_run(struct street *street, const struct str *names, size_t count)
{
    struct sum sum = {.street = street, .aggregate = log_aggregate_create(street->cli->arena)};
    struct err err = {0};
    for (size_t i = 0; i < count; i++) {
        if (add_document(&sum, names[i], &err)) {
            return say_error(street->cli, &err);
        }
    }
    judge(&sum);
    return deliver_all(street->cli, show, &sum);
}
