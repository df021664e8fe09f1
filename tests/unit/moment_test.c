/* Moments and the calendar. */
#include "base/moment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <time.h>

static void moments_are_read_in_every_form(void **state)
{
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {
        {"1970-01-01T00:00:00Z", 0},
        {"2026-11-29T13:00:00Z", 1795957200000},
        {"2026-11-29t13:00:00.5z", 1795957200500},
        {"2026-11-29 13:00:00,123456Z", 1795957200123},
        {"2026-11-29T21:00:00+08:00", 1795957200000},
        {"2026-11-29T08:00:00-0500", 1795957200000},
        {"2026-11-29T14:00:00", 1795957200000}, /* by the offset of an hour given below */
        {"2026-11-29", 1795906800000},
        {"2024-02-29T00:00:00Z", 1709164800000},
        {"2000-02-29T00:00:00Z", 951782400000},
        {"1969-12-31T23:59:59Z", -1000},
        {"2016-12-31T23:59:60Z", 1483228799000},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t ms = 1;
        assert_true(moment_parse(str_from(cases[i].text), 3600, &ms));
        assert_int_equal(ms, cases[i].ms);
    }
}

static void what_is_no_moment_is_refused(void **state)
{
    static const char *const cases[] = {
        "",
        "now",
        "2026-13-01",
        "2026-02-29",
        "1900-02-29",
        "2026-11-31",
        "2026-11-00",
        "0000-01-01",
        "2026-11-29T24:00:00Z",
        "2026-11-29T13:60:00Z",
        "2026-11-29T13:00:61Z",
        "2026-11-29T13:00:00.Z",
        "2026-11-29T13:00:00+24:00",
        "2026-11-29T13:00:00Z ",
        "2026-11-29T13:00",
        "26-11-29",
        "2026-11-29T",
        "99999-01-01",
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t ms = 77;
        assert_false(moment_parse(str_from(cases[i]), 0, &ms));
        assert_int_equal(ms, 77);
    }
}

static void the_calendar_agrees_with_the_c_library(void **state)
{
    (void)state;
    for (int64_t s = -90000000000; s < 250000000000; s += 86399 * 31) {
        if (s < -62135596800) {
            continue;
        }
        time_t seconds = (time_t)s;
        struct tm tm;
        assert_non_null(gmtime_r(&seconds, &tm));
        struct civil civil = moment_civil(s * 1000 + 7, 0);
        int64_t back = 0;
        assert_int_equal(civil.year, tm.tm_year + 1900);
        assert_int_equal(civil.month, tm.tm_mon + 1);
        assert_int_equal(civil.day, tm.tm_mday);
        assert_int_equal(civil.hour, tm.tm_hour);
        assert_int_equal(civil.second, tm.tm_sec);
        assert_int_equal(civil.weekday, (tm.tm_wday + 6) % 7);
        assert_true(moment_of_civil(&civil, 0, &back));
        assert_int_equal(back, s * 1000 + 7);
    }
}

static void moments_are_written_back(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    assert_true(str_eq(moment_text(arena, 1795957205000, 3600), STR("2026-11-29 14:00:05")));
    assert_true(str_eq(moment_rfc3339(arena, 1795957200000), STR("2026-11-29T13:00:00Z")));
    assert_true(str_eq(moment_rfc3339(arena, 1795957200020), STR("2026-11-29T13:00:00.020Z")));
    arena_free(arena);
}

static void digits_of_a_date_or_a_clock_lead(void **state)
{
    static const char *const leading[] = {"2026-11-29 x", "[09:45:35] x", "11/3/26", "10:02 x"};
    static const char *const other[] = {"30-day limit", "24/7 support", "1:30", "503", "[x", "",
                                        "12:"};
    (void)state;
    for (size_t i = 0; i < sizeof leading / sizeof leading[0]; i++) {
        assert_true(moment_leads(str_from(leading[i])));
    }
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        assert_false(moment_leads(str_from(other[i])));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_read_in_every_form),
        cmocka_unit_test(what_is_no_moment_is_refused),
        cmocka_unit_test(the_calendar_agrees_with_the_c_library),
        cmocka_unit_test(moments_are_written_back),
        cmocka_unit_test(digits_of_a_date_or_a_clock_lead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
