#ifndef CLI_MEMORY_H
#define CLI_MEMORY_H

#include "cli/street.h"
#include "history/history.h"

/* How a run meets the history of past requests. What goes wrong with the store while targets are
 * judged is one remark and never fails the run. */

/* Opens the store of this user. *history is NULL where there is none to use: --no-history, no home,
 * or no such store in HISTORY_READ. */
enum err_code memory_open(struct cli *cli, enum history_mode mode, struct history **history,
                          struct err *err);

/* A name of foreign origin as it is kept: bounded, without control characters; unset when empty. */
struct str memory_name(struct arena *arena, struct str name);

/* Says once that the store cannot be used, and that the run goes on without it. */
void memory_remark_loss(struct street *street, const struct err *err);

/* Fills street->past for triage; it stays empty without history. */
void memory_recall(struct street *street);

/* Notes one request of this run. target may be NULL; finding says what came of it. A free request
 * proves a key and no model, so its row names none. */
void memory_note(struct street *street, const struct target *target, bool is_free,
                 const struct observation *observation, const struct finding *finding);

/* Adds to the rows of the requests what verify found about the settings behind them. */
void memory_note_truths(struct street *street, const struct result *results, size_t count);

/* The settings that each result stands for, by a name that stays when their values change: the own
 * name of a target, else client, role and which of its kind. */
const struct str *memory_places(struct arena *arena, const struct result *results, size_t count);

/* Writes all that was noted in one transaction, and forgets it. */
void memory_keep(struct street *street);

#endif
