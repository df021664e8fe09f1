#ifndef RULES_LINT_H
#define RULES_LINT_H

#include "rules/rules.h"

/* How a pattern ended on a text, within the limits of a real case. */
enum trial { TRIAL_NO, TRIAL_YES, TRIAL_LIMIT };

/* Tries a condition of a rule on a text; handed in by the command, since patterns are compiled to
 * the right of this room. */
typedef enum trial rules_try(void *context, size_t rule, size_t condition, struct str text);

/* What examples cannot show about a rule: it can never win, since a rule before it takes all that
 * it matches (the same conditions or fewer); its pattern matches a text that holds none of its
 * keywords, so that the prefilter hides the rule; its pattern runs into the match limit on a short
 * text made against it. Texts are made from the pattern (sample.h), so what is told is proven by
 * one, which the message shows. Each failure is a problem at the place of the rule or pattern.
 * Deterministic. */
void rules_lint(const struct rules *rules, rules_try *try, void *context, struct arena *arena,
                struct problems *problems);

#endif
