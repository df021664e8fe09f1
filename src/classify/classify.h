#ifndef CLASSIFY_CLASSIFY_H
#define CLASSIFY_CLASSIFY_H

#include "classify/marks.h"
#include "classify/match.h"
#include "core/finding.h"
#include "input/log_time.h"
#include "rules/rules.h"

/* The engine: evidence in, finding out. Holds the compiled patterns and the keyword prefilter of
 * one table. Not for sharing between threads. */
struct classifier;

/* rules must outlive the classifier. */
struct classifier *classifier_open(const struct rules *rules);
void classifier_close(struct classifier *classifier);

/* Judges one observation. The finding and its strings live in arena; finding.observation is the one
 * given. Never fails: what no rule explains is `unknown`, a proper answer is `ok`. Work is bounded:
 * bytes, nesting of unwrapping, match steps a pattern and a case; a rule with a pattern that hits a
 * limit is named in finding.skipped_rule where it might have won. */
struct finding classify(struct classifier *classifier, struct arena *arena,
                        const struct observation *observation);

/* The same without a runner-up, for many cases of which nobody asks what came second. */
struct finding classify_briefly(struct classifier *classifier, struct arena *arena,
                                const struct observation *observation);

/* The same without the keyword prefilter; both must agree (a test runs the whole corpus both ways).
 */
struct finding classify_unfiltered(struct classifier *classifier, struct arena *arena,
                                   const struct observation *observation);

/* How many patterns the last case was tried on. For tests of the bound. */
size_t classifier_tries(const struct classifier *classifier);

/* Tries condition number `condition` of rule number `rule` on a text, as in a case that has only
 * this to do. For the lint of rules. */
enum match_end classifier_try(struct classifier *classifier, size_t rule, size_t condition,
                              struct str text);

/* For entries of logs, with the bytes of the entry as they were written: whether it quotes a
 * machine (observation.is_marked), whether a line, with its end or without, begins an entry whose
 * words alone count for nothing, and whether classify could find a failure in it at all. false is
 * certain, and cheap. Who has read marks already lends them before the first question. */
bool classifier_finds_mark(struct classifier *classifier, struct str raw);
void classifier_borrow_marks(struct classifier *classifier, const struct marks *marks);
bool classifier_is_talk(struct str line, const struct log_front *front);
/* The same where the words below the line count for nothing, too: a heading or an item of Markdown.
 */
bool classifier_is_note(struct str line, const struct log_front *front);
bool classifier_may_tell(struct classifier *classifier, struct arena *scratch, struct str raw,
                         const struct log_front *front, int64_t now_ms, bool is_marked,
                         bool is_talk);

/* Whether a rule can match in the entry that a line block[from, to) belongs to, of which
 * classifier_begin_line told: false is certain, and cheap. Lines of a block are told of in order,
 * between them nothing else is asked. now_ms: see log_front_read. */
void classifier_begin_block(struct classifier *classifier);
void classifier_begin_line(struct classifier *classifier, struct str block, size_t from, size_t to,
                           int64_t now_ms);
bool classifier_may_match(struct classifier *classifier, size_t rule);

/* Every rule that matches, in the order in which they are tried; the first is the one that classify
 * goes by. The array lives in arena. */
const struct rule *const *classifier_matching(struct classifier *classifier, struct arena *arena,
                                              const struct observation *observation, size_t *count);

/* Compiles every pattern of the user's rules, or of the built-in ones; each that PCRE2 refuses is a
 * problem at the byte of the pattern where that shows, the first 20 of them. The user's are checked
 * whenever they are loaded, the built-in ones by rules test. */
void classifier_check_patterns(struct classifier *classifier, bool of_users, struct arena *arena,
                               struct problems *problems);

#endif
