/* How long headers ask us to wait, in all the forms that providers use, and dates. */
#include "probe/transfer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NOW_MS INT64_C(1795957205000) /* 2026-11-29 13:00:05 */

struct row {
    long status;
    const char *names[2], *values[2];
    int64_t wait_ms;
};

static void judge(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct header headers[2];
        size_t used = 0;
        for (; used < 2 && rows[i].names[used]; used++) {
            headers[used] =
                (struct header){str_from(rows[i].names[used]), str_from(rows[i].values[used])};
        }
        struct observation o = {.status = rows[i].status, .headers = headers, .header_count = used};
        if (wait_of_headers(&o, NOW_MS) != rows[i].wait_ms) {
            fail_msg("%s: %s gives %lld", rows[i].names[0], rows[i].values[0],
                     (long long)wait_of_headers(&o, NOW_MS));
        }
    }
}

static void reads_retry_after_in_both_forms(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {429, {"retry-after"}, {"7"}, 7000},
        {503, {"retry-after"}, {"1.5"}, 1500},
        {503, {"retry-after"}, {"0"}, 0},
        {429, {"retry-after-ms", "retry-after"}, {"250", "9"}, 250},
        {429, {"retry-after-ms", "retry-after"}, {"soon", "9"}, 9000},
        {503,
         {"retry-after", "date"},
         {"Sun, 29 Nov 2026 13:00:30 GMT", "Sun, 29 Nov 2026 13:00:00 GMT"},
         30000},
        {503, {"retry-after"}, {"Sun, 29 Nov 2026 13:00:30 GMT"}, 25000},
        {503, {"retry-after"}, {"Sunday, 29-Nov-26 13:00:30 GMT"}, 25000},
        {503, {"retry-after"}, {"Sun, 29 Nov 2026 12:00:00 GMT"}, 0},
        {503, {"retry-after"}, {"-5"}, -1},
        {503, {"retry-after"}, {"1e300"}, -1},
        {503, {"retry-after"}, {"later"}, -1},
        {503, {"retry-after"}, {""}, -1},
        {503, {NULL}, {NULL}, -1},
    };
    judge(rows, sizeof rows / sizeof rows[0]);
}

static void reads_resets_only_of_limits_that_ran_out(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {429,
         {"x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"},
         {"0", "1m30.5s"},
         90500},
        {429, {"x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"}, {"0", "6ms"}, 6},
        {429, {"x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"}, {"100", "6m0s"}, -1},
        {503, {"x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"}, {"0", "6m0s"}, -1},
        {429, {"x-ratelimit-remaining", "x-ratelimit-reset"}, {"0", "1795957265"}, 60000},
        {429, {"x-ratelimit-remaining", "x-ratelimit-reset"}, {"0", "1795957265000"}, 60000},
        {429, {"x-ratelimit-remaining", "x-ratelimit-reset"}, {"0", "60"}, -1},
        {429, {"x-ratelimit-remaining", "x-ratelimit-reset"}, {"0", "1s then"}, -1},
        {429, {"x-ratelimit-reset"}, {"1795957265"}, -1},
    };
    judge(rows, sizeof rows / sizeof rows[0]);
}

static void reads_dates_and_nothing_else(void **state)
{
    (void)state;
    int64_t ms = 0;
    assert_true(http_date(STR("Sun, 29 Nov 2026 13:00:05 GMT"), &ms));
    assert_true(ms == NOW_MS);
    assert_false(http_date(STR("yesterday"), &ms));
    assert_false(http_date(STR(""), &ms));
    assert_false(http_date(STR("Sun, 29 Nov 2026 13:00:05 GMT and much more text than any date has "
                               "in it"),
                           &ms));
}

static void the_usual_form_says_what_libcurl_reads(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "Thu, 01 Jan 1970 00:00:01 GMT", "Thu, 29 Feb 2024 23:59:59 GMT",
        "Sat, 31 Feb 2026 10:00:00 GMT", "Tue, 31 Dec 2030 00:00:00 GMT",
        "Sun, 00 Nov 2026 13:00:05 GMT", "Sun, 32 Nov 2026 13:00:05 GMT",
        "Sun, 29 anF 2026 13:00:05 GMT", "Sun, 29 Nov 2026 24:00:05 GMT",
        "Sun, 29 Nov 2026 13:00:60 GMT", "Sun, 29 Nov 1969 13:00:00 GMT",
        "Sun, 29 Nov 2026 13:00:05 EST", "Sun, 2x Nov 2026 13:00:05 GMT",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        int64_t ms = -1, seconds = (int64_t)curl_getdate(texts[i], NULL);
        assert_int_equal(http_date(str_from(texts[i]), &ms), seconds != -1);
        assert_true(ms == (seconds == -1 ? -1 : seconds * 1000));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_retry_after_in_both_forms),
        cmocka_unit_test(reads_resets_only_of_limits_that_ran_out),
        cmocka_unit_test(reads_dates_and_nothing_else),
        cmocka_unit_test(the_usual_form_says_what_libcurl_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
