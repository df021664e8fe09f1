/* The JSON document of commands that probe. Members are only ever added; renaming or removing one
 * goes with schema_version. */
#include "report/formats.h"
#include "report/json_parts.h"

#include <cjson/cJSON.h>

void report_json_add(struct cJSON *object, const char *name, struct str s)
{
    cJSON_AddItemToObject(object, name, report_json_string(s));
}

static struct cJSON *strings_json(const struct str *strings, size_t count)
{
    struct cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++) {
        cJSON_AddItemToArray(array, report_json_string(strings[i]));
    }
    return array;
}

struct cJSON *report_json_head(struct str command, struct str version)
{
    struct cJSON *root = cJSON_CreateObject();
    struct cJSON *tool = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "schema_version", REPORT_SCHEMA_VERSION);
    report_json_add(tool, "name", STR("diagnose"));
    report_json_add(tool, "version", version);
    cJSON_AddItemToObject(root, "tool", tool);
    report_json_add(root, "command", command);
    return root;
}

static void add_basis(struct arena *arena, struct cJSON *object, const struct verdict *verdict)
{
    struct cJSON *basis = cJSON_AddObjectToObject(object, "basis");
    for (size_t i = 0; i < verdict->basis_count; i++) {
        cJSON_AddNumberToObject(basis, arena_cstr(arena, verdict->basis[i].name),
                                (double)verdict->basis[i].number);
    }
}

static struct cJSON *verdict_json(struct arena *arena, const struct verdict *verdict)
{
    const struct diagnosis *diagnosis = verdict->diagnosis;
    struct cJSON *object = cJSON_CreateObject();
    report_json_add(object, "id", verdict->id);
    struct cJSON *targets = cJSON_AddArrayToObject(object, "targets");
    for (size_t i = 0; i < verdict->result_count; i++) {
        if (verdict->results[i]->target) {
            cJSON_AddItemToArray(targets, report_json_string(verdict->results[i]->target->name));
        }
    }
    report_json_add(object, "diagnosis", diagnosis->id);
    report_json_add(object, "layer", diagnosis->layer);
    report_json_add(object, "blame", blame_name(diagnosis->blame));
    report_json_add(object, "severity", severity_name(verdict->severity));
    cJSON_AddBoolToObject(object, "retryable", verdict->finding->is_retryable);
    report_json_add(object, "scope", scope_name(verdict->scope));
    report_json_add(object, "title", verdict->title);
    report_json_add(object, "why", verdict->why);
    report_json_add(object, "seen", verdict->seen);
    if (str_is_set(verdict->says)) {
        report_json_add(object, "client_says", verdict->says);
    }
    report_json_add(object, "rule", verdict->finding->rule_id);
    report_json_add(object, "origin", verdict->origin);
    cJSON_AddItemToObject(object, "actions", strings_json(verdict->actions, verdict->action_count));
    cJSON_AddItemToObject(object, "avoid", strings_json(verdict->avoid, verdict->avoid_count));
    add_basis(arena, object, verdict);
    return object;
}

static struct cJSON *config_json(struct arena *arena, const struct report *report)
{
    struct cJSON *config = cJSON_CreateObject();
    struct cJSON *files = cJSON_AddArrayToObject(config, "files");
    for (size_t i = 0; i < report->file_count; i++) {
        struct cJSON *file = cJSON_CreateObject();
        report_json_add(file, "path", report->files[i].path);
        report_json_add(file, "status", config_file_status_name(report->files[i].status));
        report_json_add(file, "reason", report->files[i].reason);
        cJSON_AddItemToArray(files, file);
    }
    struct cJSON *findings = cJSON_AddArrayToObject(config, "findings");
    for (size_t i = 0; i < report->config_finding_count; i++) {
        cJSON_AddItemToArray(findings,
                             report_finding_json(arena, &report->config_findings[i], report->lang));
    }
    return config;
}

static void add_expectations(struct cJSON *object, const struct report *report)
{
    struct cJSON *expectations = cJSON_AddArrayToObject(object, "expectations");
    for (size_t i = 0; i < report->expectation_count; i++) {
        const struct expectation *expectation = &report->expectations[i];
        struct cJSON *item = cJSON_CreateObject();
        report_json_add(item, "key", expectation->key);
        report_json_add(item, "want", expectation->want);
        report_json_add(item, "have", expectation->have);
        cJSON_AddBoolToObject(item, "holds", expectation->holds);
        cJSON_AddItemToArray(expectations, item);
    }
}

static void add_changes(struct cJSON *object, const struct report *report)
{
    static const struct str effects[] = {[EFFECT_TAKEN] = STR_INIT("taken"),
                                         [EFFECT_NOT_TAKEN] = STR_INIT("not_taken"),
                                         [EFFECT_UNPROVEN] = STR_INIT("unproven")};
    struct cJSON *changes = cJSON_AddArrayToObject(object, "changes");
    for (size_t i = 0; i < report->change_count; i++) {
        const struct change *change = &report->changes[i];
        struct cJSON *item = cJSON_CreateObject();
        report_json_add(item, "target", change->target);
        report_json_add(item, "key", change->key);
        report_json_add(item, "from", change->from);
        report_json_add(item, "to", change->to);
        report_json_add(item, "effect", effects[change->effect]);
        cJSON_AddItemToArray(changes, item);
    }
    if (report->is_compared) {
        cJSON_AddItemToObject(object, "last_verified_at",
                              report->last_verified_ms > 0
                                  ? report_json_time(report->last_verified_ms)
                                  : cJSON_CreateNull());
    }
}

struct cJSON *report_run_json(struct arena *arena, const struct report *report)
{
    struct cJSON *root = report_json_head(report->command, report->version);
    cJSON_AddNumberToObject(root, "exit_code", report->exit_code);
    cJSON_AddItemToObject(root, "started_at", report_json_time(report->started_ms));
    cJSON_AddNumberToObject(root, "duration_ms", (double)report->duration_ms);
    cJSON_AddNumberToObject(root, "requests", (double)report->request_count);
    report_json_add(root, "blame", blame_name(report->blame));
    report_json_add(root, "summary", report->summary);
    struct cJSON *verdicts = cJSON_AddArrayToObject(root, "verdicts");
    for (size_t i = 0; i < report->verdict_count; i++) {
        cJSON_AddItemToArray(verdicts, verdict_json(arena, &report->verdicts[i]));
    }
    cJSON_AddItemToObject(root, "config", config_json(arena, report));
    if (report->is_verified) {
        add_expectations(root, report);
        add_changes(root, report);
    }
    return root;
}

struct cJSON *report_json_tree(struct arena *arena, const struct report *report)
{
    struct cJSON *root = report_run_json(arena, report);
    if (report->is_of_keys) {
        struct cJSON *keys = cJSON_AddArrayToObject(root, "keys");
        for (size_t i = 0; i < report->key_count; i++) {
            cJSON_AddItemToArray(keys, report_key_json(arena, &report->keys[i], report->lang));
        }
        return root;
    }
    struct cJSON *targets = cJSON_AddArrayToObject(root, "targets");
    for (size_t i = 0; i < report->result_count; i++) {
        if (report->results[i].target) {
            cJSON_AddItemToArray(targets,
                                 report_target_json(arena, &report->results[i], report->lang));
        }
    }
    return root;
}

static void render(struct arena *arena, const struct report *report,
                   const struct report_style *style, struct buf *out)
{
    (void)style;
    struct cJSON *root = report_json_tree(arena, report);
    report_json_print(root, false, out);
    cJSON_Delete(root);
}

const struct report_format format_json = {.name = STR_INIT("json"), .render = render};
