#ifndef BASE_BUDGET_H
#define BASE_BUDGET_H

#include "base/env.h"

/* How long a piece of work may take; {0} = as long as it needs. */
struct budget {
    const struct env *env; /* borrowed */
    int64_t until_ms;      /* by its monotonic clock */
};

/* From now on; 0 = as long as it needs. */
struct budget budget_of(const struct env *env, int64_t duration_ms);
bool budget_is_spent(const struct budget *budget);

#endif
