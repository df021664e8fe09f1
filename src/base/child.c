/* Running a program under supervision. Takes what to run and how long, gives how it ended and the
 * end of what it printed. Reads its outputs as fast as it writes them and keeps a bounded rest. */
#include "base/child.h"

#include "base/descendants.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK_MS 250
#define GRACE_MS 1000 /* between SIGTERM and SIGKILL */
#define BLOCK_BYTES 65536

/* The last bytes of a stream. */
struct tail {
    int fd; /* -1 when it has ended */
    char *bytes;
    size_t max, at; /* next byte goes to bytes[at] */
    uint64_t total;
};

/* One run. */
struct run {
    const struct child_spec *spec;
    const struct env *env;
    struct interrupt *interrupt;
    struct child_result *result;
    struct tail tails[2];
    int pipes[2][2];
    pid_t pid;
    int64_t begun_ms, kill_at_ms; /* kill_at_ms: 0 = nobody asked it to end yet */
    bool is_over;
};

static int64_t now_ms(const struct run *run)
{
    return run->env->monotonic_ms(run->env->clock);
}

static void tail_add(struct tail *tail, const char *bytes, size_t count)
{
    tail->total += count;
    if (count > tail->max) {
        bytes += count - tail->max;
        count = tail->max;
    }
    size_t first = tail->max - tail->at < count ? tail->max - tail->at : count;
    memcpy(tail->bytes + tail->at, bytes, first);
    memcpy(tail->bytes, bytes + first, count - first);
    tail->at = (tail->at + count) % tail->max;
}

static struct str tail_text(struct arena *arena, const struct tail *tail)
{
    if (tail->total <= tail->max) {
        return (struct str){tail->bytes, (size_t)tail->total};
    }
    return arena_printf(arena, "%.*s%.*s", (int)(tail->max - tail->at), tail->bytes + tail->at,
                        (int)tail->at, tail->bytes);
}

/* Reads what is there, one block at most, so that endless output does not hold up the clock. */
static void tail_read(struct tail *tail)
{
    char block[BLOCK_BYTES];
    ssize_t got = read(tail->fd, block, sizeof block);
    if (got > 0) {
        tail_add(tail, block, (size_t)got);
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        tail->fd = -1;
    }
}

static int spawn(struct run *run, posix_spawnattr_t *attributes, posix_spawn_file_actions_t *files)
{
    const struct child_spec *spec = run->spec;
    sigset_t all;
    sigfillset(&all);
    int failure = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    failure = failure ? failure : posix_spawnattr_setpgroup(attributes, 0);
    failure = failure ? failure : posix_spawnattr_setsigmask(attributes, &run->interrupt->previous);
    failure = failure ? failure : posix_spawnattr_setsigdefault(attributes, &all);
    failure = failure
                  ? failure
                  : posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    failure = failure ? failure
                      : posix_spawn_file_actions_adddup2(files, run->pipes[0][1], STDOUT_FILENO);
    failure = failure ? failure
                      : posix_spawn_file_actions_adddup2(files, run->pipes[1][1], STDERR_FILENO);
    if (!failure && spec->directory) {
        failure = posix_spawn_file_actions_addchdir_np(files, spec->directory);
    }
    return failure ? failure
                   : posix_spawn(&run->pid, spec->path, files, attributes,
                                 (char *const *)(uintptr_t)spec->argv, spec->variables);
}

/* Gives 0, or the errno of what refused. */
static int start(struct run *run)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int failure = posix_spawnattr_init(&attributes);
    if (failure) {
        return failure;
    }
    failure = posix_spawn_file_actions_init(&files);
    if (!failure) {
        failure = spawn(run, &attributes, &files);
        posix_spawn_file_actions_destroy(&files);
    }
    posix_spawnattr_destroy(&attributes);
    return failure;
}

/* Takes note of processes that have ended; others than ours are orphans that were handed to us. */
static void look_for_end(struct run *run)
{
    int status = 0;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
        if (ended == run->pid) {
            run->is_over = true;
            run->result->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
            run->result->signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        }
    }
}

