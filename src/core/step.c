/* Names of steps. */
#include "core/step.h"

static const struct str names[] = {
#define STEP(id, name) STR_INIT(name),
#include "core/step.def"
#undef STEP
};

struct str step_name(enum step step)
{
    return names[step];
}

bool step_from_name(struct str name, enum step *step)
{
    for (size_t i = 0; i < STEP_COUNT; i++) {
        if (str_eq(names[i], name)) {
            *step = (enum step)i;
            return true;
        }
    }
    return false;
}
