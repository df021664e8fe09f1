#ifndef REPORT_ROW_MAKE_H
#define REPORT_ROW_MAKE_H

#include "report/rows.h"

/* The list under way; only for rows.c, row_make.c and row_key.c. */
struct row_maker {
    struct arena *arena;
    const struct report *report;
    struct report_rows rows;
};

/* Adds a row whose texts are raw yet. */
struct report_row *row_add(struct row_maker *maker, struct report_row row);
/* Judgement and texts of a finding, into a row that has its name and status. verdict may be NULL.
 */
void row_judge(struct row_maker *maker, struct report_row *row, const struct finding *finding,
               const struct result *result, const struct verdict *verdict);
/* "gpt-x is at capacity". */
struct str row_titled(const struct row_maker *maker, struct str name, struct str said);
/* "WHAT at WHERE": names of rows are the same in every language, so that those who keep them can
 * compare. */
struct str row_named_at(struct arena *arena, struct str what, struct str where);
int64_t row_duration_ms(const struct observation *observation);

/* Each adds one row and gives it; it stays where it is until the next one is added. verdict is the
 * one that speaks for what failed, NULL = none does. */
struct report_row *row_add_result(struct row_maker *maker, const struct result *result,
                                  enum row_status status, const struct verdict *verdict);
struct report_row *row_add_key(struct row_maker *maker, const struct key_row *key,
                               enum row_status status, const struct verdict *verdict);
/* A model that a key is to reach; nothing where a warning speaks of it. status is that of the
 * generation, where there was one. */
void row_add_model(struct row_maker *maker, const struct key_row *key,
                   const struct key_model *model, enum row_status status,
                   const struct verdict *verdict);
/* of = whom the finding is about, unset for a file or a variable. */
struct report_row *row_add_finding(struct row_maker *maker, struct str suite, struct str of,
                                   const struct finding *finding, enum row_status status,
                                   const struct verdict *verdict);
struct report_row *row_add_expectation(struct row_maker *maker,
                                       const struct expectation *expectation);
struct report_row *row_add_file(struct row_maker *maker, const struct config_file *file);
struct report_row *row_add_run(struct row_maker *maker, enum row_status status);

#endif
