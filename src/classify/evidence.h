#ifndef CLASSIFY_EVIDENCE_H
#define CLASSIFY_EVIDENCE_H

#include "classify/bigrams.h"
#include "core/field.h"
#include "core/observation.h"

#define EVIDENCE_VALUES_MAX 8 /* values a field keeps: layers of wrapping beyond that are noise */

/* An observation laid open: ANSI stripped, wrapped lines rejoined, JSON in strings and text parsed,
 * SSE events split, gateway wrapping and exception causes followed, model answers removed, fields
 * lifted. Innermost value first. */
struct evidence {
    const struct observation *observation;
    size_t counts[FIELD_COUNT];
    bool has_lifted_fields; /* code, type, reason or parameter was found */
    bool has_error;         /* an object said that something failed */
    bool is_answer;         /* the body is a proper answer of an API and nothing else */
    int64_t now_ms;         /* clock of the server, the log or the reader, 0 unknown */
    int64_t wait_ms;        /* from headers or RetryInfo, -1 unknown */
    bool is_momentary;      /* a moment was read: wait_ms may count from now_ms */
    struct str values[FIELD_COUNT][EVIDENCE_VALUES_MAX]; /* as many as are counted */
    struct bigrams bigrams;                              /* of all texts and messages at least */
};

/* Everything lives in arena or in the observation. */
void evidence_lift(struct arena *arena, const struct observation *observation,
                   struct evidence *evidence);

/* Whether evidence that no rule explains is an answer, or shows no sign of a failure. Blank prose
 * shows nothing. */
bool evidence_looks_healthy(const struct evidence *evidence);

#endif
