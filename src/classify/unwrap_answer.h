#ifndef CLASSIFY_UNWRAP_ANSWER_H
#define CLASSIFY_UNWRAP_ANSWER_H

#include "classify/lift.h"
#include "classify/parts.h"

/* True when a member of a table is what a model wrote. part is the kind of its key; in_error: the
 * table stands inside an error, where such keys mean something else. */
bool answer_is_part(const struct loose *table, const struct loose *child, enum part part,
                    bool in_error);

/* Adds a reason to stop to error.reason where it is a failure; notes that the answer ended. */
void answer_lift_finish(struct lift *lift, const struct loose *value);
/* The same for every reason to stop inside what a model wrote. */
void answer_lift_finishes(struct lift *lift, const struct loose *node);
/* A reason to stop that is surely no failure: the model had said all, reached a length, or called a
 * tool. For reasons that stand anywhere in a value, not only where an answer ends. */
bool answer_is_plain_finish(struct str reason);

/* A JSON answer that is no stream ends where it ends, unless it says that more will come. */
bool answer_is_finished(const struct loose *root);

#endif
