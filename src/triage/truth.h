#ifndef TRIAGE_TRUTH_H
#define TRIAGE_TRUTH_H

#include "core/verdict.h"

/* What became of a configured model between the file and the answer. Of a chain of values the one
 * that is asked is what the reader of the settings says (target.asked), else the weakest one of a
 * file: what stands over it are layers and variables. Nothing is copied. */
struct truth truth_of(const struct result *result);

/* The model that answered is the one that was asked: the same name, whatever provider's prefix
 * stands before it, or one of the two with a date or "latest" behind it. */
bool truth_is_same_model(struct str asked, struct str answered);

#endif
