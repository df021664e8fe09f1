/* Rows about what keeps coming back: persistent, organisation-wide, frequent, and occasional where
 * nothing more is known. Those about capacity also hold, as a note, for a model that answers again
 * in this run. */
#include "triage/rows.h"

#include "triage/place.h"

#define MINUTE_MS ((int64_t)60 * 1000)
#define HOUR_MS (60 * MINUTE_MS)
#define RESULTS_MAX 64 /* of one trouble whose record is looked at; more have the same cause */

typedef bool holds_by_record(const struct row_look *look, const struct recall *recall);

static bool is_persistent(const struct row_look *look, const struct recall *recall)
{
    const int64_t *when = look->made.row->when;
    return recall->bands >= when[THRESHOLD_BANDS] && recall->failing_since_ms >= 0 &&
           look->clock.now_ms - recall->failing_since_ms >= when[THRESHOLD_HOURS] * HOUR_MS;
}

static bool is_frequent(const struct row_look *look, const struct recall *recall)
{
    const int64_t *when = look->made.row->when;
    return recall->refused >= when[THRESHOLD_FAILURES] ||
           recall->refused_days >= when[THRESHOLD_DAYS];
}

/* A row before this one has taken the trouble's place for this result. */
static bool is_taken(const struct row_look *look, const struct result *result)
{
    for (size_t i = 0; i < look->matches->count; i++) {
        const struct row_match *match = &look->matches->items[i];
        for (size_t j = 0; match->takes_place && j < match->result_count; j++) {
            if (match->results[j] == result) {
                return true;
            }
        }
    }
    return false;
}

static void add_record_facts(const struct row_look *look, const struct recall *recall,
                             const struct result *result, struct row_match *match)
{
    facts_of_target(look->arena, look->input, look->clock, look->made.row, result, recall,
                    &match->facts);
    match->basis[0] = (struct basis){STR("capacity_failures"), recall->refused};
    match->basis[1] = (struct basis){STR("requests"), recall->requests};
}

/* The results of a trouble whose record the claim holds for; facts are those of the first. */
static void match_trouble(struct row_look *look, const struct trouble *trouble,
                          holds_by_record *claim)
{
    struct row_match match = look->made;
    match.trouble = trouble;
    match.takes_place = trouble->diagnosis->is_capacity;
    match.results = ARENA_ARRAY(look->arena, trouble->result_count, const struct result *);
    for (size_t i = 0; i < trouble->result_count && i < RESULTS_MAX; i++) {
        const struct result *result = trouble->results[i];
        if (result->target == NULL || !rows_is_failed_call(result) || is_taken(look, result)) {
            continue;
        }
        struct recall recall = recall_of(look->input, look->clock, look->made.row, result);
        if (claim(look, &recall)) {
            if (match.result_count == 0) {
                add_record_facts(look, &recall, result, &match);
            }
            match.results[match.result_count++] = result;
        }
    }
    if (match.result_count) {
        rows_add(look, &match);
    }
}

void rows_match_persistent(struct row_look *look)
{
    for (size_t i = 0; i < look->troubles->count; i++) {
        const struct trouble *trouble = &look->troubles->items[i];
        if (trouble->result_count && !trouble_problem(trouble->finding)) {
            match_trouble(look, trouble, is_persistent);
        }
    }
}

/* A trouble for the note about a target that answers again: what it was refused with. */
static const struct trouble *trouble_of_record(const struct row_look *look,
                                               const struct result *result)
{
    const struct past *past = look->input->past;
    struct trouble *trouble = ARENA_NEW(look->arena, struct trouble);
    struct finding *finding = ARENA_NEW(look->arena, struct finding);
    for (size_t i = 0; i < past->failed_count; i++) {
        const struct record *record = &past->failed[i];
        if (recall_is_capacity(look->input, record) &&
            str_eq(record->model, result->target->model.text) &&
            recall_is_of_client(record, result->target)) {
            finding->diagnosis = rules_diagnosis(look->input->rules, record->diagnosis);
        }
    }
    finding->observation = result->observation;
    finding->wait_ms = -1;
    finding->severity = SEVERITY_INFO;
    trouble->results = ARENA_ARRAY(look->arena, 1, const struct result *);
    trouble->results[0] = result;
    trouble->result_count = 1;
    trouble->diagnosis = finding->diagnosis;
    trouble->finding = finding;
    trouble->severity = SEVERITY_INFO;
    return trouble;
}

static void match_recovered(struct row_look *look, holds_by_record *claim)
{
    size_t looked = 0;
    for (size_t i = 0; look->input->past && i < look->input->result_count; i++) {
        const struct result *result = &look->input->results[i];
        if (result->status != TARGET_OK || result->target == NULL || looked++ >= RESULTS_MAX ||
            is_taken(look, result)) {
            continue;
        }
        struct recall recall = recall_of(look->input, look->clock, look->made.row, result);
        if (recall.refused_at_ms < 0 || !claim(look, &recall)) {
            continue;
        }
        struct row_match match = look->made;
        match.is_recovered = true;
        match.takes_place = true;
        match.trouble = trouble_of_record(look, result);
        match.results = match.trouble->results;
        match.result_count = 1;
        add_record_facts(look, &recall, result, &match);
        rows_add(look, &match);
    }
}

