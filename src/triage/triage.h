#ifndef TRIAGE_TRIAGE_H
#define TRIAGE_TRIAGE_H

#include "core/record.h"
#include "core/verdict.h"
#include "rules/rules.h"

/* Takes what became of each target and gives the verdicts. results[i].target, observation, finding,
 * config_findings and key_proof are filled by the command; triage fills status and ladder. */
struct triage_input {
    const struct rules *rules;
    enum lang lang;
    struct result *results;
    size_t result_count;
    const struct finding *config_findings; /* that belong to no target */
    size_t config_finding_count;
    const struct str *fail_on; /* layers, blames or diagnosis ids; count 0 = everything */
    size_t fail_on_count;
    bool are_keys;    /* results stand for keys: none can take another's place, and one that is not
                         proven is judged all the same */
    size_t key_count; /* the first results, of free requests; those behind are of models */
    const struct past *past;  /* what earlier runs saw; NULL = nothing is known */
    bool are_warnings_errors; /* verify and --strict: findings of config come out as errors, in
                                 results and in the report as well, but for guesses and for
                                 remarks, whose diagnosis is healthy */
    bool is_offline;          /* nothing was to be sent: a target without an answer is no failure */
};

/* Fills results' status and ladder, and the verdicts, blame, exit_code and summary of *report (the
 * other members are the command's; started_ms and duration_ms should be set before, they are what
 * "0.4 s ago" counts from). A result without a target is pasted evidence. Verdicts come most urgent
 * first: one per distinct problem, the same problem of several targets once, with the scope it has.
 * Quick-reference rows are those that hold by this run and the record that the input hands over. */
void triage(struct arena *arena, const struct triage_input *given, struct report *report);

#endif
