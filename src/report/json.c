/* The JSON document of interface.md for commands that probe. Members are only ever added; renaming
 * or removing one goes with schema_version. */
#include "report/formats.h"
#include "report/json_parts.h"

#include <cjson/cJSON.h>

#define SCHEMA_VERSION 1

static void add_string(struct cJSON *object, const char *name, struct str s)
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
    cJSON_AddNumberToObject(root, "schema_version", SCHEMA_VERSION);
    add_string(tool, "name", STR("diagnose"));
    add_string(tool, "version", version);
    cJSON_AddItemToObject(root, "tool", tool);
    add_string(root, "command", command);
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
    static const struct str scopes[] = {[SCOPE_MODEL] = STR_INIT("model"),
                                        [SCOPE_KEY] = STR_INIT("key"),
                                        [SCOPE_PROVIDER] = STR_INIT("provider"),
                                        [SCOPE_NETWORK] = STR_INIT("network"),
                                        [SCOPE_EVERYTHING] = STR_INIT("everything")};
    const struct diagnosis *diagnosis = verdict->diagnosis;
    struct cJSON *object = cJSON_CreateObject();
    add_string(object, "id", verdict->id);
    struct cJSON *targets = cJSON_AddArrayToObject(object, "targets");
    for (size_t i = 0; i < verdict->result_count; i++) {
        if (verdict->results[i]->target) {
            cJSON_AddItemToArray(targets, report_json_string(verdict->results[i]->target->name));
        }
    }
    add_string(object, "diagnosis", diagnosis->id);
    add_string(object, "layer", diagnosis->layer);
    add_string(object, "blame", blame_name(diagnosis->blame));
    add_string(object, "severity", severity_name(verdict->severity));
    cJSON_AddBoolToObject(object, "retryable", verdict->finding->is_retryable);
    add_string(object, "scope", scopes[verdict->scope]);
    add_string(object, "title", verdict->title);
    add_string(object, "why", verdict->why);
    add_string(object, "seen", verdict->seen);
    if (str_is_set(verdict->says)) {
        add_string(object, "client_says", verdict->says);
    }
    add_string(object, "rule", verdict->finding->rule_id);
    add_string(object, "origin", verdict->origin);
    cJSON_AddItemToObject(object, "actions", strings_json(verdict->actions, verdict->action_count));
    cJSON_AddItemToObject(object, "avoid", strings_json(verdict->avoid, verdict->avoid_count));
    add_basis(arena, object, verdict);
    return object;
}

static struct cJSON *config_json(struct arena *arena, const struct report *report)
{
    static const struct str statuses[] = {[CONFIG_LOADED] = STR_INIT("loaded"),
                                          [CONFIG_MISSING] = STR_INIT("missing"),
                                          [CONFIG_IGNORED] = STR_INIT("ignored"),
                                          [CONFIG_BROKEN] = STR_INIT("broken")};
    struct cJSON *config = cJSON_CreateObject();
    struct cJSON *files = cJSON_AddArrayToObject(config, "files");
    for (size_t i = 0; i < report->file_count; i++) {
        struct cJSON *file = cJSON_CreateObject();
        add_string(file, "path", report->files[i].path);
        add_string(file, "status", statuses[report->files[i].status]);
        add_string(file, "reason", report->files[i].reason);
        cJSON_AddItemToArray(files, file);
    }
    struct cJSON *findings = cJSON_AddArrayToObject(config, "findings");
    for (size_t i = 0; i < report->config_finding_count; i++) {
        cJSON_AddItemToArray(findings,
                             report_finding_json(arena, &report->config_findings[i], report->lang));
    }
    return config;
}

struct cJSON *report_run_json(struct arena *arena, const struct report *report)
{
    struct cJSON *root = report_json_head(report->command, report->version);
    cJSON_AddNumberToObject(root, "exit_code", report->exit_code);
    cJSON_AddItemToObject(root, "started_at", report_json_time(report->started_ms));
    cJSON_AddNumberToObject(root, "duration_ms", (double)report->duration_ms);
    cJSON_AddNumberToObject(root, "requests", (double)report->request_count);
    add_string(root, "blame", blame_name(report->blame));
    add_string(root, "summary", report->summary);
    struct cJSON *verdicts = cJSON_AddArrayToObject(root, "verdicts");
    for (size_t i = 0; i < report->verdict_count; i++) {
        cJSON_AddItemToArray(verdicts, verdict_json(arena, &report->verdicts[i]));
    }
    cJSON_AddItemToObject(root, "config", config_json(arena, report));
    return root;
}

struct cJSON *report_json_tree(struct arena *arena, const struct report *report)
{
    struct cJSON *root = report_run_json(arena, report);
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

const struct report_format format_json = {STR_INIT("json"), render};
