#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include "base/err.h"

#include <signal.h>

/* While it is open, SIGINT, SIGTERM and SIGHUP end nothing: they are kept until somebody looks, so
 * that what was made for a time can be taken away first. SIGCHLD wakes whoever polls `fd`. Signals
 * that the process ignores stay ignored. Open it before threads start: they inherit the mask. */
struct interrupt {
    int fd;            /* readable when a signal is there */
    int signal_number; /* the first that asked us to end, or 0 */
    sigset_t previous; /* what was blocked before; for processes that are started meanwhile */
};

/* ERR_SYSTEM when the system has no descriptor for it; *interrupt is then closed. */
enum err_code interrupt_open(struct interrupt *interrupt, struct err *err);
/* Takes what has come, without waiting. True when one asked us to end. */
bool interrupt_check(struct interrupt *interrupt);
/* As before interrupt_open; what came meanwhile is forgotten, but for signal_number. */
void interrupt_close(struct interrupt *interrupt);

#endif
