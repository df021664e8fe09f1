#ifndef BASE_MASK_INDEX_H
#define BASE_MASK_INDEX_H

#include "base/mask.h"

/* The secrets of a mask in order, so that a text is searched for thousands as fast as for one. */
struct mask_index;

/* An index of secrets[0..count), which it borrows. */
const struct mask_index *mask_index_create(struct arena *arena, const struct secret *secrets,
                                           size_t count);
/* Is it of those secrets? A mask that was copied may have got others. */
bool mask_index_is_of(const struct mask_index *index, const struct secret *secrets, size_t count);
/* Bytes of s[at] on that read as the first listed secret that stands there, be it escaped; its
 * number to *which. 0 = none does. Secrets shorter than least_bytes do not count. */
size_t mask_index_find(const struct mask_index *index, struct str s, size_t at, size_t least_bytes,
                       size_t *which);
/* Is that very value among the secrets? */
bool mask_index_holds(const struct mask_index *index, struct str value);
/* Of each byte whether a secret begins with it: UCHAR_MAX + 1 claims that live as the index does.
 */
const bool *mask_index_begins(const struct mask_index *index);

#endif
