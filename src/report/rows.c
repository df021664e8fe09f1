/* Flattens a report into rows. Takes results, keys, findings of the config and its files as they
 * stand in the report; decides nothing but which of five words each one gets. */
#include "report/row_make.h"

#include "triage/exit.h"

#include <stdlib.h>

#define UNIQUE_ROUNDS_MAX 16
#define PLACE_ROWS_MAX 4096 /* findings about config that are looked through for the same one */

struct str row_status_name(enum row_status status)
{
    static const struct str names[] = {
        [ROW_OK] = STR_INIT("ok"),           [ROW_WARNING] = STR_INIT("warning"),
        [ROW_FAILED] = STR_INIT("failed"),   [ROW_UNTOLD] = STR_INIT("unknown"),
        [ROW_SKIPPED] = STR_INIT("skipped"),
    };
    return names[status];
}

/* The row of a failure: one that --fail-on lets pass is a warning. */
static enum row_status status_of(const struct report *report, const struct finding *finding)
{
    const struct diagnosis *diagnosis = finding->diagnosis;
    if (diagnosis->is_healthy || finding->severity == SEVERITY_INFO) {
        return ROW_OK;
    }
    if (finding->severity == SEVERITY_WARNING ||
        !exit_names(report->fail_on, report->fail_on_count, diagnosis)) {
        return ROW_WARNING;
    }
    return diagnosis->blame == BLAME_UNKNOWN ? ROW_UNTOLD : ROW_FAILED;
}

static enum row_status status_of_result(const struct report *report, const struct result *result)
{
    return result->status == TARGET_OK        ? ROW_OK
           : result->status == TARGET_SKIPPED ? ROW_SKIPPED
                                              : status_of(report, result->finding);
}

/* The verdict that speaks for each result, by its index: the one of the same diagnosis where there
 * are several. */
static const struct verdict **verdicts_of(struct arena *arena, const struct report *report)
{
    const struct verdict **of =
        ARENA_ARRAY(arena, report->result_count + 1, const struct verdict *);
    for (size_t v = 0; v < report->verdict_count; v++) {
        const struct verdict *verdict = &report->verdicts[v];
        for (size_t i = 0; i < verdict->result_count; i++) {
            const struct result *result = verdict->results[i];
            size_t index = (size_t)(result - report->results);
            bool is_fitting = index < report->result_count && result->finding &&
                              result->finding->diagnosis == verdict->diagnosis;
            if (is_fitting && of[index] == NULL) {
                of[index] = verdict;
            }
        }
    }
    return of;
}

static void add_results(struct row_maker *maker)
{
    const struct report *report = maker->report;
    const struct verdict **verdicts = verdicts_of(maker->arena, report);
    for (size_t i = 0; i < report->result_count; i++) {
        const struct result *result = &report->results[i];
        row_add_result(maker, result, status_of_result(report, result), verdicts[i]);
    }
}

static bool is_same_problem(const struct problem *a, const struct problem *b)
{
    return a == b || (a->origin.line == b->origin.line && a->origin.column == b->origin.column &&
                      a->origin.kind == b->origin.kind && str_eq(a->origin.name, b->origin.name) &&
                      str_eq(a->code, b->code) && str_eq(a->message, b->message));
}

/* The verdict that speaks for a finding: of the same problem, else of its result. NULL = none. */
static const struct verdict *verdict_on(const struct report *report, const struct finding *finding,
                                        const struct result *result)
{
    const struct problem *problem = finding->observation ? finding->observation->problem : NULL;
    for (size_t v = 0; v < report->verdict_count; v++) {
        const struct verdict *verdict = &report->verdicts[v];
        const struct observation *seen = verdict->finding ? verdict->finding->observation : NULL;
        bool is_on = problem && seen && seen->problem && is_same_problem(seen->problem, problem);
        for (size_t i = 0; !problem && i < verdict->result_count && !is_on; i++) {
            is_on = verdict->results[i] == result && verdict->diagnosis == finding->diagnosis;
        }
        if (is_on) {
            return verdict;
        }
    }
    return NULL;
}

static void add_warnings(struct row_maker *maker, const struct key_row *key, struct str name)
{
    for (size_t i = 0; i < key->warning_count; i++) {
        const struct finding *warning = &key->warnings[i];
        row_add_finding(maker, STR("keys"), name, warning, status_of(maker->report, warning),
                        verdict_on(maker->report, warning, NULL));
    }
}

static void add_keys(struct row_maker *maker)
{
    const struct report *report = maker->report;
    for (size_t i = 0; i < report->key_count; i++) {
        const struct key_row *key = &report->keys[i];
        enum row_status status = key->status == KEY_OK         ? ROW_OK
                                 : key->status == KEY_UNPROVEN ? ROW_SKIPPED
                                 : key->finding                ? status_of(report, key->finding)
                                                               : ROW_FAILED;
        const struct verdict *verdict =
            key->finding ? verdict_on(report, key->finding, key->result) : NULL;
        struct str name = row_add_key(maker, key, status, verdict)->name;
        for (size_t j = 0; j < key->configured_count && status != ROW_FAILED; j++) {
            const struct key_model *model = &key->models[j];
            const struct result *live = model->live;
            row_add_model(maker, key, model, live ? status_of_result(report, live) : ROW_OK,
                          live && live->finding ? verdict_on(report, live->finding, live) : NULL);
        }
        add_warnings(maker, key, name);
    }
}

