#ifndef CORE_PROBLEM_H
#define CORE_PROBLEM_H

#include "core/origin.h"

/* The codes of problem.def, in order. */
size_t problem_code_count(void);
struct str problem_code_at(size_t index);
bool problem_code_exists(struct str code);

/* What a suggestion is, so that a report can introduce it. */
enum suggestion_kind {
    SUGGESTION_TEXT,    /* to write in place of what is there */
    SUGGESTION_COMMAND, /* to run in a shell, as it stands */
    SUGGESTION_STEP,    /* a phrase that says what to do by itself */
};

/* Something wrong in a file, variable or option of the user's, or in a rule file. */
struct problem {
    struct str code; /* one of problem.def */
    struct origin origin;
    struct str message;    /* what is wrong and what was expected, one sentence, no key in it */
    struct str suggestion; /* what to write or do instead, or unset */
    enum suggestion_kind suggestion_kind;
    struct str line_text;      /* the line of the file, cut to a bound, for the caret; or unset */
    unsigned line_text_column; /* column of line_text's first character: 1 unless it was cut */
    bool is_warning;           /* the run can go on with this value */
    bool is_guess;  /* a warning that may be wrong: stays one where other warnings are errors */
    bool is_remark; /* a warning that only tells how things are, without fault of anybody */
};

/* A growing list in an arena; start from {0}. */
struct problems {
    struct problem *items;
    size_t count, capacity;
};

/* Adds a copy, whose texts stay borrowed. Gives it, good until the next one is added. */
struct problem *problems_add(struct arena *arena, struct problems *problems,
                             struct problem problem);

#endif
