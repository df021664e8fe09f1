#ifndef REPORT_FINDING_TEXT_H
#define REPORT_FINDING_TEXT_H

#include "core/verdict.h"
#include "triage/fill.h"

/* What is wrong in a sentence or two: the config's own words, the rule's, or the diagnosis'. */
struct str finding_message(struct arena *arena, const struct fill *fill);
/* What is said of whoever has it, "is at capacity", without a placeholder in it. */
struct str finding_said(struct arena *arena, const struct fill *fill);

#endif
