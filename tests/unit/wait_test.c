/* Times to wait as servers word them. */
#include "classify/wait.h"
#include "classify/wait_zone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static int64_t find(struct str text)
{
    struct bigrams bigrams;
    bigrams_read(&bigrams, text);
    return wait_find(&bigrams, text);
}

static int64_t find_until(struct str text, int64_t now_ms, int64_t utc_offset_s)
{
    struct bigrams bigrams;
    bigrams_read(&bigrams, text);
    bool is_momentary = false;
    int64_t wait = wait_find_until(&bigrams, text, now_ms, utc_offset_s, &is_momentary);
    assert_true(wait < 0 || is_momentary);
    return wait;
}

static void durations_are_read_in_every_spelling(void **state)
{
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {
        {"1.5s", 1500},         {"20 seconds", 20000},    {"350ms", 350},        {"1m30s", 90000},
        {"6h0m", 21600000},     {"34.07s", 34070},        {"2 minutes", 120000}, {"30秒", 30000},
        {"2 分钟", 120000},     {"1小时", 3600000},       {"41", 41000},         {" 5 ", 5000},
        {"1 day", 86400000},    {"34.074824224s", 34075}, {"1h 2m 3s", 3723000}, {"0", 0},
        {"20 seconds.", 20000}, {"6m0s", 360000},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(wait_parse(str_from(cases[i].text)), cases[i].ms);
    }
}

static void what_is_no_duration_is_refused(void **state)
{
    static const char *const cases[] = {
        "",  "soon",  "-5",      "5 apples", "1e9", "99999999999999999999", "5s and more",
        "s", "1.2.3", "400 days"};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(wait_parse(str_from(cases[i])), -1);
    }
}

static void waits_are_found_in_prose(void **state)
{
    (void)state;
    assert_int_equal(find(STR("Rate limit reached. Please try again in 1.5s. See docs")), 1500);
    assert_int_equal(find(STR("Please retry after 38 seconds. Please go here")), 38000);
    assert_int_equal(find(STR("please try again after 1 seconds")), 1000);
    assert_int_equal(find(STR("Please wait about 2 minutes")), 120000);
    assert_int_equal(find(STR("请在 30 秒后重试")), 30000);
    assert_int_equal(find(STR("retry in 34.07s.")), 34070);
    assert_int_equal(find(STR("try again in a moment")), -1);
    assert_int_equal(find(STR("it took 30 seconds")), -1);
    assert_int_equal(find(STR("try again in 5")), -1);
}

static void moments_are_found_in_prose(void **state)
{
    static const int64_t now = 1795946400000; /* 2026-11-29T10:00:00Z, a Sunday */
    static const struct {
        const char *text;
        int64_t minutes;
    } cases[] = {
        {"Upgrade to Pro or try again at 2:25 PM.", 4 * 60 + 25},
        {"5-hour limit reached ∙ resets 3pm", 5 * 60},
        {"resets 9am (Europe/Berlin)", 22 * 60},
        {"Claude AI usage limit reached|1795950000", 60},
        {"resets at 2026-11-29T15:00:00.5Z (2056)", 5 * 60},
        {"retry after 2026-11-29T15:00:00+02:00", 3 * 60},
        {"Resets at 10:30 UTC. Top up", 30},
        {"You will regain access on 2026-12-01 at 00:00 UTC.", 38 * 60},
        {"try again at Nov 30th, 2026 10:00 AM.", 24 * 60},
        {"try again on January 2 at 10:00", 34 * 24 * 60},
        {"x-ratelimit-reset: 1795950000", 60},
        {"resets 3am (Europe/Berlin)", 16 * 60},
        {"resets 3:30pm (Asia/Calcutta)", 0},
        {"resets 4am (Australia/Sydney)", 7 * 60},
        {"try again at 3:45 PM PST.", 13 * 60 + 45},
        {"resets 3am (America/Unheard_Of)", 17 * 60},
        {"resets Jul 1 at 3am (Europe/Berlin)", (213 * 24 + 15) * 60},
        {"resets Oct 31 at 3am (Europe/Berlin)", (335 * 24 + 16) * 60},
        {"resets Mar 14, 9am (America/New_York)", (105 * 24 + 3) * 60},
        {"resets Mar 13, 9am (America/New_York)", (104 * 24 + 4) * 60},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t wait = find_until(str_from(cases[i].text), now, 0);
        assert_int_equal(wait / 60000, cases[i].minutes);
    }
    assert_int_equal(find_until(STR("try again at 12:00"), now, 3600), 3600000);
    assert_int_equal(find_until(STR("try again at 12:00"), 0, 0), -1);
    assert_int_equal(find_until(STR("until 3 attempts failed"), now, 0), -1);
    assert_int_equal(find_until(STR("resets at 2025-01-01T00:00:00Z"), now, 0), -1);
    assert_int_equal(find_until(STR("try again at once"), now, 0), -1);
    assert_int_equal(wait_stamp(STR("2026-11-29T10:00:00.5Z ERROR x"), 0), now);
    assert_int_equal(wait_stamp(STR("first\n[2026-11-29 12:00:00,1] x"), 7200), now);
    assert_int_equal(wait_stamp(STR("no date at 10:00:00"), 0), -1);
}

