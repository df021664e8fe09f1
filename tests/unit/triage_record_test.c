/* Quick-reference rows by the record: every row on both sides of each of its thresholds, with the
 * real table, a real store and a scripted clock. */
#include "base/moment.h"
#include "history/history.h"
#include "triage/triage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MINUTE_MS ((int64_t)60 * 1000)
#define HOUR_MS (60 * MINUTE_MS)
#define RESULTS_MAX 8
#define RECORDS_MAX 100

struct world {
    struct arena *arena;
    struct rules *rules;
    int64_t now_ms;
    bool is_in_berlin; /* summer from 2026-03-29 to 2026-10-25, 01:00 UTC; else it is UTC */
    struct env env;
    struct target targets[RESULTS_MAX];
    struct observation observations[RESULTS_MAX];
    struct finding findings[RESULTS_MAX];
    struct result results[RESULTS_MAX];
    size_t result_count;
};

static int64_t wall_ms(void *clock)
{
    return ((struct world *)clock)->now_ms;
}

static int64_t offset_s(void *clock, int64_t at_ms)
{
    int64_t forth_ms = 0, back_ms = 0;
    moment_parse(STR("2026-03-29T01:00:00Z"), 0, &forth_ms);
    moment_parse(STR("2026-10-25T01:00:00Z"), 0, &back_ms);
    bool is_summer = at_ms >= forth_ms && at_ms < back_ms;
    return ((struct world *)clock)->is_in_berlin ? (is_summer ? 7200 : 3600) : 0;
}

/* The next word of a text. */
static struct str next_word(struct str *rest)
{
    struct str word = {NULL, 0};
    while (rest->len && str_split(rest, ' ', &word) && word.len == 0) {
    }
    return word;
}

/* "-26h", "-9m", "-30s" before now, or "2026-10-24T22:30:00Z". */
static int64_t moment_of(const struct world *world, struct str word)
{
    int64_t ms = 0;
    if (str_starts(word, STR("-"))) {
        assert_true(str_to_duration_ms(str_slice(word, 1, word.len), &ms));
        return world->now_ms - ms;
    }
    assert_true(moment_parse(word, 0, &ms));
    return ms;
}

/* "session=61m", "context=701/1000", "limit=12" in percent, or whose record it is. */
static void add_word(struct record *record, struct str word)
{
    struct str name, value = word;
    str_split(&value, '=', &name);
    if (!str_is_set(value)) {
        record->who = word;
    } else if (str_eq(name, STR("session"))) {
        assert_true(str_to_duration_ms(value, &record->session_ms));
    } else if (str_eq(name, STR("limit"))) {
        assert_true(str_to_i64(value, &record->limit_permille));
        record->limit_permille *= 10;
    } else {
        struct str tokens;
        str_split(&value, '/', &tokens);
        assert_true(str_to_i64(tokens, &record->context_tokens));
        assert_true(str_to_i64(value, &record->context_window));
    }
}

/* Records as "TIME MODEL DIAGNOSIS [WORD...]", parted by commas; client codex at host h. */
static void add_records(struct world *world, struct history *history, struct str text)
{
    struct str part;
    struct err err = {0};
    struct record records[RECORDS_MAX];
    size_t count = 0;
    while (text.len && str_split(&text, ',', &part)) {
        struct record record = record_blank();
        assert_true(count < RECORDS_MAX);
        record.at_ms = moment_of(world, next_word(&part));
        record.uid = arena_printf(world->arena, "%zu", count);
        record.client = STR("codex");
        record.host = STR("h");
        record.model = next_word(&part);
        record.diagnosis = next_word(&part);
        for (struct str word; (word = next_word(&part)).len;) {
            add_word(&record, word);
        }
        assert_non_null(rules_diagnosis(world->rules, record.diagnosis));
        records[count++] = record;
    }
    const struct history_batch batch = {.records = records, .count = count};
    assert_int_equal(history_add(history, &batch, NULL, &err), ERR_OK);
}

