#ifndef CLASSIFY_SIEVE_FORMS_H
#define CLASSIFY_SIEVE_FORMS_H

#include "base/arena.h"
#include "base/str.h"

/* How a literal may stand in a log where strings are written into strings: each encoder has its own
 * mind of which signs it escapes (JSON quotes; PHP slashes too; Python's repr either quote; Go <, >
 * and &; .NET quotes as \u0022; many all that is not ASCII), and does the same to a sign wherever
 * it stands. Deeper escapes hide (classify/hiding.h). Private to src/classify. */

/* Number of ways to write a literal, 1 or more. */
size_t sieve_forms_count(struct str literal);

/* The one of that number; number 0 is the literal itself. Lives in arena, unless it is number 0. */
struct str sieve_form_of(struct arena *arena, struct str literal, size_t number);

#endif
