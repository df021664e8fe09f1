#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include "base/arena.h"
#include "base/env.h"
#include "base/interrupt.h"

/* A program that is run under supervision: it may do what it likes, but not for longer than it is
 * given, not with more memory of ours than a bound, and nothing that it started outlives the run.
 * No shell is involved. */
struct child_spec {
    const char *path;        /* of the program */
    const char *const *argv; /* NULL at the end */
    char *const *variables;  /* its whole environment */
    const char *directory;   /* to run in; NULL = here */
    int64_t timeout_ms;
    size_t output_bytes_max; /* kept of the end of each of its two outputs */
    void (*tick)(void *context, int64_t elapsed_ms); /* now and then while it runs; may be NULL */
    void *context;
};

struct child_result {
    bool is_started, is_cut, is_interrupted;
    int os_errno;      /* why it was not started */
    int exit_code;     /* -1 when a signal ended it */
    int signal_number; /* that ended it, or 0 */
    size_t left_over;  /* processes that it left running, and that were ended */
    int64_t duration_ms;
    struct str out, errors;           /* the end of each; may begin in the middle of a line */
    uint64_t out_bytes, errors_bytes; /* all that it printed */
};

/* Runs it with nothing on its standard input, until it ends, the time is over or the interrupt
 * asks; then ends what is left of its process group and of its descendants, by process id. */
void child_run(struct arena *arena, const struct env *env, struct interrupt *interrupt,
               const struct child_spec *spec, struct child_result *result);

#endif
