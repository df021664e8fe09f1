#ifndef TRIAGE_ROWS_H
#define TRIAGE_ROWS_H

#include "triage/trouble.h"

#define ROW_BASIS_MAX 2

/* A quick-reference row that holds for some targets of the run. */
struct row_match {
    struct str id;                 /* of the row in rules/diagnoses.toml */
    size_t order;                  /* place among the rows */
    bool is_group;                 /* its title speaks of several targets together */
    bool takes_place;              /* stands in place of the trouble's plain verdict */
    const struct trouble *trouble; /* whose diagnosis and evidence it shows */
    const struct result **results;
    size_t result_count;
    struct basis basis[ROW_BASIS_MAX];
};

struct row_matches {
    struct row_match *items;
    size_t count, capacity;
};

/* Finds the rows that this run alone can decide; the others need the history. */
void rows_match(struct arena *arena, const struct triage_input *input,
                const struct troubles *troubles, struct row_matches *matches);

#endif