static void moments_are_read_in_all_three_forms(void **state)
{
    (void)state;
    assert_int_equal(wait_moment(STR("Sun, 06 Nov 1994 08:49:37 GMT")), 784111777000);
    assert_int_equal(wait_moment(STR("2026-11-29T13:00:00Z")), 1795957200000);
    assert_int_equal(wait_moment(STR("2026-11-29T15:00:00.250+02:00")), 1795957200000);
    assert_int_equal(wait_moment(STR("1795957200")), 1795957200000);
    assert_int_equal(wait_moment(STR("1795957200000")), 1795957200000);
    assert_int_equal(wait_moment(STR("2026-11-29t08:30:00.1-04:30")), 1795957200000);
    assert_int_equal(wait_moment(STR("Sun, 06 Nov 1994 08:49:37 GMT+1")), -1);
    assert_int_equal(wait_moment(STR("Sun, 06 anF 1994 08:49:37 GMT")), -1);
    assert_int_equal(wait_moment(STR("41")), -1);
    assert_int_equal(wait_moment(STR("2026-13-29T13:00:00Z")), -1);
    assert_int_equal(wait_moment(STR("2026-11-29T13:00:00")), -1);
    assert_int_equal(wait_moment(STR("Sun, 06 Foo 1994 08:49:37 GMT")), -1);
}

static void a_wait_needs_a_clock_and_is_never_negative(void **state)
{
    (void)state;
    assert_int_equal(wait_until(STR("2026-11-29T13:00:20Z"), 1795957200000), 20000);
    assert_int_equal(wait_until(STR("2026-11-29T12:00:00Z"), 1795957200000), 0);
    assert_int_equal(wait_until(STR("2026-11-29T13:00:20Z"), 0), -1);
    assert_int_equal(wait_until(STR("20"), 1795957200000), -1);
}

static void a_zone_is_read_in_any_year(void **state)
{
    const struct str zone = STR("Europe/Berlin");
    int64_t offset_s = 0;
    (void)state;
    assert_int_equal(wait_zone(zone, INT64_C(253402300800000) * 2, &offset_s), zone.len);
    assert_int_equal(wait_zone(zone, 0, &offset_s), zone.len);
    assert_int_equal(offset_s, 3600);
}

/* A clock shows local time: hours around a change are told by what it shows, not by the same hour
 * of UTC, and one of tomorrow by tomorrow's offset. */
static void clocks_are_read_right_around_a_change_of_theirs(void **state)
{
    static const struct {
        const char *now, *text, *moment;
    } cases[] = {
        {"2027-03-14T00:00:00Z", "Mar 14, 1:30 AM (America/New_York)", "2027-03-14T06:30:00Z"},
        {"2027-03-14T00:00:00Z", "Mar 14, 3:30 AM (America/New_York)", "2027-03-14T07:30:00Z"},
        {"2027-11-07T00:00:00Z", "Nov 7, 12:30 AM (America/New_York)", "2027-11-07T04:30:00Z"},
        {"2027-11-07T00:00:00Z", "Nov 7, 3:30 AM (America/New_York)", "2027-11-07T08:30:00Z"},
        {"2027-03-28T00:00:00Z", "Mar 28, 1:30 AM (Europe/Berlin)", "2027-03-28T00:30:00Z"},
        {"2027-03-28T00:00:00Z", "Mar 28, 3:30 AM (Europe/Berlin)", "2027-03-28T01:30:00Z"},
        {"2027-10-31T00:00:00Z", "Oct 31, 3:30 AM (Europe/Berlin)", "2027-10-31T02:30:00Z"},
        {"2027-10-02T00:00:00Z", "Oct 3, 1:30 AM (Australia/Sydney)", "2027-10-02T15:30:00Z"},
        {"2027-10-02T00:00:00Z", "Oct 3, 3:30 AM (Australia/Sydney)", "2027-10-02T16:30:00Z"},
        {"2027-04-03T00:00:00Z", "Apr 4, 1:30 AM (Australia/Sydney)", "2027-04-03T14:30:00Z"},
        {"2027-04-03T00:00:00Z", "Apr 4, 3:30 AM (Australia/Sydney)", "2027-04-03T17:30:00Z"},
        {"2027-03-13T22:00:00Z", "9am (America/New_York)", "2027-03-14T13:00:00Z"},
        {"2027-11-06T22:00:00Z", "9am (America/New_York)", "2027-11-07T14:00:00Z"},
        {"2027-03-14T06:00:00Z", "9am (America/New_York)", "2027-03-14T13:00:00Z"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[80];
        int64_t now = wait_moment(str_from(cases[i].now));
        snprintf(text, sizeof text, "resets %s", cases[i].text);
        if (now + find_until(str_from(text), now, 0) != wait_moment(str_from(cases[i].moment))) {
            fail_msg("%s at %s is not %s", text, cases[i].now, cases[i].moment);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_are_read_in_every_spelling),
        cmocka_unit_test(what_is_no_duration_is_refused),
        cmocka_unit_test(waits_are_found_in_prose),
        cmocka_unit_test(moments_are_found_in_prose),
        cmocka_unit_test(moments_are_read_in_all_three_forms),
        cmocka_unit_test(a_wait_needs_a_clock_and_is_never_negative),
        cmocka_unit_test(a_zone_is_read_in_any_year),
        cmocka_unit_test(clocks_are_read_right_around_a_change_of_theirs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
