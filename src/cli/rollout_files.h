#ifndef CLI_ROLLOUT_FILES_H
#define CLI_ROLLOUT_FILES_H

#include "base/arena.h"
#include "base/budget.h"

/* A rollout of a session of Codex, and how far it has grown. */
struct rollout_file {
    struct str path;
    int64_t bytes, changed_ms;
};

struct rollout_files {
    struct rollout_file *items;
    size_t count, capacity;
};

/* Adds the plain files FOLDER/YYYY/MM/DD/rollout-*.jsonl that changed at since_ms or later, at most
 * 50,000; those last changed come first. Folders are looked into from the newest on, so that a
 * spent budget costs the oldest. No link below the folder is followed. */
void rollout_files_find(struct arena *arena, struct str folder, int64_t since_ms,
                        const struct budget *budget, struct rollout_files *files);

/* "UUID" of "rollout-2026-11-29T13-00-00-UUID.jsonl", or the name itself. */
struct str rollout_session(struct str path);

#endif
