#ifndef CLASSIFY_WAIT_H
#define CLASSIFY_WAIT_H

#include "base/str.h"

/* Reads a time to wait out of words: "1.5s", "20 seconds", "350ms", "1m30s", "6h0m", "34.07s", "2
 * minutes", "30秒". A bare number counts as seconds. Milliseconds, or -1. */
int64_t wait_parse(struct str text);

#endif
