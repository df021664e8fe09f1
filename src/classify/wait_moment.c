/* Moments until which to wait, as prose names them: "try again at 2:25 PM", "resets at
 * 2026-05-15T15:00:00Z", "usage limit reached|1752649200". Takes text and the reader's clock, gives
 * milliseconds from that clock on or -1; a time of day is the next one. */
#include "classify/wait.h"

#include "classify/wait_zone.h"

/* A reader of the front of a text. */
struct cursor {
    struct str rest;
    int64_t now_ms, utc_offset_s;
};

static void skip(struct cursor *c, const char *any_of)
{
    while (c->rest.len && str_is_of(c->rest.ptr[0], any_of)) {
        c->rest = str_slice(c->rest, 1, c->rest.len);
    }
}

static bool take_word(struct cursor *c, struct str word)
{
    bool ends = c->rest.len <= word.len || !str_is_letter(c->rest.ptr[word.len]);
    if (!str_istarts(c->rest, word) || (str_is_letter(word.ptr[word.len - 1]) && !ends)) {
        return false;
    }
    c->rest = str_slice(c->rest, word.len, c->rest.len);
    return true;
}

/* A number of at most `most` digits. */
static bool take_number(struct cursor *c, size_t most, int64_t *number)
{
    size_t length = 0;
    while (length < c->rest.len && str_is_digit(c->rest.ptr[length])) {
        length++;
    }
    if (length == 0 || length > most || !str_to_i64(str_slice(c->rest, 0, length), number)) {
        return false;
    }
    c->rest = str_slice(c->rest, length, c->rest.len);
    return true;
}

typedef size_t zone_at(struct str text, int64_t at_ms, int64_t *utc_offset_s);

/* "Z", "UTC", "+08:00", "(Europe/Berlin)", as it is when `zone` takes that clock or moment; where
 * none is named the reader's own stays. */
