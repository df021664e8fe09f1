#ifndef TRIAGE_TROUBLE_H
#define TRIAGE_TROUBLE_H

#include "triage/triage.h"

/* One distinct problem: the same diagnosis from the same cause, with every target that has it. */
struct trouble {
    const struct diagnosis *diagnosis;
    const struct finding *finding; /* the first one: shown as evidence */
    const struct result **results; /* targets that have it; none for a config file as a whole */
    size_t result_count, result_capacity;
    const struct finding **findings; /* distinct ones; several only for merged config problems */
    size_t finding_count, finding_capacity;
    enum severity severity; /* the highest */
    enum scope scope;
};

struct troubles {
    struct trouble *items;
    size_t count, capacity;
};

/* The config problem behind a finding, or NULL when it is about an answer. */
const struct problem *trouble_problem(const struct finding *finding);

/* Gathers the failures of all results and the findings about config into distinct problems, in
 * order of first sight, and sets their scope. Statuses of results are already set. */
void troubles_gather(struct arena *arena, const struct triage_input *input,
                     struct troubles *troubles);

/* What answered and what failed in a run, by endpoint and key. Lives in arena. */
struct scopes;
const struct scopes *scopes_of(struct arena *arena, const struct triage_input *input);
/* How far a problem reaches, from what else answered or failed in the run. */
enum scope scope_of(const struct scopes *scopes, const struct trouble *trouble);
/* Every host that was tried, two at least, failed on the way there. */
bool scope_is_network_down(const struct triage_input *input);

#endif
