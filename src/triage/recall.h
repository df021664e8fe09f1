#ifndef TRIAGE_RECALL_H
#define TRIAGE_RECALL_H

#include "triage/triage.h"

/* What the record says about one model of one client at one host, this run included. Windows come
 * from the thresholds of the row that asks. */
struct recall {
    int64_t refused;          /* capacity failures in the window */
    int64_t refused_at_ms;    /* the last of them before this run, -1 = none */
    int64_t since_ms;         /* the first of them, -1 = none */
    int64_t requests;         /* all requests since the hour of the first */
    int64_t refused_days;     /* local days with capacity failures in the last of_days */
    int64_t bands;            /* bands of the day with failures since the last success */
    int64_t failing_since_ms; /* the first failure since then, -1 = none */
};

/* Where the time of a run stands, and the user's clock. */
struct recall_clock {
    int64_t now_ms, utc_offset_s;
};
/* The offset is that of the input's record, 0 without one. */
struct recall_clock recall_clock_of(const struct triage_input *input, int64_t now_ms);

/* result has a target. */
struct recall recall_of(const struct triage_input *input, struct recall_clock clock,
                        const struct verdict_row *row, const struct result *result);

/* A record is about the same client as the target, and about no other host. */
bool recall_is_of_client(const struct record *record, const struct target *target);
/* It was refused for capacity. */
bool recall_is_capacity(const struct triage_input *input, const struct record *record);

#endif
