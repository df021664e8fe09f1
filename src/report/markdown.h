#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include "report/report.h"

/* What GitHub takes as the summary of one step, less some room for what others add. */
#define MARKDOWN_SUMMARY_BYTES_MAX ((size_t)1000 * 1000)

/* Writes the report as Markdown, at most max_bytes of it: whole rows only, and a last line that
 * says how many were left out. */
void report_markdown(struct arena *arena, const struct report *report, size_t max_bytes,
                     struct buf *out);

#endif
