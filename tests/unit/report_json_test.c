/* The JSON document: every member that readers count on, of its type, valid whatever comes in. */
#include "triage_fixture.h"

#include "base/text.h"
#include "report/json_write.h"
#include "report/report.h"

#include <cjson/cJSON.h>

static struct str print(struct arena *arena, const struct cJSON *tree, bool is_line)
{
    struct buf out = buf_create(REPORT_BYTES_MAX);
    report_json_print(tree, is_line, &out);
    struct str text = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return text;
}

/* Kinds: s string, n number, b boolean, o object, a array, 0 null; several letters = one of them.
 */
static void assert_members(const cJSON *object, const char *const (*members)[2])
{
    for (size_t i = 0; members[i][0]; i++) {
        const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, members[i][0]);
        if (member == NULL) {
            fail_msg("\"%s\" is missing", members[i][0]);
        }
        char kind = cJSON_IsString(member)   ? 's'
                    : cJSON_IsNumber(member) ? 'n'
                    : cJSON_IsBool(member)   ? 'b'
                    : cJSON_IsObject(member) ? 'o'
                    : cJSON_IsArray(member)  ? 'a'
                                             : '0';
        if (strchr(members[i][1], kind) == NULL) {
            fail_msg("\"%s\" is of kind %c", members[i][0], kind);
        }
    }
}

static cJSON *member(const cJSON *object, const char *name)
{
    cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    if (found == NULL) {
        fail_msg("\"%s\" is missing", name);
    }
    return found;
}

static struct run *run_mixed(void)
{
    struct run *run = run_open();
    run_add(run, "big", "https://user:secret@a.example/v1", "key-of-a", 503, STEP_ANSWER,
            "capacity");
    run_add_answer(run, "mini", 200, "ok");
    struct result *skipped = run_add_answer(run, "none", 200, "ok");
    skipped->finding = NULL;
    skipped->observation = NULL;
    run->targets[2].skip_reason = STR("no model named");
    run->findings[0].field = STR("error.code");
    run->findings[0].evidence = STR("overloaded");
    run->findings[0].wait_ms = 30000;
    run->observations[0].retry_after_ms = 30000;
    run->input.config_findings = run_problem(run, "config_unknown_key", "unknown_key", 2, true);
    run->input.config_finding_count = 1;
    return run;
}

/* What readers count on. */
static const char *const root_members[][2] = {
    {"schema_version", "n"}, {"tool", "o"},      {"command", "s"}, {"started_at", "s"},
    {"duration_ms", "n"},    {"exit_code", "n"}, {"blame", "s"},   {"summary", "s"},
    {"verdicts", "a"},       {"config", "o"},    {"targets", "a"}, {NULL, NULL}};
static const char *const verdict_members[][2] = {{"id", "s"},      {"targets", "a"}, {"seen", "s"},
                                                 {"actions", "a"}, {"avoid", "a"},   {"basis", "o"},
                                                 {NULL, NULL}};
static const char *const target_members[][2] = {
    {"name", "s"},          {"client", "s"},     {"provider", "s0"},  {"wire", "s"},
    {"model", "s0"},        {"role", "s"},       {"base_url", "s0"},  {"origin", "o"},
    {"key", "o"},           {"status", "s"},     {"diagnosis", "s0"}, {"layer", "s0"},
    {"blame", "s0"},        {"retryable", "b0"}, {"steps", "a"},      {"http", "o"},
    {"served_model", "s0"}, {"findings", "a"},   {NULL, NULL}};
static const char *const step_members[][2] = {
    {"name", "s"}, {"status", "s"}, {"duration_ms", "n0"}, {"detail", "s0"}, {NULL, NULL}};
static const char *const http_members[][2] = {{"status", "n0"},
                                              {"request_id", "s0"},
                                              {"retry_after_ms", "n0"},
                                              {"date_skew_ms", "n0"},
                                              {NULL, NULL}};
static const char *const finding_members[][2] = {
    {"diagnosis", "s"}, {"layer", "s"},     {"blame", "s"},     {"severity", "s"},
    {"retryable", "b"}, {"rule", "s0"},     {"evidence", "o0"}, {"origin", "s0"},
    {"wait_ms", "n0"},  {"retry_at", "s0"}, {"message", "s"},   {"suggestion", "s0"},
    {"actions", "a"},   {"avoid", "a"},     {NULL, NULL}};

