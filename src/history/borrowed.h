#ifndef HISTORY_BORROWED_H
#define HISTORY_BORROWED_H

#include "base/budget.h"
#include "history/store.h"

/* A database of SQLite that belongs to another program. Start from borrowed_open, end with
 * borrowed_close whatever it gave. */
struct borrowed {
    sqlite3 *db;
    struct str folder; /* of the copy that is read in its place; unset = none was made */
};

/* Opens it read-only, -wal included, so that no file of the other program is made or changed and
 * a program that writes is not held up. While it is in use, that is while it has a -shm, it is read
 * where it is; else a copy is, in a private folder below `parent`, as reading would make files that
 * stay. A copy takes at most max_bytes and the budget, which must outlive it and bounds every call
 * of the database as well. False when it cannot be read. */
bool borrowed_open(struct arena *arena, struct str parent, struct str path, int64_t max_bytes,
                   const struct budget *budget, struct borrowed *borrowed);
void borrowed_close(struct arena *arena, struct borrowed *borrowed);

#endif
