#ifndef INPUT_ROLLOUT_H
#define INPUT_ROLLOUT_H

#include "base/budget.h"
#include "core/turn.h"

struct rollout_terms {
    struct str session; /* by the name of the file; what the file says of itself comes first */
    size_t max_bytes;   /* of a longer file its beginning and its last max_bytes are read */
    struct budget budget;
    int64_t now_ms; /* wall clock: a turn of which retries alone are told has failed by and by */
};

/* Reads the turns of one session of Codex from its rollout, JSON lines as written by 0.40 to 0.171
 * (sessions/YYYY/MM/DD/rollout-TIME-ID.jsonl). Made for files of any size: lines that say nothing
 * of a turn are skipped unparsed, and so are lines over 1 MiB. A last line without its end is left
 * for the next time. fd is read from where it stands. Turns are added to *turns and live in arena,
 * at most 100,000 with 16 MiB of text; texts are bounded, not masked. True when there is nothing
 * more to be learned of the file as it is: the budget sufficed, and no turn may yet turn out to
 * have failed. */
bool rollout_read(struct arena *arena, int fd, const struct rollout_terms *terms,
                  struct turns *turns);

#endif
