#ifndef TRIAGE_KEY_ROW_H
#define TRIAGE_KEY_ROW_H

#include "triage/key_check.h"

/* What all rows of a check are made with. Private to the files key_*.c. */
struct key_making {
    struct arena *arena;
    struct classifier *classifier;
    const struct triage_input *input;
    const struct key_terms *terms;
    const struct result *live; /* where the input's results stand in the report */
    int64_t now_ms;            /* wall clock */
};

/* The row of a check but for warnings and result: names, facts, status and what decides it. */
struct key_row key_row_make(const struct key_making *making, const struct key_check *check);

/* Fills status, finding and unproven_why of a row whose label is there. */
void key_row_judge(const struct key_making *making, const struct key_check *check,
                   struct key_row *row);
/* What the answer of a free request shows; NULL where there is no answer. */
const struct key_sight *key_sight_of(const struct finding *finding);

/* What is known of one endpoint's certificates, from all answers of its host. */
int64_t key_certificate_expiry(const struct key_check *checks, size_t count,
                               const struct key_check *of);

/* Problems of a row: those of its targets' settings, and what its facts are worth a warning of. */
struct problems key_problems(const struct key_making *making, const struct key_check *check,
                             const struct key_row *row);
/* A problem that makes a key useless although its proof was accepted: the answer says that the key,
 * the account or the balance is off. NULL when there is none. */
const struct problem *key_switched_off(const struct key_making *making,
                                       const struct key_check *check, struct str label);
/* A problem as a finding. */
struct finding key_finding(const struct key_making *making, const struct target *target,
                           const struct problem *problem);

#endif
