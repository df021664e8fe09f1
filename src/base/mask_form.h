#ifndef BASE_MASK_FORM_H
#define BASE_MASK_FORM_H

#include "base/mask.h"

#define MASK_FORM_BYTES_MAX 1024u /* of a longer secret the beginning */
#define MASK_BASE64_BYTES ((MASK_FORM_BYTES_MAX + 4) * 2)
#define MASK_FORMS_MAX 6

/* The letters of base64 that the value alone decides when `offset` (0 to 2) other bytes stand
 * before it, in text, which has room for MASK_BASE64_BYTES; value: at most MASK_FORM_BYTES_MAX. */
struct str mask_base64(char *text, struct str value, size_t offset);

/* The secret as base64 makes it of a header or a body that holds it, wherever it stands there and
 * in both alphabets: secrets with its fingerprint, in the arena. Gives their number, 0 where it is
 * too short to be told from words. */
size_t mask_forms(struct arena *arena, const struct secret *secret,
                  struct secret forms[MASK_FORMS_MAX]);

#endif
