#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "cli/cli.h"

struct cJSON;

/* For --explain: appends to cli->out how the finding came about. */
void explain_human(struct cli *cli, const struct finding *finding);
/* The same as an object, for the member "explain". */
struct cJSON *explain_json(struct cli *cli, const struct finding *finding);

#endif
