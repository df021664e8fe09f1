#ifndef CLI_ACTION_H
#define CLI_ACTION_H

#include "cli/cli.h"

/* One word behind a command that has several: history show, history clear. */
struct action {
    const char *name, *synopsis; /* its operands, "" = none */
    size_t operands_min, operands_max;
    int (*run)(struct cli *cli, const struct str *operands, size_t count);
};

/* Runs the action that the first operand names, the first of the table when there is none. Another
 * word or a wrong number of operands is a usage error. */
int action_run(struct cli *cli, const struct action *actions, size_t count);

#endif
