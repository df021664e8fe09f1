#ifndef CLI_LOG_MERGE_H
#define CLI_LOG_MERGE_H

#include "cli/street.h"

/* Adds up the aggregates of results of classify --json, of whole documents or of aggregates alone,
 * and shows the sum. Gives the exit code. */
int log_merge_run(struct street *street, const struct str *names, size_t count);

#endif
