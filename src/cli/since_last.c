/* verify --since-last: what is other than at the last verify, and did it take effect? Settings are
 * told by their place in the configuration, not by their values. */
#include "cli/since_last.h"

#include "base/str_set.h"
#include "cli/memory.h"
#include "triage/place.h"

#define LOOKED_BACK 2000 /* requests of verify */

struct comparison {
    struct street *street;
    const struct record *past;
    size_t past_count;
    struct change *changes;
    size_t count, capacity;
};

/* The number of the newest record that stands for each place. */
static struct str_set last_of_places(const struct comparison *comparison)
{
    struct str_set last = {0};
    for (size_t i = 0; i < comparison->past_count; i++) {
        struct str rest = comparison->past[i].place, part;
        while (str_split(&rest, '|', &part)) {
            str_set_add(comparison->street->cli->arena, &last, part, i);
        }
    }
    return last;
}

/* Notes a difference; what is not known on one of the sides is none. */
static bool compare(struct comparison *comparison, const struct result *result, struct str key,
                    struct str from, struct str to, enum effect effect)
{
    struct arena *arena = comparison->street->cli->arena;
    to = memory_name(arena, to);
    if (from.len == 0 || to.len == 0 || str_eq(from, to)) {
        return false;
    }
    comparison->changes = arena_grow(arena, comparison->changes, comparison->count,
                                     &comparison->capacity, sizeof *comparison->changes);
    comparison->changes[comparison->count++] = (struct change){
        .target = result->target->name, .key = key, .from = from, .to = to, .effect = effect};
    return true;
}

static void compare_result(struct comparison *comparison, const struct result *result,
                           const struct record *last)
{
    const struct target *target = result->target;
    const struct truth *truth = result->truth;
    struct str provider = str_is_set(target->provider_id) ? target->provider_id : target->provider;
    bool is_answered = result->status == TARGET_OK && result->observation;
    enum effect proven = is_answered ? EFFECT_TAKEN : EFFECT_UNPROVEN;
    enum effect effect = !truth->is_same || target->is_refused ? EFFECT_NOT_TAKEN : proven;
    if (!compare(comparison, result, STR("model"), last->asked, truth->asked.text, effect)) {
        compare(comparison, result, STR("effective_model"), last->effective, truth->effective.text,
                proven);
        if (str_eq(last->model, target->model.text)) {
            compare(comparison, result, STR("served_model"), last->served_model, truth->answered,
                    proven);
        }
    }
    compare(comparison, result, STR("provider"), last->provider, provider, proven);
    compare(comparison, result, STR("host"), last->host, place_authority(target->base_url.text),
            proven);
}

static void compare_all(struct comparison *comparison, const struct result *results, size_t count)
{
    struct report *report = &comparison->street->report;
    const struct str *places = memory_places(comparison->street->cli->arena, results, count);
    struct str_set last_of = last_of_places(comparison);
    for (size_t i = 0; i < count; i++) {
        size_t found = results[i].truth ? str_set_find(&last_of, places[i]) : SIZE_MAX;
        if (found != SIZE_MAX) {
            const struct record *last = &comparison->past[found];
            compare_result(comparison, &results[i], last);
            report->last_verified_ms =
                last->at_ms > report->last_verified_ms ? last->at_ms : report->last_verified_ms;
        }
    }
    report->changes = comparison->changes;
    report->change_count = comparison->count;
}

void since_last(struct street *street, const struct result *results, size_t count)
{
    struct comparison comparison = {.street = street};
    struct history *history = NULL;
    struct err err = {0};
    street->report.is_compared = true;
    street->report.last_verified_ms = -1;
    if (memory_open(street->cli, HISTORY_READ, &history, &err) ||
        (history && history_verified(history, street->cli->arena, LOOKED_BACK, &comparison.past,
                                     &comparison.past_count, &err))) {
        memory_remark_loss(street, &err);
    } else {
        compare_all(&comparison, results, count);
    }
    history_close(history);
}
