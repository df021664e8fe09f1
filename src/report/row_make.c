/* Makes the rows of one report, each from what it is about. All text goes through
 * report_row_text, so that no format has to mask or bound anything. */
#include "report/row_make.h"

#include "base/text.h"
#include "report/finding_text.h"
#include "report/labels.h"
#include "triage/place.h"
#include "triage/seen.h"
#include "triage/words.h"

#define TEXT_COLUMNS_MAX 800
#define ACTIONS_MAX 12

static const struct str nothing = {NULL, 0};

struct str report_row_text(struct arena *arena, const struct report *report, struct str text)
{
    const struct mask none = {0};
    if (!str_is_set(text)) {
        return text;
    }
    text = mask_text(arena, report->mask ? report->mask : &none, text);
    return text_show(arena, text, TEXT_COLUMNS_MAX);
}

static struct str clean(const struct row_maker *maker, struct str text)
{
    return report_row_text(maker->arena, maker->report, text);
}

struct report_row *row_add(struct row_maker *maker, struct report_row row)
{
    struct report_rows *rows = &maker->rows;
    rows->items =
        arena_grow(maker->arena, rows->items, rows->count, &rows->capacity, sizeof *rows->items);
    row.place = clean(maker, origin_text(maker->arena, row.origin));
    row.suite = clean(maker, row.suite);
    row.name = clean(maker, row.name);
    row.title = clean(maker, row.title);
    row.why = clean(maker, row.why);
    row.seen = clean(maker, row.seen);
    rows->items[rows->count] = row;
    return &rows->items[rows->count++];
}

struct str row_titled(const struct row_maker *maker, struct str name, struct str said)
{
    return words_say(maker->arena, maker->report->lang, WORD_NAME_TITLE,
                     arena_cstr(maker->arena, name), arena_cstr(maker->arena, said));
}

struct str row_named_at(struct arena *arena, struct str what, struct str where)
{
    return str_is_empty(where) ? what
                               : arena_printf(arena, "%.*s at %.*s", STR_ARG(what), STR_ARG(where));
}

/* The setting that a failure at a rung points at. */
static struct origin origin_at(const struct target *target, enum step step)
{
    static const enum {
        URL,
        KEY,
        MODEL
    } settings[STEP_COUNT] = {
        [STEP_CONFIG] = MODEL, [STEP_KEY] = KEY,     [STEP_DNS] = URL,
        [STEP_CONNECT] = URL,  [STEP_TLS] = URL,     [STEP_HTTP] = URL,
        [STEP_AUTH] = KEY,     [STEP_MODEL] = MODEL, [STEP_ANSWER] = MODEL,
    };
    struct origin origins[] = {
        [URL] = target->base_url.origin,
        [KEY] = target->key_origin,
        [MODEL] = target->model.origin,
    };
    struct origin origin = origins[settings[step]];
    for (size_t i = 0; i < 3 && origin.kind != ORIGIN_FILE; i++) {
        origin = origins[i].kind == ORIGIN_FILE ? origins[i] : origin;
    }
    return origin;
}

/* Where a finding points: its own place in a file, or the setting of its target. */
static struct origin origin_of(const struct finding *finding, const struct target *target)
{
    const struct observation *observation = finding->observation;
    if (observation && observation->problem) {
        return observation->problem->origin;
    }
    if (target) {
        return origin_at(target, finding->diagnosis->step);
    }
    return observation ? observation->origin : (struct origin){.kind = ORIGIN_NONE};
}

void row_judge(struct row_maker *maker, struct report_row *row, const struct finding *finding,
               const struct result *result, const struct verdict *verdict)
{
    struct arena *arena = maker->arena;
    struct fill fill = {.lang = maker->report->lang, .finding = finding, .result = result};
    row->diagnosis = finding->diagnosis;
    row->title = row_titled(maker, row->name, finding_said(arena, &fill));
    row->why = verdict ? verdict->why : finding_message(arena, &fill);
    row->seen = seen_of_finding(arena, fill.lang, finding);
    row->actions = verdict
                       ? verdict->actions
                       : fill_lines(arena, &fill, &finding->diagnosis->actions, &row->action_count);
    row->action_count = verdict ? verdict->action_count : row->action_count;
    if (row->status == ROW_OK) { /* an answer proves itself; what it says is nobody's business */
        long status = finding->observation ? finding->observation->status : 0;
        row->why = nothing;
        row->seen = status ? arena_printf(arena, "HTTP %ld", status) : nothing;
        row->action_count = 0;
    }
    size_t count = row->action_count < ACTIONS_MAX ? row->action_count : ACTIONS_MAX;
    struct str *actions = ARENA_ARRAY(arena, count + 1, struct str);
    for (size_t i = 0; i < count; i++) {
        actions[i] = clean(maker, row->actions[i]);
    }
    row->actions = actions;
    row->action_count = count;
    row->origin = origin_of(finding, result->target);
}

