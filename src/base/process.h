#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "base/arena.h"

/* A running program of this user's. */
struct process {
    int64_t pid;
    int64_t started_ms; /* wall clock; up to slack_ms later in truth */
    int64_t slack_ms;
};

/* Processes of this user in a directory like /proc that run one of the programs, by the name of the
 * file that was started or of the script that an interpreter runs. At most PROCESSES_MAX, in order
 * of their number. now_ms: the wall clock. Gives their number; *found lives in the arena. */
#define PROCESSES_MAX 64
size_t process_find(struct arena *arena, struct str directory, const struct str *programs,
                    size_t program_count, int64_t now_ms, struct process **found);

/* A variable of the process as it was when it started; unset when it is not there or cannot be
 * read. */
struct str process_variable(struct arena *arena, struct str directory, int64_t pid,
                            struct str name);
/* Its working directory, or unset. */
struct str process_directory(struct arena *arena, struct str directory, int64_t pid);

#endif
