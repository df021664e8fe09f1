/* Signals as something to look at in place of something that happens. Takes nothing, gives a
 * descriptor to poll; decides nothing. */
#include "base/interrupt.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static bool is_ignored(int signal_number)
{
    struct sigaction action;
    return sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

enum err_code interrupt_open(struct interrupt *interrupt, struct err *err)
{
    static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t taken;
    sigemptyset(&taken);
    sigaddset(&taken, SIGCHLD);
    for (size_t i = 0; i < sizeof asking / sizeof asking[0]; i++) {
        if (!is_ignored(asking[i])) {
            sigaddset(&taken, asking[i]);
        }
    }
    *interrupt = (struct interrupt){.fd = -1};
    if (sigprocmask(SIG_BLOCK, &taken, &interrupt->previous) != 0) {
        return err_set(err, ERR_SYSTEM, "cannot hold signals back: %s", strerror(errno));
    }
    interrupt->fd = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
    if (interrupt->fd < 0) {
        enum err_code code =
            err_set(err, ERR_SYSTEM, "cannot hold signals back: %s", strerror(errno));
        sigprocmask(SIG_SETMASK, &interrupt->previous, NULL);
        return code;
    }
    return ERR_OK;
}

bool interrupt_check(struct interrupt *interrupt)
{
    struct signalfd_siginfo came;
    while (interrupt->fd >= 0 && read(interrupt->fd, &came, sizeof came) == sizeof came) {
        if (came.ssi_signo != SIGCHLD && !interrupt->signal_number) {
            interrupt->signal_number = (int)came.ssi_signo;
        }
    }
    return interrupt->signal_number != 0;
}

void interrupt_close(struct interrupt *interrupt)
{
    if (interrupt->fd >= 0) {
        interrupt_check(interrupt);
        close(interrupt->fd);
        interrupt->fd = -1;
        sigprocmask(SIG_SETMASK, &interrupt->previous, NULL);
    }
}
