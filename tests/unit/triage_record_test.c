/* What rows by the record say: the counts and hours they rest on, and the advice they give. */
#include "triage_record_world.h"

static void assert_holds(struct str text, const char *part)
{
    if (str_find(text, str_from(part)) < 0) {
        fail_msg("\"%.*s\" lacks \"%s\"", STR_ARG(text), part);
    }
}

static void a_verdict_says_what_it_rests_on(void **state)
{
    struct world *world = *state;
    struct report report;
    const char *records =
        "-1h x capacity, -2h x ok, -3h x capacity, -4h x capacity, -5h x capacity";
    judge(world, LANG_EN, NOON, records, "x capacity, y ok", &report);
    assert_true(str_eq(report.verdicts[0].id, STR("capacity-frequent")));
    assert_holds(report.verdicts[0].why, "5 of 6 requests to it since 07:00");
    assert_holds(report.verdicts[0].why, "that answer: 1.");
    assert_true(str_eq(report.verdicts[0].basis[0].name, STR("capacity_failures")));
    assert_int_equal(report.verdicts[0].basis[0].number, 5);
    judge(world, LANG_ZH, NOON, records, "x capacity, y ok", &report);
    assert_holds(report.verdicts[0].why, "自 07:00 起对它的 6 次请求中，有 5 次因容量被拒");
}

static bool says(const struct report *report, const char *part)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        if (str_find(report->verdicts[i].why, str_from(part)) >= 0) {
            return true;
        }
    }
    return false;
}

static bool advises(const struct report *report, const char *part)
{
    for (size_t i = 0; i < report->verdict_count; i++) {
        for (size_t j = 0; j < report->verdicts[i].action_count; j++) {
            if (str_find(report->verdicts[i].actions[j], str_from(part)) >= 0) {
                return true;
            }
        }
    }
    return false;
}

