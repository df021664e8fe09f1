#ifndef CLI_LOG_DIGEST_H
#define CLI_LOG_DIGEST_H

#include "cli/log_aggregate.h"
#include "core/finding.h"

/* What a log told, gathered event by event in its order: counts without bound, of the events
 * themselves only the first ones. */

#define DIGEST_EVENTS_MAX 1000 /* events kept where they are shown; the rest is counted */

/* One failing entry of a log, or one pasted text. finding.observation has its body where the event
 * is the example of its kind, and where it is to be explained. */
struct log_event {
    struct str file;
    uint64_t line, line_to;
    int64_t time_ms;            /* -1: the entry names none */
    int64_t near_ms;            /* time_ms, or the time of the last entry before that names one;
                                 * -1 where none does or nobody wants it */
    struct str model, provider; /* unset: it names none */
    struct finding finding;
};

/* A copy whose finding borrows nothing but from arena and the rule table; without the body of its
 * observation, unless has_body. */
struct log_event log_event_copy(struct arena *arena, const struct log_event *event, bool has_body);

/* All events of one diagnosis. */
struct log_kind {
    const struct diagnosis *diagnosis;
    uint64_t count;
    struct log_event first; /* the example */
    struct str last_file;
    uint64_t last_line;
    int64_t last_ms;       /* time of the last event, -1 when it names none */
    struct log_kind *next; /* in the order in which they came up */
};

struct log_digest {
    struct arena *arena;
    struct log_kind *kinds;
    size_t kind_count;
    struct log_event *events;
    size_t kept, capacity, events_max;
    uint64_t count, lines; /* events in all; lines read */
    struct log_aggregate aggregate;
    int64_t first_ms, last_ms;   /* earliest and latest time, -1 when none is known */
    bool keeps_bodies;           /* so that events can be explained */
    bool has_log;                /* something was read line by line */
    bool has_text;               /* not all that was read is blank */
    bool wants_near;             /* events get near_ms */
    const struct street *street; /* by which clients of kept events are recognised; NULL = not */
    void (*tell)(void *context, const struct log_event *event); /* of each event, or NULL */
    void *context;
};

/* Lives in arena. events_max: how many events are kept; keeps_bodies: they can be explained. */
struct log_digest log_digest_create(struct arena *arena, size_t events_max, bool keeps_bodies);

/* How many events, the first ones, must have their body: the client of a kept event is told by it.
 * The first of each diagnosis has its body anyway. */
size_t log_digest_bodies_wanted(const struct log_digest *digest);

/* Counts an event; what is kept of it is copied. */
void log_digest_add(struct log_digest *digest, const struct log_event *event);

#endif