int64_t row_duration_ms(const struct observation *observation)
{
    return observation && observation->total_ms > 0 ? observation->total_ms : -1;
}

struct report_row *row_add_result(struct row_maker *maker, const struct result *result,
                                  enum row_status status, const struct verdict *verdict)
{
    const struct target *target = result->target;
    enum lang lang = maker->report->lang;
    struct report_row row = {
        .kind = target ? ROW_TARGET : ROW_EVIDENCE,
        .status = status,
        .suite = target ? target->client : STR("evidence"),
        .name = target ? target->name : nothing,
        .duration_ms = target ? row_duration_ms(result->observation) : -1,
        .result = target ? result : NULL,
    };
    if (str_is_empty(row.suite)) {
        row.suite = STR("targets");
    }
    if (!target && result->observation) {
        row.name = origin_text(maker->arena, result->observation->origin);
    }
    if (str_is_empty(row.name)) {
        row.name = STR("standard input");
    }
    if (result->finding) {
        row_judge(maker, &row, result->finding, result, verdict);
        if (!target) { /* the place is its name, and did not fail itself */
            struct fill fill = {.lang = lang, .finding = result->finding, .result = result};
            struct str model = str_from(words_text(WORD_CALLED_MODEL, lang));
            row.title = row_titled(maker, model, finding_said(maker->arena, &fill));
        }
    } else if (target) {
        row.origin = origin_at(target, STEP_CONFIG);
        row.title = labels_say(maker->arena, lang, LABEL_SKIPPED,
                               arena_cstr(maker->arena, target->skip_reason));
    }
    return row_add(maker, row);
}

struct report_row *row_add_finding(struct row_maker *maker, struct str suite, struct str of,
                                   const struct finding *finding, enum row_status status,
                                   const struct verdict *verdict)
{
    struct arena *arena = maker->arena;
    const struct observation *observation = finding->observation;
    struct result result = {.target = observation ? observation->target : NULL,
                            .observation = observation,
                            .finding = finding};
    struct origin origin = origin_of(finding, result.target);
    struct str name = row_named_at(arena, finding->diagnosis->id, of);
    if (str_is_empty(of) || origin.kind == ORIGIN_FILE) {
        name = row_named_at(arena, name, origin_text(arena, origin));
    }
    struct report_row row = {
        .kind = ROW_CONFIG,
        .status = status,
        .suite = suite,
        .name = name,
        .duration_ms = -1,
    };
    row_judge(maker, &row, finding, &result, verdict);
    struct fill fill = {.lang = maker->report->lang, .finding = finding, .result = &result};
    row.title = finding_message(arena, &fill); /* the settings' own words say it all */
    row.why = nothing;
    return row_add(maker, row);
}

struct report_row *row_add_expectation(struct row_maker *maker,
                                       const struct expectation *expectation)
{
    struct arena *arena = maker->arena;
    enum lang lang = maker->report->lang;
    struct str name =
        arena_printf(arena, "%.*s=%.*s", STR_ARG(expectation->key), STR_ARG(expectation->want));
    struct str have = str_is_set(expectation->have)
                          ? expectation->have
                          : str_from(labels_text(LABEL_NOT_OBSERVED, lang));
    return row_add(maker, (struct report_row){
                              .kind = ROW_EXPECTED,
                              .status = expectation->holds              ? ROW_OK
                                        : str_is_set(expectation->have) ? ROW_FAILED
                                                                        : ROW_UNTOLD,
                              .suite = STR("expected"),
                              .name = name,
                              .title = labels_say(arena, lang, LABEL_EXPECTED_IS,
                                                  arena_cstr(arena, name), arena_cstr(arena, have)),
                              .duration_ms = -1,
                          });
}

struct report_row *row_add_file(struct row_maker *maker, const struct config_file *file)
{
    return row_add(maker, (struct report_row){
                              .kind = ROW_FILE,
                              .status = ROW_OK,
                              .suite = STR("config"),
                              .name = file->path,
                              .title = file->path,
                              .origin = {ORIGIN_FILE, file->path, 1, 1},
                              .duration_ms = -1,
                          });
}

struct report_row *row_add_run(struct row_maker *maker, enum row_status status)
{
    return row_add(maker, (struct report_row){
                              .kind = ROW_RUN,
                              .status = status,
                              .suite = STR("run"),
                              .name = maker->report->command,
                              .title = maker->report->summary,
                              .duration_ms = maker->report->duration_ms,
                          });
}
