#ifndef TRIAGE_WHY_H
#define TRIAGE_WHY_H

#include "triage/fill.h"
#include "triage/trouble.h"

/* The paragraph under a title: the meaning, then what this run shows about it: how far it reaches,
 * what the key proof said, whether the key or the clock looks wrong, and who answers instead. Fit
 * to be shown. now_ms is the wall clock at the end of the run. */
struct str why_text(struct arena *arena, const struct triage_input *input, const struct fill *fill,
                    const struct trouble *trouble, const struct phrase *meaning, int64_t now_ms);

#endif
