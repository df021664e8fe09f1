#ifndef CLI_PASTE_H
#define CLI_PASTE_H

#include "cli/source.h"
#include "cli/street.h"

/* One failure that a paste tells of, or what the whole of it says. */
struct paste_event {
    struct str name; /* of the source */
    unsigned line, line_to;
    const struct finding *finding;
};
struct paste_events {
    struct paste_event *items;
    size_t count, capacity;
};

/* Judges a source that was read as one paste and adds what it tells. Where several things stand
 * there that failed for different reasons, each reason is an event: first the one that the whole
 * is judged by, then the others in their order. */
void paste_judge(struct street *street, const struct source *source, struct paste_events *events);

#endif
