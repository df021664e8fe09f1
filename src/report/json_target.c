/* One target as JSON: what was configured and where, the ladder, the answer, the findings. */
#include "report/json_parts.h"

#include <cjson/cJSON.h>

static struct cJSON *number_or_null(bool is_known, int64_t number)
{
    return is_known ? cJSON_CreateNumber((double)number) : cJSON_CreateNull();
}

/* Empty and unset are both "not known" in this document. */
static void add_known(struct cJSON *object, const char *name, struct str s)
{
    report_json_add(object, name, str_is_empty(s) ? (struct str){NULL, 0} : s);
}

/* URLs may hold credentials of the user's. */
static struct str masked(struct arena *arena, struct str s)
{
    struct mask mask = {0};
    return mask_text(arena, &mask, s);
}

static struct cJSON *origins_json(struct arena *arena, const struct target *target)
{
    struct cJSON *origins = cJSON_CreateObject();
    add_known(origins, "model", origin_text(arena, target->model.origin));
    add_known(origins, "base_url", origin_text(arena, target->base_url.origin));
    add_known(origins, "key", origin_text(arena, target->key_origin));
    add_known(origins, "provider", origin_text(arena, target->provider_origin));
    add_known(origins, "wire", origin_text(arena, target->wire_origin));
    add_known(origins, "proxy", origin_text(arena, target->proxy.origin));
    add_known(origins, "ca_file", origin_text(arena, target->ca_file.origin));
    add_known(origins, "ca_dir", origin_text(arena, target->ca_dir.origin));
    return origins;
}

static struct cJSON *key_json(const struct target *target)
{
    struct cJSON *key = cJSON_CreateObject();
    cJSON_AddBoolToObject(key, "present", str_is_set(target->key.value));
    add_known(key, "fingerprint", str_from(target->key.fingerprint));
    return key;
}

/* What the way there showed; absent keys were not seen. */
static struct cJSON *network_json(struct arena *arena, const struct observation *observation)
{
    struct cJSON *network = cJSON_CreateObject();
    const struct tls_sight *tls = &observation->tls;
    const struct {
        const char *name;
        struct str value;
    } rows[] = {
        {"address", observation->address},
        {"family", observation->family},
        {"families", observation->families},
        {"no_route", observation->no_route},
        {"dns_result", observation->dns_result},
        {"dns_address", observation->dns_address},
        {"proxy", observation->proxy.text},
        {"proxy_origin", origin_text(arena, observation->proxy.origin)},
        {"tls_issuer", tls->issuer},
        {"tls_subject", tls->subject},
        {"tls_names", tls->names},
        {"tls_not_before", tls->not_before},
        {"tls_not_after", tls->not_after},
        {"tls_chain", tls->chain},
        {"tls_version", tls->version},
        {"tls_alert", tls->alert},
        {"tls_speaks", tls->speaks},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!str_is_empty(rows[i].value)) {
            report_json_add(network, rows[i].name, masked(arena, rows[i].value));
        }
    }
    return network;
}

/* A warning does not stop a step: it is "ok" here with its words in detail, and a finding. */
static struct cJSON *steps_json(const struct result *result)
{
    static const struct str names[] = {[STEP_SKIP] = STR_INIT("skip"),
                                       [STEP_OK] = STR_INIT("ok"),
                                       [STEP_WARN] = STR_INIT("ok"),
                                       [STEP_FAIL] = STR_INIT("fail")};
    struct cJSON *steps = cJSON_CreateArray();
    for (size_t i = 0; i < STEP_COUNT; i++) {
        const struct rung *rung = &result->ladder[i];
        struct cJSON *step = cJSON_CreateObject();
        report_json_add(step, "name", step_name((enum step)i));
        report_json_add(step, "status", names[rung->status]);
        cJSON_AddItemToObject(step, "duration_ms",
                              number_or_null(rung->duration_ms >= 0, rung->duration_ms));
        add_known(step, "detail", rung->detail);
        cJSON_AddItemToArray(steps, step);
    }
    return steps;
}

static struct cJSON *http_json(const struct observation *observation)
{
    static const struct observation nothing = {.retry_after_ms = -1};
    const struct observation *seen = observation ? observation : &nothing;
    struct cJSON *http = cJSON_CreateObject();
    cJSON_AddItemToObject(http, "status", number_or_null(seen->status != 0, seen->status));
    add_known(http, "request_id", seen->request_id);
    cJSON_AddItemToObject(http, "retry_after_ms",
                          number_or_null(seen->retry_after_ms >= 0, seen->retry_after_ms));
    cJSON_AddItemToObject(http, "date_skew_ms",
                          number_or_null(seen->has_date_skew, seen->date_skew_ms));
    add_known(http, "address", seen->address);
    return http;
}

