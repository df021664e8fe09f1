#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "cli/street.h"
#include "triage/key_check.h"

/* A health check of keys while it runs: the parts of `diagnose check`. Start from {0} with street
 * and terms. */
struct check {
    struct street *street;
    struct key_terms terms;
    struct key_check *checks;
    size_t count;
    struct result *live; /* of generations, by target of the street; NULL without --live */
    int64_t budget_left; /* requests that may still be sent; INT64_MAX = any number */
};

/* Keeps the targets that --only and operands name and --except does not: by name, model, provider,
 * client, host, variable or fingerprint, with * for any letters. A word that fits nothing is
 * ERR_USAGE with the nearest ones. */
enum err_code check_filter(struct check *check, struct err *err);

/* Gathers the pairs of endpoint and key. */
void check_gather(struct check *check);

/* Sends the proofs, again those that may pass later, then what follows from them. */
enum err_code check_run(struct check *check, struct err *err);

/* --dry-run: prints what would be sent. Gives the exit code. */
int check_show_plan(struct check *check);
/* "7 free requests" or more, for the line before a run. */
const char *check_plan_sentence(struct check *check);

/* The provider's further free request of that number that is worth sending, or NULL: one for lists
 * of models only where somebody configured a model and the proof does not list them. */
const struct free_request *check_extra(const struct key_check *check, size_t index);
/* Targets whose generation --live asks for, so many as the budget allows. */
const struct target **check_live_targets(const struct check *check, size_t *count);

#endif
