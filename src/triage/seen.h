#ifndef TRIAGE_SEEN_H
#define TRIAGE_SEEN_H

#include "triage/trouble.h"

/* What a trouble was seen by, in one line: 'HTTP 503, error.code "server_is_overloaded"', the line
 * of the file for a config problem, the places for merged ones. Fit to be shown. */
struct str seen_text(struct arena *arena, enum lang lang, const struct trouble *trouble);

/* The same of one finding alone. */
struct str seen_of_finding(struct arena *arena, enum lang lang, const struct finding *finding);

/* The place in the user's files, "file:line:col", or unset. */
struct str seen_origin(struct arena *arena, const struct finding *finding);

#endif
