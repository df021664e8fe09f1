#ifndef INPUT_LOG_SUBJECT_H
#define INPUT_LOG_SUBJECT_H

#include "base/arena.h"

/* What an entry of a log says of the call that it is about; unset where it does not say. Names are
 * at most 64 bytes of letters, digits and the signs of model names; they borrow from the entry. */

/* Behind "model": in JSON, a Python repr or a pair model=. */
struct str log_subject_model(struct str entry);
/* The same for "provider". */
struct str log_subject_provider(struct str entry);
/* Host of the first URL that is not of this machine. */
struct str log_subject_host(struct str entry);

#endif
