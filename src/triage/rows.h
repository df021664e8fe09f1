#ifndef TRIAGE_ROWS_H
#define TRIAGE_ROWS_H

#include "triage/facts.h"
#include "triage/trouble.h"

#define ROW_BASIS_MAX 3

/* A quick-reference row that holds for some targets of the run. */
struct row_match {
    const struct verdict_row *row; /* its words */
    size_t order;                  /* place among the rows */
    bool is_group;                 /* its title speaks of several targets together */
    bool takes_place;              /* stands in place of the trouble's plain verdict */
    bool is_recovered;             /* the targets answer again */
    const struct trouble *trouble; /* whose diagnosis and evidence it shows */
    const struct result **results;
    size_t result_count;
    struct facts facts;
    struct basis basis[ROW_BASIS_MAX];
};

struct row_matches {
    struct row_match *items;
    size_t count, capacity;
};

/* Finds the rows that hold by this run and the record. now_ms is the wall clock at the end of the
 * run. */
void rows_match(struct arena *arena, const struct triage_input *input,
                const struct troubles *troubles, int64_t now_ms, struct row_matches *matches);

/* What a condition looks at; for the files that hold conditions. */
struct row_look {
    struct arena *arena;
    const struct triage_input *input;
    const struct troubles *troubles;
    struct recall_clock clock;
    struct row_matches *matches;
    struct row_match made; /* row, order and flags, to be completed */
};

/* Keeps a row that holds; the match is copied. */
void rows_add(struct row_look *look, const struct row_match *match);
/* The first result of a client in the run speaks for that client. Evidence without a target and
 * targets that nobody uses together (the demo's) belong to no client. */
bool rows_opens_client(const struct triage_input *input, size_t index);
/* A failure of a request, not of the settings. */
bool rows_is_failed_call(const struct result *result);
bool rows_is_capacity(const struct result *result);
bool rows_is_timeout(const struct result *result);
/* The trouble that a result's failure belongs to, or NULL. */
const struct trouble *rows_trouble_of(const struct row_look *look, const struct result *result);

/* The conditions, one for each row; each adds a match for each time it holds. */
void rows_match_persistent(struct row_look *look);
void rows_match_organisation(struct row_look *look);
void rows_match_timeout(struct row_look *look);
void rows_match_switch(struct row_look *look);
void rows_match_frequent(struct row_look *look);
void rows_match_occasional(struct row_look *look);

#endif
