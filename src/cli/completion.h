#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/cli.h"

/* A shell that completion scripts are made for. */
struct completion_shell {
    const char *name;
    void (*write)(struct buf *out);
};

/* All shells, in the order in which they are told. */
size_t completion_shell_count(void);
const struct completion_shell *completion_shell_at(size_t i);

#endif
