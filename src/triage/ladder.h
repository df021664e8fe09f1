#ifndef TRIAGE_LADDER_H
#define TRIAGE_LADDER_H

#include "core/verdict.h"

/* Fills result->ladder and result->status from its observation, its finding and the findings about
 * its config. Details live in the arena. */
void ladder_fill(struct arena *arena, enum lang lang, struct result *result);

/* A finding about config that concerns the key and not the settings around it. */
bool ladder_is_key_finding(const struct finding *finding);

#endif