static void take_zone(struct cursor *c, zone_at *zone, int64_t at_ms, int64_t *utc_offset_s)
{
    struct cursor try = *c;
    int64_t hours, minutes = 0;
    skip(&try, " (");
    if (take_word(&try, STR("Z")) || take_word(&try, STR("UTC")) || take_word(&try, STR("GMT"))) {
        *utc_offset_s = 0;
        c->rest = try.rest;
        return;
    }
    size_t named = zone(try.rest, at_ms, utc_offset_s);
    if (named) {
        c->rest = str_slice(try.rest, named, try.rest.len);
        return;
    }
    char sign = c->rest.len ? c->rest.ptr[0] : '\0';
    try = *c;
    skip(&try, "+-");
    if ((sign == '+' || sign == '-') && take_number(&try, 2, &hours)) {
        skip(&try, ":");
        if (take_number(&try, 2, &minutes) && hours < 24 && minutes < 60) {
            *utc_offset_s = (sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
            c->rest = try.rest;
        }
    }
}

/* "2:25 PM", "3pm", "14:25:09.5": milliseconds of the day. A bare number is none. */
static bool take_clock(struct cursor *c, int64_t *of_day_ms)
{
    struct cursor try = *c;
    int64_t hour, minute = 0, second = 0, ignored;
    bool has_minute = false;
    if (!take_number(&try, 2, &hour)) {
        return false;
    }
    if (try.rest.len && try.rest.ptr[0] == ':') {
        skip(&try, ":");
        has_minute = take_number(&try, 2, &minute);
        struct cursor longer = try;
        skip(&longer, ":");
        if (longer.rest.ptr != try.rest.ptr && take_number(&longer, 2, &second)) {
            try = longer;
            skip(&longer, ".");
            try =
                longer.rest.ptr != try.rest.ptr && take_number(&longer, 9, &ignored) ? longer : try;
        }
    }
    struct cursor behind = try;
    skip(&behind, " ");
    bool is_pm = take_word(&behind, STR("PM")) || take_word(&behind, STR("p.m.")),
         is_am = !is_pm && (take_word(&behind, STR("AM")) || take_word(&behind, STR("a.m.")));
    if (is_am || is_pm) {
        hour = hour % 12 + (is_pm ? 12 : 0);
        try = behind;
    }
    if ((!has_minute && !is_am && !is_pm) || hour > 24 || minute > 59 || second > 60) {
        return false;
    }
    *of_day_ms = ((hour * 60 + minute) * 60 + second) * 1000;
    c->rest = try.rest;
    return true;
}

static bool take_month(struct cursor *c, int *month)
{
    static const struct str names[] = {STR_INIT("jan"), STR_INIT("feb"), STR_INIT("mar"),
                                       STR_INIT("apr"), STR_INIT("may"), STR_INIT("jun"),
                                       STR_INIT("jul"), STR_INIT("aug"), STR_INIT("sep"),
                                       STR_INIT("oct"), STR_INIT("nov"), STR_INIT("dec")};
    for (int i = 0; i < 12; i++) {
        if (str_istarts(c->rest, names[i])) {
            while (c->rest.len && str_is_letter(c->rest.ptr[0])) {
                c->rest = str_slice(c->rest, 1, c->rest.len);
            }
            *month = i + 1;
            return true;
        }
    }
    return false;
}

/* "2026-12-01", "Dec 1st, 2026", "December 1": the day's beginning by UTC. A year that is not named
 * is the next in which the day is not over. */
static bool take_date(struct cursor *c, int64_t *day_ms)
{
    struct cursor try = *c;
    struct civil now = moment_civil(c->now_ms, c->utc_offset_s), civil = {.year = now.year};
    int64_t number;
    if (try.rest.len >= 10 && try.rest.ptr[4] == '-' &&
        moment_parse(str_slice(try.rest, 0, 10), 0, day_ms)) {
        c->rest = str_slice(try.rest, 10, try.rest.len);
        return true;
    }
    if (!take_month(&try, &civil.month)) {
        return false;
    }
    skip(&try, " .");
    if (!take_number(&try, 2, &number)) {
        return false;
    }
    civil.day = (int)number;
    skip(&try, "stndrh,");
    struct cursor year = try;
    skip(&year, " ");
    bool has_year = take_number(&year, 4, &number) && number > 1999 && number < 10000;
    if (has_year) {
        civil.year = (int)number;
        try = year;
    } else if (civil.month < now.month) {
        civil.year++;
    }
    c->rest = try.rest;
    return moment_of_civil(&civil, 0, day_ms);
}

/* The moment at the front, or -1. */
static int64_t read_moment(struct cursor *c)
{
    int64_t day_ms, of_day_ms = 0, offset_s = c->utc_offset_s, number;
    struct cursor try = *c;
    skip(&try, " \"'`:|=");
    struct cursor seconds = try;
    if (take_number(&seconds, 13, &number) && (number > 999999999)) {
        return wait_moment(str_slice(try.rest, 0, (size_t)(seconds.rest.ptr - try.rest.ptr)));
    }
    bool has_date = take_date(&try, &day_ms);
    if (has_date) {
        skip(&try, " ,T");
        take_word(&try, STR("at"));
        skip(&try, " ");
    }
    bool has_clock = take_clock(&try, &of_day_ms);
    if (!has_date && !has_clock) {
        return -1;
    }
    if (!has_date) {
        struct cursor today = try;
        take_zone(&today, wait_zone, c->now_ms, &offset_s);
        int64_t local_ms = c->now_ms + offset_s * 1000;
        day_ms = local_ms - local_ms % DAY_MS;
        day_ms += day_ms + of_day_ms < local_ms ? DAY_MS : 0;
    }
    take_zone(&try, wait_zone_of_clock, day_ms + of_day_ms, &offset_s);
    return day_ms + of_day_ms - offset_s * 1000;
}

int64_t wait_find_until(const struct bigrams *bigrams, struct str text, int64_t now_ms,
                        int64_t utc_offset_s, bool *is_momentary)
{
    static const struct str leads[] = {
        STR_INIT("try again at "), STR_INIT("try again after "), STR_INIT("try again on "),
        STR_INIT("retry at "),     STR_INIT("retry after "),     STR_INIT("resets at "),
        STR_INIT("reset at "),     STR_INIT("resets on "),       STR_INIT("reset on "),
        STR_INIT("resets "),       STR_INIT("available at "),    STR_INIT("available again at "),
        STR_INIT("access on "),    STR_INIT("until "),           STR_INIT("limit reached|"),
        STR_INIT("reset time: "),  STR_INIT("reset: "),          STR_INIT("ratelimit-reset\": "),
        STR_INIT("重置时间："),    STR_INIT("重置时间: "),       STR_INIT("请于"),
    };
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
        struct str here = text;
        for (ptrdiff_t at; (at = bigrams_ifind(bigrams, here, leads[i])) >= 0;) {
            *is_momentary = true;
            if (now_ms <= 0) {
                return -1;
            }
            here = str_slice(here, (size_t)at + leads[i].len, here.len);
            struct cursor c = {str_slice(here, 0, 64), now_ms, utc_offset_s};
            int64_t moment = read_moment(&c);
            if (moment >= now_ms && moment - now_ms <= WAIT_MS_MAX) {
                return moment - now_ms;
            }
        }
    }
    return -1;
}

int64_t wait_stamp(struct str text, int64_t utc_offset_s)
{
    struct str rest = text, line;
    while (str_split(&rest, '\n', &line)) {
        struct cursor c = {str_slice(str_trim(line), 0, 64), 1, utc_offset_s};
        int64_t day_ms, of_day_ms, offset_s = utc_offset_s;
        skip(&c, "[\"{");
        if (!take_date(&c, &day_ms)) {
            continue;
        }
        skip(&c, " T");
        if (take_clock(&c, &of_day_ms)) {
            take_zone(&c, wait_zone_of_clock, day_ms + of_day_ms, &offset_s);
            return day_ms + of_day_ms - offset_s * 1000;
        }
    }
    return -1;
}