static void add_judgement(struct cJSON *object, const struct result *result)
{
    report_json_add(object, "status", target_status_name(result->status));
    add_known(object, "skip_reason", result->target->skip_reason);
    if (result->finding == NULL) {
        cJSON_AddNullToObject(object, "diagnosis");
        cJSON_AddNullToObject(object, "layer");
        cJSON_AddNullToObject(object, "blame");
        cJSON_AddNullToObject(object, "retryable");
        return;
    }
    const struct diagnosis *diagnosis = result->finding->diagnosis;
    report_json_add(object, "diagnosis", diagnosis->id);
    report_json_add(object, "layer", diagnosis->layer);
    report_json_add(object, "blame", blame_name(diagnosis->blame));
    cJSON_AddBoolToObject(object, "retryable", result->finding->is_retryable);
}

static bool is_repeated(const struct result *result, const struct finding *finding)
{
    const struct observation *deciding = result->finding ? result->finding->observation : NULL;
    return deciding && finding->observation && deciding->problem &&
           deciding->problem == finding->observation->problem;
}

/* What decides comes first, then the rest that was found in the config and by the key proof. */
static struct cJSON *findings_json(struct arena *arena, const struct result *result, enum lang lang)
{
    struct cJSON *findings = cJSON_CreateArray();
    if (result->status == TARGET_FAILED) {
        cJSON_AddItemToArray(
            findings, report_finding_of_target_json(arena, result->finding, result->target, lang));
    }
    for (size_t i = 0; i < result->config_finding_count; i++) {
        const struct finding *finding = &result->config_findings[i];
        if (!is_repeated(result, finding)) {
            cJSON_AddItemToArray(
                findings, report_finding_of_target_json(arena, finding, result->target, lang));
        }
    }
    if (result->key_proof && !result->key_proof->diagnosis->is_healthy) {
        cJSON_AddItemToArray(findings, report_finding_of_target_json(arena, result->key_proof,
                                                                     result->target, lang));
    }
    return findings;
}

/* asked, effective, sent and answered are names of models, or null. */
static void add_truth(struct arena *arena, struct cJSON *object, const struct truth *truth)
{
    add_known(object, "asked", truth->asked.text);
    add_known(object, "asked_origin", origin_text(arena, truth->asked.origin));
    add_known(object, "effective", truth->effective.text);
    add_known(object, "effective_origin", origin_text(arena, truth->effective.origin));
    add_known(object, "sent", truth->sent);
    add_known(object, "answered", truth->answered);
    cJSON_AddBoolToObject(object, "same", truth->is_same);
}

struct cJSON *report_target_json(struct arena *arena, const struct result *result, enum lang lang)
{
    static const struct str roles[] = {[ROLE_PRIMARY] = STR_INIT("primary"),
                                       [ROLE_FALLBACK] = STR_INIT("fallback"),
                                       [ROLE_SMALL] = STR_INIT("small"),
                                       [ROLE_REVIEW] = STR_INIT("review"),
                                       [ROLE_PROFILE] = STR_INIT("profile")};
    const struct target *target = result->target;
    struct cJSON *object = cJSON_CreateObject();
    report_json_add(object, "name", target->name);
    add_known(object, "client", target->client);
    add_known(object, "provider", target->provider);
    add_known(object, "wire", target->wire);
    add_known(object, "model", target->model.text);
    report_json_add(object, "role", roles[target->role]);
    cJSON_AddItemToObject(object, "fallback_number",
                          number_or_null(target->role == ROLE_FALLBACK, target->fallback_number));
    add_known(object, "chain", target->chain);
    add_known(object, "base_url", masked(arena, target->base_url.text));
    add_known(object, "proxy", masked(arena, target->proxy.text));
    add_known(object, "note", target->note.in[lang]);
    cJSON_AddItemToObject(object, "origin", origins_json(arena, target));
    cJSON_AddItemToObject(object, "key", key_json(target));
    add_judgement(object, result);
    cJSON_AddItemToObject(object, "steps", steps_json(result));
    if (result->observation) {
        cJSON_AddItemToObject(object, "network", network_json(arena, result->observation));
    }
    cJSON_AddItemToObject(object, "http", http_json(result->observation));
    add_known(object, "served_model",
              result->observation ? result->observation->served_model : (struct str){NULL, 0});
    if (result->truth) {
        add_truth(arena, object, result->truth);
    }
    cJSON_AddItemToObject(object, "findings", findings_json(arena, result, lang));
    return object;
}
