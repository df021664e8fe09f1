#ifndef CLASSIFY_MATCH_H
#define CLASSIFY_MATCH_H

#include "core/finding.h"
#include "rules/rules.h"

/* The regex machinery: patterns of one rule table, compiled at first use, run within limits. */
struct matcher;

/* How one try ended. */
enum match_end { MATCH_NO, MATCH_YES, MATCH_LIMIT };

/* Where a pattern matched, and its named groups. */
struct match {
    size_t begin, end;
    const struct capture *captures;
    size_t capture_count;
};

/* Lives in arena, but matcher_close must be called before the arena is freed: PCRE2 has memory of
 * its own. When PCRE2 gets none, every try ends with MATCH_LIMIT. */
struct matcher *matcher_open(struct arena *arena, const struct rules *rules);
void matcher_close(struct matcher *matcher);

/* A new case begins: its budget of bytes to look at is full again. */
void matcher_begin_case(struct matcher *matcher);

/* Tries condition number `condition` of rule number `rule` on one value. Captures live in arena and
 * point into value. MATCH_LIMIT: a limit was hit, the budget is used up, or the pattern is broken.
 */
enum match_end matcher_try(struct matcher *matcher, struct arena *arena, size_t rule,
                           size_t condition, struct str value, struct match *match);

/* Compiles one pattern: unset when it is well, else what is wrong and where ("missing ) at offset
 * 12"), in arena. */
struct str matcher_compile_error(struct matcher *matcher, struct arena *arena, size_t rule,
                                 size_t condition);

#endif
