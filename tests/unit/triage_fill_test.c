/* Placeholders: what they stand for, lines that fall away, and values that must not do harm. */
#include "triage_fixture.h"

#include "base/text.h"
#include "triage/fill.h"
#include "triage/words.h"

static struct fill fill_for(const struct run *run, size_t failed, const struct result *other)
{
    return (struct fill){.rules = run->rules,
                         .result = &run->results[failed],
                         .finding = run->results[failed].finding,
                         .other = other};
}

static void assert_filled(const struct run *run, const struct fill *fill, const char *text,
                          const char *want)
{
    struct str have;
    bool is_whole = fill_text(run->arena, fill, str_from(text), &have);
    assert_int_equal(is_whole, want != NULL);
    if (want) {
        assert_str(have, want);
    }
}

static void each_placeholder_has_its_value(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add(run, "big", "https://user:pw@a.example:444/v1", "k", 429, STEP_ANSWER, "rate_limit");
    struct result *other = run_add_answer(run, "mini", 200, "ok");
    struct capture captures[] = {{STR_INIT("limit"), STR_INIT("60 rpm")},
                                 {STR_INIT("anything"), STR_INIT("x")}};
    run->findings[0].captures = captures;
    run->findings[0].capture_count = 2;
    run->findings[0].wait_ms = 30000;
    run->observations[0].request_id = STR("req_1");
    struct fill fill = fill_for(run, 0, other);
    assert_filled(run, &fill, "{model} {name}", "big big at 0");
    assert_filled(run, &fill, "{host} {port}", "a.example 444");
    assert_filled(run, &fill, "{root_url}/", "https://a.example:444/");
    assert_filled(run, &fill, "{base_url}", "https://[masked]@a.example:444/v1");
    assert_filled(run, &fill, "{client}: ${key_name}", "App: $APP_KEY");
    assert_filled(run, &fill, "{wait} {limit} {anything}", "30 s 60 rpm x");
    assert_filled(run, &fill, "{request_id} {address}", "req_1 192.0.2.1:443");
    assert_filled(run, &fill, "{other_model} {other_name}", "mini mini at 1");
    assert_filled(run, &fill, "a {b c} {} {\"x\": 1}", "a {b c} {} {\"x\": 1}");
    run_close(run);
}

static void a_line_without_its_value_falls_away(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "big", 429, "rate_limit");
    struct fill fill = fill_for(run, 0, NULL);
    assert_filled(run, &fill, "wait {wait}", NULL);
    assert_filled(run, &fill, "{limit}", NULL);
    assert_filled(run, &fill, "{other_model}", NULL);
    assert_filled(run, &fill, "{no_such_thing}", NULL);
    size_t count = 99;
    fill_lines(run->arena, &fill, &run_diagnosis(run, "rate_limit")->actions, &count);
    assert_int_equal(count, 0);
    struct fill nothing = {.rules = run->rules};
    assert_filled(run, &nothing, "{model}{host}{wait}{origin}", NULL);
    run_close(run);
}

static void switch_becomes_the_ways_of_the_client(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "big", 503, "capacity");
    struct result *other = run_add_answer(run, "mini", 200, "ok");
    struct fill fill = fill_for(run, 0, other);
    size_t count;
    const struct str *lines =
        fill_lines(run->arena, &fill, &run_diagnosis(run, "capacity")->actions, &count);
    assert_int_equal(count, 3);
    assert_str(lines[0], "/model mini");
    assert_str(lines[1], "use mini for big");
    assert_str(lines[2], "pick");
    struct phrase phrase = {{STR_INIT("now: {switch} (kept)"), {NULL, 0}}};
    struct phrases phrases = {&phrase, 1};
    lines = fill_lines(run->arena, &fill, &phrases, &count);
    assert_str(lines[0], "now: /model mini (kept)");
    run->targets[1].client = STR("other");
    fill_lines(run->arena, &fill, &phrases, &count);
    assert_int_equal(count, 0);
    run_close(run);
}

static void values_cannot_become_commands_or_steer_a_terminal(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "x; rm -rf $(pwd) `id` | sh > f\033[2J\n'\"&", 503, "capacity");
    struct fill fill = fill_for(run, 0, NULL);
    struct str have;
    assert_true(fill_text(run->arena, &fill, STR("codex -m {model}"), &have));
    for (size_t i = 0; i < have.len; i++) {
        assert_true(str_find_char(STR(";$`|><'\"&\033\n\\"), have.ptr[i]) < 0);
    }
    run_close(run);
}

static void durations_read_well(void **state)
{
    (void)state;
    static const struct {
        int64_t ms;
        const char *en, *zh;
    } rows[] = {{0, "0 s", "0 秒"},
                {4, "4 ms", "4 毫秒"},
                {400, "0.4 s", "0.4 秒"},
                {1500, "1.5 s", "1.5 秒"},
                {30000, "30 s", "30 秒"},
                {90000, "90 s", "90 秒"},
                {120000, "2 min", "2 分钟"},
                {600000, "10 min", "10 分钟"},
                {3 * 3600000LL, "3 h", "3 小时"},
                {72 * 3600000LL, "3 days", "3 天"}};
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_str(fill_duration(arena, LANG_EN, rows[i].ms), rows[i].en);
        assert_str(fill_duration(arena, LANG_ZH, rows[i].ms), rows[i].zh);
    }
    arena_free(arena);
}

/* The conversions of a format in order of their arguments: "%2$s %1$zu" gives "zu s". */
static void conversions(const char *format, char found[4][4])
{
    size_t next = 0;
    for (const char *at = strchr(format, '%'); at; at = strchr(at, '%')) {
        at++;
        size_t place = next++;
        if (at[0] >= '1' && at[0] <= '4' && at[1] == '$') {
            place = (size_t)(at[0] - '1');
            at += 2;
        }
        assert_true(place < 4);
        snprintf(found[place], 4, "%.*s", at[0] == 'z' ? 2 : 1, at);
    }
}

static void languages_take_the_same_arguments(void **state)
{
    (void)state;
    for (size_t i = 0; i < WORD_COUNT; i++) {
        char of[LANG_COUNT][4][4] = {{{0}}};
        conversions(words_text((enum word)i, LANG_EN), of[LANG_EN]);
        conversions(words_text((enum word)i, LANG_ZH), of[LANG_ZH]);
        assert_memory_equal(of[LANG_EN], of[LANG_ZH], sizeof of[LANG_EN]);
    }
}

static void long_words_are_cut_between_characters(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    char *many = arena_alloc(arena, 6001);
    for (size_t i = 0; i < 6000; i += 3) {
        memcpy(many + i, "\xE4\xB8\xAD", 3);
    }
    many[0] = 'x'; /* so that the bound falls into a character */
    many[1] = 'y';
    many[2] = 'z';
    struct str cut = words_say(arena, LANG_ZH, WORD_SUMMARY_FAIL, many);
    assert_true(cut.len < 4096 && cut.len > 4000);
    assert_int_equal(utf8_find_invalid(cut), -1);
    assert_str(words_say(arena, LANG_ZH, WORD_SUMMARY_FAIL, "a"), "a。");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_placeholder_has_its_value),
        cmocka_unit_test(a_line_without_its_value_falls_away),
        cmocka_unit_test(switch_becomes_the_ways_of_the_client),
        cmocka_unit_test(values_cannot_become_commands_or_steer_a_terminal),
        cmocka_unit_test(durations_read_well),
        cmocka_unit_test(long_words_are_cut_between_characters),
        cmocka_unit_test(languages_take_the_same_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
