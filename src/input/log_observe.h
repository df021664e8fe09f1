#ifndef INPUT_LOG_OBSERVE_H
#define INPUT_LOG_OBSERVE_H

#include "base/mask.h"
#include "core/observation.h"

/* An entry of a log as evidence: time and level off its front, the message of a record in front of
 * the record, line ends made plain, masked. *time_ms gets the entry's time, -1 when it has none. */
struct observation log_entry_observe(struct arena *arena, const struct mask *mask, struct str entry,
                                     int64_t now_ms, int64_t *time_ms);

#endif
