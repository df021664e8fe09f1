#ifndef REPORT_JSON_PARTS_H
#define REPORT_JSON_PARTS_H

#include "report/report.h"

/* Adds a string member, null when s is unset. */
void report_json_add(struct cJSON *object, const char *name, struct str s);

/* s as JSON may hold it: valid, bounded, without NUL. Where that differs from s it stands in
 * *valid, which is unused until then and the caller's to free. */
struct str report_json_valid(struct buf *valid, struct str s);

/* One member of "targets" in the document. cJSON owns it. */
struct cJSON *report_target_json(struct arena *arena, const struct result *result, enum lang lang);
/* One member of "keys". */
struct cJSON *report_key_json(struct arena *arena, const struct key_row *row, enum lang lang);
/* A finding with its texts about that target, which may be another than the one that its request
 * was sent for. target may be NULL. */
struct cJSON *report_finding_of_target_json(struct arena *arena, const struct finding *finding,
                                            const struct target *target, enum lang lang);
/* Everything of the document but "targets" and "keys". */
struct cJSON *report_run_json(struct arena *arena, const struct report *report);

#endif
