#ifndef INPUT_BOUND_H
#define INPUT_BOUND_H

#include "base/mask.h"
#include "core/observation.h"

#define BODY_BYTES_MAX ((size_t)64 * 1024)

/* text with every invalid byte of UTF-8 replaced by U+FFFD, NUL by a blank, a BOM at the front
 * dropped. UTF-16 with its mark in front is read as what it is. */
struct str text_repair(struct arena *arena, struct str text);

/* Bounds and masks what an observation holds: the body to BODY_BYTES_MAX (is_body_cut says so; of a
 * TEXT the end is kept, where errors stand, and origin.line is moved on), headers' values too. */
void observation_seal(struct arena *arena, const struct mask *mask,
                      struct observation *observation);

#endif
