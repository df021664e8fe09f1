#ifndef CLASSIFY_PROOF_H
#define CLASSIFY_PROOF_H

#include "classify/evidence.h"
#include "classify/match.h"

/* What the conditions of one rule found: start from {0}. Private to src/classify. */
struct proof {
    struct str field, value; /* of the first condition that matched: it is cited */
    struct match match;
    struct capture *captures;
    size_t capture_count, capture_capacity;
};

/* Notes that a field's value matched. value is borrowed. */
void proof_keep(struct arena *arena, struct proof *proof, struct str field, struct str value,
                const struct match *match);

/* Writes into the finding what a rule that matched says, with copies of evidence and captures in
 * arena, and the wait. */
void proof_fill_finding(struct arena *arena, const struct evidence *evidence,
                        const struct rule *rule, const struct proof *proof,
                        struct finding *finding);

#endif
