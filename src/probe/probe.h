#ifndef PROBE_PROBE_H
#define PROBE_PROBE_H

#include "base/env.h"
#include "base/err.h"
#include "core/verdict.h"
#include "probe/url.h"
#include "rules/rules.h"

struct probe_options {
    int64_t timeout_ms;         /* whole request; default 20000 */
    int64_t connect_timeout_ms; /* DNS to TLS; default 10000 */
    unsigned per_host; /* requests in flight per scheme, host and port; 0 = no limit; default 8 */
};

/* One request of a plan and the targets that share it. */
struct planned_request {
    const struct target *target; /* stands for all */
    const size_t *target_indices;
    size_t target_count;
    struct str url;
    struct url_place place;          /* of the URL */
    unsigned token_bound;            /* 0 for an uncapped one */
    const struct free_request *free; /* a GET that costs nothing; NULL = a generation */
    const struct str *limits;        /* of its provider, see struct provider */
    size_t limit_count;
    bool is_anonymous; /* sent without the key: does anybody get this answer? */
};

struct plan {
    struct planned_request *requests;
    size_t request_count;
    size_t token_bound;    /* sum */
    size_t uncapped_count; /* requests whose output has no bound of ours */
};

/* Plans one generation per distinct target: same wire, URL, key, model, proxy, headers and CA are
 * one request. Skipped and unsendable targets get none. indices of targets refer to the given
 * array. */
void probe_plan(struct arena *arena, const struct target *const *targets, size_t target_count,
                struct plan *plan);
/* A free request that somebody wants to be sent for a target. */
struct free_wish {
    const struct target *target;     /* NULL = none */
    const struct free_request *form; /* NULL = none */
    const struct str *limits;
    size_t limit_count;
    bool is_anonymous;
};

/* Plans free requests: the same to the same URL with the same key are one. Indices of targets refer
 * to those wanted; those without a target or a form are left out. */
void probe_plan_free(struct arena *arena, const struct free_wish *wanted, size_t count,
                     struct plan *plan);
/* The URL of a free request for a target. */
struct str probe_free_url(struct arena *arena, const struct target *target,
                          const struct free_request *form);

/* Told about each request that ended; for a progress line. */
typedef void probe_progress(void *context, size_t done, size_t total,
                            const struct observation *observation);

/* Runs the plan in one libcurl multi run. observations[i] belongs to plan->requests[i] and lives in
 * arena. A failure out there is an observation; ERR_SYSTEM only when libcurl itself cannot be set
 * up. Ends in bounded time whatever servers do. */
enum err_code probe_run(struct arena *arena, const struct env *env, const struct mask *mask,
                        const struct plan *plan, const struct probe_options *options,
                        probe_progress *progress, void *context, struct observation *observations,
                        struct err *err);

#endif
