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

/* A new case begins: its budget is full again. A case is charged for each try with the bytes
 * of the value and a little more, and for one that hit a limit with 4 MiB, of 512 MiB in all. In
 * entries of logs limits are lower: a pattern that is slow in one is so in the next. */
void matcher_begin_case(struct matcher *matcher, bool is_log);
/* How many tries of this case came to the regex machine, for tests of the budget. */
size_t matcher_tries(const struct matcher *matcher);

/* Tries condition number `condition` of rule number `rule` on one value. Captures live in arena and
 * point into value. MATCH_LIMIT: a limit was hit, the budget is used up, or the pattern is broken.
 */
enum match_end matcher_try(struct matcher *matcher, struct arena *arena, size_t rule,
                           size_t condition, struct str value, struct match *match);

/* Whether the pattern, loosened (classify/screen.h), matches in text or is too costly to tell; one
 * that was so several times is not asked again.
 * Keeps no captures and is no part of a case's budget. */
bool matcher_may_match(struct matcher *matcher, size_t rule, size_t condition, struct str text);

#endif
