#ifndef TRIAGE_KEY_CHECK_H
#define TRIAGE_KEY_CHECK_H

#include "classify/classify.h"
#include "triage/triage.h"

/* A health check of keys. The command gathers the pairs of endpoint and key, sends what each wants,
 * hands the findings back, and has them judged. */

#define KEY_EXTRAS_MAX 4

/* One distinct pair of endpoint and key, and what free requests said of it. */
struct key_check {
    const struct target **targets; /* that use it, in the order of the configuration */
    size_t target_count, target_capacity;
    const struct provider *provider;  /* whose answers are read, or NULL */
    const struct free_request *proof; /* NULL = nothing free proves this key */
    bool is_askable;                  /* the proof can be sent */
    bool needs_control; /* the endpoint is not the provider's own: anybody may get its answer */

    /* From here on it is the command's to fill; findings are those of the answers. */
    const struct finding *answer;  /* to the proof; NULL = it was not sent */
    const struct finding *control; /* to the same without a key; NULL = it was not sent */
    struct key_extra {
        const struct free_request *form;
        const struct finding *finding;
    } extras[KEY_EXTRAS_MAX]; /* to the provider's further free requests */
    size_t extra_count;
    const struct result **live; /* of a generation, by target; NULL = none; the array may be NULL */
    unsigned tries;             /* times that the proof was sent */
    bool is_over_budget;        /* not sent, since --budget was used up */
};

/* The pairs among targets, in their order; *count gets their number. */
struct key_check *key_checks_gather(struct arena *arena, const struct rules *rules,
                                    const struct target *const *targets, size_t target_count,
                                    size_t *count);
/* The endpoint answered the proof as if the key were good, but only a request without the key can
 * tell whether it looked at it. */
bool key_check_wants_control(const struct key_check *check);
/* Both go to the same host and port. */
bool key_check_shares_host(const struct key_check *a, const struct key_check *b);
/* The key may be good, so that more can be asked with it. */
bool key_check_is_open(const struct key_check *check);

struct key_terms {
    int64_t min_headroom_permille; /* less than this left is worth a warning */
    int64_t min_days;              /* of keys and certificates, likewise */
    int64_t expected_count;        /* keys that must be there; 0 = any number */
    bool is_strict;                /* warnings are errors, and what is unproven fails */
};

/* Judges all pairs: fills the report's keys, verdicts, blame, exit code and summary. `input` gives
 * rules, language, the findings that belong to no target and --fail-on; its results, which may be
 * none, are those of generations. Times of the report should be set before, see triage. */
void key_checks_judge(struct arena *arena, struct classifier *classifier,
                      const struct triage_input *input, const struct key_terms *terms,
                      const struct key_check *checks, size_t count, struct report *report);

#endif
