#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "report/human.h"

/* The table of targets as it is laid out; only for human_table.c and table_fit.c. */

#define TABLE_INDENT 2

struct row {
    const struct result *result;
    struct str name, role, verdict;
};

struct table {
    struct row *rows;
    size_t row_count;
    size_t more_answering, more_failing;
    bool is_shown[STEP_COUNT];
    size_t step_columns[STEP_COUNT];
    size_t name_columns, role_columns, verdict_columns, gap;
    bool is_list;
};

/* Widths of all columns, and what has to go for the table to fit; rows are given. */
void table_fit(const struct human *human, struct table *table);
/* The calm status that every row has at a rung, so that its column says nothing; STEP_FAIL when
 * they differ or one is not calm. */
enum step_status table_common_status(const struct table *table, size_t step);

#endif
