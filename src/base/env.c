/* Reading of struct env, and the one that stands for the real process. */
#include "base/env.h"

#include <errno.h>
#include <string.h>
#include <time.h>

struct str env_get(const struct env *env, const char *name)
{
    size_t length = strlen(name);
    for (char **v = env->variables; v && *v; v++) {
        if (**v == *name && strncmp(*v, name, length) == 0 && (*v)[length] == '=') {
            return str_from(*v + length + 1);
        }
    }
    return (struct str){NULL, 0};
}

static int64_t read_clock(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t wall_ms(void *clock)
{
    (void)clock;
    return read_clock(CLOCK_REALTIME);
}

static int64_t monotonic_ms(void *clock)
{
    (void)clock;
    return read_clock(CLOCK_MONOTONIC);
}

static int64_t utc_offset_s(void *clock, int64_t wall_ms)
{
    (void)clock;
    time_t seconds = (time_t)(wall_ms / 1000);
    struct tm local;
    return localtime_r(&seconds, &local) ? local.tm_gmtoff : 0;
}

static void pause_ms(void *clock, int64_t duration_ms)
{
    (void)clock;
    struct timespec rest = {.tv_sec = (time_t)(duration_ms / 1000),
                            .tv_nsec = (long)(duration_ms % 1000) * 1000000};
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
    }
}

struct env env_of_process(char **variables)
{
    return (struct env){.variables = variables,
                        .wall_ms = wall_ms,
                        .monotonic_ms = monotonic_ms,
                        .utc_offset_s = utc_offset_s,
                        .pause_ms = pause_ms};
}

int64_t env_utc_offset_s(const struct env *env, int64_t wall_ms)
{
    return env->utc_offset_s ? env->utc_offset_s(env->clock, wall_ms) : 0;
}
