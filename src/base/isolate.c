/* A network namespace with loopback only. As root at once; for others through a user namespace in
 * which they keep their own ids. Whether all steps work is tried in a process that ends, since a
 * half-made network would be worse than none. */
#include "base/isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static bool write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool is_written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0) {
        close(fd);
    }
    return is_written;
}

static bool map_own_ids(unsigned uid, unsigned gid)
{
    char users[64], groups[64];
    snprintf(users, sizeof users, "%u %u 1", uid, uid);
    snprintf(groups, sizeof groups, "%u %u 1", gid, gid);
    return write_text("/proc/self/setgroups", "deny") && write_text("/proc/self/uid_map", users) &&
           write_text("/proc/self/gid_map", groups);
}

static bool raise_loopback(void)
{
    struct ifreq request = {.ifr_name = "lo"};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool is_up = fd >= 0 && ioctl(fd, SIOCGIFFLAGS, &request) == 0;
    if (is_up) {
        request.ifr_flags = (short)(request.ifr_flags | IFF_UP | IFF_RUNNING);
        is_up = ioctl(fd, SIOCSIFFLAGS, &request) == 0;
    }
    if (fd >= 0) {
        close(fd);
    }
    return is_up;
}

static bool enter(void)
{
    unsigned uid = getuid(), gid = getgid();
    bool is_inside = unshare(CLONE_NEWNET) == 0 ||
                     (unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0 && map_own_ids(uid, gid));
    return is_inside && raise_loopback();
}

bool isolate_network(void)
{
    pid_t trial = fork();
    if (trial == 0) {
        _exit(enter() ? 0 : 1);
    }
    int status = 1;
    pid_t ended = -1;
    while (trial > 0 && (ended = waitpid(trial, &status, 0)) < 0 && errno == EINTR) {
    }
    return ended == trial && WIFEXITED(status) && WEXITSTATUS(status) == 0 && enter();
}
