#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include "base/str.h"

#define DIGEST_DIGITS_MAX 64

/* The first `digits` (an even number up to DIGEST_DIGITS_MAX) hex digits of the SHA-256 of the
 * bytes, and a NUL behind them. */
void digest_hex(struct str bytes, char *out, size_t digits);

#endif
