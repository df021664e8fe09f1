/* One finding as JSON: in the documents of commands, and as the answer to one line of NDJSON. */
#include "report/finding_text.h"
#include "report/json_parts.h"
#include "report/json_write.h"

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

static struct cJSON *retry_at_json(const struct finding *finding)
{
    return finding->retry_at_ms > 0 ? report_json_time(finding->retry_at_ms) : cJSON_CreateNull();
}

static struct cJSON *lines_json(const struct str *lines, size_t count)
{
    struct cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++) {
        cJSON_AddItemToArray(array, report_json_string(lines[i]));
    }
    return array;
}

static struct cJSON *finding_json(struct arena *arena, const struct fill *fill)
{
    const struct finding *finding = fill->finding;
    const struct observation *observation = finding->observation;
    const struct problem *problem = observation ? observation->problem : NULL;
    struct str origin = {NULL, 0};
    if (problem || observation) {
        origin = origin_text(arena, problem ? problem->origin : observation->origin);
    }
    struct cJSON *object = cJSON_CreateObject();
    report_json_add(object, "diagnosis", finding->diagnosis->id);
    report_json_add(object, "layer", finding->diagnosis->layer);
    report_json_add(object, "blame", blame_name(finding->diagnosis->blame));
    if (str_is_set(finding->skipped_rule)) { /* it hit a limit and might have matched */
        report_json_add(object, "skipped_rule", finding->skipped_rule);
    }
    report_json_add(object, "severity", severity_name(finding->severity));
    cJSON_AddBoolToObject(object, "retryable", finding->is_retryable);
    report_json_add(object, "rule", finding->rule_id);
    cJSON_AddItemToObject(object, "evidence", evidence_json(finding));
    report_json_add(object, "origin", origin);
    cJSON_AddItemToObject(object, "wait_ms", wait_json(finding));
    cJSON_AddItemToObject(object, "retry_at", retry_at_json(finding));
    report_json_add(object, "message", finding_message(arena, fill));
    report_json_add(object, "suggestion", problem ? problem->suggestion : (struct str){NULL, 0});
    return object;
}

/* What to do and what not, behind what is known. */
static void add_advice(struct cJSON *object, struct arena *arena, const struct fill *fill,
                       const struct str *actions, size_t count)
{
    size_t avoid_count;
    const struct str *avoid =
        fill_lines(arena, fill, &fill->finding->diagnosis->avoid, &avoid_count);
    cJSON_AddItemToObject(object, "actions", lines_json(actions, count));
    cJSON_AddItemToObject(object, "avoid", lines_json(avoid, avoid_count));
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
    struct result result = {
        .target = target, .observation = finding->observation, .finding = finding};
    struct fill fill = {.lang = lang, .finding = finding, .result = &result};
    struct cJSON *object = finding_json(arena, &fill);
    size_t count;
    const struct str *actions = fill_lines(arena, &fill, &finding->diagnosis->actions, &count);
    add_advice(object, arena, &fill, actions, count);
    return object;
}

struct cJSON *report_evidence_json(struct arena *arena, const struct rules *rules,
                                   const struct finding *finding, enum lang lang)
{
    struct fill fill = {.rules = rules, .lang = lang, .finding = finding};
    struct cJSON *object = finding_json(arena, &fill);
    size_t count;
    const struct str *actions =
        fill_advice(arena, &fill, fill_actions_of(&fill), finding->diagnosis->id, &count);
    report_json_add(object, "client",
                    finding->observation ? finding->observation->client : (struct str){NULL, 0});
    add_advice(object, arena, &fill, actions, count);
    return object;
}

void report_write_judgement(struct json_writer *writer, const struct finding *finding)
{
    const struct diagnosis *diagnosis = finding->diagnosis;
    json_write_text(writer, "diagnosis", diagnosis->id);
    json_write_text(writer, "layer", diagnosis->layer);
    json_write_text(writer, "blame", blame_name(diagnosis->blame));
    if (str_is_set(finding->skipped_rule)) {
        json_write_text(writer, "skipped_rule", finding->skipped_rule);
    }
    json_write_bool(writer, "retryable", finding->is_retryable);
    json_write_text(writer, "rule", finding->rule_id);
    if (str_is_set(finding->field) || str_is_set(finding->evidence)) {
        json_write_open(writer, "evidence", '{');
        json_write_text(writer, "field", finding->field);
        json_write_text(writer, "text", finding->evidence);
        json_write_close(writer, '}');
    } else {
        json_write_null(writer, "evidence");
    }
    if (finding->wait_ms >= 0) {
        json_write_number(writer, "wait_ms", (uint64_t)finding->wait_ms);
    } else {
        json_write_null(writer, "wait_ms");
    }
    json_write_time(writer, "retry_at", finding->retry_at_ms > 0 ? finding->retry_at_ms : -1);
}
