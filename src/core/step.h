#ifndef CORE_STEP_H
#define CORE_STEP_H

#include "base/str.h"

/* Steps of a probe; step.def is the list, in order. */
enum step {
#define STEP(id, name) STEP_##id,
#include "core/step.def"
#undef STEP
    STEP_COUNT
};
struct str step_name(enum step step);
/* False when no step has that name. */
bool step_from_name(struct str name, enum step *step);

enum step_status { STEP_SKIP, STEP_OK, STEP_WARN, STEP_FAIL };

/* One rung as it is reported. */
struct rung {
    enum step_status status;
    int64_t duration_ms; /* -1 = not measured */
    struct str detail;   /* a few words, or unset */
};

#endif
