#ifndef CLASSIFY_MEMO_H
#define CLASSIFY_MEMO_H

#include "base/arena.h"
#include "core/finding.h"

/* Findings of entries of a log that were classified before. In an outage a log says the same thing
 * thousands of times: what is seen twice is kept, and need not be judged a third time.
 *
 * The key is all that classification reads of an entry: its text before it is sealed
 * (input/bound.h), and what is told of it (is_ordinary, is_bare, is_talk, is_marked, about). Rules,
 * secrets and the manner of judging are those of the owner, the same for all that a memo is asked
 * about. A finding that depends on more, on the moment, is not kept. Bounded: when it is full it
 * begins anew. Not for sharing between threads. */
struct memo;

#define MEMO_ENTRIES_MAX ((size_t)2048)
#define MEMO_BYTES_MAX ((size_t)1024 * 1024) /* of all that is kept */
#define MEMO_TEXT_MAX ((size_t)4096)         /* a longer text is not kept */

struct memo *memo_create(struct arena *arena);
void memo_free(struct memo *memo); /* before its arena; NULL is fine */

/* Whether the finding of an entry is known. Then the entry, which is not sealed yet, gets its
 * sealed body, and *finding all but the entry; what both borrow lives until memo_keep. */
bool memo_recall(const struct memo *memo, struct observation *entry, struct finding *finding);

/* Notes what was found in an entry: text is its body before it was sealed. What is kept is copied,
 * but for rows of the rule table. */
void memo_keep(struct memo *memo, struct str text, const struct finding *finding);

/* How many findings are kept, and their bytes. For tests of the bound. */
size_t memo_count(const struct memo *memo);
size_t memo_bytes(const struct memo *memo);

#endif
