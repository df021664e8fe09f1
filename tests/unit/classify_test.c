/* The judge: order of rules, what a finding tells, keywords, limits, and what no rule explains. */
#include "classify/classify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rules_world.h"

#include "base/buf.h"
#include "base/text.h"
#include "classify/prefilter.h"

#include <string.h>

#define assert_str(have, want) assert_string_equal(arena_cstr(world->arena, (have)), (want))

struct world {
    struct arena *arena;
    struct rules *rules;
    struct classifier *classifier;
};

static int set_up(void **state)
{
    static struct world world;
    world = (struct world){.arena = arena_create()};
    *state = &world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    classifier_close(world->classifier);
    rules_close(world->rules);
    arena_free(world->arena);
    return 0;
}

static void open_world(struct world *world, const char *rules)
{
    struct problems problems = {0};
    world->rules = open_table(world->arena, &problems, rules, NULL);
    assert_non_null(world->rules);
    assert_int_equal(problems.count, 0);
    world->classifier = classifier_open(world->rules);
}

/* Judges both ways and insists that they agree. */
static struct finding judge(struct world *world, struct observation observation)
{
    struct observation *kept = ARENA_NEW(world->arena, struct observation);
    *kept = observation;
    struct finding quick = classify(world->classifier, world->arena, kept);
    struct finding slow = classify_unfiltered(world->classifier, world->arena, kept);
    assert_ptr_equal(quick.diagnosis, slow.diagnosis);
    assert_true(str_eq(quick.rule_id, slow.rule_id));
    assert_true(str_eq(quick.runner_up_rule, slow.runner_up_rule));
    assert_ptr_equal(quick.observation, kept);
    return quick;
}

static struct finding judge_http(struct world *world, long status, const char *body)
{
    return judge(world, (struct observation){.kind = OBSERVATION_HTTP,
                                             .status = status,
                                             .body = str_from(body),
                                             .retry_after_ms = -1});
}

static struct finding judge_text(struct world *world, const char *text)
{
    return judge(world, (struct observation){.kind = OBSERVATION_TEXT,
                                             .body = str_from(text),
                                             .retry_after_ms = -1});
}

static void the_first_rule_wins_and_the_next_that_differs_is_kept(void **state)
{
    struct world *world = *state;
    open_world(world, RULE("code", "capacity", "match = { \"error.code\" = '^overloaded$' }")
                          RULE("same", "capacity", "status = [429]")
                              RULE("status", "rate_limit", "status = [429]"));
    struct finding f = judge_http(world, 429, "{\"error\":{\"code\":\"overloaded\"}}");
    assert_str(f.rule_id, "code");
    assert_str(f.diagnosis->id, "capacity");
    assert_str(f.field, "error.code");
    assert_str(f.evidence, "overloaded");
    assert_str(f.reason, "why");
    assert_str(f.runner_up->id, "rate_limit");
    assert_str(f.runner_up_rule, "status");
    assert_true(f.is_retryable);
    assert_int_equal(f.severity, SEVERITY_ERROR);
    f = judge_http(world, 429, "");
    assert_str(f.rule_id, "same");
    assert_str(f.field, "status");
    assert_str(f.evidence, "429");
}

static void all_conditions_must_hold(void **state)
{
    struct world *world = *state;
    open_world(world, RULE("both", "capacity",
                           "status = [503, 529]\nkeywords = ['overloaded']\n"
                           "match = { \"error.message\" = 'overloaded', \"header.x-p\" = '^a$' }"));
    struct header header = {STR("x-p"), STR("a")};
    struct observation o = {.kind = OBSERVATION_HTTP,
                            .status = 529,
                            .headers = &header,
                            .header_count = 1,
                            .body = STR("{\"error\":{\"message\":\"Overloaded\"}}"),
                            .retry_after_ms = -1};
    assert_str(judge(world, o).rule_id, "both");
    o.status = 500;
    assert_str(judge(world, o).diagnosis->id, "unknown");
    o.status = 529;
    header.value = STR("b");
    assert_str(judge(world, o).diagnosis->id, "unknown");
}

