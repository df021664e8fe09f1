#ifndef CORE_PROBLEM_H
#define CORE_PROBLEM_H

#include "core/origin.h"

/* Something wrong in a file, variable or option of the user's, or in a rule file. Codes of config
 * problems (the rules in 90-config.toml map them to diagnoses): syntax, missing_key, bad_type,
 * bad_value, unknown_key, duplicate_key, too_big, not_utf8, has_nul, unreadable, not_plain,
 * link_loop, unknown_provider, unknown_fallback, key_missing, key_empty, key_blank, key_quote,
 * key_newline, key_bom, key_control, key_placeholder, key_shape, key_file, token_expired,
 * unused_file, unused_key (a setting that is there and has no effect), reserved_provider. */
struct problem {
    struct str code;
    struct origin origin;
    struct str message;        /* what is wrong and what was expected, one sentence, no key in it */
    struct str suggestion;     /* what to write instead, or unset */
    struct str line_text;      /* the line of the file, cut to a bound, for the caret; or unset */
    unsigned line_text_column; /* column of line_text's first character: 1 unless it was cut */
    bool is_warning;           /* the run can go on with this value */
};

/* A growing list in an arena; start from {0}. */
struct problems {
    struct problem *items;
    size_t count, capacity;
};

struct problem *problems_add(struct arena *arena, struct problems *problems,
                             struct problem problem);

#endif
