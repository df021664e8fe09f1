/* The run as lines of JSON: one object a target, as in the document, and then the run without them.
 * For pipes that take targets one by one. */
#include "report/formats.h"
#include "report/json_parts.h"

#include <cjson/cJSON.h>

static void render(struct arena *arena, const struct report *report,
                   const struct report_style *style, struct buf *out)
{
    (void)style;
    for (size_t i = 0; i < report->result_count; i++) {
        if (report->results[i].target) {
            struct cJSON *target = report_target_json(arena, &report->results[i], report->lang);
            report_json_print(target, true, out);
            cJSON_Delete(target);
        }
    }
    struct cJSON *run = report_run_json(arena, report);
    report_json_print(run, true, out);
    cJSON_Delete(run);
}

const struct report_format format_ndjson = {.name = STR_INIT("ndjson"), .render = render};
