/* The sum of a log. Takes events in their order, keeps counts, the spans of times, one example of
 * each diagnosis and the first events; prints nothing. */
#include "cli/log_digest.h"

#include "base/moment.h"
#include "cli/client_words.h"

struct log_digest log_digest_create(struct arena *arena, size_t events_max, bool keeps_bodies)
{
    return (struct log_digest){.arena = arena,
                               .events_max = events_max,
                               .keeps_bodies = keeps_bodies,
                               .first_ms = -1,
                               .last_ms = -1,
                               .aggregate = log_aggregate_create(arena)};
}

static const struct capture *copy_captures(struct arena *arena, const struct finding *finding)
{
    struct capture *copies = ARENA_ARRAY(arena, finding->capture_count + 1, struct capture);
    for (size_t i = 0; i < finding->capture_count; i++) {
        copies[i].name = arena_dup(arena, finding->captures[i].name);
        copies[i].text = arena_dup(arena, finding->captures[i].text);
    }
    return copies;
}

/* What an event borrows moves to the arena; rows of the rule table outlive both. street: its client
 * is recognised, NULL: it is not. */
static struct log_event copy_event(struct arena *arena, const struct log_event *event,
                                   bool has_body, const struct street *street)
{
    struct log_event copy = *event;
    struct observation *observation = ARENA_NEW(arena, struct observation);
    *observation = *event->finding.observation;
    if (street) {
        struct str body = observation->body;
        client_recognise(street, body.len ? body : event->finding.evidence, observation);
    }
    observation->body = has_body ? arena_dup(arena, observation->body) : (struct str){NULL, 0};
    copy.model = arena_dup(arena, event->model);
    copy.provider = arena_dup(arena, event->provider);
    copy.finding.observation = observation;
    copy.finding.field = arena_dup(arena, event->finding.field);
    copy.finding.evidence = arena_dup(arena, event->finding.evidence);
    copy.finding.captures = copy_captures(arena, &event->finding);
    return copy;
}

struct log_event log_event_copy(struct arena *arena, const struct log_event *event, bool has_body)
{
    return copy_event(arena, event, has_body, NULL);
}

size_t log_digest_bodies_wanted(const struct log_digest *digest)
{
    return digest->keeps_bodies || digest->tell ? SIZE_MAX : digest->events_max;
}

static void widen(int64_t *first_ms, int64_t *last_ms, int64_t time_ms)
{
    if (time_ms >= 0) {
        *first_ms = *first_ms < 0 || time_ms < *first_ms ? time_ms : *first_ms;
        *last_ms = time_ms > *last_ms ? time_ms : *last_ms;
    }
}

static struct log_kind *kind_of(struct log_digest *digest, const struct log_event *event)
{
    struct log_kind **at = &digest->kinds;
    for (; *at; at = &(*at)->next) {
        if ((*at)->diagnosis == event->finding.diagnosis) {
            return *at;
        }
    }
    struct log_kind *kind = ARENA_NEW(digest->arena, struct log_kind);
    *kind = (struct log_kind){.diagnosis = event->finding.diagnosis,
                              .first = copy_event(digest->arena, event, true, digest->street)};
    digest->kind_count++;
    *at = kind;
    return kind;
}

void log_digest_add(struct log_digest *digest, const struct log_event *event)
{
    if (digest->tell) {
        digest->tell(digest->context, event);
    }
    struct log_kind *kind = kind_of(digest, event);
    kind->count++;
    kind->last_file = event->file;
    kind->last_line = event->line;
    kind->last_ms = event->time_ms;
    widen(&digest->first_ms, &digest->last_ms, event->time_ms);
    log_aggregate_add(&digest->aggregate,
                      &(struct log_cell){.diagnosis = event->finding.diagnosis->id,
                                         .model = event->model,
                                         .provider = event->provider,
                                         .hour = event->time_ms < 0 ? -1 : event->time_ms / HOUR_MS,
                                         .count = 1});
    digest->count++;
    if (digest->kept < digest->events_max) {
        digest->events = arena_grow(digest->arena, digest->events, digest->kept, &digest->capacity,
                                    sizeof *digest->events);
        digest->events[digest->kept++] =
            copy_event(digest->arena, event, digest->keeps_bodies, digest->street);
    }
}
