/* Making and reading of observations, and the names of what they hold. */
#include "core/observation.h"

static const struct str kinds[OBSERVATION_KIND_COUNT] = {
    [OBSERVATION_HTTP] = STR_INIT("http"),
    [OBSERVATION_TEXT] = STR_INIT("text"),
    [OBSERVATION_TRANSPORT] = STR_INIT("transport"),
    [OBSERVATION_CONFIG] = STR_INIT("config"),
};

struct str observation_kind_name(enum observation_kind kind)
{
    return kinds[kind];
}

bool observation_kind_from_name(struct str name, enum observation_kind *kind)
{
    for (size_t i = 0; i < OBSERVATION_KIND_COUNT; i++) {
        if (str_eq(kinds[i], name)) {
            *kind = (enum observation_kind)i;
            return true;
        }
    }
    return false;
}

struct observation observation_blank(enum observation_kind kind)
{
    struct observation blank = {.kind = kind, .retry_after_ms = -1, .total_ms = -1};
    blank.phase = kind == OBSERVATION_HTTP ? STEP_ANSWER : STEP_CONFIG;
    for (size_t step = 0; step < STEP_COUNT; step++) {
        blank.step_ms[step] = -1;
    }
    return blank;
}

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
