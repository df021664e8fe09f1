#ifndef CLI_ACTION_H
#define CLI_ACTION_H

#include "cli/cli.h"

/* One word behind a command that has several: history show, rules test. */
struct action {
    const char *name, *synopsis; /* its operands, "" = none */
    size_t operands_min, operands_max;
    /* context is the command's own; the operands are those behind the word. */
    int (*run)(void *context, const struct str *operands, size_t count);
};

/* The action that the first operand names, the first of the table when there is none. NULL for
 * another word or a wrong number of operands, after saying so: the exit code is EXIT_USAGE. */
const struct action *action_find(struct cli *cli, const struct action *actions, size_t count);

/* Runs it on the operands behind its word. */
int action_run(const struct action *action, void *context, const struct cli *cli);

#endif
