#ifndef INPUT_LOG_MOMENT_H
#define INPUT_LOG_MOMENT_H

#include "base/str.h"

/* A moment as logs write it. */
struct log_moment {
    int64_t ms; /* since 1970; -1 for a clock without a date */
    size_t end; /* offset behind it */
};

/* Reads the moment that begins at text[at], or gives false. now_ms: see log_front_read. */
bool log_moment_read(struct str text, size_t at, int64_t now_ms, struct log_moment *moment);

/* Reads a number of seconds, milliseconds, micro- or nanoseconds since 1970, told apart by their
 * size: "1764421200.123". Milliseconds, or -1. */
int64_t log_moment_from_number(struct str number);

#endif
