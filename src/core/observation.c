/* Reading of observations. */
#include "core/observation.h"

struct str outcome_name(enum outcome outcome)
{
    static const struct str names[] = {
#define OUTCOME(id, name) STR_INIT(name),
#include "core/observation.def"
#undef OUTCOME
    };
    return names[outcome];
}

struct str observation_header(const struct observation *observation, struct str name)
{
    for (size_t i = 0; i < observation->header_count; i++) {
        if (str_eq(observation->headers[i].name, name)) {
            return observation->headers[i].value;
        }
    }
    return (struct str){NULL, 0};
}
