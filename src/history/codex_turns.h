#ifndef HISTORY_CODEX_TURNS_H
#define HISTORY_CODEX_TURNS_H

#include "base/budget.h"
#include "core/turn.h"

/* Where Codex keeps its own record, and how much of it may be read. */
struct codex_store {
    struct str history_path; /* CODEX_HOME/thread_history_N.sqlite */
    struct str state_path;   /* state_N.sqlite, for models and versions; unset = not known */
    struct str scratch;      /* directory for copies, see borrowed.h; unset = /tmp */
    int64_t max_bytes;       /* of a copy */
    int64_t since_ms;        /* turns that ended at that time or later */
};

/* Adds the turns of Codex's own database to *turns, oldest first, at most 100,000 with 16 MiB of
 * text. Nothing of Codex's is made or changed, and a Codex that is writing is not held up. False
 * when it could not be read to its end. Schema as of Codex 0.171.0. Texts are bounded, not masked.
 */
bool codex_turns_read(struct arena *arena, const struct codex_store *store,
                      const struct budget *budget, struct turns *turns);

#endif
