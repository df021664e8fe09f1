#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/buf.h"
#include "core/verdict.h"

/* How to write. */
struct report_style {
    bool has_color;
    bool is_ascii;    /* marks as words: no UTF-8 */
    unsigned columns; /* width to fit; 80 when unknown */
    bool is_verbose, is_quiet;
};

#define REPORT_BYTES_MAX ((size_t)64 * 1024 * 1024)

/* One output format; formats.def is the list, one file each. */
struct report_format {
    struct str name; /* for --format */
    void (*render)(struct arena *arena, const struct report *report,
                   const struct report_style *style, struct buf *out);
};

/* NULL when there is no such format. */
const struct report_format *report_format_find(struct str name);
size_t report_format_count(void);
const struct report_format *report_format_at(size_t index);

/* The JSON of one finding (interface.md, FINDING) and of NDJSON results, shared by formats and
 * commands. cJSON owns it. */
struct cJSON;
struct cJSON *report_finding_json(struct arena *arena, const struct finding *finding,
                                  enum lang lang);

#endif
