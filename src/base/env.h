#ifndef BASE_ENV_H
#define BASE_ENV_H

#include "base/str.h"

/* What the rooms may know of the world around them; tests script it. Nothing else reads variables
 * or clocks. */
struct env {
    char **variables;                     /* "NAME=value", NULL at the end; borrowed */
    int64_t (*wall_ms)(void *clock);      /* milliseconds since 1970, UTC */
    int64_t (*monotonic_ms)(void *clock); /* milliseconds from any start, never going back */
    /* Seconds by which the user's wall clock is ahead of UTC at that moment; NULL = none ever. */
    int64_t (*utc_offset_s)(void *clock, int64_t wall_ms);
    /* Lets so much time go by; NULL = none goes by. */
    void (*pause_ms)(void *clock, int64_t duration_ms);
    void *clock; /* handed to all of these */
};

/* The process's own variables and clocks; lives as long as `variables` does. */
struct env env_of_process(char **variables);

/* Value of a variable; unset (ptr NULL) when it is not there, empty when it is set to nothing. */
struct str env_get(const struct env *env, const char *name);

/* The offset at that moment by env's clock. */
int64_t env_utc_offset_s(const struct env *env, int64_t wall_ms);

#endif
