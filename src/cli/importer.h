#ifndef CLI_IMPORTER_H
#define CLI_IMPORTER_H

#include "cli/street.h"
#include "history/history.h"

/* What an importer found. */
struct imported {
    struct record *records;
    size_t count, capacity;
    struct history_mark *marks; /* of files read whole */
    size_t mark_count, mark_capacity;
    size_t file_count; /* files read, and those that could not be */
    size_t unreadable_count;
};

struct importer {
    const char *client; /* id of a block in rules/clients/, and its word behind history import */
    /* Reads records since since_ms (0 = all) that are news to the store (NULL = none is known),
     * until budget_ms is over (0 = no bound). Never writes to what belongs to the client. */
    void (*read)(struct street *street, struct history *history, int64_t since_ms,
                 int64_t budget_ms, struct imported *imported);
};

/* The importer of a client, or NULL. */
const struct importer *importer_find(struct str client);
size_t importer_count(void);
const struct importer *importer_at(size_t index);

/* Adds one record. */
void imported_add(struct arena *arena, struct imported *imported, const struct record *record);

#endif
