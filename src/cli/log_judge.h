#ifndef CLI_LOG_JUDGE_H
#define CLI_LOG_JUDGE_H

#include "classify/memo.h"
#include "classify/sieve.h"
#include "cli/log_digest.h"
#include "cli/street.h"

/* What a block of a log told, in order. */
struct log_batch {
    struct arena *arena; /* of what the events borrow */
    struct log_event *events;
    size_t count, capacity;
    int64_t near_ms; /* of an entry that would follow; -1: no entry of the block names a time */
};

/* Judges blocks of one log, one at a time; each thread has its own. */
struct log_judge {
    const struct street *street; /* rules, masks; its classifier is not used */
    struct str file;
    const struct sieve *sieve; /* NULL: every entry is looked at */
    bool is_reference;         /* no filter of any kind */
    bool wants_near;           /* see struct log_digest */
    size_t bodies_wanted;      /* so many events have theirs, and the first of each diagnosis */
    struct classifier *classifier;
    struct finding (*classify)(struct classifier *, struct arena *, const struct observation *);
    const struct log_words *words; /* of whom an entry is about */
    struct memo *memo;             /* of what was classified before; NULL: nothing is remembered */
    struct arena *scratch;
    struct sieve_hits hits;
    const struct diagnosis **told; /* those of which an event with its body was handed in */
    size_t told_count, told_room;
    size_t body_count;  /* events with their body that were handed in, up to those wanted */
    uint64_t last_line; /* of the event before */
    size_t timed_to; /* so far the block was looked through for times: batch.near_ms is the last */
    struct log_batch batch;
};

/* What it is given it borrows until log_judge_close. */
struct log_judge log_judge_open(const struct street *street, struct str file,
                                const struct sieve *sieve, bool is_reference);
void log_judge_close(struct log_judge *judge);

/* Judges a run of whole entries that begins with line number first_line; judge->batch gets its
 * events, until the next call. */
void log_judge_block(struct log_judge *judge, struct str block, uint64_t first_line);

#endif