/* Asks it to end when its time is over, and makes it end when it does not. */
static void press(struct run *run)
{
    int64_t now = now_ms(run);
    bool is_late = now - run->begun_ms >= run->spec->timeout_ms;
    bool is_asked = interrupt_check(run->interrupt);
    if (run->kill_at_ms == 0 && (is_late || is_asked)) {
        run->result->is_cut = !is_asked;
        run->result->is_interrupted = is_asked;
        run->kill_at_ms = now + GRACE_MS;
        kill(-run->pid, SIGTERM);
    } else if (run->kill_at_ms && now >= run->kill_at_ms) {
        kill(-run->pid, SIGKILL);
        kill(run->pid, SIGKILL); /* it may have left its group */
    }
}

static void supervise(struct run *run)
{
    int64_t next_tick_ms = run->begun_ms;
    while (!run->is_over) {
        struct pollfd watched[] = {{.fd = run->tails[0].fd, .events = POLLIN},
                                   {.fd = run->tails[1].fd, .events = POLLIN},
                                   {.fd = run->interrupt->fd, .events = POLLIN}};
        int64_t left_ms = run->begun_ms + run->spec->timeout_ms - now_ms(run);
        int wait_ms = left_ms > 0 && left_ms < TICK_MS ? (int)left_ms : TICK_MS;
        poll(watched, 3, run->kill_at_ms ? TICK_MS / 5 : wait_ms);
        for (size_t i = 0; i < 2; i++) {
            if (watched[i].revents) {
                tail_read(&run->tails[i]);
            }
        }
        press(run);
        look_for_end(run);
        if (run->spec->tick && now_ms(run) >= next_tick_ms) {
            run->spec->tick(run->spec->context, now_ms(run) - run->begun_ms);
            next_tick_ms = now_ms(run) + TICK_MS;
        }
    }
}

/* What is still in a pipe, now that nobody writes to it any more. */
static void drain(struct tail *tail)
{
    uint64_t before;
    do {
        before = tail->total;
        if (tail->fd >= 0) {
            tail_read(tail);
        }
    } while (tail->total != before);
}

static bool open_pipes(struct arena *arena, struct run *run)
{
    size_t max = run->spec->output_bytes_max;
    for (size_t i = 0; i < 2; i++) {
        if (pipe2(run->pipes[i], O_CLOEXEC) != 0) {
            run->result->os_errno = errno;
            return false;
        }
        int flags = fcntl(run->pipes[i][0], F_GETFL);
        if (flags < 0 || fcntl(run->pipes[i][0], F_SETFL, flags | O_NONBLOCK) != 0) {
            run->result->os_errno = errno;
            return false;
        }
        run->tails[i] = (struct tail){
            .fd = run->pipes[i][0], .bytes = ARENA_ARRAY(arena, max + 1, char), .max = max};
    }
    return true;
}

static void close_end(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

void child_run(struct arena *arena, const struct env *env, struct interrupt *interrupt,
               const struct child_spec *spec, struct child_result *result)
{
    struct run run = {.spec = spec,
                      .env = env,
                      .interrupt = interrupt,
                      .result = result,
                      .pipes = {{-1, -1}, {-1, -1}},
                      .begun_ms = env->monotonic_ms(env->clock)};
    *result = (struct child_result){.exit_code = -1};
    descendants_adopt(true);
    if (open_pipes(arena, &run)) {
        result->os_errno = start(&run);
        result->is_started = result->os_errno == 0;
        close_end(&run.pipes[0][1]);
        close_end(&run.pipes[1][1]);
    }
    if (result->is_started) {
        supervise(&run);
        result->left_over = descendants_end(env, run.pid);
        result->duration_ms = now_ms(&run) - run.begun_ms;
        drain(&run.tails[0]);
        drain(&run.tails[1]);
        result->out = tail_text(arena, &run.tails[0]);
        result->errors = tail_text(arena, &run.tails[1]);
        result->out_bytes = run.tails[0].total;
        result->errors_bytes = run.tails[1].total;
    }
    descendants_adopt(false);
    for (size_t i = 0; i < 2; i++) {
        close_end(&run.pipes[i][0]);
        close_end(&run.pipes[i][1]);
    }
}
