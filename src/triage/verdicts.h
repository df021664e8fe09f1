#ifndef TRIAGE_VERDICTS_H
#define TRIAGE_VERDICTS_H

#include "triage/trouble.h"

/* Makes the verdicts of a run out of its troubles: quick-reference rows where their conditions
 * hold, one plain verdict for every other trouble, most urgent first. now_ms is the wall clock at
 * the end of the run. Everything lives in the arena. */
void verdicts_make(struct arena *arena, const struct triage_input *input,
                   const struct troubles *troubles, int64_t now_ms, struct report *report);

/* How a report calls a result: its model where that is clear among all results, else the target's
 * name, else the place of the pasted text. Fit to be shown. */
struct str verdicts_name(struct arena *arena, enum lang lang, const struct result *results,
                         size_t count, const struct result *result);

#endif