static void captures_and_waits_are_read(void **state)
{
    struct world *world = *state;
    open_world(world, RULE("wait", "rate_limit",
                           "keywords = ['limit reached']\n"
                           "match = { text = 'limit reached for (?<model>\\S{1,40})(?:.{0,40}in "
                           "(?<wait>[\\d.]+s))?(?<none>zzz)?' }")
                          RULE("generic", "rate_limit", "status = [429]")
                              RULE("once", "rate_limit", "status = [402]\nretryable = false"));
    struct finding f = judge_text(world, "limit reached for gpt-x: retry in 1.5s");
    assert_int_equal(f.capture_count, 2);
    assert_str(f.captures[0].name, "model");
    assert_str(f.captures[0].text, "gpt-x:");
    assert_int_equal(f.wait_ms, 1500);
    f = judge_http(world, 429, "{\"error\":{\"message\":\"slow down, try again in 20 seconds\"}}");
    assert_int_equal(f.wait_ms, 20000);
    f = judge_http(world, 402, "{\"error\":{\"message\":\"try again in 20 seconds\"}}");
    assert_int_equal(f.wait_ms, -1);
    assert_false(f.is_retryable);
    struct observation o = {.kind = OBSERVATION_HTTP,
                            .status = 429,
                            .retry_after_ms = 7000,
                            .body = STR("{\"error\":{\"message\":\"try again in 20 seconds\"}}")};
    assert_int_equal(judge(world, o).wait_ms, 7000);
}

static void evidence_is_short_whole_and_fit_to_show(void **state)
{
    struct world *world = *state;
    open_world(world, RULE("long", "capacity",
                           "keywords = ['needle in it']\nmatch = { text = 'needle in it.*' }"));
    char text[2000];
    memset(text, 'x', sizeof text);
    for (size_t i = 0; i + 3 <= 900; i += 3) {
        memcpy(text + i, "\xE4\xBD\xA0", 3);
        memcpy(text + 1000 + i, "\xE4\xBD\xA0", 3);
    }
    memcpy(text + 950, "needle in it", 12);
    text[990] = '\x01';
    text[1999] = '\0';
    struct finding f = judge_text(world, text);
    assert_str(f.rule_id, "long");
    assert_true(f.evidence.len <= 300 && f.evidence.len > 200);
    assert_int_equal(utf8_find_invalid(f.evidence), -1);
    assert_true(str_find(f.evidence, STR("needle in it")) >= 0);
    f = judge_text(world, "line one\nbefore needle in it after\nline three");
    assert_str(f.evidence, "before needle in it after");
}

static void keywords_are_found_in_any_case_and_field(void **state)
{
    struct world *world = *state;
    bool hits[3] = {false};
    open_world(
        world,
        RULE("a", "capacity",
             "keywords = ['overload', '负载已饱和']\nmatch = { text = 'overload|负载已饱和' }")
            RULE("b", "capacity", "keywords = ['loading it']\nmatch = { text = 'loading it' }")
                RULE("c", "capacity", "keywords = ['ask']\nmatch = { text = 'ask' }"));
    struct prefilter *prefilter = prefilter_create(world->arena, world->rules);
    prefilter_scan(prefilter, STR("It is OverLoading it"), hits);
    assert_true(hits[0] && hits[1] && !hits[2]);
    memset(hits, 0, sizeof hits);
    prefilter_scan(prefilter, STR("overloa loading i 负载已饱"), hits);
    assert_false(hits[0] || hits[1] || hits[2]);
    prefilter_scan(prefilter, STR("当前分组上游负载已饱和，请稍后再试"), hits);
    assert_true(hits[0]);
    /* PCRE2 takes the long s and the Kelvin sign for s and k. */
    prefilter_scan(prefilter, STR("A\xC5\xBF\xE2\x84\xAA"), hits);
    assert_true(hits[2]);
    assert_str(judge_text(world, "A\xC5\xBF\xE2\x84\xAA").rule_id, "c");
    assert_str(judge_text(world, "{\"error\":\"\\u8d1f\\u8f7d\\u5df2\\u9971\\u548c\"}").rule_id,
               "a");
}

