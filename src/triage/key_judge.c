/* The judgement of a whole check: rows, and what follows from all of them for the report. Each row
 * is handed to triage as a result, so that keys are judged by the same rules as models. */
#include "base/str_set.h"
#include "triage/exit.h"
#include "triage/key_row.h"
#include "triage/words.h"

/* The row's target under the row's name: a verdict is about the key, not about a model. */
static const struct target *stand_in(struct arena *arena, const struct key_row *row)
{
    struct target *target = ARENA_NEW(arena, struct target);
    *target = *row->targets[0];
    target->name = target->chain = row->label;
    target->model = (struct value){0};
    return target;
}

/* Two keys of one name at one place are told apart by their fingerprints. */
static void make_labels_unique(struct arena *arena, struct key_row *rows, size_t count)
{
    struct str_set labels = {0};
    for (size_t i = 0; i < count; i++) {
        bool is_taken = str_set_find(&labels, rows[i].label) != SIZE_MAX;
        if (is_taken && !str_is_empty(rows[i].fingerprint)) {
            rows[i].label = arena_printf(arena, "%.*s %.*s", STR_ARG(rows[i].label),
                                         STR_ARG(rows[i].fingerprint));
        } else if (is_taken) {
            rows[i].label = arena_printf(arena, "%.*s %zu", STR_ARG(rows[i].label), i + 1);
        }
        str_set_add(arena, &labels, rows[i].label, i);
    }
}

/* A finding of each problem, in order. */
static const struct finding *findings_of(const struct key_making *making,
                                         const struct target *target, struct problems problems)
{
    struct finding *findings = ARENA_ARRAY(making->arena, problems.count + 1, struct finding);
    for (size_t i = 0; i < problems.count; i++) {
        findings[i] = key_finding(making, target, &problems.items[i]);
    }
    return findings;
}

/* The answer that shows the key to be good: the free one, or that of a generation. */
static const struct finding *proven_by(const struct key_check *check)
{
    if (check->answer && check->answer->diagnosis->is_healthy) {
        return check->answer;
    }
    for (size_t i = 0; i < check->extra_count; i++) {
        if (check->extras[i].finding->diagnosis->is_healthy) {
            return check->extras[i].finding;
        }
    }
    for (size_t i = 0; check->live && i < check->target_count; i++) {
        const struct finding *finding = check->live[i] ? check->live[i]->finding : NULL;
        if (finding && finding->diagnosis->is_healthy) {
            return finding;
        }
    }
    return NULL;
}

static void fill_result(const struct key_making *making, const struct key_check *check,
                        const struct key_row *row, struct result *result)
{
    struct problems problems = key_problems(making, check, row);
    result->target = stand_in(making->arena, row);
    result->observation = row->observation;
    result->config_findings = findings_of(making, result->target, problems);
    result->config_finding_count = problems.count;
    result->finding = row->status == KEY_OK ? proven_by(check) : row->finding;
}

struct row_counts {
    size_t failed, unproven, present;
};

static struct row_counts count_rows(const struct key_row *rows, size_t count)
{
    struct row_counts tally = {0};
    for (size_t i = 0; i < count; i++) {
        tally.failed += rows[i].status == KEY_FAILED ? 1 : 0;
        tally.unproven += rows[i].status == KEY_UNPROVEN ? 1 : 0;
        tally.present += str_is_empty(rows[i].fingerprint) ? 0 : 1;
    }
    return tally;
}

static struct str summary_of(const struct key_making *making, const struct report *report,
                             const struct row_counts *tally)
{
    struct arena *arena = making->arena;
    enum lang lang = making->input->lang;
    size_t count = report->key_count, errors = 0;
    for (size_t i = 0; i < report->verdict_count; i++) {
        errors += report->verdicts[i].severity == SEVERITY_ERROR ? 1 : 0;
    }
    if (errors > 1 && tally->failed == 0) {
        return words_say(arena, lang, WORD_SUMMARY_MORE,
                         arena_cstr(arena, report->verdicts[0].title), errors - 1);
    }
    if (errors && tally->failed == 0) {
        return words_say(arena, lang, WORD_SUMMARY_FAIL,
                         arena_cstr(arena, report->verdicts[0].title));
    }
    if (errors > 1) {
        return words_say(arena, lang, WORD_SUMMARY_KEYS_FAIL_MORE, tally->failed, count,
                         arena_cstr(arena, report->verdicts[0].title), errors - 1);
    }
    if (errors) {
        return words_say(arena, lang, WORD_SUMMARY_KEYS_FAIL, tally->failed, count,
                         arena_cstr(arena, report->verdicts[0].title));
    }
    if (count == 0) {
        return str_from(words_text(WORD_SUMMARY_NOTHING, lang));
    }
    if (tally->unproven) {
        return words_say(arena, lang, WORD_SUMMARY_KEYS_OPEN,
                         count - tally->unproven - tally->failed, count, tally->unproven);
    }
    return count == 1 ? words_say(arena, lang, WORD_SUMMARY_KEY_OK,
                                  arena_cstr(arena, report->keys[0].label))
                      : words_say(arena, lang, WORD_SUMMARY_KEYS_OK, count);
}

