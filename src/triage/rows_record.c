/* Rows about what keeps coming back: persistent, organisation-wide, frequent, and occasional where
 * nothing more is known. Those about capacity also hold, as a note, for a model that answers again
 * in this run. */
#include "triage/rows.h"

#include "base/moment.h"
#include "triage/place.h"

#include <stdlib.h>

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

/* A capacity refusal at one host. */
struct refusal {
    int64_t at_ms;
    struct str who;
    size_t person; /* number of who */
};

static int by_person(const void *left, const void *right)
{
    const struct refusal *a = left, *b = right;
    return str_cmp(a->who, b->who);
}

static int by_time(const void *left, const void *right)
{
    const struct refusal *a = left, *b = right;
    return (a->at_ms > b->at_ms) - (a->at_ms < b->at_ms);
}

/* The refusals of the record at a host, and this run's, by time; gives their number. */
static size_t list_refusals(const struct row_look *look, struct str host, struct refusal **list)
{
    const struct past *past = look->input->past;
    struct refusal *refusals = ARENA_ARRAY(look->arena, past->failed_count + 1, struct refusal);
    size_t count = 0;
    refusals[count++] = (struct refusal){.at_ms = look->clock.now_ms, .who = record_blank().who};
    for (size_t i = 0; i < past->failed_count; i++) {
        const struct record *record = &past->failed[i];
        if (recall_is_capacity(look->input, record) &&
            (str_is_empty(record->host) || str_eq(record->host, host))) {
            refusals[count++] = (struct refusal){.at_ms = record->at_ms, .who = record->who};
        }
    }
    qsort(refusals, count, sizeof *refusals, by_person);
    for (size_t i = 1; i < count; i++) {
        refusals[i].person = refusals[i - 1].person + !str_eq(refusals[i - 1].who, refusals[i].who);
    }
    qsort(refusals, count, sizeof *refusals, by_time);
    *list = refusals;
    return count;
}

/* The most people who were refused within minutes of one refusal of the last hours. */
static int64_t count_people(const struct row_look *look, const struct refusal *refusals,
                            size_t count)
{
    const int64_t *when = look->made.row->when;
    int64_t near_ms = when[THRESHOLD_MINUTES] * MINUTE_MS;
    int64_t since_ms = look->clock.now_ms - when[THRESHOLD_HOURS] * HOUR_MS;
    size_t *times = ARENA_ARRAY(look->arena, count, size_t); /* by person, within from and to */
    int64_t people = 0, most = 0;
    for (size_t i = 0, from = 0, to = 0; i < count; i++) {
        for (; to < count && refusals[to].at_ms <= refusals[i].at_ms + near_ms; to++) {
            people += times[refusals[to].person]++ == 0;
        }
        for (; refusals[from].at_ms < refusals[i].at_ms - near_ms; from++) {
            people -= --times[refusals[from].person] == 0;
        }
        most = refusals[i].at_ms > since_ms && people > most ? people : most;
    }
    return most;
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
        struct refusal *refusals = NULL;
        size_t count = list_refusals(look, host, &refusals);
        int64_t people = count_people(look, refusals, count);
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