static void rules_without_keywords_need_lifted_fields_or_none(void **state)
{
    struct world *world = *state;
    open_world(world,
               RULE("code", "capacity", "match = { \"error.code\" = '^1305$' }")
                   RULE("cut", "rate_limit", "match = { answer = '^truncated$' }") RULE(
                       "curl", "quota_exhausted",
                       "match = { \"curl.code\" = '^COULDNT_CONNECT$', kind = '^transport$' }"));
    assert_str(judge_text(world, "x {\"error\":{\"code\":\"1305\"}}").rule_id, "code");
    assert_str(judge_http(world, 200, "{\"choices\":[{\"message\":{\"content\":\"ha").rule_id,
               "cut");
    assert_str(
        judge(world, (struct observation){.kind = OBSERVATION_TRANSPORT, .curl_code = 7}).rule_id,
        "curl");
}

static void a_status_rule_goes_by_the_innermost_status(void **state)
{
    struct world *world = *state;
    open_world(world, RULE("s502", "capacity", "status = [502]")
                          RULE("s429", "rate_limit", "status = [429]"));
    assert_str(
        judge_http(world, 502, "{\"error\":{\"message\":\"upstream\",\"code\":429}}").rule_id,
        "s429");
    assert_str(judge_http(world, 502, "{\"error\":{\"message\":\"upstream\"}}").rule_id, "s502");
    assert_str(judge_text(world, "last status: 429 Too Many Requests").rule_id, "s429");
}

static void a_live_answer_is_ok_before_any_rule(void **state)
{
    struct world *world = *state;
    open_world(world, RULE("s", "capacity", "status = [200]"));
    struct observation o = {
        .kind = OBSERVATION_HTTP, .status = 200, .outcome = OUTCOME_COMPLETE, .retry_after_ms = -1};
    assert_ptr_equal(judge(world, o).diagnosis, rules_ok(world->rules));
    o.outcome = OUTCOME_CAPPED;
    assert_ptr_equal(judge(world, o).diagnosis, rules_ok(world->rules));
    o.outcome = OUTCOME_FAILED;
    assert_str(judge(world, o).rule_id, "s");
}

