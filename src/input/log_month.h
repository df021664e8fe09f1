#ifndef INPUT_LOG_MONTH_H
#define INPUT_LOG_MONTH_H

#include "base/str.h"

/* The month, 1 to 12, whose short name the text begins with, in either case, and the length of the
 * name with the dot or sign behind it. 0 where it begins with none; *month means nothing then. */
size_t log_month_read(struct str text, int64_t *month);

#endif