void rows_match_frequent(struct row_look *look)
{
    for (size_t i = 0; i < look->troubles->count; i++) {
        if (look->troubles->items[i].diagnosis->is_capacity) {
            match_trouble(look, &look->troubles->items[i], is_frequent);
        }
    }
    match_recovered(look, is_frequent);
}

static bool is_recent(const struct row_look *look, const struct recall *recall)
{
    int64_t ago_ms = look->clock.now_ms - recall->refused_at_ms;
    return ago_ms <= look->made.row->when[THRESHOLD_RECOVERED_MINUTES] * MINUTE_MS;
}

/* A capacity failure of which nothing more is known; pasted evidence has no record. */
void rows_match_occasional(struct row_look *look)
{
    for (size_t i = 0; i < look->troubles->count; i++) {
        const struct trouble *trouble = &look->troubles->items[i];
        struct row_match match = look->made;
        if (!trouble->diagnosis->is_capacity || trouble->result_count == 0) {
            continue;
        }
        match.trouble = trouble;
        match.takes_place = true;
        match.results = ARENA_ARRAY(look->arena, trouble->result_count, const struct result *);
        for (size_t j = 0; j < trouble->result_count; j++) {
            if (!is_taken(look, trouble->results[j])) {
                match.results[match.result_count++] = trouble->results[j];
            }
        }
        if (match.result_count == 0) {
            continue;
        }
        if (match.results[0]->target) {
            struct recall recall =
                recall_of(look->input, look->clock, look->made.row, match.results[0]);
            add_record_facts(look, &recall, match.results[0], &match);
        }
        match.basis[0] = (struct basis){STR("capacity_failures"), (int64_t)match.result_count};
        rows_add(look, &match);
    }
    match_recovered(look, is_recent);
}

/* Is a refusal of another person within minutes of this one, at the same host? */
static bool is_shared(const struct row_look *look, const struct record *one,
                      const struct record *other)
{
    int64_t apart_ms =
        one->at_ms > other->at_ms ? one->at_ms - other->at_ms : other->at_ms - one->at_ms;
    bool is_same_host =
        str_is_empty(one->host) || str_is_empty(other->host) || str_eq(one->host, other->host);
    return apart_ms <= look->made.row->when[THRESHOLD_MINUTES] * MINUTE_MS && is_same_host &&
           !str_eq(one->who, other->who);
}

/* The most people of the record who were refused within minutes of `one`, itself included. */
static int64_t count_people(const struct row_look *look, const struct record *one)
{
    const struct past *past = look->input->past;
    struct str *people = ARENA_ARRAY(look->arena, past->failed_count + 1, struct str);
    size_t count = 0;
    people[count++] = one->who;
    for (size_t i = 0; i < past->failed_count; i++) {
        const struct record *other = &past->failed[i];
        bool is_known = !recall_is_capacity(look->input, other) || !is_shared(look, one, other);
        for (size_t j = 0; j < count && !is_known; j++) {
            is_known = str_eq(people[j], other->who);
        }
        if (!is_known) {
            people[count++] = other->who;
        }
    }
    return (int64_t)count;
}

void rows_match_organisation(struct row_look *look)
{
    const int64_t *when = look->made.row->when;
    for (size_t i = 0; look->input->past && i < look->troubles->count; i++) {
        const struct trouble *trouble = &look->troubles->items[i];
        if (!trouble->diagnosis->is_capacity || trouble->result_count == 0 ||
            trouble->results[0]->target == NULL) {
            continue;
        }
        struct str host = place_authority(trouble->results[0]->target->base_url.text);
        struct record now = record_blank();
        now.at_ms = look->clock.now_ms;
        now.host = host;
        int64_t people = count_people(look, &now);
        for (size_t j = 0; j < look->input->past->failed_count; j++) {
            const struct record *record = &look->input->past->failed[j];
            if (recall_is_capacity(look->input, record) &&
                record->at_ms > look->clock.now_ms - when[THRESHOLD_HOURS] * HOUR_MS &&
                (str_is_empty(record->host) || str_eq(record->host, host))) {
                int64_t together = count_people(look, record);
                people = together > people ? together : people;
            }
        }
        if (people < when[THRESHOLD_PEOPLE]) {
            continue;
        }
        struct row_match match = look->made;
        match.trouble = trouble;
        match.results = trouble->results;
        match.result_count = trouble->result_count;
        match.basis[0] = (struct basis){STR("people"), people};
        facts_add_number(look->arena, &match.facts, STR("people"), people);
        rows_add(look, &match);
        return;
    }
}
