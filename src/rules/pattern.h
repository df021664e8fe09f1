#ifndef RULES_PATTERN_H
#define RULES_PATTERN_H

#include "base/str.h"

/* What the text of a pattern shows about its cost, without compiling it. */
struct pattern_cost {
    bool has_nested_quantifier; /* an unbounded repetition inside a repeated group: (a+)+ */
    unsigned wide_gaps;         /* unbounded runs of nearly any character, of the worst alternative:
                                   .* .+ [^x]* \S+ */
};

/* Reads the text of a pattern, which need not compile. */
struct pattern_cost pattern_scan(struct str pattern);

/* How often the thing before it may stand. */
struct quantifier {
    int64_t least, most; /* most -1: without bound */
};
/* Steps *at over the quantifier that stands there; 1 and 1 when there is none. */
struct quantifier pattern_quantifier(struct str pattern, size_t *at);

#endif
