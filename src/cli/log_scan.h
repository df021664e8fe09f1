#ifndef CLI_LOG_SCAN_H
#define CLI_LOG_SCAN_H

#include "cli/log_digest.h"
#include "cli/source.h"
#include "cli/street.h"

/* Reads one log to its end, behind what was read of it before; its name is what events name. Every
 * event goes to *digest in its order; with --format ndjson it is written at once, too. ERR_FILE
 * when the log cannot be read or the result not be written. */
enum err_code log_scan(struct street *street, const struct source *source,
                       struct log_digest *digest, struct err *err);

#endif
