#ifndef TRIAGE_FACTS_H
#define TRIAGE_FACTS_H

#include "triage/recall.h"

/* What the record knows, as values of placeholders: a growing list of captures; start from {0}. */
struct facts {
    struct capture *items;
    size_t count, capacity;
};

/* Adds a value of a placeholder. */
void facts_add_number(struct arena *arena, struct facts *facts, struct str name, int64_t number);

/* What the client's newest session on record adds: its age and context where they are large, and
 * how far limits are used. */
void facts_of_session(struct arena *arena, const struct triage_input *input,
                      struct recall_clock clock, const struct verdict_row *row,
                      const struct result *result, struct facts *facts);

/* Adds all that is known about a target: {failures} {requests} {since} (when there was more than
 * one request), {days}, {bands} {failing_since}, {others} that answer in this run, {limit_used},
 * {session} where it is long, {context_percent} {context_tokens} {context_window} where it is
 * full, {quiet_hours}. What is not known has no value, so lines that need it are dropped. */
void facts_of_target(struct arena *arena, const struct triage_input *input,
                     struct recall_clock clock, const struct verdict_row *row,
                     const struct result *result, const struct recall *recall, struct facts *facts);

#endif
