#ifndef RULES_PATTERN_H
#define RULES_PATTERN_H

#include "base/str.h"

/* What the text of a pattern shows about its cost, without compiling it. */
struct pattern_cost {
    bool has_nested_quantifier; /* an unbounded repetition inside a repeated group: (a+)+ */
    unsigned wide_gaps;         /* unbounded runs of nearly any character, of the worst alternative:
                                   .* .+ [^x]* \S+ */
};

struct pattern_cost pattern_scan(struct str pattern);

#endif
