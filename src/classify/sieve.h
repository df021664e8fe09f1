#ifndef CLASSIFY_SIEVE_H
#define CLASSIFY_SIEVE_H

#include "classify/marks.h"
#include "rules/rules.h"

/* Finds the lines of a log that may report a failure, at the speed of memory. What it passes over
 * no rule would have told: a line is found when it holds a literal that a rule cannot match
 * without, a mark that holds, or bytes that may hide either (escapes, controls, pages). */
struct sieve;
struct sieve_sample;

/* A byte of each line that was found, in order; a line may be named twice. Of a line that is judged
 * in pieces (input/log_entry.h) one of each step that was found. Start from {.arena =
 * ...}.
 */
struct sieve_hits {
    struct arena *arena;
    size_t *items;
    size_t count, capacity;
};

/* Text like what will come: what is rare in it is looked for. Takes it piece by piece. */
struct sieve_sample *sieve_sample_create(struct arena *arena);
void sieve_sample_add(struct sieve_sample *sample, struct str text);

/* Lives in arena and borrows the marks. Read-only afterwards, so threads may share it. */
const struct sieve *sieve_create(struct arena *arena, const struct rules *rules,
                                 const struct marks *marks, const struct sieve_sample *sample);

/* The marks that it borrows. */
const struct marks *sieve_marks(const struct sieve *sieve);

/* Told of a line block[from, to) that holds a literal of a rule, and then asked whether that rule
 * may match there; of one line after the other. */
struct sieve_judge {
    void (*begin_line)(void *context, struct str block, size_t from, size_t to);
    bool (*may_match)(void *context, size_t rule);
    void *context;
};

/* Finds the lines of a block; replaces what hits held. */
void sieve_scan(const struct sieve *sieve, struct str block, const struct sieve_judge *judge,
                struct sieve_hits *hits);

#endif