/* What decides for a target is told in its own row. */
static bool decides(const struct result *result, const struct finding *finding)
{
    const struct observation *deciding = result->finding ? result->finding->observation : NULL;
    return result->status == TARGET_FAILED && deciding && finding->observation &&
           deciding->problem && deciding->problem == finding->observation->problem;
}

/* The targets of one file share its problems. */
static bool is_told(const struct finding *const *told, size_t count, const struct finding *finding)
{
    const struct problem *problem = finding->observation ? finding->observation->problem : NULL;
    for (size_t i = 0; problem && i < count; i++) {
        if (is_same_problem(told[i]->observation->problem, problem)) {
            return true;
        }
    }
    return false;
}

static void add_configs(struct row_maker *maker)
{
    const struct report *report = maker->report;
    const struct finding **told = ARENA_ARRAY(maker->arena, PLACE_ROWS_MAX, const struct finding *);
    size_t told_count = 0;
    for (size_t i = 0; i <= report->result_count; i++) {
        const struct result *result = i ? &report->results[i - 1] : NULL;
        const struct finding *findings = result ? result->config_findings : report->config_findings;
        size_t count = result ? result->config_finding_count : report->config_finding_count;
        for (size_t j = 0; j < count; j++) {
            const struct finding *finding = &findings[j];
            if ((result && decides(result, finding)) || is_told(told, told_count, finding)) {
                continue;
            }
            if (told_count < PLACE_ROWS_MAX && finding->observation &&
                finding->observation->problem) {
                told[told_count++] = finding;
            }
            row_add_finding(maker, STR("config"), (struct str){NULL, 0}, finding,
                            status_of(report, finding), verdict_on(report, finding, result));
        }
    }
}

/* A file that was read, and that no row speaks of. */
static void add_files(struct row_maker *maker)
{
    const struct report *report = maker->report;
    size_t count = maker->rows.count;
    for (size_t i = 0; i < report->file_count; i++) {
        const struct config_file *file = &report->files[i];
        bool is_told = file->status != CONFIG_LOADED;
        for (size_t j = 0; j < count && !is_told; j++) {
            const struct report_row *row = &maker->rows.items[j];
            is_told = row->kind == ROW_CONFIG && row->origin.kind == ORIGIN_FILE &&
                      str_eq(row->origin.name, file->path);
        }
        if (!is_told) {
            row_add_file(maker, file);
        }
    }
}

static int by_name(const void *a, const void *b)
{
    const struct report_row *first = *(const struct report_row *const *)a;
    const struct report_row *second = *(const struct report_row *const *)b;
    int order = str_cmp(first->suite, second->suite);
    order = order ? order : str_cmp(first->name, second->name);
    return order ? order : (first < second ? -1 : first > second);
}

/* Gives rows of the same name a number behind it; false when there were none. */
static bool number_same(struct row_maker *maker)
{
    struct report_rows *rows = &maker->rows;
    struct report_row **sorted = ARENA_ARRAY(maker->arena, rows->count + 1, struct report_row *);
    for (size_t i = 0; i < rows->count; i++) {
        sorted[i] = &rows->items[i];
    }
    qsort(sorted, rows->count, sizeof(struct report_row *), by_name);
    size_t same = 1;
    bool is_changed = false;
    struct str suite = {NULL, 0}, name = {NULL, 0};
    for (size_t i = 0; i < rows->count; i++) {
        bool is_same = i && str_eq(sorted[i]->suite, suite) && str_eq(sorted[i]->name, name);
        same = is_same ? same + 1 : 1;
        suite = sorted[i]->suite;
        name = sorted[i]->name;
        if (is_same) {
            sorted[i]->name = arena_printf(maker->arena, "%.*s (%zu)", STR_ARG(name), same);
            is_changed = true;
        }
    }
    return is_changed;
}

/* A number may give a name that another row has already, so it is looked again, but not for ever.
 */
static void make_unique(struct row_maker *maker)
{
    for (int round = 0; round < UNIQUE_ROUNDS_MAX && number_same(maker); round++) {
    }
}

static void list_suites(struct row_maker *maker)
{
    struct report_rows *rows = &maker->rows;
    struct str *suites = ARENA_ARRAY(maker->arena, rows->count + 1, struct str);
    for (size_t i = 0; i < rows->count; i++) {
        bool is_listed = false;
        for (size_t j = 0; j < rows->suite_count && !is_listed; j++) {
            is_listed = str_eq(suites[j], rows->items[i].suite);
        }
        if (!is_listed) {
            suites[rows->suite_count++] = rows->items[i].suite;
        }
    }
    rows->suites = suites;
}

struct report_rows report_rows_of(struct arena *arena, const struct report *report)
{
    struct row_maker maker = {.arena = arena, .report = report};
    add_results(&maker);
    add_keys(&maker);
    add_configs(&maker);
    for (size_t i = 0; i < report->expectation_count; i++) {
        row_add_expectation(&maker, &report->expectations[i]);
    }
    add_files(&maker);
    struct report_rows *rows = &maker.rows;
    for (size_t i = 0; i < rows->count; i++) {
        rows->by_status[rows->items[i].status]++;
    }
    if (report->exit_code != 0 && rows->by_status[ROW_FAILED] + rows->by_status[ROW_UNTOLD] == 0) {
        enum row_status status = report->blame == BLAME_UNKNOWN ? ROW_UNTOLD : ROW_FAILED;
        row_add_run(&maker, status);
        rows->by_status[status]++;
    }
    make_unique(&maker);
    list_suites(&maker);
    return *rows;
}
