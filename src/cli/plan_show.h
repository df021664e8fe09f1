#ifndef CLI_PLAN_SHOW_H
#define CLI_PLAN_SHOW_H

#include "cli/street.h"

/* "7 requests, at most 112 output tokens", in the arena of the run. */
const char *plan_sentence(struct cli *cli, const struct plan *plan);

/* Writes what would be sent, to whom and with which keys, into cli->out. Gives the exit code. */
int plan_show(struct street *street, const struct plan *plan, const struct plan *key_proofs);

#endif
