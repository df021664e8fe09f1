/* Adding to evidence: every field keeps a few values, the innermost first, none twice. */
#include "classify/lift.h"

#include "classify/wait.h"

void lift_add(struct lift *lift, enum field field, struct str value)
{
    struct evidence *evidence = lift->evidence;
    size_t *count = &evidence->counts[field];
    value = str_trim(value);
    if (value.len == 0 || *count == EVIDENCE_VALUES_MAX) {
        return;
    }
    for (size_t i = 0; i < *count; i++) {
        if (str_eq(evidence->values[field][i], value)) {
            return;
        }
    }
    evidence->values[field][(*count)++] = value;
    if (field == FIELD_ERROR_CODE || field == FIELD_ERROR_TYPE || field == FIELD_ERROR_REASON) {
        lift_add(lift, FIELD_ERROR_NAME, value);
    }
}

void lift_add_status(struct lift *lift, struct str digits)
{
    int64_t status;
    if (digits.len == 3 && str_to_i64(digits, &status) && status >= 400 && status < 600) {
        lift_add(lift, FIELD_STATUS, digits);
    }
}

void lift_add_wait(struct lift *lift, int64_t wait_ms)
{
    if (wait_ms >= 0 && lift->evidence->wait_ms < 0) {
        lift->evidence->wait_ms = wait_ms;
    }
}

bool lift_add_wait_until(struct lift *lift, struct str text)
{
    bool is_moment = wait_moment(text) >= 0;
    lift_add_wait(lift, is_moment ? wait_until(text, lift->now_ms) : -1);
    lift->evidence->is_momentary = lift->evidence->is_momentary || is_moment;
    return is_moment;
}