/* The findings that belong to no target, with one more where keys are missing from the count. */
static void add_few_keys(const struct key_making *making, size_t present,
                         struct triage_input *input)
{
    struct arena *arena = making->arena;
    int64_t wanted = making->terms->expected_count;
    if ((int64_t)present >= wanted) {
        return;
    }
    struct problem *problem = ARENA_NEW(arena, struct problem);
    *problem = (struct problem){
        .code = STR("keys_few"),
        .origin = {ORIGIN_OPTION, STR("--expect-keys"), 0, 0},
        .message = words_say(arena, input->lang, present == 1 ? WORD_KEYS_FEW_ONE : WORD_KEYS_FEW,
                             present, (long long)wanted),
    };
    size_t count = input->config_finding_count;
    struct finding *findings = ARENA_ARRAY(arena, count + 1, struct finding);
    for (size_t i = 0; i < count; i++) {
        findings[i] = input->config_findings[i];
    }
    findings[count] = key_finding(making, NULL, problem);
    input->config_findings = findings;
    input->config_finding_count = count + 1;
}

/* All findings about settings but the one that decides. */
static void fill_warnings(struct arena *arena, const struct result *result, struct key_row *row)
{
    const struct problem *deciding =
        row->finding && row->finding->observation ? row->finding->observation->problem : NULL;
    struct finding *warnings = ARENA_ARRAY(arena, result->config_finding_count, struct finding);
    for (size_t i = 0; i < result->config_finding_count; i++) {
        const struct problem *problem = result->config_findings[i].observation->problem;
        if (!deciding || !str_eq(deciding->code, problem->code) ||
            !str_eq(deciding->message, problem->message)) {
            warnings[row->warning_count++] = result->config_findings[i];
        }
    }
    row->warnings = warnings;
}

/* Options that ask for more than that nothing fails. */
static void apply_terms(const struct key_terms *terms, const struct row_counts *tally,
                        struct report *report)
{
    if ((int64_t)tally->present < terms->expected_count) {
        exit_set(BLAME_OURS, report);
    } else if (report->key_count == 0 && report->blame == BLAME_NONE) {
        exit_set(BLAME_UNKNOWN, report);
    } else if (terms->is_strict && tally->unproven && report->blame == BLAME_NONE) {
        exit_set(BLAME_UNKNOWN, report);
    }
}

/* Rows of all checks, and behind them the results of generations, as triage takes them. */
static void make_results(const struct key_making *making, const struct key_check *checks,
                         size_t count, struct key_row *rows, struct result *results)
{
    const struct triage_input *input = making->input;
    for (size_t i = 0; i < count; i++) {
        rows[i] = key_row_make(making, &checks[i]);
        rows[i].certificate_expires_ms = key_certificate_expiry(checks, count, &checks[i]);
    }
    make_labels_unique(making->arena, rows, count);
    for (size_t i = 0; i < count; i++) {
        fill_result(making, &checks[i], &rows[i], &results[i]);
        rows[i].result = &results[i];
    }
    for (size_t i = 0; i < input->result_count; i++) {
        results[count + i] = input->results[i];
    }
}

void key_checks_judge(struct arena *arena, struct classifier *classifier,
                      const struct triage_input *given, const struct key_terms *terms,
                      const struct key_check *checks, size_t count, struct report *report)
{
    struct triage_input input = *given;
    struct key_row *rows = ARENA_ARRAY(arena, count + 1, struct key_row);
    struct result *results = ARENA_ARRAY(arena, count + given->result_count + 1, struct result);
    const struct key_making making = {
        arena, classifier, given, terms, &results[count], report->started_ms + report->duration_ms};
    make_results(&making, checks, count, rows, results);
    struct row_counts tally = count_rows(rows, count);
    input.are_keys = true;
    input.key_count = count;
    input.are_warnings_errors = terms->is_strict;
    input.results = results;
    input.result_count = count + given->result_count;
    add_few_keys(&making, tally.present, &input);
    report->config_findings = input.config_findings;
    report->config_finding_count = input.config_finding_count;
    triage(arena, &input, report);
    for (size_t i = 0; i < count; i++) {
        fill_warnings(arena, &results[i], &rows[i]);
    }
    report->keys = rows;
    report->key_count = count;
    apply_terms(terms, &tally, report);
    report->summary = summary_of(&making, report, &tally);
}
