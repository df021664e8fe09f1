#ifndef REPORT_JSON_PARTS_H
#define REPORT_JSON_PARTS_H

#include "report/report.h"

/* One member of "targets" in interface.md. cJSON owns it. */
struct cJSON *report_target_json(struct arena *arena, const struct result *result, enum lang lang);
/* Everything of the document but "targets". */
struct cJSON *report_run_json(struct arena *arena, const struct report *report);

#endif
