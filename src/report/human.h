#ifndef REPORT_HUMAN_H
#define REPORT_HUMAN_H

#include "report/report.h"

/* The parts of the human report; each writes whole lines. */

struct human {
    struct arena *arena;
    const struct report *report;
    const struct report_style *style;
    size_t columns;
    struct buf *out;
};

/* The targets with their ladders, and what there is to say about the columns left out. Nothing when
 * no result has a target. */
void human_table(const struct human *human);
/* Of verify: one line a model, asked, effective, sent and answered; then what was expected. */
void human_truths(const struct human *human);
/* What was expected and does not hold, one line each. */
void human_missed(const struct human *human);
/* The keys of a check, with what is known of each. Nothing where there are none. */
void human_keys(const struct human *human);
/* Everything that is known about each key, for -v. */
void human_key_details(const struct human *human);
/* The sign of a rung, or its word where there is no UTF-8, and the columns that the widest takes.
 */
struct str human_mark(const struct human *human, enum step_status status);
size_t human_mark_columns(const struct human *human);
/* File and line of model, URL, key and proxy of the targets that fail. */
void human_origins(const struct human *human);
/* One numbered problem: what it is, why, what was seen, what to do, what not. */
void human_verdict(const struct human *human, size_t number, const struct verdict *verdict);
/* Its title line alone. */
void human_verdict_title(const struct human *human, size_t number, const struct verdict *verdict);
/* Of the healthy targets: the proxies that they went through and what their answers do not prove,
 * each once. */
void human_notes(const struct human *human);
/* Everything that is known about each target and file, for -v. */
void human_details(const struct human *human);

/* The last 24 hours on record, where something failed in them. */
void human_day(const struct human *human);

#endif
