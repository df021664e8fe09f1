/* The quick-reference rows of a run: which conditions are tried, in which order, and what they have
 * in common. The conditions are in rows_together.c (several failures of one client) and
 * rows_record.c (what keeps coming back); texts and numbers are data. */
#include "triage/rows.h"

bool rows_is_failed_call(const struct result *result)
{
    return result->status == TARGET_FAILED && !trouble_problem(result->finding);
}

bool rows_is_capacity(const struct result *result)
{
    return rows_is_failed_call(result) && result->finding->diagnosis->is_capacity;
}

bool rows_is_timeout(const struct result *result)
{
    return rows_is_failed_call(result) && result->finding->diagnosis->is_transient_network;
}

const struct trouble *rows_trouble_of(const struct row_look *look, const struct result *result)
{
    for (size_t i = 0; i < look->troubles->count; i++) {
        const struct trouble *trouble = &look->troubles->items[i];
        for (size_t j = 0; j < trouble->result_count && !trouble_problem(trouble->finding); j++) {
            if (trouble->results[j] == result) {
                return trouble;
            }
        }
    }
    return NULL;
}

void rows_add(struct row_look *look, const struct row_match *match)
{
    struct row_matches *matches = look->matches;
    matches->items =
        arena_grow(look->arena, matches->items, matches->count, &matches->capacity, sizeof *match);
    matches->items[matches->count++] = *match;
}

bool rows_opens_client(const struct triage_input *input, size_t index)
{
    const struct target *target = input->results[index].target;
    if (target == NULL || str_is_empty(target->client)) {
        return false;
    }
    for (size_t i = 0; i < index; i++) {
        if (input->results[i].target &&
            str_eq(input->results[i].target->client, input->results[index].target->client)) {
            return false;
        }
    }
    return true;
}

/* In the order in which rows stand in a report; persistent replaces frequent, which replaces
 * occasional. */
static const struct {
    struct str id;
    void (*match)(struct row_look *look);
    bool is_group;
    bool is_of_client; /* about models that one client uses together: keys of a check are not */
} rows[] = {
    {.id = STR_INIT("persistent"), .match = rows_match_persistent},
    {.id = STR_INIT("organisation-wide"), .match = rows_match_organisation},
    {.id = STR_INIT("failure-with-timeout"), .match = rows_match_timeout, .is_of_client = true},
    {.id = STR_INIT("capacity-after-switch"),
     .match = rows_match_switch,
     .is_group = true,
     .is_of_client = true},
    {.id = STR_INIT("capacity-frequent"), .match = rows_match_frequent},
    {.id = STR_INIT("capacity-occasional"), .match = rows_match_occasional},
};

void rows_match(struct arena *arena, const struct triage_input *input,
                const struct troubles *troubles, int64_t now_ms, struct row_matches *matches)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct verdict_row *row = rules_verdict_row(input->rules, rows[i].id);
        struct row_look look = {.arena = arena,
                                .input = input,
                                .troubles = troubles,
                                .clock = recall_clock_of(input, now_ms),
                                .matches = matches,
                                .made = {.row = row, .order = i, .is_group = rows[i].is_group}};
        if (row && !(input->are_keys && rows[i].is_of_client)) {
            rows[i].match(&look);
        }
    }
}
