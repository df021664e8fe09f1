/* Bounds in time for work whose length strangers decide. */
#include "base/budget.h"

struct budget budget_of(const struct env *env, int64_t duration_ms)
{
    return duration_ms > 0
               ? (struct budget){.env = env,
                                 .until_ms = env->monotonic_ms(env->clock) + duration_ms}
               : (struct budget){0};
}

bool budget_is_spent(const struct budget *budget)
{
    return budget->env && budget->env->monotonic_ms(budget->env->clock) >= budget->until_ms;
}
