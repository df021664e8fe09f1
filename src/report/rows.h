#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "report/report.h"

/* A report as one list, for formats that machines read: one row for each target, key and its
 * models, piece of evidence, finding about the configuration, expectation, and file that was read
 * without a finding.
 */

enum row_kind {
    ROW_TARGET,
    ROW_KEY,
    ROW_MODEL,
    ROW_EVIDENCE,
    ROW_CONFIG,
    ROW_EXPECTED,
    ROW_FILE,
    ROW_RUN
};

enum row_status {
    ROW_OK,
    ROW_WARNING, /* works, or fails in a way that --fail-on lets pass */
    ROW_FAILED,
    ROW_UNTOLD,  /* fails, and nobody can tell why */
    ROW_SKIPPED, /* not tried, or no free request can prove it */
    ROW_STATUS_COUNT
};

/* One row. Every text is masked, bounded, on one line, and holds no control character. */
struct report_row {
    enum row_kind kind;
    enum row_status status;
    struct str suite; /* the client's name, "keys", "evidence", "config", "run" */
    struct str name;  /* unique in its suite */
    struct str title; /* "gpt-x is at capacity" */
    struct str why;   /* in a sentence or two; or unset */
    struct str seen;  /* the evidence in one line; or unset */
    const struct str *actions;
    size_t action_count;
    const struct diagnosis *diagnosis; /* NULL = nothing was judged */
    struct origin origin;              /* the setting at fault, or where the evidence stood */
    struct str place;                  /* the same as text; or unset */
    int64_t duration_ms;               /* -1 = not measured */
    const struct result *result;       /* of ROW_TARGET */
    const struct key_row *key;         /* of ROW_KEY */
};

struct report_rows {
    struct report_row *items; /* targets, keys, evidence, findings, files */
    size_t count, capacity;
    size_t by_status[ROW_STATUS_COUNT];
    const struct str *suites; /* each once, in the order of their first rows */
    size_t suite_count;
};

/* The list. A run whose exit code tells of a failure has at least one row that fails: where none
 * does, the last row is that of the run as a whole. */
struct report_rows report_rows_of(struct arena *arena, const struct report *report);

/* "ok", "warning", "failed", "unknown", "skipped". */
struct str row_status_name(enum row_status status);

/* Makes any text fit for a row of this report. */
struct str report_row_text(struct arena *arena, const struct report *report, struct str text);

#endif
