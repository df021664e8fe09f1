#ifndef CLASSIFY_CLASSIFIER_H
#define CLASSIFY_CLASSIFIER_H

#include "classify/classify.h"
#include "classify/evidence.h"
#include "classify/marks.h"
#include "classify/prefilter.h"
#include "input/log_about.h"
#include "input/log_entry.h"

/* What classify.c, which judges, and classify_log.c, which tells at a glance whether there is
 * anything to judge, share. */

/* What rules are asked about: a line of a log, or an entry. */
struct log_glance {
    bool is_talk;           /* no rule may match */
    bool is_any;            /* any may: its entry is looked at anyway */
    struct str text, plain; /* as it stands, and with escapes undone */
    struct str judged;      /* as a record is judged, unset until it is wanted */
    struct log_front front; /* of its first line */
    int64_t now_ms;
    size_t number; /* from 1, its own */
};

/* The entry that rules were asked about last: its other lines give the same answers. */
struct log_held {
    struct log_entry entry; /* of the block at hand */
    struct log_glance glance;
};

struct classifier {
    const struct rules *rules;
    struct arena *arena;
    struct matcher *matcher;
    const struct log_words *words; /* that tell whom a text is about */
    struct prefilter *prefilter;   /* NULL until the first case */
    bool *hits;                    /* by rule, of the case at hand: whether it may match there */
    int64_t statuses[EVIDENCE_VALUES_MAX + 1]; /* of the case at hand, innermost first */
    size_t status_count;
    struct arena *judging;     /* of the case at hand */
    struct arena *scratch;     /* of one try */
    const struct marks *marks; /* NULL until the first entry of a log */
    struct log_glance line;    /* this and held may live in scratch */
    struct log_held held;
    struct log_glance *glance; /* of the line at hand: line, or held's */
    size_t glances;            /* so far */
    size_t *denied;            /* by rule: the number of the glance that it was denied of last */
};

/* Sets hits for the rules that may match in a text and forgets those of the case before. */
void classifier_find_hits(struct classifier *classifier, struct str text);

#endif
