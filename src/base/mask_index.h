#ifndef BASE_MASK_INDEX_H
#define BASE_MASK_INDEX_H

#include "base/mask.h"

/* What a mask hides, laid out for many texts: the places where it may begin, and the secrets in
 * order, so that a text is searched for thousands as fast as for one. */
struct mask_index;
struct mask_begin;

/* An index of a mask's secrets, prefixes and shapes, which it borrows. */
const struct mask_index *mask_index_create(struct arena *arena, const struct mask *mask);
/* The index of a mask; NULL where it has none of what it hides now: a copy may have got others. */
const struct mask_index *mask_index_of(const struct mask *mask);
const struct mask_begin *mask_index_begin(const struct mask_index *index);
/* Bytes of s[at] on that read as the first listed secret that stands there, be it escaped; its
 * number to *which. 0 = none does. Secrets shorter than least_bytes do not count. */
size_t mask_index_find(const struct mask_index *index, struct str s, size_t at, size_t least_bytes,
                       size_t *which);
/* Is that very value among the secrets? */
bool mask_index_holds(const struct mask_index *index, struct str value);

#endif
