/* The room's front: statuses and ladders, distinct problems, verdicts, exit code and the one
 * sentence. Takes results as probe and classify left them, gives what a report shows. */
#include "triage/triage.h"

#include "base/text.h"
#include "triage/answering.h"
#include "triage/exit.h"
#include "triage/ladder.h"
#include "triage/names.h"
#include "triage/verdicts.h"
#include "triage/words.h"

#define REASON_COLUMNS_MAX 200

/* A warning about what is wrong for certain, not a remark on how things are. */
static bool is_fault(const struct finding *finding)
{
    const struct problem *problem = finding->observation ? finding->observation->problem : NULL;
    return finding->severity == SEVERITY_WARNING && !finding->diagnosis->is_healthy &&
           (problem == NULL || !problem->is_guess);
}

/* The same findings with warnings made errors, for runs where a warning is a failure. */
static const struct finding *raised(struct arena *arena, const struct finding *findings,
                                    size_t count)
{
    struct finding *copies = ARENA_ARRAY(arena, count, struct finding);
    for (size_t i = 0; i < count; i++) {
        copies[i] = findings[i];
        if (is_fault(&copies[i])) {
            copies[i].severity = SEVERITY_ERROR;
        }
    }
    return copies;
}

static int64_t end_of_run(const struct triage_input *input, const struct report *report)
{
    int64_t end_ms = report->started_ms + report->duration_ms;
    for (size_t i = 0; i < input->result_count; i++) {
        const struct observation *observation = input->results[i].observation;
        if (observation && observation->started_ms + observation->total_ms > end_ms) {
            end_ms = observation->started_ms + observation->total_ms;
        }
    }
    return end_ms;
}

static size_t count_status(const struct triage_input *input, enum target_status status)
{
    size_t count = 0;
    for (size_t i = 0; i < input->result_count; i++) {
        count += input->results[i].status == status ? 1 : 0;
    }
    return count;
}

static const char *name_of(struct arena *arena, const struct triage_input *input,
                           const struct result *result)
{
    return arena_cstr(arena,
                      names_one(arena, input->lang, input->results, input->result_count, result));
}

static struct str summary_of_calm(struct arena *arena, const struct triage_input *input)
{
    size_t answering = count_status(input, TARGET_OK);
    if (input->result_count == 0) {
        return str_from(words_text(WORD_SUMMARY_NOTHING, input->lang));
    }
    if (answering == 0) {
        const struct target *target = input->results[0].target;
        struct str reason = target ? target->skip_reason : (struct str){NULL, 0};
        if (str_is_empty(reason)) {
            return str_from(words_text(WORD_SUMMARY_NOTHING, input->lang));
        }
        reason = text_show(arena, reason, REASON_COLUMNS_MAX);
        return words_say(arena, input->lang, WORD_SUMMARY_SKIPPED, arena_cstr(arena, reason));
    }
    if (input->results[0].target == NULL) {
        return str_from(words_text(WORD_SUMMARY_PASTED_OK, input->lang));
    }
    if (answering > 1) {
        return words_say(arena, input->lang, WORD_SUMMARY_ALL_OK, answering);
    }
    const struct result *result = &input->results[0];
    while (result->status != TARGET_OK) {
        result++;
    }
    return words_say(arena, input->lang, WORD_SUMMARY_ONE_OK, name_of(arena, input, result));
}

/* The most urgent verdict, who answers instead, and how much else there is. */
static struct str summary_of(struct arena *arena, const struct triage_input *input,
                             const struct report *report)
{
    size_t errors = 0;
    for (size_t i = 0; i < report->verdict_count; i++) {
        errors += report->verdicts[i].severity == SEVERITY_ERROR ? 1 : 0;
    }
    if (errors == 0) {
        return summary_of_calm(arena, input);
    }
    const struct verdict *first = &report->verdicts[0];
    const char *title = arena_cstr(arena, first->title);
    if (errors > 1) {
        return words_say(arena, input->lang, WORD_SUMMARY_MORE, title, errors - 1);
    }
    const struct result *other =
        first->result_count ? answering_for(input->results, input->result_count, first->results[0])
                            : NULL;
    if (other == NULL) {
        return words_say(arena, input->lang, WORD_SUMMARY_FAIL, title);
    }
    return words_say(arena, input->lang, WORD_SUMMARY_FAIL_ANSWERS, title,
                     name_of(arena, input, other));
}

void triage(struct arena *arena, const struct triage_input *given, struct report *report)
{
    struct triage_input input = *given;
    if (input.are_warnings_errors) {
        input.config_findings = raised(arena, input.config_findings, input.config_finding_count);
        report->config_findings = input.config_findings;
        report->config_finding_count = input.config_finding_count;
    }
    for (size_t i = 0; i < input.result_count; i++) {
        struct result *result = &input.results[i];
        if (input.are_warnings_errors) {
            result->config_findings =
                raised(arena, result->config_findings, result->config_finding_count);
        }
        ladder_fill(arena, input.lang, result);
    }
    struct troubles troubles = {0};
    troubles_gather(arena, &input, &troubles);
    verdicts_make(arena, &input, &troubles, end_of_run(&input, report), report);
    exit_decide(&input, &report->blame, &report->exit_code);
    report->summary = summary_of(arena, &input, report);
}
