#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include "base/arena.h"
#include "base/env.h"
#include "base/err.h"
#include "core/record.h"

/* The store of past requests: SQLite in WAL mode, so that several runs at once lose nothing and a
 * run that is killed leaves a whole store; one that writes waits some 3 s for another that does.
 * Every failure is ERR_FILE with a text that names the file and what to do; callers turn it into a
 * warning. */
struct history;

/* "$XDG_STATE_HOME/diagnose/history.db", else below ~/.local/state; unset when neither variable
 * nor home is an absolute path. */
struct str history_path(struct arena *arena, const struct env *env);

enum history_mode {
    HISTORY_WRITE, /* makes the store (0600) and its directory (0700) where missing */
    HISTORY_READ,  /* a store that is missing is ERR_OK with *history NULL */
};

/* Opens the store and brings its schema up to date. A schema of a later version is refused.
 * env tells the clock and the user's time zone and must outlive the store. */
enum err_code history_open(const char *path, enum history_mode mode, const struct env *env,
                           struct history **history, struct err *err);
void history_close(struct history *history); /* NULL is fine */

/* How far a file was imported: any text that its importer understands. */
struct history_mark {
    struct str name, text;
};

struct history_batch {
    const struct record *records;
    size_t count;
    const struct history_mark *marks; /* set in the same transaction */
    size_t mark_count;
    int64_t keep_days; /* what is older is dropped; 0 = nothing is */
};

/* Adds a batch in one transaction, all or nothing; records whose uid is there already are left out.
 * *added (may be NULL) counts the others. */
enum err_code history_add(struct history *history, const struct history_batch *batch, size_t *added,
                          struct err *err);

/* The mark of that name, unset when there is none. */
enum err_code history_mark(struct history *history, struct arena *arena, struct str name,
                           struct str *mark, struct err *err);

/* What triage goes by; *past lives in arena. */
enum err_code history_past(struct history *history, struct arena *arena, struct past *past,
                           struct err *err);

/* The newest requests of verify, at most `limit`, the newest first; they live in arena. */
enum err_code history_verified(struct history *history, struct arena *arena, size_t limit,
                               const struct record **records, size_t *count, struct err *err);

/* Is a request of that uid in the store? */
bool history_holds(struct history *history, struct str uid);

/* Puts records that are not in the store into the past, as if they were; texts are borrowed. */
void history_past_add(struct arena *arena, const struct env *env, struct past *past,
                      const struct record *records, size_t count);

/* Which records: unset texts and -1 do not matter. */
struct history_filter {
    int64_t since_ms, until_ms; /* [since, until) */
    struct str model, diagnosis, source, who;
};
struct history_filter history_filter_all(void);

/* Walks records, oldest first; or the newest `limit` of them (0 = all), oldest first. Texts of a
 * record are good until the next call. history_rows_next gives false at the end and on failure,
 * which *err tells (err->code, zero before). */
struct history_rows;
enum err_code history_rows_open(struct history *history, const struct history_filter *filter,
                                size_t limit, struct history_rows **rows, struct err *err);
bool history_rows_next(struct history_rows *rows, struct record *record, struct err *err);
void history_rows_close(struct history_rows *rows); /* NULL is fine */

/* Counts by hour of the week; without a filter from a running total, whatever the store's size. */
enum err_code history_week(struct history *history, struct arena *arena,
                           const struct history_filter *filter, const struct week_tally **week,
                           size_t *count, struct err *err);

/* Removes records; *removed (may be NULL) counts them. Nothing of them stays in the file. */
enum err_code history_clear(struct history *history, const struct history_filter *filter,
                            size_t *removed, struct err *err);

#endif
