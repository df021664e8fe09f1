/* Counts what the history and this run say about one target. Tallies are by the hour of the user's
 * own clock, so days and bands are theirs; single failures give the exact ends of windows. */
#include "triage/recall.h"

#include "base/moment.h"
#include "triage/place.h"

struct recall_clock recall_clock_of(const struct triage_input *input, int64_t now_ms)
{
    return (struct recall_clock){.now_ms = now_ms,
                                 .utc_offset_s = input->past ? input->past->utc_offset_s : 0};
}

static int64_t local_hour(struct recall_clock clock, int64_t at_ms)
{
    return (at_ms / 1000 + clock.utc_offset_s) / 3600;
}

/* Imported records may not know their client or their host. */
static bool is_place_of(struct str client, struct str host, const struct target *target)
{
    return (str_is_empty(client) || str_eq(client, target->client)) &&
           (str_is_empty(host) || str_eq(host, place_authority(target->base_url.text)));
}

bool recall_is_of_client(const struct record *record, const struct target *target)
{
    return is_place_of(record->client, record->host, target);
}

bool recall_is_capacity(const struct triage_input *input, const struct record *record)
{
    const struct diagnosis *diagnosis = rules_diagnosis(input->rules, record->diagnosis);
    return diagnosis && diagnosis->is_capacity;
}

/* What this run adds: one request for each observation of the same subject. */
struct present {
    int64_t requests, refused, failed, succeeded;
};

static struct present present_of(const struct triage_input *input, const struct result *result)
{
    struct present present = {0};
    const struct target *target = result->target;
    const struct observation *last = NULL;
    for (size_t i = 0; i < input->result_count; i++) {
        const struct result *other = &input->results[i];
        if (other->target == NULL || other->observation == NULL || other->observation == last ||
            !str_eq(other->target->model.text, target->model.text) ||
            !is_place_of(other->target->client, place_authority(other->target->base_url.text),
                         target)) {
            continue;
        }
        last = other->observation;
        bool is_failed = other->status == TARGET_FAILED;
        present.requests++;
        present.failed += is_failed ? 1 : 0;
        present.succeeded += other->status == TARGET_OK ? 1 : 0;
        present.refused += is_failed && other->finding->diagnosis->is_capacity ? 1 : 0;
    }
    return present;
}

static bool is_tally_of(const struct tally *tally, const struct target *target)
{
    return str_eq(tally->model, target->model.text) && str_is_empty(tally->who) &&
           is_place_of(tally->client, tally->host, target);
}

static void count_refused(const struct triage_input *input, struct recall_clock clock,
                          int64_t window_ms, const struct target *target, struct recall *recall)
{
    for (size_t i = 0; i < input->past->failed_count; i++) {
        const struct record *record = &input->past->failed[i];
        if (record->at_ms <= clock.now_ms - window_ms || record->at_ms > clock.now_ms ||
            !str_is_empty(record->who) || !str_eq(record->model, target->model.text) ||
            !recall_is_of_client(record, target) || !recall_is_capacity(input, record)) {
            continue;
        }
        recall->refused++;
        recall->since_ms = recall->since_ms < 0 ? record->at_ms : recall->since_ms;
        recall->refused_at_ms = record->at_ms;
    }
}

static void count_requests(const struct triage_input *input, struct recall_clock clock,
                           const struct target *target, struct recall *recall)
{
    for (size_t i = 0; recall->since_ms >= 0 && i < input->past->tally_count; i++) {
        const struct tally *tally = &input->past->tallies[i];
        if (is_tally_of(tally, target) && tally->hour >= local_hour(clock, recall->since_ms)) {
            recall->requests += tally->count;
        }
    }
}

static const struct diagnosis *diagnosis_of(const struct triage_input *input,
                                            const struct tally *tally)
{
    return rules_diagnosis(input->rules, tally->diagnosis);
}

/* Tallies come in the order of hours. */
static void count_days(const struct triage_input *input, struct recall_clock clock,
                       const int64_t *when, const struct target *target, bool is_today,
                       struct recall *recall)
{
    int64_t today = local_hour(clock, clock.now_ms) / 24, last = -1;
    recall->refused_days = is_today ? 1 : 0;
    for (size_t i = 0; i < input->past->tally_count; i++) {
        const struct tally *tally = &input->past->tallies[i];
        const struct diagnosis *diagnosis = diagnosis_of(input, tally);
        int64_t day = tally->hour / 24;
        if (day <= today - when[THRESHOLD_OF_DAYS] || day > today || day == last || !diagnosis ||
            !diagnosis->is_capacity || !is_tally_of(tally, target) || (is_today && day == today)) {
            continue;
        }
        last = day;
        recall->refused_days++;
    }
}

static int64_t last_success_ms(const struct triage_input *input, const struct target *target)
{
    int64_t last_ms = -1;
    for (size_t i = 0; i < input->past->tally_count; i++) {
        const struct tally *tally = &input->past->tallies[i];
        const struct diagnosis *diagnosis = diagnosis_of(input, tally);
        if (diagnosis && diagnosis->is_healthy && is_tally_of(tally, target) &&
            tally->last_ms > last_ms) {
            last_ms = tally->last_ms;
        }
    }
    return last_ms;
}

static void count_bands(const struct triage_input *input, struct recall_clock clock,
                        const int64_t *when, const struct target *target, bool is_now,
                        struct recall *recall)
{
    int64_t success_ms = last_success_ms(input, target), last = -1;
    for (size_t i = 0; i < input->past->tally_count; i++) {
        const struct tally *tally = &input->past->tallies[i];
        const struct diagnosis *diagnosis = diagnosis_of(input, tally);
        if (!is_tally_of(tally, target) || (diagnosis && diagnosis->is_healthy) ||
            tally->last_ms <= success_ms) {
            continue;
        }
        int64_t first_ms = tally->first_ms > success_ms ? tally->first_ms : tally->last_ms;
        int64_t band = tally->hour / when[THRESHOLD_BAND_HOURS];
        recall->failing_since_ms =
            recall->failing_since_ms < 0 || first_ms < recall->failing_since_ms
                ? first_ms
                : recall->failing_since_ms;
        recall->bands += band != last ? 1 : 0;
        last = band;
    }
    int64_t now_band = local_hour(clock, clock.now_ms) / when[THRESHOLD_BAND_HOURS];
    recall->bands += is_now && now_band != last ? 1 : 0;
}

struct recall recall_of(const struct triage_input *input, struct recall_clock clock,
                        const struct verdict_row *row, const struct result *result)
{
    struct recall recall = {.refused_at_ms = -1, .since_ms = -1, .failing_since_ms = -1};
    struct present present = present_of(input, result);
    if (input->past) {
        const struct target *target = result->target;
        count_refused(input, clock, row->when[THRESHOLD_HOURS] * HOUR_MS, target, &recall);
        count_requests(input, clock, target, &recall);
        count_days(input, clock, row->when, target, present.refused > 0, &recall);
        if (present.succeeded == 0) {
            count_bands(input, clock, row->when, target, present.failed > 0, &recall);
        }
    }
    recall.refused += present.refused;
    recall.requests += present.requests;
    if (recall.since_ms < 0 && present.refused) {
        recall.since_ms = clock.now_ms;
    }
    return recall;
}
