#ifndef RULES_CHECK_H
#define RULES_CHECK_H

#include "core/finding.h"
#include "rules/rules.h"

/* Classifies one piece of evidence; handed in by the command, since classify is to the right of
 * this room. */
typedef struct finding rules_judge(void *context, struct arena *arena,
                                   const struct observation *evidence);

/* The test of the table (design: "diagnose rules test"): every rule has yes and no examples; each
 * yes example is won by its own rule, or by one of the user's that says the same, each no example
 * is not, and gets the diagnosis of its `as`; every diagnosis can be reached by an example; a
 * pattern on text or message has keywords of 8 bytes or more (4 for non-ASCII), in lower case, of
 * which every yes example contains one; patterns have no nested quantifiers and at most one wide
 * gap. Each failure is a problem at the place of the rule, its pattern or its example, or of the
 * diagnosis. That patterns compile and ids are unique is told by classifier_check_patterns and
 * rules_open; what only the patterns show by rules_lint. */
void rules_check(const struct rules *rules, rules_judge *judge, void *context, struct arena *arena,
                 struct problems *problems);

/* The part of it that needs no judging, over the user's rules only, as warnings, the first 20 of
 * them: for every run that they take part in. A keyword in upper case, say, hides its rule. */
void rules_check_own(const struct rules *rules, struct arena *arena, struct problems *problems);

#endif
