/* One finding as JSON: in the documents of commands, and as the answer to one line of NDJSON. */
#include "report/finding_text.h"
#include "report/json_parts.h"

#include <cjson/cJSON.h>

static struct cJSON *evidence_json(const struct finding *finding)
{
    if (!str_is_set(finding->field) && !str_is_set(finding->evidence)) {
        return cJSON_CreateNull();
    }
    struct cJSON *evidence = cJSON_CreateObject();
    report_json_add(evidence, "field", finding->field);
    report_json_add(evidence, "text", finding->evidence);
    return evidence;
}

static struct cJSON *wait_json(const struct finding *finding)
{
    return finding->wait_ms < 0 ? cJSON_CreateNull() : cJSON_CreateNumber((double)finding->wait_ms);
}

static void add_judgement(struct cJSON *object, const struct finding *finding)
{
    const struct diagnosis *diagnosis = finding->diagnosis;
    report_json_add(object, "diagnosis", diagnosis->id);
    report_json_add(object, "layer", diagnosis->layer);
    report_json_add(object, "blame", blame_name(diagnosis->blame));
    if (str_is_set(finding->skipped_rule)) { /* it hit a limit and might have matched */
        report_json_add(object, "skipped_rule", finding->skipped_rule);
    }
}

static struct cJSON *lines_json(struct arena *arena, const struct fill *fill,
                                const struct phrases *phrases)
{
    size_t count;
    const struct str *lines = fill_lines(arena, fill, phrases, &count);
    struct cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++) {
        cJSON_AddItemToArray(array, report_json_string(lines[i]));
    }
    return array;
}

struct cJSON *report_finding_json(struct arena *arena, const struct finding *finding,
                                  enum lang lang)
{
    const struct observation *observation = finding->observation;
    return report_finding_of_target_json(arena, finding, observation ? observation->target : NULL,
                                         lang);
}

struct cJSON *report_finding_of_target_json(struct arena *arena, const struct finding *finding,
                                            const struct target *target, enum lang lang)
{
    const struct observation *observation = finding->observation;
    const struct problem *problem = observation ? observation->problem : NULL;
    struct result result = {.target = target, .observation = observation, .finding = finding};
    struct fill fill = {.lang = lang, .finding = finding, .result = &result};
    struct str origin = {NULL, 0};
    if (problem || observation) {
        origin = origin_text(arena, problem ? problem->origin : observation->origin);
    }
    struct cJSON *object = cJSON_CreateObject();
    add_judgement(object, finding);
    report_json_add(object, "severity", severity_name(finding->severity));
    cJSON_AddBoolToObject(object, "retryable", finding->is_retryable);
    report_json_add(object, "rule", finding->rule_id);
    cJSON_AddItemToObject(object, "evidence", evidence_json(finding));
    report_json_add(object, "origin", origin);
    cJSON_AddItemToObject(object, "wait_ms", wait_json(finding));
    report_json_add(object, "message", finding_message(arena, &fill));
    report_json_add(object, "suggestion", problem ? problem->suggestion : (struct str){NULL, 0});
    cJSON_AddItemToObject(object, "actions",
                          lines_json(arena, &fill, &finding->diagnosis->actions));
    cJSON_AddItemToObject(object, "avoid", lines_json(arena, &fill, &finding->diagnosis->avoid));
    return object;
}

void report_json_add_judgement(struct cJSON *object, const struct finding *finding)
{
    add_judgement(object, finding);
    cJSON_AddBoolToObject(object, "retryable", finding->is_retryable);
    report_json_add(object, "rule", finding->rule_id);
    cJSON_AddItemToObject(object, "evidence", evidence_json(finding));
    cJSON_AddItemToObject(object, "wait_ms", wait_json(finding));
}

struct cJSON *report_ndjson_finding(struct arena *arena, struct str id,
                                    const struct finding *finding)
{
    struct cJSON *object = cJSON_CreateObject();
    /* Raw, since a number of cJSON would lose digits of a long one. */
    cJSON_AddRawToObject(object, "id", str_is_empty(id) ? "null" : arena_cstr(arena, id));
    report_json_add_judgement(object, finding);
    return object;
}
