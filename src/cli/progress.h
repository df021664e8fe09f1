#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/cli.h"
#include "core/observation.h"

/* A line on standard error that says how far a probe is; only on a terminal and without --quiet. */
struct progress {
    struct cli *cli;
    bool is_shown;
};

struct progress progress_start(struct cli *cli);
/* Of type probe_progress; context is a struct progress. */
void progress_show(void *context, size_t done, size_t total, const struct observation *observation);
/* Erases the line. */
void progress_end(struct progress *progress);

#endif
