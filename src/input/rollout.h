#ifndef INPUT_ROLLOUT_H
#define INPUT_ROLLOUT_H

#include "core/turn.h"

/* Reads the turns of one session of Codex from its rollout, JSON lines as written by 0.40 to 0.171
 * (sessions/YYYY/MM/DD/rollout-TIME-ID.jsonl). Made for files of any size: lines that say nothing
 * of a turn are skipped unparsed, and so are lines over 1 MiB. A last line without its end is left
 * for the next time. fd is read from where it stands. max_bytes bounds what is read; older turns
 * come first in a file. Turns are added to *turns and live in arena; texts are bounded, not
 * masked. */
void rollout_read(struct arena *arena, int fd, size_t max_bytes, struct turns *turns);

#endif
