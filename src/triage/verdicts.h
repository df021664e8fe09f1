#ifndef TRIAGE_VERDICTS_H
#define TRIAGE_VERDICTS_H

#include "triage/trouble.h"

/* Makes the verdicts of a run out of its troubles: quick-reference rows where their conditions
 * hold, one plain verdict for every other trouble, most urgent first. now_ms is the wall clock at
 * the end of the run. Everything lives in the arena. */
void verdicts_make(struct arena *arena, const struct triage_input *input,
                   const struct troubles *troubles, int64_t now_ms, struct report *report);

#endif