static void a_session_is_told_when_it_is_long_or_full(void **state)
{
    struct world *world = *state;
    static const struct {
        const char *record, *run, *says, *in_chinese;
        bool is_told;
    } rows[] = {
        {"-5m x ok session=61m", "x capacity", "session is 61 min old", "已持续 61 分钟", true},
        {"-5m x ok session=60m", "x capacity", "session is", "会话已持续", false},
        {"-5m x ok session=3h", "x capacity, y timeout", "start a new one", "新开一个会话", true},
        {"-119m x ok session=2h", "x capacity", "session is", "会话已持续", true},
        {"-121m x ok session=2h", "x capacity", "session is", "会话已持续", false},
        {"-5m x ok context=701/1000", "x capacity", "context is 70 % full (701 of 1000 tokens)",
         "上下文已占用 70 %（1000 个 token 中的 701 个）", true},
        {"-5m x ok context=700/1000", "x capacity", "context is", "上下文已占用", false},
        {"-5m x ok context=230000/258400", "x timeout, y server_error",
         "context is 89 % full (230000 of 258400 tokens)", "上下文已占用 89 %", true},
        {"-5m x ok context=9/0", "x capacity", "context is", "上下文已占用", false},
        {"-5m x ok context=9/10 limit=12", "x capacity", "Limits are used to 12 %",
         "限额只用了 12 %", true},
        {"-5m x ok context=9/10 limit=89", "x capacity", "Limits are used to 89 %",
         "限额只用了 89 %", true},
        {"-5m x ok context=9/10 limit=90", "x capacity", "Limits are", "限额只用了", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct report report;
        judge(world, LANG_EN, NOON, rows[i].record, rows[i].run, &report);
        if (says(&report, rows[i].says) != rows[i].is_told) {
            fail_msg("%s: %.*s", rows[i].record, STR_ARG(report.verdicts[0].why));
        }
        judge(world, LANG_ZH, NOON, rows[i].record, rows[i].run, &report);
        if (says(&report, rows[i].in_chinese) != rows[i].is_told) {
            fail_msg("%s: %.*s", rows[i].record, STR_ARG(report.verdicts[0].why));
        }
    }
}

static void advice_for_lasting_trouble_needs_a_record_of_it(void **state)
{
    struct world *world = *state;
    static const char *const lasting[][LANG_COUNT] = {
        {"off-peak", "低峰"},
        {"smaller tasks", "拆小任务"},
        {"one session for each", "每个任务用一个会话"},
        {"hybrid", "混合模型"},
        {"of your own", "独立"}};
    static const char often[] = "-1h x capacity, -2h x capacity, -3h x capacity, -4h x capacity";
    for (int lang = 0; lang < LANG_COUNT; lang++) {
        for (size_t i = 0; i < sizeof lasting / sizeof lasting[0]; i++) {
            struct report report;
            judge(world, (enum lang)lang, NOON, often, "x capacity", &report);
            assert_true(advises(&report, lasting[i][lang]));
            judge(world, (enum lang)lang, NOON, "-1h x capacity", "x capacity", &report);
            assert_false(advises(&report, lasting[i][lang]));
            judge(world, (enum lang)lang, NOON, "", "x capacity, y capacity", &report);
            assert_false(advises(&report, lasting[i][lang]));
            judge(world, (enum lang)lang, NOON, "", "x capacity, y timeout", &report);
            assert_false(advises(&report, lasting[i][lang]));
        }
        struct report report;
        judge(world, (enum lang)lang, NOON, "-5m x capacity ann", "x capacity", &report);
        assert_true(advises(&report, lang == LANG_EN ? "off-peak" : "错峰"));
        assert_true(advises(&report, lasting[4][lang]));
    }
}

static void requests_are_counted_from_the_hour_that_is_told(void **state)
{
    struct world *world = *state;
    struct report report;
    judge(world, LANG_EN, NOON, "-110m x ok, -80m x capacity, -70m x ok", "x capacity", &report);
    assert_holds(report.verdicts[0].why, "2 of 4 requests to it since 10:00");
}

static void what_passed_is_a_note(void **state)
{
    struct world *world = *state;
    struct report report;
    judge(world, LANG_EN, NOON, "-30m x capacity", "x ok", &report);
    assert_int_equal(report.verdict_count, 1);
    assert_int_equal(report.verdicts[0].severity, SEVERITY_INFO);
    assert_holds(report.verdicts[0].title, "was refused for capacity, and answers now");
    assert_false(str_is_set(report.verdicts[0].seen));
    assert_int_equal(report.blame, BLAME_NONE);
}

/* Requests at every hour of several days, refused from 9 to 18 o'clock only. */
static void quiet_hours_come_from_the_record(void **state)
{
    struct world *world = *state;
    struct report report;
    struct str records = {"", 0};
    for (int day = 1; day <= 4; day++) {
        for (int hour = 0; hour < 24; hour++) {
            records = arena_printf(world->arena, "%.*s%s2026-11-%02dT%02d:30:00Z x %s",
                                   STR_ARG(records), records.len ? "," : "", 24 + day, hour,
                                   hour >= 9 && hour < 18 ? "capacity" : "ok");
        }
    }
    judge(world, LANG_EN, NOON, arena_cstr(world->arena, records), "x capacity", &report);
    assert_true(str_eq(report.verdicts[0].id, STR("capacity-frequent")));
    assert_holds(report.verdicts[0].why, "the quiet hours are 18:00-09:00");
    judge(world, LANG_EN, NOON, "-1h x capacity, -2h x capacity, -3h x capacity, -4h x capacity",
          "x capacity", &report);
    assert_int_equal(str_find(report.verdicts[0].why, STR("quiet hours")), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_verdict_says_what_it_rests_on),
        TEST(a_session_is_told_when_it_is_long_or_full),
        TEST(advice_for_lasting_trouble_needs_a_record_of_it),
        TEST(requests_are_counted_from_the_hour_that_is_told),
        TEST(what_passed_is_a_note),
        TEST(quiet_hours_come_from_the_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
