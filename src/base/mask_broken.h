#ifndef BASE_MASK_BROKEN_H
#define BASE_MASK_BROKEN_H

#include "base/mask.h"

#define MASK_KEY_MIN 12 /* shortest tail that counts as a key behind a known prefix */

/* The word of `run` bytes at s[at] and the one in the next line are a key together: bytes of both
 * and what stands between, 0 = they are none. */
size_t mask_broken_word(const struct mask *mask, struct str s, size_t at, size_t run);

/* Bytes of a key of `used` bytes at s[at] with the lines behind it that can only be its rest. */
size_t mask_with_rest(struct str s, size_t at, size_t used);

#endif
