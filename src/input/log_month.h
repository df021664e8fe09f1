#ifndef INPUT_LOG_MONTH_H
#define INPUT_LOG_MONTH_H

#include "base/str.h"

/* The month, 1 to 12, whose short name the text begins with, and the length of that; 0 for none. */
size_t log_month_read(struct str text, int64_t *month);

#endif
