#ifndef TRIAGE_NAMES_H
#define TRIAGE_NAMES_H

#include "triage/triage.h"

/* How a report calls a result: its model where that is clear among all results, else the target's
 * name, else the place of the pasted text. Fit to be shown. */
struct str names_one(struct arena *arena, enum lang lang, const struct result *results,
                     size_t count, const struct result *result);

/* The same at most `columns` wide: a longer one keeps its ends, and where others would be cut to
 * the same text, the place where it differs. */
struct str names_fit(struct arena *arena, enum lang lang, const struct result *results,
                     size_t count, const struct result *result, size_t columns);

/* The title of a verdict: its targets and what is said of them. is_group: the words are about all
 * of them together and not about each. */
struct str names_title(struct arena *arena, const struct triage_input *input,
                       const struct verdict *verdict, struct str said, bool is_group);

#endif