static void what_no_rule_explains_is_ok_or_unknown(void **state)
{
    struct world *world = *state;
    open_world(world, RULE("s", "capacity", "status = [599]"));
    static const struct {
        long status; /* 0: text */
        const char *body, *diagnosis;
    } cases[] = {
        {200,
         "{\"choices\":[{\"message\":{\"content\":\"Error: at "
         "capacity\"},\"finish_reason\":\"stop\"}]}",
         "ok"},
        {200, "{\"ok\":true}", "ok"},
        {204, "", "ok"},
        {200, "", "unknown"},
        {200, "<html><body>hello</body></html>", "unknown"},
        {200, "{\"error\":{\"code\":\"new_thing\"}}", "unknown"},
        {200,
         "{\"choices\":[{\"message\":{\"content\":\"\"},\"finish_reason\":\"content_filter\"}]}",
         "unknown"},
        {500, "{\"ok\":false}", "unknown"},
        {302, "", "unknown"},
        {0, "INFO server started, 0 errors", "ok"},
        {0, "requests=12 errors=0, failed: 0", "ok"},
        {0, "requests=12 errors=03", "unknown"},
        {0, "{\"event\":\"call\",\"error\":null,\"errors\":[]}", "ok"},
        {0, "KeyError: 'choices'", "unknown"},
        {0, "连接失败", "unknown"},
        {0, "curl: (60) SSL: no alternative certificate subject name matches", "unknown"},
        {0, "throw new Error('at capacity')", "ok"},
        {0, "\"GET / HTTP/1.1\" 200 5021", "ok"},
        {0, "\"GET / HTTP/1.1\" 503 5021", "unknown"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct finding f = cases[i].status ? judge_http(world, cases[i].status, cases[i].body)
                                           : judge_text(world, cases[i].body);
        assert_str(f.diagnosis->id, cases[i].diagnosis);
        assert_false(str_is_set(f.rule_id));
    }
    assert_str(judge(world, (struct observation){.kind = OBSERVATION_TRANSPORT, .curl_code = 56})
                   .diagnosis->id,
               "unknown");
}

/* Makes a repeated group of alternatives try all ways to cut it up. */
#define A8 "aaaaaaaa"
#define A64 A8 A8 A8 A8 A8 A8 A8 A8
#define SLOW_TEXT A64 A64 A64 A64 A64 A64 A64 A64 "!"

static void a_rule_that_hits_a_limit_is_named_not_guessed(void **state)
{
    struct world *world = *state;
    open_world(
        world,
        RULE("slow", "capacity", "keywords = ['aaaaaaaa']\nmatch = { text = '^(a|aa|aaa)+$' }")
            RULE("next", "rate_limit", "keywords = ['aaaaaaaa']\nmatch = { text = 'aaaaaaaa' }"));
    struct finding f = judge_text(world, SLOW_TEXT);
    assert_str(f.skipped_rule, "slow");
    assert_str(f.rule_id, "next");
}

static void what_a_skipped_rule_might_have_said_is_not_ok(void **state)
{
    struct world *world = *state;
    open_world(world, RULE("slow", "capacity",
                           "keywords = ['aaaaaaaa']\nmatch = { text = '^(a|aa|aaa)+$' }"));
    assert_str(judge_text(world, "nothing to see here").diagnosis->id, "ok");
    struct finding f = judge_text(world, SLOW_TEXT);
    assert_str(f.skipped_rule, "slow");
    assert_str(f.diagnosis->id, "unknown");
}

static void in_a_log_a_limit_is_hit_sooner(void **state)
{
    struct world *world = *state;
    size_t first[2] = {0}; /* letters that are too many: in a paste, in a log */
    open_world(world, RULE("slow", "capacity",
                           "keywords = ['aaaaaaaa']\nmatch = { text = '^(a|aa|aaa)+$' }"));
    for (size_t letters = 8; letters < 64 && !first[0]; letters++) {
        for (size_t is_log = 0; is_log < 2; is_log++) {
            struct str text = arena_printf(world->arena, "%.*s!", (int)letters, A64);
            struct finding f = judge(
                world,
                (struct observation){.kind = OBSERVATION_TEXT, .body = text, .is_log = is_log});
            bool is_first = str_is_set(f.skipped_rule) && !first[is_log];
            first[is_log] = is_first ? letters : first[is_log];
        }
    }
    assert_in_range(first[1], 9, first[0] - 1);
}

/* The bound is counted in patterns that ran, not in time: 128 that hit the limit use up a case. */
static void the_budget_bounds_the_work_of_one_case(void **state)
{
    struct world *world = *state;
    struct buf table = buf_create(1 << 20);
    for (unsigned i = 0; i < 1000; i++) {
        buf_printf(&table,
                   "[[rule]]\nid = 'slow-%u'\ndiagnosis = 'capacity'\nreason = 'r'\n"
                   "source = 's'\nkeywords = ['aaaaaaaa']\n"
                   "match = { text = '^(a|aa|aaa)+$' }\n",
                   i);
    }
    buf_printf(&table, "%s",
               RULE("behind", "rate_limit", "keywords = ['aaaaaaaa']\nmatch = { text = 'a' }"));
    open_world(world, table.ptr);
    struct finding f = judge_text(world, SLOW_TEXT);
    assert_str(f.skipped_rule, "slow-0");
    assert_str(f.diagnosis->id, "unknown");
    assert_in_range(classifier_tries(world->classifier), 100, 128);
    f = judge_text(world, "aaaaaaaa");
    assert_str(f.rule_id, "slow-0");
    assert_false(str_is_set(f.skipped_rule));
    buf_free(&table);
}

static void warnings_of_config_lower_the_severity(void **state)
{
    struct world *world = *state;
    open_world(world,
               RULE("key", "quota_exhausted", "match = { \"config.problem\" = '^unknown_key$' }"));
    struct problem problem = {
        .code = STR("unknown_key"), .message = STR("no such key"), .is_warning = true};
    struct observation o = {.kind = OBSERVATION_CONFIG, .problem = &problem};
    struct finding f = judge(world, o);
    assert_str(f.rule_id, "key");
    assert_int_equal(f.severity, SEVERITY_WARNING);
    assert_int_equal(f.wait_ms, -1);
    problem.is_warning = false;
    assert_int_equal(judge(world, o).severity, SEVERITY_ERROR);
}

static void broken_patterns_are_reported_where_they_break(void **state)
{
    struct world *world = *state;
    struct problems problems = {0};
    open_world(world, RULE("good", "capacity", "match = { \"error.code\" = 'x' }")
                          RULE("bad", "capacity", "match = { \"error.code\" = '(x' }"));
    classifier_check_patterns(world->classifier, false, world->arena, &problems);
    assert_int_equal(problems.count, 1);
    assert_str(origin_text(world->arena, problems.items[0].origin), "rules/10-test.toml:12:29");
    assert_true(str_find(problems.items[0].message, STR("\"bad\"")) >= 0);
    assert_str(problems.items[0].line_text, "match = { \"error.code\" = '(x' }");
    struct finding f = judge_http(world, 500, "{\"error\":{\"code\":\"y\"}}");
    assert_str(f.skipped_rule, "bad");
}

/* Escapes and line ends of the TOML string count as they are written. */
static void the_place_in_a_pattern_is_that_of_the_file(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *pattern, *place;
    } cases[] = {
        {"'ab[z-a]'", "rules/10-test.toml:6:32"},
        {"\"\\u00e9\\\\d[z-a]\"", "rules/10-test.toml:6:39"},
        {"'é[z-a]'", "rules/10-test.toml:6:31"},
        {"'''ab[z-a]'''", "rules/10-test.toml:6:34"},
        {"\"\"\"\nab\\\n  c(\"\"\"", "rules/10-test.toml:8:5"},
        {"'(abcdefgh){1500}'", "rules/10-test.toml:6:27"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct problems problems = {0};
        struct str table =
            arena_printf(world->arena,
                         "[[rule]]\nid = 'x'\ndiagnosis = 'capacity'\nreason = 'why'\n"
                         "source = 'where'\nmatch = { \"error.code\" = %s }\n",
                         cases[i].pattern);
        open_world(world, table.ptr);
        classifier_check_patterns(world->classifier, false, world->arena, &problems);
        assert_int_equal(problems.count, 1);
        assert_string_equal(origin_text(world->arena, problems.items[0].origin).ptr,
                            cases[i].place);
        classifier_close(world->classifier);
        rules_close(world->rules);
        world->classifier = NULL;
        world->rules = NULL;
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_first_rule_wins_and_the_next_that_differs_is_kept),
        TEST(all_conditions_must_hold),
        TEST(captures_and_waits_are_read),
        TEST(evidence_is_short_whole_and_fit_to_show),
        TEST(keywords_are_found_in_any_case_and_field),
        TEST(rules_without_keywords_need_lifted_fields_or_none),
        TEST(a_status_rule_goes_by_the_innermost_status),
        TEST(a_live_answer_is_ok_before_any_rule),
        TEST(what_no_rule_explains_is_ok_or_unknown),
        TEST(a_rule_that_hits_a_limit_is_named_not_guessed),
        TEST(what_a_skipped_rule_might_have_said_is_not_ok),
        TEST(in_a_log_a_limit_is_hit_sooner),
        TEST(the_budget_bounds_the_work_of_one_case),
        TEST(warnings_of_config_lower_the_severity),
        TEST(broken_patterns_are_reported_where_they_break),
        TEST(the_place_in_a_pattern_is_that_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
