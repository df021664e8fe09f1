/* SARIF 2.1.0, what code scanning reads: a result for each row that fails or warns, at the line of
 * the file that says it. A fingerprint without lines keeps an alert the same while a file grows. */
#include "report/formats.h"
#include "report/json_parts.h"
#include "report/rows.h"

#include "base/digest.h"

#include <cjson/cJSON.h>

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"
#define HOME_BASE "HOME"
#define FINGERPRINT_DIGITS 32

/* One run under way. */
struct sarif {
    struct arena *arena;
    const struct report *report;
    struct cJSON *rules, *results;
    const struct diagnosis **diagnoses; /* of rules, in order; NULL = the run as a whole */
    size_t diagnosis_count, diagnosis_capacity;
    bool has_home; /* a place is told from the home */
};

static struct cJSON *text_json(struct str text)
{
    struct cJSON *object = cJSON_CreateObject();
    report_json_add(object, "text", text);
    return object;
}

static struct str id_of(const struct diagnosis *diagnosis)
{
    return diagnosis ? diagnosis->id : STR("run");
}

static size_t rule_of(struct sarif *sarif, const struct diagnosis *diagnosis)
{
    for (size_t i = 0; i < sarif->diagnosis_count; i++) {
        if (sarif->diagnoses[i] == diagnosis) {
            return i;
        }
    }
    sarif->diagnoses = arena_grow(sarif->arena, sarif->diagnoses, sarif->diagnosis_count,
                                  &sarif->diagnosis_capacity, sizeof(struct diagnosis *));
    struct str id = id_of(diagnosis);
    struct str said = diagnosis ? diagnosis->title.in[sarif->report->lang] : STR("the run failed");
    struct cJSON *rule = cJSON_CreateObject();
    report_json_add(rule, "id", id);
    cJSON_AddItemToObject(
        rule, "shortDescription",
        text_json(arena_printf(sarif->arena, "%.*s: %.*s", STR_ARG(id), STR_ARG(said))));
    if (diagnosis) {
        cJSON_AddItemToObject(
            rule, "help",
            text_json(arena_printf(sarif->arena, "diagnose explain %.*s", STR_ARG(id))));
    }
    cJSON_AddItemToArray(sarif->rules, rule);
    sarif->diagnoses[sarif->diagnosis_count] = diagnosis;
    return sarif->diagnosis_count++;
}

/* A path as a URI reference: its bytes, but for those that mean nothing else, in figures. */
static void add_path(struct buf *uri, struct str path)
{
    for (size_t i = 0; i < path.len; i++) {
        char c = path.ptr[i];
        bool is_plain = str_is_alnum(c) || str_find_char(STR("-._~/"), c) >= 0;
        if (is_plain) {
            buf_add_char(uri, c);
        } else {
            buf_printf(uri, "%%%02X", (unsigned)(unsigned char)c);
        }
    }
}

static struct cJSON *artifact_json(struct sarif *sarif, struct str path)
{
    struct cJSON *artifact = cJSON_CreateObject();
    struct buf uri = buf_create(4096);
    bool is_of_home = str_starts(path, STR("~/"));
    buf_add(&uri, str_starts(path, STR("/")) ? STR("file://") : STR(""));
    add_path(&uri, str_slice(path, is_of_home ? 2 : 0, path.len));
    report_json_add(artifact, "uri", buf_str(&uri));
    if (is_of_home) {
        report_json_add(artifact, "uriBaseId", STR(HOME_BASE));
        sarif->has_home = true;
    }
    buf_free(&uri);
    return artifact;
}

static struct cJSON *location_json(struct sarif *sarif, const struct report_row *row)
{
    struct cJSON *location = cJSON_CreateObject();
    if (row->origin.kind == ORIGIN_FILE) {
        struct cJSON *physical = cJSON_AddObjectToObject(location, "physicalLocation");
        struct str path = report_row_text(sarif->arena, sarif->report, row->origin.name);
        cJSON_AddItemToObject(physical, "artifactLocation", artifact_json(sarif, path));
        if (row->origin.line) {
            struct cJSON *region = cJSON_AddObjectToObject(physical, "region");
            cJSON_AddNumberToObject(region, "startLine", row->origin.line);
            cJSON_AddNumberToObject(region, "startColumn",
                                    row->origin.column ? row->origin.column : 1);
        }
        return location;
    }
    struct cJSON *names = cJSON_AddArrayToObject(location, "logicalLocations");
    struct cJSON *name = cJSON_CreateObject();
    report_json_add(name, "name", row->name);
    report_json_add(
        name, "fullyQualifiedName",
        arena_printf(sarif->arena, "%.*s/%.*s", STR_ARG(row->suite), STR_ARG(row->name)));
    cJSON_AddItemToArray(names, name);
    return location;
}