static void every_member_is_there_and_of_its_type(void **state)
{
    (void)state;
    struct run *run = run_mixed();
    run_triage(run);
    cJSON *tree = report_json_tree(run->arena, &run->report), *item;
    assert_members(tree, root_members);
    cJSON_ArrayForEach(item, member(tree, "verdicts"))
    {
        assert_members(item, verdict_members);
    }
    cJSON_ArrayForEach(item, member(member(tree, "config"), "findings"))
    {
        assert_members(item, finding_members);
    }
    cJSON_ArrayForEach(item, member(tree, "targets"))
    {
        const cJSON *part;
        assert_members(item, target_members);
        assert_members(member(item, "http"), http_members);
        assert_int_equal(cJSON_GetArraySize(member(item, "steps")), STEP_COUNT);
        cJSON_ArrayForEach(part, member(item, "steps"))
        {
            assert_members(part, step_members);
        }
        cJSON_ArrayForEach(part, member(item, "findings"))
        {
            assert_members(part, finding_members);
        }
    }
    cJSON_Delete(tree);
    run_close(run);
}

static void values_are_those_of_the_run(void **state)
{
    (void)state;
    struct run *run = run_mixed();
    run_triage(run);
    cJSON *tree = report_json_tree(run->arena, &run->report);
    const cJSON *targets = member(tree, "targets");
    const cJSON *failed = cJSON_GetArrayItem(targets, 0);
    const cJSON *healthy = cJSON_GetArrayItem(targets, 1);
    const cJSON *skipped = cJSON_GetArrayItem(targets, 2);
    assert_int_equal(member(tree, "exit_code")->valueint, 2);
    assert_string_equal(member(tree, "blame")->valuestring, "theirs");
    assert_string_equal(member(tree, "started_at")->valuestring, "1970-01-01T00:16:40Z");
    assert_string_equal(member(failed, "status")->valuestring, "failed");
    assert_string_equal(member(failed, "base_url")->valuestring, "https://[masked]@a.example/v1");
    assert_true(member(failed, "retryable")->type & cJSON_True);
    assert_int_equal(member(member(failed, "http"), "retry_after_ms")->valueint, 30000);
    assert_true(cJSON_IsNull(member(member(failed, "http"), "date_skew_ms")));
    assert_string_equal(member(member(failed, "origin"), "base_url")->valuestring, "c.toml:1:9");
    assert_int_equal(strlen(member(member(failed, "key"), "fingerprint")->valuestring), 8);
    assert_int_equal(cJSON_GetArraySize(member(failed, "findings")), 1);
    assert_string_equal(member(healthy, "status")->valuestring, "ok");
    assert_string_equal(member(healthy, "diagnosis")->valuestring, "ok");
    assert_int_equal(cJSON_GetArraySize(member(healthy, "findings")), 0);
    assert_string_equal(member(skipped, "status")->valuestring, "skipped");
    assert_true(cJSON_IsNull(member(skipped, "diagnosis")));
    const cJSON *found = cJSON_GetArrayItem(member(member(tree, "config"), "findings"), 0);
    assert_string_equal(member(found, "origin")->valuestring, "c.toml:2:1");
    assert_string_equal(member(found, "suggestion")->valuestring, "model");
    assert_string_equal(member(found, "severity")->valuestring, "warning");
    cJSON_Delete(tree);
    run_close(run);
}

static void findings_speak_of_their_own_target(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "m", 401, "auth_invalid_key");
    struct result *twin = run_add_answer(run, "m", 401, "auth_invalid_key");
    run->targets[1].key_name = STR("TWIN_KEY");
    twin->observation = &run->observations[0];
    twin->finding = &run->findings[0];
    run_triage(run);
    cJSON *tree = report_json_tree(run->arena, &run->report);
    const cJSON *target = cJSON_GetArrayItem(member(tree, "targets"), 1);
    const cJSON *finding = cJSON_GetArrayItem(member(target, "findings"), 0);
    const cJSON *action = cJSON_GetArrayItem(member(finding, "actions"), 0);
    assert_string_equal(action->valuestring, "export TWIN_KEY=...");
    cJSON_Delete(tree);
    run_close(run);
}

static void no_key_and_no_credentials_come_out(void **state)
{
    (void)state;
    struct run *run = run_mixed();
    run_triage(run);
    for (size_t i = 0; i < report_format_count(); i++) {
        struct buf out = buf_create(REPORT_BYTES_MAX);
        struct report_style style = {.columns = 80, .is_verbose = true};
        report_format_at(i)->render(run->arena, &run->report, &style, &out);
        assert_true(out.len > 0);
        assert_int_equal(str_find(buf_str(&out), STR("key-of-a")), -1);
        assert_int_equal(str_find(buf_str(&out), STR("secret")), -1);
        buf_free(&out);
    }
    run_close(run);
}

