/* Asking another program something. Takes its arguments, gives what it printed; bounded in time and
 * size, since it is not ours. */
#include "base/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int64_t now_ms(const struct env *env)
{
    return env->monotonic_ms(env->clock);
}

/* The path from the root; NULL when the working directory cannot be told. */
static const char *from_root(struct arena *arena, const char *path)
{
    char *here = *path == '/' ? NULL : getcwd(NULL, 0);
    const char *whole = here ? arena_printf(arena, "%s/%s", here, path).ptr : NULL;
    free(here);
    return *path == '/' ? path : whole;
}

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

const char *program_find(struct arena *arena, const struct env *env, struct str name)
{
    struct str rest = env_get(env, "PATH"), directory;
    if (str_find_char(name, '/') >= 0) {
        const char *path = arena_cstr(arena, name);
        return is_program(path) ? from_root(arena, path) : NULL;
    }
    while (name.len && str_split(&rest, ':', &directory)) {
        struct str path = arena_printf(arena, "%.*s/%.*s", STR_ARG(directory), STR_ARG(name));
        if (str_starts(directory, STR("/")) && is_program(path.ptr)) {
            return path.ptr;
        }
    }
    return NULL;
}

static bool start(const char *path, char **variables, const char *const *argv, int out[2],
                  pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    bool is_started = false;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return false;
    }
    if (posix_spawnattr_init(&attributes) == 0) {
        /* A group of its own, so that what it starts can be ended with it. */
        is_started = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP) == 0 &&
                     posix_spawnattr_setpgroup(&attributes, 0) == 0 &&
                     posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY,
                                                      0) == 0 &&
                     posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO) == 0 &&
                     posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                                      O_WRONLY, 0) == 0 &&
                     posix_spawn(pid, path, &actions, &attributes, (char *const *)(uintptr_t)argv,
                                 variables) == 0;
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return is_started;
}

/* Reads up to the end or the bound. False when the time was over first. */
static bool read_until(const struct env *env, int fd, int64_t deadline_ms, char *bytes,
                       size_t max_bytes, size_t *length)
{
    for (;;) {
        int64_t left_ms = deadline_ms - now_ms(env);
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        int count = left_ms > 0 ? poll(&ready, 1, (int)left_ms) : 0;
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        char spare[512];
        bool is_full = *length == max_bytes;
        ssize_t got = read(fd, is_full ? spare : bytes + *length,
                           is_full ? sizeof spare : max_bytes - *length);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got == 0;
        }
        *length += is_full ? 0 : (size_t)got;
    }
}

/* True when it ended well before the deadline; ended by us otherwise. */
static bool wait_until(const struct env *env, pid_t pid, int64_t deadline_ms)
{
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(pid, &status, WNOHANG)) == 0 && now_ms(env) < deadline_ms) {
        poll(NULL, 0, 5);
    }
    if (ended == 0) {
        kill(-pid, SIGKILL);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
        return false;
    }
    return ended == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

struct str program_output(struct arena *arena, const struct env *env, const char *const *argv,
                          int64_t timeout_ms, size_t max_bytes)
{
    const struct str none = {NULL, 0};
    const char *path = program_find(arena, env, str_from(argv[0]));
    int64_t deadline_ms = now_ms(env) + timeout_ms;
    int out[2];
    pid_t pid = -1;
    if (!path || pipe2(out, O_CLOEXEC) != 0) {
        return none;
    }
    char *bytes = ARENA_ARRAY(arena, max_bytes + 1, char);
    size_t length = 0;
    bool is_started = start(path, env->variables, argv, out, &pid);
    close(out[1]);
    bool is_read = is_started && read_until(env, out[0], deadline_ms, bytes, max_bytes, &length);
    close(out[0]);
    bool is_fine = is_started && wait_until(env, pid, is_read ? deadline_ms : 0);
    return is_fine ? (struct str){bytes, length} : none;
}

void program_become(const struct env *env, const char *const *argv)
{
    signal(SIGPIPE, SIG_DFL); /* programs inherit what is ignored */
    signal(SIGXFSZ, SIG_DFL);
    execvpe(argv[0], (char *const *)(uintptr_t)argv, env->variables);
}
