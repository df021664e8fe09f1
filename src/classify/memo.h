#ifndef CLASSIFY_MEMO_H
#define CLASSIFY_MEMO_H

#include "base/mask.h"
#include "core/finding.h"

/* Findings of entries of a log that were classified before. In an outage a log says the same thing
 * thousands of times, each time of another request: what was found twice in entries of one template
 * (input/log_template.h) is kept, and need not be judged a third time.
 *
 * The key is all that classification reads of an entry: the template of its text before it is
 * sealed (input/bound.h), and what is told of it (is_ordinary, is_bare, is_talk, is_marked, about).
 * Where a finding shows an id or a quantity it is that of the entry asked for, and two entries had
 * to show that it is nothing but that; the ids that sealing hides are the same as in these. One
 * which shows anything else of a parameter is not kept, nor is one that depends on the moment, nor
 * a template of which two entries gave different findings. Rules, secrets and the manner of judging
 * are those of the owner, the same for all that a memo is asked about.
 *
 * A hash stands for the key, so that what is known of a template takes 16 bytes whatever it says.
 * Texts are not compared: memo.c tells how seldom one is taken for another. Bounded: when it is
 * full it begins anew. Not for sharing between threads. */
struct memo;

#define MEMO_KEYS ((size_t)8192)           /* that are known at once, at most */
#define MEMO_BYTES_MAX ((size_t)256 * 1024) /* of the findings */
#define MEMO_TEXT_MAX ((size_t)4096)        /* a longer text is not kept */

/* Lives in arena; the mask must outlive it. takes_all: no rule goes by how many tokens, bytes or
 * how much money a message tells of, or looks into ids, so that entries which differ in that say
 * the same (input/log_template.h). */
struct memo *memo_create(struct arena *arena, const struct mask *mask, bool takes_all);
void memo_free(struct memo *memo); /* before its arena; NULL is fine */

/* Whether the finding of an entry, which is not sealed yet, is known. Then *finding is it; what it
 * borrows lives in the memo, until memo_keep, and in arena. */
bool memo_recall(struct memo *memo, struct arena *arena, const struct observation *entry,
                 struct finding *finding);

/* Notes what was found in the entry that memo_recall was asked for last and did not know, sealed by
 * now. What is kept is copied, but for rows of the rule table. */
void memo_keep(struct memo *memo, const struct finding *finding);

/* How many findings are kept, and their bytes. For tests of the bound. */
size_t memo_count(const struct memo *memo);
size_t memo_bytes(const struct memo *memo);

#endif
