#ifndef HISTORY_STORE_H
#define HISTORY_STORE_H

#include "history/history.h"

#include <sqlite3.h>

/* What the files of this room share. */
struct history {
    sqlite3 *db;
    const struct env *env;
    struct str path;       /* as errors name it */
    struct arena *arena;   /* of path and of statements' texts */
    const char *insertion; /* made when the first batch comes */
    int turns;             /* looks that are left to it whether the store is free */
    int failure;           /* SQLite's extended code of the last error, which a rollback clears */
};

/* The error of the last call, ERR_FILE: what SQLite says, in the user's terms. */
enum err_code store_fail(struct history *history, struct err *err);
/* Runs statements that give no rows. */
enum err_code store_run(struct history *history, const char *sql, struct err *err);
/* Begins to write; another run may hold the store for 3 s before this fails. */
enum err_code store_begin(struct history *history, struct err *err);
/* Ends what was begun: commits it, or takes it back where code is an error, which it gives. */
enum err_code store_end(struct history *history, enum err_code code, struct err *err);
enum err_code store_prepare(struct history *history, const char *sql, sqlite3_stmt **statement,
                            struct err *err);

/* A database's own file and those that SQLite opens beside it are plain files where they are there:
 * on a FIFO it would wait for ever. */
bool store_is_plain(struct arena *arena, struct str path);

/* Unset and -1 are NULL in the store. */
void store_bind_text(sqlite3_stmt *statement, int index, struct str text);
void store_bind_number(sqlite3_stmt *statement, int index, int64_t number);
/* Good until the statement's next step. */
struct str store_text(sqlite3_stmt *statement, int column);
/* From -1 to the end of the year 9999 in milliseconds; what is beyond counts as NULL. */
int64_t store_number(sqlite3_stmt *statement, int column);
/* From 0 to 10^9: anybody can write into the file, and counts are added up. */
int64_t store_count(sqlite3_stmt *statement, int column);

/* Refuses a file that holds views or triggers of others', which run what their author wrote, and
 * the database of another program. Changes nothing. */
enum err_code schema_check(struct history *history, struct err *err);
/* Brings the schema up to date; refuses a later one. */
enum err_code schema_open(struct history *history, struct err *err);

/* The columns of struct record in their order, each behind a comma: ",uid,at_ms,...". */
extern const char schema_columns[];
/* "WHERE ..." for a filter, over the columns of table request, and its values. */
#define FILTER_SQL                                                                                 \
    "WHERE (?1 IS NULL OR at_ms >= ?1) AND (?2 IS NULL OR at_ms < ?2) AND (?3 IS NULL OR model = " \
    "?3) AND (?4 IS NULL OR diagnosis = ?4) AND (?5 IS NULL OR source = ?5) AND (?6 IS NULL OR "   \
    "who = ?6)"
void filter_bind(sqlite3_stmt *statement, const struct history_filter *filter);

/* Reads the columns of schema_columns, from column `first` on, into a record. */
void store_record(sqlite3_stmt *statement, int first, struct record *record);

#endif