/* This run as "MODEL DIAGNOSIS", parted by commas. */
static void set_run(struct world *world, struct str text)
{
    struct str part;
    world->result_count = 0;
    while (text.len && str_split(&text, ',', &part)) {
        size_t i = world->result_count++;
        struct target *target = &world->targets[i];
        *target = (struct target){.client = STR("codex"), .wire = STR("responses")};
        target->model.text = next_word(&part);
        target->name = target->model.text;
        target->chain = target->name;
        target->base_url.text = STR("http://h/v1");
        world->observations[i] = observation_blank(OBSERVATION_HTTP);
        world->observations[i].target = target;
        world->observations[i].status = 503;
        world->observations[i].started_ms = world->now_ms;
        world->findings[i] =
            (struct finding){.observation = &world->observations[i],
                             .diagnosis = rules_diagnosis(world->rules, next_word(&part)),
                             .wait_ms = -1};
        assert_non_null(world->findings[i].diagnosis);
        world->findings[i].severity = world->findings[i].diagnosis->severity;
        world->results[i] = (struct result){.target = target,
                                            .observation = &world->observations[i],
                                            .finding = &world->findings[i]};
    }
}

static void judge(struct world *world, enum lang lang, const char *now, const char *records,
                  const char *run, struct report *report)
{
    char in_memory[] = "/dev/shm/diagnose-record-XXXXXX", on_disk[] = "/tmp/diagnose-record-XXXXXX";
    struct history *history = NULL;
    struct err err = {0};
    struct past past = {0};
    assert_true(moment_parse(str_from(now), 0, &world->now_ms));
    char *directory = mkdtemp(in_memory); /* a disk is slow at the hundreds of stores made here */
    directory = directory ? directory : mkdtemp(on_disk);
    assert_non_null(directory);
    struct str path = arena_printf(world->arena, "%s/h.db", directory);
    assert_int_equal(history_open(path.ptr, HISTORY_WRITE, &world->env, &history, &err), ERR_OK);
    add_records(world, history, str_from(records));
    assert_int_equal(history_past(history, world->arena, &past, &err), ERR_OK);
    history_close(history);
    unlink(path.ptr);
    rmdir(directory);
    set_run(world, str_from(run));
    const struct triage_input input = {.rules = world->rules,
                                       .lang = lang,
                                       .results = world->results,
                                       .result_count = world->result_count,
                                       .past = &past};
    *report = (struct report){.started_ms = world->now_ms, .lang = lang};
    triage(world->arena, &input, report);
}

static struct str ids_of(struct world *world, const struct report *report)
{
    struct str ids = {"", 0};
    for (size_t i = 0; i < report->verdict_count; i++) {
        ids = arena_printf(world->arena, "%.*s%s%.*s", STR_ARG(ids), i ? " " : "",
                           STR_ARG(report->verdicts[i].id));
    }
    return ids;
}

#define NOON "2026-11-29T12:00:00Z"

