/* Times to wait and codes in the headers of an answer. */
#include "classify/lift.h"
#include "classify/wait.h"

/* A limit's reset is a time to wait only where nothing remains of it. */
static void lift_reset_headers(struct lift *lift)
{
    static const struct {
        struct str remaining, reset;
    } pairs[] = {
        {STR_INIT("x-ratelimit-remaining-requests"), STR_INIT("x-ratelimit-reset-requests")},
        {STR_INIT("x-ratelimit-remaining-tokens"), STR_INIT("x-ratelimit-reset-tokens")},
        {STR_INIT("x-ratelimit-remaining"), STR_INIT("x-ratelimit-reset")},
        {STR_INIT("anthropic-ratelimit-requests-remaining"),
         STR_INIT("anthropic-ratelimit-requests-reset")},
        {STR_INIT("anthropic-ratelimit-tokens-remaining"),
         STR_INIT("anthropic-ratelimit-tokens-reset")},
        {STR_INIT("anthropic-ratelimit-input-tokens-remaining"),
         STR_INIT("anthropic-ratelimit-input-tokens-reset")},
        {STR_INIT("anthropic-ratelimit-output-tokens-remaining"),
         STR_INIT("anthropic-ratelimit-output-tokens-reset")},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct str remaining = observation_header(lift->observation, pairs[i].remaining);
        if (str_eq(str_trim(remaining), STR("0"))) {
            struct str reset = observation_header(lift->observation, pairs[i].reset);
            if (!lift_add_wait_until(lift, reset)) {
                lift_add_wait(lift, wait_parse(reset));
            }
        }
    }
}

void lift_headers(struct lift *lift)
{
    const struct observation *observation = lift->observation;
    struct str after = str_trim(observation_header(observation, STR("retry-after")));
    struct str after_ms = str_trim(observation_header(observation, STR("retry-after-ms")));
    struct str aws = observation_header(observation, STR("x-amzn-errortype")), name;
    double number;
    if (str_to_double(after_ms, &number) && number >= 0 && number < 1e13) {
        lift_add_wait(lift, (int64_t)number);
    }
    if (!lift_add_wait_until(lift, after)) {
        lift_add_wait(lift, wait_parse(after));
    }
    if (observation->status >= 400) {
        lift_reset_headers(lift);
    }
    if (str_split(&aws, ':', &name)) {
        lift_add(lift, FIELD_ERROR_REASON, name);
    }
    lift_add(lift, FIELD_ERROR_CODE, observation_header(observation, STR("x-ms-error-code")));
}
