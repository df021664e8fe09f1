#ifndef CORE_DIAGNOSIS_H
#define CORE_DIAGNOSIS_H

#include "core/origin.h"
#include "core/step.h"

enum lang { LANG_EN, LANG_ZH, LANG_COUNT };

/* A text in every language; all are compulsory in the data. May hold {placeholders}, see
 * triage/fill.h. */
struct phrase {
    struct str in[LANG_COUNT];
};

struct phrases {
    const struct phrase *items;
    size_t count;
};

enum blame { BLAME_NONE, BLAME_OURS, BLAME_THEIRS, BLAME_NETWORK, BLAME_UNKNOWN, BLAME_COUNT };
/* As reports and rule files spell it; false for a name of none. */
struct str blame_name(enum blame blame);
bool blame_from_name(struct str name, enum blame *blame);

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR, SEVERITY_COUNT };
/* The same for a severity. */
struct str severity_name(enum severity severity);
bool severity_from_name(struct str name, enum severity *severity);

/* One row of rules/diagnoses.toml. Lives as long as the rule table; compare by pointer. */
struct diagnosis {
    struct str id, layer;
    enum blame blame;
    enum severity severity;
    bool is_retryable;
    bool leaves_key_open; /* this answer does not say whether the key is good: a free key proof may
                             follow */
    bool is_transient_network; /* counts as "a timeout" for the row failure-with-timeout */
    bool is_capacity;          /* counts as a capacity failure for the quick-reference rows */
    bool is_healthy;           /* ok */
    enum step step;            /* rung of the ladder where it fails */
    struct phrase title;       /* "at capacity": follows the target's name */
    struct phrase meaning;     /* one or two sentences */
    struct phrase differs;     /* how it is told from its neighbours */
    struct phrases actions;    /* what to do now, most useful first; a line whose placeholder has no
                                  value is dropped */
    struct phrases avoid;      /* what will not help */
    struct origin origin;      /* of its block */
};

#endif
