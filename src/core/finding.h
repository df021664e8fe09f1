#ifndef CORE_FINDING_H
#define CORE_FINDING_H

#include "core/diagnosis.h"
#include "core/observation.h"

/* Something a rule lifted out of the evidence: name "limit", "reset", "model", "region",
 * "parameter" ... */
struct capture {
    struct str name, text;
};

/* An observation with its diagnosis. Strings live in the arena given to classify. */
struct finding {
    const struct observation *observation;
    const struct diagnosis *diagnosis; /* never NULL: ok and unknown are rows */
    struct str rule_id;                /* unset when no rule matched */
    struct str reason;                 /* the rule's one sentence, or unset */
    struct str field;                  /* evidence: field that decided ("error.code"), or unset */
    struct str evidence; /* the matching text with some context, masked, at most 300 bytes */
    const struct capture *captures;
    size_t capture_count;
    int64_t wait_ms;     /* how long the evidence says to wait, -1 unknown */
    bool is_momentary;   /* the evidence names a moment: wait_ms depends on the clock */
    int64_t retry_at_ms; /* that moment, wall clock; 0 where there is none to wait for */
    const struct diagnosis
        *runner_up; /* diagnosis of the next rule that matched and says otherwise, or NULL */
    struct str runner_up_rule;
    struct str skipped_rule; /* a rule that hit a limit and was not judged, or unset */
    enum severity severity;  /* of the diagnosis, lowered for warnings of config */
    bool is_retryable;
};

#endif
