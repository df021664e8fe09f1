#ifndef CLI_IMPORTER_H
#define CLI_IMPORTER_H

#include "base/budget.h"
#include "cli/street.h"
#include "history/history.h"

/* What an importer found. Start from {0} with arena. */
struct imported {
    struct arena *arena; /* of records and marks */
    struct record *records;
    size_t count, capacity, max_count; /* max_count 0 = any number */
    struct history_mark *marks;        /* of files read whole */
    size_t mark_count, mark_capacity;
    size_t file_count; /* files read, and those that could not be */
    size_t unreadable_count;
    struct str empty_folder; /* below which the client has recorded nothing; in the run's arena */
    /* Takes what there is after each file; NULL = everything is gathered. Afterwards the lists are
     * empty and the arena is a new one. */
    void (*take)(struct imported *imported, void *context);
    void *context;
};

struct importer {
    const char *client; /* id of a block in rules/clients/, and its word behind history import */
    /* Reads records since since_ms (0 = all) that are news to the store (NULL = none is known),
     * as far as the budget goes. Never writes to what belongs to the client. */
    void (*read)(struct street *street, struct history *history, int64_t since_ms,
                 const struct budget *budget, struct imported *imported);
};

/* The importer of a client, or NULL. */
const struct importer *importer_find(struct str client);
/* All importers, in the order of importers.def. */
size_t importer_count(void);
const struct importer *importer_at(size_t index);

/* Adds one record; its texts live in imported->arena. */
void imported_add(struct imported *imported, const struct record *record);
/* As many records as were asked for are there. */
bool imported_is_full(const struct imported *imported);
/* A file was read; mark may be NULL. */
void imported_end_file(struct imported *imported, const struct history_mark *mark);

#endif
