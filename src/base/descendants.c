/* Ending all that a program has started. Linux hands orphans to the nearest ancestor that asked for
 * them, so nothing gets out of reach by leaving its group, its session or its parent. */
#include "base/descendants.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define END_MS 2000
#define ROUND_MS 2

void descendants_adopt(bool is_adopting)
{
    prctl(PR_SET_CHILD_SUBREAPER, is_adopting ? 1UL : 0UL, 0UL, 0UL, 0UL);
}

/* Parent and state of a process; 0 when it is gone. The name in /proc/PID/stat may hold anything,
 * so what follows is read behind the last parenthesis. */
static pid_t parent_of(const char *pid, char *state)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) {
        close(fd);
    }
    text[length < 0 ? 0 : length] = '\0';
    const char *end = strrchr(text, ')');
    int parent = 0;
    return end && sscanf(end, ") %c %d", state, &parent) == 2 ? parent : 0;
}

/* Sends SIGKILL to every child of ours that runs. Gives their number. */
static size_t kill_children(pid_t pid)
{
    DIR *processes = opendir("/proc");
    size_t count = 0;
    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        char state = 0;
        int64_t child = 0;
        if (!isdigit((unsigned char)entry->d_name[0]) ||
            parent_of(entry->d_name, &state) != getpid() ||
            !str_to_i64(str_from(entry->d_name), &child)) {
            continue;
        }
        bool is_running = state != 'Z' && state != 'X';
        kill((pid_t)child, SIGKILL);
        count += is_running && child != pid;
    }
    if (processes) {
        closedir(processes);
    }
    return count;
}

/* Reaps what has ended. False when no child is left. */
static bool reap(void)
{
    pid_t ended;
    do {
        ended = waitpid(-1, NULL, WNOHANG);
    } while (ended > 0 || (ended < 0 && errno == EINTR));
    return ended == 0;
}

size_t descendants_end(const struct env *env, pid_t pid)
{
    int64_t deadline_ms = env->monotonic_ms(env->clock) + END_MS;
    size_t first = 0, count = 0;
    kill(-pid, SIGKILL);
    for (bool is_first = true; reap(); is_first = false) {
        count = kill_children(pid);
        first = is_first ? count : first;
        if (env->monotonic_ms(env->clock) > deadline_ms) {
            break;
        }
        poll(NULL, 0, ROUND_MS);
    }
    return first > count ? first : count;
}
