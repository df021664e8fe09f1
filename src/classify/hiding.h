#ifndef CLASSIFY_HIDING_H
#define CLASSIFY_HIDING_H

#include "base/str.h"

/* Escapes of letters, controls, markup: whether text[at] begins one, or is one. Escapes of quotes,
 * slashes, line ends, of signs outside ASCII among their like, and pairs of surrogates hide
 * nothing, unless they are deep: literals have none of them, or are looked for in that form as
 * well. */
bool hiding_at(struct str text, size_t at);

/* Whether any byte of a text does. */
bool hiding_in(struct str text);

#endif
