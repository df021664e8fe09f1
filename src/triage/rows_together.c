/* Rows that several failures of one client make, in one run or within minutes: a timeout beside
 * another failure, and more than one model refused for capacity. */
#include "triage/rows.h"

#include "base/moment.h"

typedef bool holds(const struct result *result);

static bool is_other_failure(const struct result *result)
{
    return rows_is_failed_call(result) && !rows_is_timeout(result);
}

/* Results of one client for which either claim holds; `first` gets the first one of claim a. */
static size_t pick(const struct row_look *look, struct str client, holds *a, holds *b,
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

/* Begins a match for the client that result `index` speaks for; false when it speaks for none. */
static bool begin_match(const struct row_look *look, size_t index, holds *a, holds *b,
                        struct row_match *match, const struct result **first)
{
    const struct triage_input *input = look->input;
    if (!rows_opens_client(input, index)) {
        return false;
    }
    *match = look->made;
    match->results = ARENA_ARRAY(look->arena, input->result_count, const struct result *);
    match->result_count =
        pick(look, input->results[index].target->client, a, b, match->results, first);
    return match->result_count > 0;
}

static size_t count_that(const struct result **results, size_t count, holds *claim)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        found += claim(results[i]) ? 1 : 0;
    }
    return found;
}

static const struct diagnosis *diagnosis_of(const struct row_look *look,
                                            const struct record *record)
{
    return rules_diagnosis(look->input->rules, record->diagnosis);
}

/* Failures of the client on record, within minutes of this run, that are timeouts or are not. */
static size_t count_recent(const struct row_look *look, struct str client, bool is_timeout)
{
    const struct past *past = look->input->past;
    int64_t from_ms = look->clock.now_ms - look->made.row->when[THRESHOLD_MINUTES] * MINUTE_MS;
    size_t count = 0;
    for (size_t i = 0; past && i < past->failed_count; i++) {
        const struct record *record = &past->failed[i];
        const struct diagnosis *diagnosis = diagnosis_of(look, record);
        count += diagnosis && diagnosis->is_transient_network == is_timeout &&
                         record->at_ms >= from_ms && str_is_empty(record->who) &&
                         str_eq(record->client, client)
                     ? 1
                     : 0;
    }
    return count;
}

void rows_match_timeout(struct row_look *look)
{
    for (size_t i = 0; i < look->input->result_count; i++) {
        struct row_match match;
        const struct result *first;
        if (!begin_match(look, i, rows_is_timeout, is_other_failure, &match, &first)) {
            continue;
        }
        struct str client = match.results[0]->target->client;
        size_t here = count_that(match.results, match.result_count, rows_is_timeout);
        size_t timeouts = here + count_recent(look, client, true);
        size_t others = match.result_count - here + count_recent(look, client, false);
        if (timeouts == 0 || others == 0) {
            continue;
        }
        match.trouble = rows_trouble_of(look, first ? first : match.results[0]);
        match.basis[0] = (struct basis){STR("timeouts"), (int64_t)timeouts};
        match.basis[1] = (struct basis){STR("other_failures"), (int64_t)others};
        facts_add_number(look->arena, &match.facts, STR("timeouts"), (int64_t)timeouts);
        facts_add_number(look->arena, &match.facts, STR("failures"), (int64_t)others);
        facts_of_session(look->arena, look->input, look->clock, look->made.row, match.results[0],
                         &match.facts);
        rows_add(look, &match);
    }
}

static bool is_listed(const struct str *models, size_t count, struct str model)
{
    for (size_t i = 0; i < count; i++) {
        if (str_eq(models[i], model)) {
            return true;
        }
    }
    return false;
}

static bool answers_now(const struct row_look *look, struct str client, struct str model)
{
    for (size_t i = 0; i < look->input->result_count; i++) {
        const struct result *result = &look->input->results[i];
        if (result->status == TARGET_OK && result->target &&
            str_eq(result->target->client, client) && str_eq(result->target->model.text, model)) {
            return true;
        }
    }
    return false;
}

/* Models of the client that were refused within minutes of this run, this run's among them. One
 * that answers now is no longer refused. */
static size_t count_models(const struct row_look *look, struct str client,
                           const struct row_match *match)
{
    const struct past *past = look->input->past;
    size_t failed_count = past ? past->failed_count : 0, count = 0;
    int64_t from_ms = look->clock.now_ms - look->made.row->when[THRESHOLD_MINUTES] * MINUTE_MS;
    struct str *models = ARENA_ARRAY(look->arena, match->result_count + failed_count, struct str);
    for (size_t i = 0; i < match->result_count; i++) {
        struct str model = match->results[i]->target->model.text;
        if (!is_listed(models, count, model)) {
            models[count++] = model;
        }
    }
    for (size_t i = 0; i < failed_count; i++) {
        const struct record *record = &past->failed[i];
        if (record->at_ms >= from_ms && str_is_empty(record->who) &&
            str_eq(record->client, client) && recall_is_capacity(look->input, record) &&
            !is_listed(models, count, record->model) && !answers_now(look, client, record->model)) {
            models[count++] = record->model;
        }
    }
    return count;
}

void rows_match_switch(struct row_look *look)
{
    for (size_t i = 0; i < look->input->result_count; i++) {
        struct row_match match;
        const struct result *first;
        if (!begin_match(look, i, rows_is_capacity, NULL, &match, &first)) {
            continue;
        }
        size_t models = count_models(look, match.results[0]->target->client, &match);
        if ((int64_t)models < look->made.row->when[THRESHOLD_MODELS] || models == 0) {
            continue;
        }
        match.is_group = match.result_count > 1;
        match.trouble = rows_trouble_of(look, first);
        match.basis[0] = (struct basis){STR("models_refused"), (int64_t)models};
        match.basis[1] = (struct basis){STR("capacity_failures"), (int64_t)match.result_count};
        facts_add_number(look->arena, &match.facts, STR("models"), (int64_t)models);
        rows_add(look, &match);
    }
}
