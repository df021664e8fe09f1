#ifndef HISTORY_CODEX_TURNS_H
#define HISTORY_CODEX_TURNS_H

#include "base/err.h"
#include "core/turn.h"

/* Adds the turns of Codex's own database (CODEX_HOME/thread_history_N.sqlite, from 0.142 on) to
 * *turns, those that began at since_ms or later, oldest first, at most 100,000. Models and versions
 * come from state_path (state_N.sqlite; unset = not known). Both are opened read-only, with their
 * -wal, and a Codex that is writing is not held up. ERR_FILE when the database cannot be read.
 * Schema as of Codex 0.171.0. Texts are bounded, not masked. */
enum err_code codex_turns_read(struct arena *arena, struct str history_path, struct str state_path,
                               int64_t since_ms, struct turns *turns, struct err *err);

#endif
