/* Conditions of the quick-reference rows that one run can decide. Texts are data; here is only when
 * a row holds and for whom. A row is one line of the table at the end. */
#include "triage/rows.h"

/* What a condition looks at. */
struct look {
    struct arena *arena;
    const struct triage_input *input;
    const struct troubles *troubles;
    struct row_matches *matches;
    struct row_match made; /* id, order and flags of the row, to be completed */
};

static bool is_failed_call(const struct result *result)
{
    return result->status == TARGET_FAILED && !trouble_problem(result->finding);
}

static bool is_capacity(const struct result *result)
{
    return is_failed_call(result) && result->finding->diagnosis->is_capacity;
}

static bool is_timeout(const struct result *result)
{
    return is_failed_call(result) && result->finding->diagnosis->is_transient_network;
}

static bool is_other_failure(const struct result *result)
{
    return is_failed_call(result) && !is_timeout(result);
}

static const struct trouble *trouble_of(const struct look *look, const struct result *result)
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

static void add(struct look *look, const struct row_match *match)
{
    struct row_matches *matches = look->matches;
    matches->items =
        arena_grow(look->arena, matches->items, matches->count, &matches->capacity, sizeof *match);
    matches->items[matches->count++] = *match;
}

/* The first result of a client in the run speaks for that client. Evidence without a target and
 * targets that nobody uses together (the demo's) belong to no client. */
static bool opens_client(const struct triage_input *input, size_t index)
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

typedef bool holds(const struct result *result);

/* Results of one client for which either claim holds; `first` gets the first one of claim a. */
static size_t pick(const struct look *look, struct str client, holds *a, holds *b,
                   const struct result **picked, const struct result **first)
{
    size_t count = 0;
    *first = NULL;
    for (size_t i = 0; i < look->input->result_count; i++) {
        const struct result *result = &look->input->results[i];
        if (result->target == NULL || !str_eq(result->target->client, client)) {
            continue;
        }
        bool is_a = a(result);
        if (is_a || (b && b(result))) {
            picked[count++] = result;
            *first = is_a && *first == NULL ? result : *first;
        }
    }
    return count;
}

static size_t count_that(const struct result **results, size_t count, holds *claim)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found += claim(results[i]) ? 1 : 0;
    }
    return found;
}

/* A timeout and another failure of one client. */
static void match_with_timeout(struct look *look)
{
    for (size_t i = 0; i < look->input->result_count; i++) {
        if (!opens_client(look->input, i)) {
            continue;
        }
        struct row_match match = look->made;
        const struct result *first;
        match.results = ARENA_ARRAY(look->arena, look->input->result_count, const struct result *);
        match.result_count = pick(look, look->input->results[i].target->client, is_timeout,
                                  is_other_failure, match.results, &first);
        size_t timeouts = count_that(match.results, match.result_count, is_timeout);
        if (first == NULL || timeouts == match.result_count) {
            continue;
        }
        match.trouble = trouble_of(look, first);
        match.basis[0] = (struct basis){STR("timeouts"), (int64_t)timeouts};
        match.basis[1] =
            (struct basis){STR("other_failures"), (int64_t)(match.result_count - timeouts)};
        add(look, &match);
    }
}

static size_t count_models(const struct result **results, size_t count)
{
    size_t models = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_new = true;
        for (size_t j = 0; j < i && is_new; j++) {
            is_new = !str_eq(results[i]->target->model.text, results[j]->target->model.text);
        }
        models += is_new ? 1 : 0;
    }
    return models;
}

/* Two or more models of one client refuse for capacity. */
static void match_after_switch(struct look *look)
{
    for (size_t i = 0; i < look->input->result_count; i++) {
        if (!opens_client(look->input, i)) {
            continue;
        }
        struct row_match match = look->made;
        const struct result *first;
        match.results = ARENA_ARRAY(look->arena, look->input->result_count, const struct result *);
        match.result_count = pick(look, look->input->results[i].target->client, is_capacity, NULL,
                                  match.results, &first);
        size_t models = count_models(match.results, match.result_count);
        if (models < 2) {
            continue;
        }
        match.trouble = trouble_of(look, first);
        match.basis[0] = (struct basis){STR("models_refused"), (int64_t)models};
        match.basis[1] = (struct basis){STR("capacity_failures"), (int64_t)match.result_count};
        add(look, &match);
    }
}

/* A capacity failure of which nothing more is known. */
static void match_occasional(struct look *look)
{
    for (size_t i = 0; i < look->troubles->count; i++) {
        const struct trouble *trouble = &look->troubles->items[i];
        if (!trouble->diagnosis->is_capacity || trouble->result_count == 0) {
            continue;
        }
        struct row_match match = look->made;
        match.trouble = trouble;
        match.results = trouble->results;
        match.result_count = trouble->result_count;
        match.basis[0] = (struct basis){STR("capacity_failures"), (int64_t)trouble->result_count};
        add(look, &match);
    }
}

/* In the order in which rows stand in a report. */
static const struct {
    struct str id;
    void (*match)(struct look *look);
    bool is_group, takes_place;
} rows[] = {
    {STR_INIT("failure-with-timeout"), match_with_timeout, false, false},
    {STR_INIT("capacity-after-switch"), match_after_switch, true, false},
    {STR_INIT("capacity-occasional"), match_occasional, false, true},
};

void rows_match(struct arena *arena, const struct triage_input *input,
                const struct troubles *troubles, struct row_matches *matches)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct look look = {.arena = arena,
                            .input = input,
                            .troubles = troubles,
                            .matches = matches,
                            .made = {.id = rows[i].id,
                                     .order = i,
                                     .is_group = rows[i].is_group,
                                     .takes_place = rows[i].takes_place}};
        rows[i].match(&look);
    }
}
