#ifndef CLI_SINCE_LAST_H
#define CLI_SINCE_LAST_H

#include "cli/street.h"

/* Compares what verify found with the last verify of the same settings in the history, and sets
 * the report's changes. results have truths and are judged. A store that cannot be used costs a
 * remark. */
void since_last(struct street *street, const struct result *results, size_t count);

#endif
