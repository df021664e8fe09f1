#ifndef CLI_NDJSON_H
#define CLI_NDJSON_H

#include "cli/street.h"

/* Judges the lines of the named files ("-" = standard input) one by one; each answer is written at
 * once. Gives the exit code. */
int ndjson_run(struct street *street, const struct str *names, size_t count);

#endif
