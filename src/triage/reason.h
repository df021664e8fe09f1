#ifndef TRIAGE_REASON_H
#define TRIAGE_REASON_H

#include "core/finding.h"

/* The sentence of the rule that decided, where it says more than `meaning`, which is shown behind
 * it; unset where it does not, or is not in the language. */
struct str reason_beyond(const struct finding *finding, struct str meaning, enum lang lang);

#endif
