#ifndef INPUT_LOG_OBSERVE_H
#define INPUT_LOG_OBSERVE_H

#include "base/arena.h"
#include "core/observation.h"
#include "input/log_time.h"

/* The first line of an entry. */
struct str log_entry_line(struct str entry);

/* An entry of a log as evidence: what stands in front of its first line left off, the message of a
 * record in front of the record, of which what is no evidence is gone, line ends made plain.
 * is_marked and its like are the caller's to set, and the body to seal (input/bound.h). */
struct observation log_entry_observe(struct arena *arena, struct str entry,
                                     const struct log_front *front, int64_t now_ms);

/* The message of a line as it was written: the member of a record that holds it, without its
 * quotes, also where a collector put something before the record; else what stands behind the
 * front. */
struct str log_message(struct str line, const struct log_front *front);

#endif
