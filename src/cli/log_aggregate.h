#ifndef CLI_LOG_AGGREGATE_H
#define CLI_LOG_AGGREGATE_H

#include "base/mask.h"
#include "base/str_set.h"

struct cJSON;
struct json_writer;
struct cli;

/* Counts by diagnosis, model, provider and hour. Two of them added give what one over both inputs
 * would have given, in whatever order. */

#define AGGREGATE_CELLS_MAX 50000 /* more go to the cell without model and provider */

struct log_cell {
    struct str diagnosis, model, provider; /* model, provider: unset where the log names none */
    int64_t hour;                          /* hours since 1970, -1 unknown */
    uint64_t count;
};

/* A cell as it is kept. Names have numbers, 0 for none. */
struct log_sum {
    uint32_t diagnosis, model, provider;
    int32_t hour;
    uint64_t count;
};

struct log_aggregate {
    struct arena *arena; /* of all that follows */
    struct log_sum *sums;
    size_t count, capacity;
    uint32_t *slots; /* by hash: 1 + sum */
    size_t slot_count;
    struct str *names; /* by number - 1 */
    size_t name_count, name_capacity;
    struct str_set numbers;
    uint64_t lines;
};

/* An empty one, which lives in the arena. */
struct log_aggregate log_aggregate_create(struct arena *arena);

/* Adds to a cell; strings are copied where they are new. */
void log_aggregate_add(struct log_aggregate *aggregate, const struct log_cell *cell);
/* Puts the cells in order. */
void log_aggregate_sort(struct log_aggregate *aggregate);
/* One cell of aggregate->count. */
struct log_cell log_aggregate_at(const struct log_aggregate *aggregate, size_t index);

/* Writes the member "aggregate" cell by cell, for there may be many: {"lines", "events", "cells":
 * [{"diagnosis", "model", "provider", "hour", "count"}]}, cells in order once they were sorted. */
void log_aggregate_write(struct cli *cli, struct json_writer *writer,
                         const struct log_aggregate *aggregate);

/* Adds an object as log_aggregate_write writes it, without the keys that somebody put into it.
 * False when it is none. */
bool log_aggregate_read(struct log_aggregate *aggregate, const struct mask *mask,
                        const struct cJSON *object);

/* The sum of two counts, at most what our JSON holds exactly. */
uint64_t log_count_sum(uint64_t a, uint64_t b);

#endif
