#ifndef CLASSIFY_MEMO_ANSWER_H
#define CLASSIFY_MEMO_ANSWER_H

#include "core/finding.h"
#include "input/log_template.h"

/* A finding without the entry that it was found in: where it shows an id of the entry it has a
 * hole. Private to memo.c. */

#define ANSWER_HOLES_MAX 8

struct hole {
    size_t text, at, parameter; /* which of the finding's texts, where in it; which one fills it */
};

struct answer {
    struct finding finding; /* without its observation */
    struct hole holes[ANSWER_HOLES_MAX];
    size_t hole_count;
    uint32_t hidden;  /* answer_hidden of the entry */
    struct str shape; /* bytes that equal answers have in common, whatever fills their holes */
};

/* Which parameters of a text are hidden somewhere when it is sealed, a bit each: they are keys of
 * the owner's, or parts of them. */
uint32_t answer_hidden(const struct log_template *template, struct str text, struct str sealed);

/* The answer that a finding in an entry of a template is, of which these parameters are hidden; it
 * borrows from the finding, but for the shape, which lives in arena. False where the finding shows
 * more of a parameter than whole ids, or has more holes or captures than are kept; *answer is of no
 * use then. */
bool answer_read(struct arena *arena, const struct log_template *template, uint32_t hidden,
                 const struct finding *finding, struct answer *answer);

/* A copy that borrows nothing but rows of the rule table; *bytes grows by its size. */
const struct answer *answer_copy(struct arena *arena, const struct answer *answer, size_t *bytes);

/* The finding in an entry of an equal template; borrows from the answer and from arena. */
struct finding answer_fill(struct arena *arena, const struct answer *answer,
                           const struct log_template *template);

#endif
