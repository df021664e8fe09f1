#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "cli/cli.h"

struct cJSON;

/* For --explain: appends to cli->out how the finding came about. */
void explain_human(struct cli *cli, const struct finding *finding);
/* Adds the same to an object as its member "explain". */
void explain_json(struct cli *cli, const struct finding *finding, struct cJSON *item);

#endif
