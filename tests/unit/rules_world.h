#ifndef TESTS_RULES_WORLD_H
#define TESTS_RULES_WORLD_H

#include "rules/rules.h"

/* A small table for tests of rules and classify: three diagnoses, and whatever rules a test adds.
 */

#define PHRASES                                                                                    \
    "title = {en='a', zh='b'}\nmeaning = {en='a', zh='b'}\ndiffers = {en='a', zh='b'}\n"           \
    "actions = [{en='a', zh='b'}]\navoid = []\n"

#define DIAGNOSIS(id, retryable)                                                                   \
    "[[diagnosis]]\nid = '" id "'\nlayer = 'l'\nblame = 'theirs'\nseverity = 'error'\n"            \
    "step = 'answer'\nretryable = " retryable "\n" PHRASES

#define DIAGNOSES                                                                                  \
    "[[diagnosis]]\nid = 'ok'\nlayer = 'none'\nblame = 'none'\nseverity = 'info'\nstep = "         \
    "'answer'\n"                                                                                   \
    "healthy = true\n" PHRASES DIAGNOSIS("unknown", "false") DIAGNOSIS("capacity", "true")         \
        DIAGNOSIS("rate_limit", "true") DIAGNOSIS("quota_exhausted", "false")

#define RULE(id, diagnosis, rest)                                                                  \
    "[[rule]]\nid = '" id "'\ndiagnosis = '" diagnosis                                             \
    "'\nreason = 'why'\nsource = 'where'\n" rest "\n"

/* Opens built-in text on top of DIAGNOSES, and a user's file when user is not NULL. NULL when the
 * table does not open. */
static struct rules *open_table(struct arena *arena, struct problems *problems,
                                const char *built_in, const char *user)
{
    struct rules *rules = NULL;
    struct err err;
    struct rules_text texts[3] = {
        {.file = STR("rules/diagnoses.toml"), .text = STR(DIAGNOSES)},
        {.file = STR("rules/10-test.toml"), .text = str_from(built_in)},
        {.file = STR("mine.toml"), .text = str_from(user), .is_users = true},
    };
    return rules_open_texts(texts, user ? 3 : 2, problems, arena, &rules, &err) == ERR_OK ? rules
                                                                                          : NULL;
}

#endif
