#ifndef CLASSIFY_CODE_H
#define CLASSIFY_CODE_H

#define PCRE2_CODE_UNIT_WIDTH 8
#include "rules/rules.h"

#include <pcre2.h>

/* Patterns as PCRE2 wants them. Private to src/classify, but for src/bake, which compiles those of
 * the built-in rules once and keeps them. */

/* Why there is no code. */
struct code_error {
    int number; /* PCRE2's */
    size_t at;  /* byte of the pattern */
    bool is_too_big;
};

/* Compiles a pattern, with bounds for its size; NULL, and *error, where that fails. The caller
 * frees it. error may be NULL. */
pcre2_code *code_compile(struct str pattern, struct code_error *error);

/* The compiled form as bytes in arena; unset when there is none. */
struct str code_keep(struct arena *arena, struct str pattern);
/* The code out of such bytes, which begin at a multiple of 8; NULL when another version of PCRE2
 * kept them. The caller frees it. */
pcre2_code *code_restore(const unsigned char *bytes);

/* What classifier_check_patterns does. */
void code_check_patterns(const struct rules *rules, bool of_users, struct arena *arena,
                         struct problems *problems);

#endif
