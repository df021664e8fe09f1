#ifndef RULES_SAMPLE_CLASS_H
#define RULES_SAMPLE_CLASS_H

#include "base/str.h"

/* Each stands at its first byte, steps *at behind it, and gives a character for it: borrowed from
 * the pattern or constant, empty where it stands for none. Private to sample.c. */
struct str sample_class(struct str pattern, size_t *at, uint32_t random);  /* [...] */
struct str sample_escape(struct str pattern, size_t *at, uint32_t random); /* \d \. \b ... */

#endif
