#ifndef TRIAGE_ANSWERING_H
#define TRIAGE_ANSWERING_H

#include "triage/triage.h"

/* How many models of this run answer. That a key is good is no answer of a model. */
size_t answering_count(const struct triage_input *input);

/* The target that answers now and is the nearest to a failed one: its own chain in fallback order,
 * then its client, then any. NULL when nothing answers or the failed one is no target. */
const struct result *answering_for(const struct result *results, size_t count,
                                   const struct result *failed);

/* "gpt-x-mini answered with the same key 0.4 s ago.", where name is how the report calls it. now_ms
 * is the wall clock at the end of the run. */
struct str answering_text(struct arena *arena, enum lang lang, const struct result *failed,
                          const struct result *other, struct str name, int64_t now_ms);

#endif