/* The name of a finding in a file tells its line, which moves. */
static struct str fingerprint_of(struct arena *arena, const struct report_row *row)
{
    bool is_of_file = row->kind == ROW_CONFIG && row->origin.kind == ORIGIN_FILE;
    struct str first = is_of_file ? row->origin.name : row->suite;
    struct str second = is_of_file ? row->title : row->name;
    struct str id = id_of(row->diagnosis);
    struct str whole =
        arena_printf(arena, "%.*s\n%.*s\n%.*s", STR_ARG(id), STR_ARG(first), STR_ARG(second));
    char *digits = arena_alloc(arena, FINGERPRINT_DIGITS + 1);
    digest_hex(whole, digits, FINGERPRINT_DIGITS);
    return str_from(digits);
}

static struct str message_of(struct arena *arena, const struct report_row *row)
{
    struct buf text = buf_create(8192);
    const struct str parts[] = {row->title, row->why, row->seen};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!str_is_empty(parts[i])) {
            buf_add(&text, text.len ? STR("\n") : STR(""));
            buf_add(&text, parts[i]);
        }
    }
    struct str message = arena_dup(arena, buf_str(&text));
    buf_free(&text);
    return message;
}

static void add_result(struct sarif *sarif, const struct report_row *row)
{
    struct cJSON *result = cJSON_CreateObject();
    report_json_add(result, "ruleId", id_of(row->diagnosis));
    cJSON_AddNumberToObject(result, "ruleIndex", (double)rule_of(sarif, row->diagnosis));
    report_json_add(result, "level", row->status == ROW_WARNING ? STR("warning") : STR("error"));
    cJSON_AddItemToObject(result, "message", text_json(message_of(sarif->arena, row)));
    cJSON_AddItemToArray(cJSON_AddArrayToObject(result, "locations"), location_json(sarif, row));
    struct cJSON *fingerprints = cJSON_AddObjectToObject(result, "partialFingerprints");
    report_json_add(fingerprints, "diagnose/v1", fingerprint_of(sarif->arena, row));
    cJSON_AddItemToArray(sarif->results, result);
}

static struct cJSON *tool_json(struct sarif *sarif)
{
    struct cJSON *tool = cJSON_CreateObject();
    struct cJSON *driver = cJSON_AddObjectToObject(tool, "driver");
    report_json_add(driver, "name", STR("diagnose"));
    report_json_add(driver, "version", sarif->report->version);
    sarif->rules = cJSON_AddArrayToObject(driver, "rules");
    return tool;
}

static struct cJSON *invocation_json(const struct report *report)
{
    struct cJSON *invocation = cJSON_CreateObject();
    cJSON_AddItemToObject(invocation, "startTimeUtc", report_json_time(report->started_ms));
    cJSON_AddNumberToObject(invocation, "exitCode", report->exit_code);
    cJSON_AddTrueToObject(invocation, "executionSuccessful");
    return invocation;
}

static struct cJSON *run_json(struct sarif *sarif)
{
    struct cJSON *run = cJSON_CreateObject();
    struct report_rows rows = report_rows_of(sarif->arena, sarif->report);
    cJSON_AddItemToObject(run, "tool", tool_json(sarif));
    cJSON_AddItemToArray(cJSON_AddArrayToObject(run, "invocations"),
                         invocation_json(sarif->report));
    report_json_add(run, "columnKind", STR("unicodeCodePoints"));
    sarif->results = cJSON_AddArrayToObject(run, "results");
    for (size_t i = 0; i < rows.count; i++) {
        enum row_status status = rows.items[i].status;
        if (status != ROW_OK && status != ROW_SKIPPED) {
            add_result(sarif, &rows.items[i]);
        }
    }
    if (sarif->has_home) {
        struct cJSON *bases = cJSON_AddObjectToObject(run, "originalUriBaseIds");
        struct cJSON *home = cJSON_AddObjectToObject(bases, HOME_BASE);
        cJSON_AddItemToObject(home, "description", text_json(STR("The home of the user.")));
    }
    return run;
}

static void render(struct arena *arena, const struct report *report,
                   const struct report_style *style, struct buf *out)
{
    (void)style;
    struct sarif sarif = {.arena = arena, .report = report};
    struct cJSON *root = cJSON_CreateObject();
    report_json_add(root, "$schema", STR(SCHEMA));
    report_json_add(root, "version", STR("2.1.0"));
    cJSON_AddItemToArray(cJSON_AddArrayToObject(root, "runs"), run_json(&sarif));
    report_json_print(root, false, out);
    cJSON_Delete(root);
}

const struct report_format format_sarif = {.name = STR_INIT("sarif"), .render = render};
