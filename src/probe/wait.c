/* How long an answer's headers ask us to wait. Takes headers, gives milliseconds, or -1 where they
 * do not say it for sure. What a body says is not read here. */
#include "probe/transfer.h"

#include <time.h>

#define WAIT_MAX_MS ((double)1000 * 60 * 60 * 24 * 366)

static int64_t bounded(double ms)
{
    return ms >= 0 && ms <= WAIT_MAX_MS ? (int64_t)ms : -1;
}

static bool number_at(struct str text, size_t at, size_t digits, int *number)
{
    *number = 0;
    for (size_t i = at; i < at + digits; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9') {
            return false;
        }
        *number = *number * 10 + (text.ptr[i] - '0');
    }
    return true;
}

/* "Sun, 29 Nov 2026 13:00:05 GMT", which nearly every server writes; libcurl's reader of dates of
 * all kinds takes ten times as long. */
static bool usual_date(struct str text, struct tm *date)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    static const char shape[] = "aaa, 00 aaa 0000 00:00:00 GMT";
    if (text.len != sizeof shape - 1) {
        return false;
    }
    for (size_t i = 0; i < text.len; i++) {
        if (shape[i] != 'a' && shape[i] != '0' && shape[i] != text.ptr[i]) {
            return false;
        }
    }
    ptrdiff_t month = str_find(str_from(months), str_slice(text, 8, 11));
    *date = (struct tm){.tm_mon = (int)month / 3};
    bool is_read = month >= 0 && month % 3 == 0 && number_at(text, 5, 2, &date->tm_mday) &&
                   number_at(text, 12, 4, &date->tm_year) &&
                   number_at(text, 17, 2, &date->tm_hour) &&
                   number_at(text, 20, 2, &date->tm_min) && number_at(text, 23, 2, &date->tm_sec);
    date->tm_year -= 1900;
    return is_read && date->tm_year >= 70 && date->tm_mday >= 1 && date->tm_mday <= 31 &&
           date->tm_hour <= 23 && date->tm_min <= 59 && date->tm_sec <= 59;
}

bool http_date(struct str text, int64_t *ms)
{
    char copy[64];
    struct tm date;
    if (text.len == 0 || text.len >= sizeof copy) {
        return false;
    }
    if (usual_date(text, &date)) {
        *ms = (int64_t)timegm(&date) * 1000;
        return true;
    }
    for (size_t i = 0; i < text.len; i++) {
        copy[i] = text.ptr[i];
    }
    copy[text.len] = '\0';
    time_t seconds = curl_getdate(copy, NULL);
    if (seconds == -1) {
        return false;
    }
    *ms = (int64_t)seconds * 1000;
    return true;
}

static int64_t retry_after(const struct observation *observation, int64_t now_ms)
{
    struct str value = observation_header(observation, STR("retry-after"));
    double seconds;
    int64_t until, server_now;
    if (str_to_double(value, &seconds)) {
        return bounded(seconds * 1000);
    }
    if (!http_date(value, &until)) {
        return -1;
    }
    /* Both dates are of the server's clock, so ours does not matter where it has sent its own. */
    if (!http_date(observation_header(observation, STR("date")), &server_now)) {
        server_now = now_ms;
    }
    return until > server_now ? bounded((double)(until - server_now)) : 0;
}

/* "1m30.5s", "6ms", "1h2m": what OpenAI writes into its reset headers. */
static int64_t go_duration(struct str s)
{
    int64_t sum = 0, part;
    if (s.len == 0) {
        return -1;
    }
    while (s.len) {
        size_t end = 0;
        while (end < s.len && (str_is_digit(s.ptr[end]) || s.ptr[end] == '.')) {
            end++;
        }
        while (end < s.len && str_is_lower(s.ptr[end])) {
            end++;
        }
        if (end == 0 || !str_to_duration_ms(str_slice(s, 0, end), &part)) {
            return -1;
        }
        sum += part;
        s = str_slice(s, end, s.len);
    }
    return bounded((double)sum);
}

/* A count that has run out, together with the time at which it is filled again. */
static int64_t reset_of_limit(const struct observation *observation, int64_t now_ms)
{
    static const struct {
        struct str remaining, reset;
    } rows[] = {
        {STR_INIT("x-ratelimit-remaining-requests"), STR_INIT("x-ratelimit-reset-requests")},
        {STR_INIT("x-ratelimit-remaining-tokens"), STR_INIT("x-ratelimit-reset-tokens")},
        {STR_INIT("x-ratelimit-remaining"), STR_INIT("x-ratelimit-reset")},
    };
    int64_t longest = -1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t left, wait;
        double moment;
        struct str reset = observation_header(observation, rows[i].reset);
        if (!str_to_i64(observation_header(observation, rows[i].remaining), &left) || left > 0) {
            continue;
        }
        if (str_to_double(reset, &moment)) {
            /* A bare number is sure only as a moment, in seconds or milliseconds since 1970. */
            moment = moment > 1e12 ? moment : moment > 1e9 ? moment * 1000 : -1;
            wait = moment < 0 ? -1 : bounded(moment - (double)now_ms);
        } else {
            wait = go_duration(reset);
        }
        longest = wait > longest ? wait : longest;
    }
    return longest;
}

int64_t wait_of_headers(const struct observation *observation, int64_t now_ms)
{
    double ms;
    if (str_to_double(observation_header(observation, STR("retry-after-ms")), &ms) &&
        bounded(ms) >= 0) {
        return bounded(ms);
    }
    int64_t wait = retry_after(observation, now_ms);
    return wait < 0 && observation->status == 429 ? reset_of_limit(observation, now_ms) : wait;
}
