#ifndef TRIAGE_EXIT_H
#define TRIAGE_EXIT_H

#include "triage/triage.h"

/* Blame and exit code of a run by the table of diagnose(1): 1 ours, 3 network, 2 theirs, 5 could
 * not tell, 0; the first that occurs wins. Only diagnoses that fail_on lets through count, and
 * config problems that are errors. Statuses of results are already set. */
void exit_decide(const struct triage_input *input, enum blame *blame, int *exit_code);

/* Whether a list names this diagnosis by id, layer or blame; an empty list names all. */
bool exit_names(const struct str *names, size_t count, const struct diagnosis *diagnosis);

/* The exit code of a run in which nothing but this blame occurs. */
int exit_code_of(enum blame blame);
/* Blame of a run with the exit code that goes with it. */
void exit_set(enum blame blame, struct report *report);

/* Place of a blame among several, 0 = most urgent. */
unsigned exit_rank(enum blame blame);

#endif
