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

/* Fills street->past for triage; it stays empty without history. */
void memory_recall(struct street *street);

/* Notes one request of this run. target may be NULL; finding says what came of it. */
void memory_note(struct street *street, const struct target *target,
                 const struct observation *observation, const struct finding *finding);

/* Writes all that was noted in one transaction, and forgets it. */
void memory_keep(struct street *street);

#endif