static void strings_of_any_bytes_give_valid_json(void **state)
{
    (void)state;
    static const char hostile[] = "a\0b\xFF\xC0\"\\\033\x01\xC2\x9B\xE2\x80\xAE\xF3\xA0\x81\x81\n";
    struct arena *arena = arena_create();
    cJSON *string = report_json_string((struct str){hostile, sizeof hostile - 1});
    struct str text = print(arena, string, true);
    assert_str(text, "\"a\xEF\xBF\xBD"
                     "b\xEF\xBF\xBD\xEF\xBF\xBD\\\"\\\\\\u001b\\u0001\\u009b\\u202e"
                     "\\udb40\\udc41\\n\"\n");
    cJSON *again = cJSON_Parse(text.ptr);
    assert_string_equal(again->valuestring, string->valuestring);
    cJSON_Delete(again);
    cJSON_Delete(string);
    string = report_json_string((struct str){NULL, 0});
    assert_true(cJSON_IsNull(string));
    cJSON_Delete(string);
    string = report_json_string(STR(""));
    assert_string_equal(string->valuestring, "");
    cJSON_Delete(string);
    char *long_text = arena_alloc(arena, 100000);
    memset(long_text, 'x', 99999);
    string = report_json_string(str_from(long_text));
    assert_true(strlen(string->valuestring) <= 4096);
    assert_true(str_ends(str_from(string->valuestring), STR("x...")));
    cJSON_Delete(string);
    arena_free(arena);
}

static void an_empty_run_is_a_whole_document(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_triage(run);
    cJSON *tree = report_json_tree(run->arena, &run->report);
    assert_int_equal(member(tree, "exit_code")->valueint, 5);
    assert_int_equal(cJSON_GetArraySize(member(tree, "targets")), 0);
    cJSON_Delete(tree);
    run_close(run);
}

static void ndjson_is_one_object_a_line(void **state)
{
    (void)state;
    struct run *run = run_mixed();
    struct buf out = buf_create(REPORT_BYTES_MAX);
    struct report_style style = {.columns = 80};
    run_triage(run);
    report_format_find(STR("ndjson"))->render(run->arena, &run->report, &style, &out);
    struct str rest = buf_str(&out), line;
    size_t lines = 0;
    while (str_split(&rest, '\n', &line) && line.len > 0) {
        cJSON *object = cJSON_ParseWithLength(line.ptr, line.len);
        assert_true(cJSON_IsObject(object));
        assert_int_equal(cJSON_HasObjectItem(object, "schema_version"), lines == 3);
        cJSON_Delete(object);
        lines++;
    }
    assert_int_equal(lines, 4);
    buf_free(&out);
    run_close(run);
}

static struct str answer(struct run *run, struct str id, const struct finding *finding)
{
    struct buf out = buf_create(REPORT_BYTES_MAX);
    struct json_writer writer = {.out = &out, .is_line = true};
    json_write_open(&writer, NULL, '{');
    json_write_raw(&writer, "id", id);
    report_write_judgement(&writer, finding);
    json_write_close(&writer, '}');
    struct str text = arena_dup(run->arena, buf_str(&out));
    buf_free(&out);
    return text;
}

static void answers_to_ndjson_repeat_the_id(void **state)
{
    (void)state;
    struct run *run = run_mixed();
    assert_str(answer(run, STR("{\"a\":[12345678901234567]}"), &run->findings[0]),
               "{\"id\":{\"a\":[12345678901234567]},\"diagnosis\":\"capacity\",\"layer\":"
               "\"capacity\",\"blame\":"
               "\"theirs\",\"retryable\":true,\"rule\":\"rule-capacity\",\"evidence\":{\"field\":"
               "\"error.code\",\"text\":\"overloaded\"},\"wait_ms\":30000,\"retry_at\":null}");
    assert_str(answer(run, STR("null"), &run->findings[1]),
               "{\"id\":null,\"diagnosis\":\"ok\",\"layer\":\"none\",\"blame\":\"none\","
               "\"retryable\":false,\"rule\":\"rule-ok\",\"evidence\":null,\"wait_ms\":null,"
               "\"retry_at\":null}");
    run_close(run);
}

static void formats_are_found_by_name(void **state)
{
    (void)state;
    assert_non_null(report_format_find(STR("human")));
    assert_non_null(report_format_find(STR("json")));
    assert_null(report_format_find(STR("Json")));
    assert_null(report_format_find(STR("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_is_there_and_of_its_type),
        cmocka_unit_test(values_are_those_of_the_run),
        cmocka_unit_test(findings_speak_of_their_own_target),
        cmocka_unit_test(no_key_and_no_credentials_come_out),
        cmocka_unit_test(strings_of_any_bytes_give_valid_json),
        cmocka_unit_test(an_empty_run_is_a_whole_document),
        cmocka_unit_test(ndjson_is_one_object_a_line),
        cmocka_unit_test(answers_to_ndjson_repeat_the_id),
        cmocka_unit_test(formats_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
