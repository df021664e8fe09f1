#ifndef REPORT_ROW_MAKE_H
#define REPORT_ROW_MAKE_H

#include "report/rows.h"

/* The list under way; only for rows.c and row_make.c. */
struct row_maker {
    struct arena *arena;
    const struct report *report;
    struct report_rows rows;
};

/* Each adds one row and gives it; it stays where it is until the next one is added. */
struct report_row *row_add_result(struct row_maker *maker, const struct result *result,
                                  enum row_status status, const struct verdict *verdict);
struct report_row *row_add_key(struct row_maker *maker, const struct key_row *key,
                               enum row_status status);
/* of = whom the finding is about, unset for a file or a variable. */
struct report_row *row_add_finding(struct row_maker *maker, struct str suite, struct str of,
                                   const struct finding *finding, enum row_status status);
struct report_row *row_add_expectation(struct row_maker *maker,
                                       const struct expectation *expectation);
struct report_row *row_add_file(struct row_maker *maker, const struct config_file *file);
struct report_row *row_add_run(struct row_maker *maker, enum row_status status);

#endif