static const struct {
    const char *now, *records, *run, *ids;
    int exit_code;
    bool is_in_berlin;
} cases[] = {
    /* occasional: nothing on record, or too little */
    {NOON, "", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-1h x capacity, -30m x ok", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-1h x capacity, -2h x capacity, -3h x capacity", "x capacity", "capacity-occasional", 2,
     false},
    {NOON, "-1h x ok, -2h x ok", "x capacity", "capacity-occasional", 2, false},
    /* frequent by number: five in 24 hours, this run's among them */
    {NOON, "-1h x capacity, -2h x capacity, -3h x capacity, -4h x capacity", "x capacity",
     "capacity-frequent", 2, false},
    {NOON, "-1h x capacity, -2h x capacity, -3h x capacity, -1439m x capacity", "x capacity",
     "capacity-frequent", 2, false},
    {NOON, "-1h x capacity, -2h x capacity, -3h x capacity, -24h x capacity, -1m x ok",
     "x capacity", "capacity-occasional", 2, false},
    {NOON, "-1h x capacity, -2h x capacity, -3h x capacity, -4h y capacity", "x capacity",
     "capacity-occasional", 2, false},
    {NOON, "-1h x capacity, -2h x capacity, -3h x capacity, -4h x rate_limit", "x capacity",
     "capacity-occasional", 2, false},
    {NOON, "-1h x capacity ann, -2h x capacity ann, -3h x capacity ann, -4h x capacity ann",
     "x capacity", "capacity-occasional", 2, false},
    /* frequent by days: three of the last seven, today among them */
    {NOON, "-25h x capacity, -49h x capacity, -1h x ok", "x capacity", "capacity-frequent", 2,
     false},
    {NOON, "-25h x capacity, -26h x capacity, -1h x ok", "x capacity", "capacity-occasional", 2,
     false},
    {NOON, "2026-11-23T00:00:01Z x capacity, -25h x capacity, -1h x ok", "x capacity",
     "capacity-frequent", 2, false},
    {NOON, "2026-11-22T23:59:59Z x capacity, -25h x capacity, -1h x ok", "x capacity",
     "capacity-occasional", 2, false},
    {NOON, "-1h x capacity, -25h x capacity, -49h x capacity, -10m x ok", "x capacity",
     "capacity-frequent", 2, false},
    /* days are those of the user's clock: 22:30 UTC is the next day in Berlin's summer */
    {"2026-10-24T12:00:00Z",
     "2026-10-22T22:30:00Z x capacity, 2026-10-22T21:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-frequent", 2, true},
    {"2026-10-24T12:00:00Z",
     "2026-10-22T22:30:00Z x capacity, 2026-10-22T21:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-occasional", 2, false},
    /* the night of the change: 22:30 UTC is already Sunday, 23:30 UTC on Sunday is Monday */
    {"2026-10-26T12:00:00Z",
     "2026-10-24T22:30:00Z x capacity, 2026-10-25T22:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-occasional", 2, true},
    {"2026-10-26T12:00:00Z",
     "2026-10-24T21:30:00Z x capacity, 2026-10-25T22:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-frequent", 2, true},
    /* the other night of the change: 22:30 UTC on Saturday is Saturday, on Sunday it is Monday */
    {"2026-03-30T12:00:00Z",
     "2026-03-28T22:30:00Z x capacity, 2026-03-28T23:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-frequent", 2, true},
    {"2026-03-30T12:00:00Z",
     "2026-03-28T22:30:00Z x capacity, 2026-03-28T23:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-occasional", 2, false},
    {"2026-03-30T12:00:00Z",
     "2026-03-28T22:30:00Z x capacity, 2026-03-29T22:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-occasional", 2, true},
    {"2026-03-30T12:00:00Z",
     "2026-03-28T22:30:00Z x capacity, 2026-03-29T22:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-frequent", 2, false},
    /* persistent: three bands over a day, no success */
    {NOON, "-24h x capacity, -12h x capacity", "x capacity", "persistent", 2, false},
    {NOON, "-23h x capacity, -12h x capacity", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-30h x capacity", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-30h x capacity, -29h x capacity", "x capacity", "capacity-occasional", 2, false},
    /* bands are those of the user's clock: 05:30 UTC is past six in Berlin's summer */
    {"2026-10-24T12:00:00Z", "2026-10-23T03:30:00Z x timeout, 2026-10-23T05:30:00Z x timeout",
     "x timeout", "persistent timeout", 3, true},
    {"2026-10-24T12:00:00Z", "2026-10-23T03:30:00Z x timeout, 2026-10-23T05:30:00Z x timeout",
     "x timeout", "timeout", 3, false},
    {NOON, "-30h x capacity, -12h x capacity, -11h x ok", "x capacity", "capacity-occasional", 2,
     false},
    {NOON, "-40h x ok, -30h x capacity, -12h x capacity", "x capacity", "persistent", 2, false},
    {NOON, "-30h x server_error, -12h x rate_limit", "x server_error", "persistent server_error", 2,
     false},
    {NOON, "-30h x auth_invalid_key, -12h x auth_invalid_key", "x auth_invalid_key",
     "persistent auth_invalid_key", 1, false},
    {NOON, "-30h y capacity, -12h y capacity", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-49h x capacity, -25h x capacity, -1h x capacity", "x capacity", "persistent", 2,
     false},
    {NOON, "-30h x capacity, -12h x capacity, -1h x capacity", "x ok", "capacity-occasional", 0,
     false},
    /* organisation-wide: two people within ten minutes */
    {NOON, "-10m x capacity ann", "x capacity", "organisation-wide capacity-occasional", 2, false},
    {NOON, "-11m x capacity ann", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-5m y capacity ann", "x capacity", "organisation-wide capacity-occasional", 2, false},
    {NOON, "-5m x rate_limit ann", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-3h x capacity ann, -175m x capacity bob", "x capacity",
     "organisation-wide capacity-occasional", 2, false},
    {NOON, "-3h x capacity ann, -160m x capacity bob", "x capacity", "capacity-occasional", 2,
     false},
    {NOON, "-3h x capacity ann, -175m x capacity ann", "x capacity", "capacity-occasional", 2,
     false},
    {NOON, "-5m x capacity ann", "x rate_limit", "rate_limit", 2, false},
    /* after a switch: two models of one client, in one run or within ten minutes */
    {NOON, "", "x capacity, y capacity", "capacity-after-switch capacity-occasional", 2, false},
    {NOON, "-10m y capacity", "x capacity", "capacity-after-switch capacity-occasional", 2, false},
    {NOON, "-11m y capacity", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-5m y capacity", "x capacity, y ok", "capacity-occasional capacity-occasional", 2,
     false},
    {NOON, "-5m y rate_limit", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-5m y capacity ann", "x capacity", "organisation-wide capacity-occasional", 2, false},
    /* with timeouts: a timeout and another failure of one client, likewise */
    {NOON, "", "x capacity, y timeout", "failure-with-timeout timeout capacity-occasional", 3,
     false},
    {NOON, "-10m x timeout", "x capacity", "failure-with-timeout capacity-occasional", 2, false},
    {NOON, "-11m x timeout", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-9m x server_error", "x timeout", "failure-with-timeout timeout", 3, false},
    {NOON, "-9m x ok", "x timeout", "timeout", 3, false},
    /* a model that answers again */
    {NOON, "-119m x capacity", "x ok", "capacity-occasional", 0, false},
    {NOON, "-121m x capacity", "x ok", "", 0, false},
    {NOON, "-5h x capacity, -6h x capacity, -7h x capacity, -8h x capacity, -9h x capacity", "x ok",
     "capacity-frequent", 0, false},
    {NOON, "-5h x capacity, -6h x capacity, -7h x capacity, -8h x capacity", "x ok", "", 0, false},
    {NOON, "-10m y capacity", "x ok", "", 0, false},
};

static void every_threshold_has_two_sides(void **state)
{
    struct world *world = *state;
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int lang = 0; lang < LANG_COUNT; lang++) {
            struct report report;
            world->is_in_berlin = cases[i].is_in_berlin;
            judge(world, (enum lang)lang, cases[i].now, cases[i].records, cases[i].run, &report);
            struct str ids = ids_of(world, &report);
            if (!str_eq(ids, str_from(cases[i].ids)) || report.exit_code != cases[i].exit_code) {
                print_error("case %zu: %s | %s: wanted \"%s\" and exit %d, got \"%.*s\" and %d\n",
                            i, cases[i].records, cases[i].run, cases[i].ids, cases[i].exit_code,
                            STR_ARG(ids), report.exit_code);
                wrong++;
            }
        }
    }
    assert_int_equal(wrong, 0);
}

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

static int set_up(void **state)
{
    struct world *world = calloc(1, sizeof *world);
    struct problems problems = {0};
    struct err err = {0};
    world->arena = arena_create();
    world->env = (struct env){.wall_ms = wall_ms, .utc_offset_s = offset_s, .clock = world};
    assert_int_equal(
        rules_open((struct str){NULL, 0}, &problems, world->arena, &world->rules, &err), ERR_OK);
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    rules_close(world->rules);
    arena_free(world->arena);
    free(world);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_threshold_has_two_sides),
        TEST(a_verdict_says_what_it_rests_on),
        TEST(a_session_is_told_when_it_is_long_or_full),
        TEST(advice_for_lasting_trouble_needs_a_record_of_it),
        TEST(requests_are_counted_from_the_hour_that_is_told),
        TEST(what_passed_is_a_note),
        TEST(quiet_hours_come_from_the_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
