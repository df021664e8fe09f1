/* One row of a check of keys as JSON: which key where, what became of it, what the answers show. */
#include "report/json_parts.h"

#include <cjson/cJSON.h>

static struct cJSON *number_or_null(int64_t number)
{
    return number >= 0 ? cJSON_CreateNumber((double)number) : cJSON_CreateNull();
}

static struct cJSON *moment_or_null(int64_t moment_ms)
{
    return moment_ms > 0 ? report_json_time(moment_ms) : cJSON_CreateNull();
}

static void add_known(struct cJSON *object, const char *name, struct str s)
{
    report_json_add(object, name, str_is_empty(s) ? (struct str){NULL, 0} : s);
}

static void add_judgement(struct cJSON *object, const struct finding *finding)
{
    const struct diagnosis *diagnosis = finding ? finding->diagnosis : NULL;
    report_json_add(object, "diagnosis", diagnosis ? diagnosis->id : (struct str){NULL, 0});
    report_json_add(object, "layer", diagnosis ? diagnosis->layer : (struct str){NULL, 0});
    report_json_add(object, "blame",
                    diagnosis ? blame_name(diagnosis->blame) : (struct str){NULL, 0});
    cJSON_AddItemToObject(object, "retryable",
                          finding ? cJSON_CreateBool(finding->is_retryable) : cJSON_CreateNull());
}

static struct cJSON *model_json(const struct key_model *model)
{
    struct cJSON *object = cJSON_CreateObject();
    report_json_add(object, "model", model->target->model.text);
    report_json_add(object, "target", model->target->name);
    cJSON_AddItemToObject(object, "listed",
                          model->is_listing_known ? cJSON_CreateBool(model->is_listed)
                                                  : cJSON_CreateNull());
    report_json_add(object, "nearest", model->nearest);
    if (model->live) {
        struct cJSON *live = cJSON_CreateObject();
        report_json_add(live, "status", target_status_name(model->live->status));
        add_judgement(live, model->live->finding);
        cJSON_AddItemToObject(object, "live", live);
    }
    return object;
}

/* What decides comes first. */
static struct cJSON *findings_json(struct arena *arena, const struct key_row *row, enum lang lang)
{
    struct cJSON *findings = cJSON_CreateArray();
    const struct target *target = row->result->target;
    if (row->finding) {
        cJSON_AddItemToArray(findings,
                             report_finding_of_target_json(arena, row->finding, target, lang));
    }
    for (size_t i = 0; i < row->warning_count; i++) {
        cJSON_AddItemToArray(findings,
                             report_finding_of_target_json(arena, &row->warnings[i], target, lang));
    }
    return findings;
}

static void add_lists(struct cJSON *object, const struct key_row *row)
{
    struct cJSON *targets = cJSON_AddArrayToObject(object, "targets");
    for (size_t i = 0; i < row->target_count; i++) {
        cJSON_AddItemToArray(targets, report_json_string(row->targets[i]->name));
    }
    struct cJSON *models = cJSON_AddArrayToObject(object, "models");
    for (size_t i = 0; i < row->configured_count; i++) {
        cJSON_AddItemToArray(models, model_json(&row->models[i]));
    }
    struct cJSON *permissions = cJSON_AddArrayToObject(object, "permissions");
    for (size_t i = 0; i < row->permission_count; i++) {
        cJSON_AddItemToArray(permissions, report_json_string(row->permissions[i]));
    }
}

struct cJSON *report_key_json(struct arena *arena, const struct key_row *row, enum lang lang)
{
    struct cJSON *object = cJSON_CreateObject();
    const struct observation *seen = row->observation;
    report_json_add(object, "label", row->label);
    report_json_add(object, "endpoint", row->endpoint);
    add_known(object, "provider", row->provider);
    add_known(object, "fingerprint", row->fingerprint);
    add_known(object, "name", row->name);
    add_known(object, "source", row->source);
    report_json_add(object, "status", key_status_name(row->status));
    add_judgement(object, row->finding);
    report_json_add(object, "unproven_why", row->unproven_why);
    cJSON_AddItemToObject(object, "http_status",
                          number_or_null(seen && seen->status ? seen->status : -1));
    cJSON_AddItemToObject(object, "duration_ms", number_or_null(seen ? seen->total_ms : -1));
    cJSON_AddNumberToObject(object, "tries", row->tries);
    cJSON_AddItemToObject(object, "models_visible", number_or_null(row->model_count));
    cJSON_AddItemToObject(object, "headroom",
                          row->headroom_permille < 0
                              ? cJSON_CreateNull()
                              : cJSON_CreateNumber((double)row->headroom_permille / 1000));
    add_known(object, "headroom_of", row->headroom_of);
    add_known(object, "balance", row->balance);
    cJSON_AddItemToObject(object, "key_expires_at", moment_or_null(row->key_expires_ms));
    cJSON_AddItemToObject(object, "certificate_expires_at",
                          moment_or_null(row->certificate_expires_ms));
    add_lists(object, row);
    cJSON_AddItemToObject(object, "findings", findings_json(arena, row, lang));
    return object;
}
