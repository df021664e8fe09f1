/* Moments as logs write them. Takes text and an offset, gives milliseconds since 1970 and where the
 * moment ends. Knows no lines and no levels. */
#include "input/log_moment.h"

#include "base/moment.h"
#include "input/log_month.h"

#define YEAR_UNKNOWN 1
#define YEAR_MIN 1990
#define MONTH_BYTES_MAX 9 /* of a name and its blank */
#define YEAR_MAX 2200

struct scan {
    struct str text;
    size_t at;
};

struct date {
    int64_t year, month, day; /* year 0: not named */
};

static char peek(const struct scan *s)
{
    return s->at < s->text.len ? s->text.ptr[s->at] : '\0';
}

static bool take(struct scan *s, const char *signs)
{
    char c = peek(s);
    for (const char *sign = signs; c && *sign; sign++) {
        if (c == *sign) {
            s->at++;
            return true;
        }
    }
    return false;
}

/* Exactly `digits` digits. */
static bool take_number(struct scan *s, size_t digits, int64_t *value)
{
    int64_t number = 0;
    for (size_t i = 0; i < digits; i++) {
        if (!str_is_digit(peek(s))) {
            return false;
        }
        number = number * 10 + (s->text.ptr[s->at++] - '0');
    }
    *value = number;
    return true;
}

static bool take_word(struct scan *s, const struct str *words, size_t count, int64_t *index)
{
    for (size_t i = 0; i < count; i++) {
        if (str_istarts(str_slice(s->text, s->at, s->text.len), words[i])) {
            s->at += words[i].len;
            *index = (int64_t)i;
            return true;
        }
    }
    return false;
}

static bool take_month(struct scan *s, int64_t *month)
{
    size_t length = log_month_read(str_slice(s->text, s->at, s->text.len), month);
    s->at += length;
    return length > 0;
}

/* Days since 1970 of a date of the Gregorian calendar. */
static int64_t days_of(const struct date *date)
{
    int64_t year = date->year - (date->month <= 2), era = year / 400, in_era = year - era * 400;
    int64_t month = date->month > 2 ? date->month - 3 : date->month + 9;
    int64_t in_year = (153 * month + 2) / 5 + date->day - 1;
    return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719468;
}

static int64_t year_of(int64_t now_ms)
{
    int64_t year = 1970;
    for (struct date next = {1971, 1, 1}; days_of(&next) * DAY_MS <= now_ms; next.year++) {
        year = next.year;
    }
    return year;
}

/* The milliseconds of ".123", ",123456"; a sign without digits behind it stays. */
static int64_t take_fraction(struct scan *s)
{
    int64_t ms = 0, unit = 100;
    if ((peek(s) != '.' && peek(s) != ',') || s->at + 1 >= s->text.len ||
        !str_is_digit(s->text.ptr[s->at + 1])) {
        return 0;
    }
    for (s->at++; str_is_digit(peek(s)); s->at++, unit /= 10) {
        ms += unit * (s->text.ptr[s->at] - '0');
    }
    return ms;
}

/* Z, UTC, +0100, +01:00 behind a clock; gives what to add to it for UTC. */
static int64_t take_zone(struct scan *s)
{
    static const struct str names[] = {STR_INIT("Z"), STR_INIT("UTC"), STR_INIT("GMT")};
    struct scan t = *s;
    int64_t hours, minutes, ignored;
    take(&t, " ");
    char sign = peek(&t);
    if (take(&t, "+-") && take_number(&t, 2, &hours) && (take(&t, ":"), true) &&
        take_number(&t, 2, &minutes) && !str_is_digit(peek(&t))) {
        *s = t;
        return (sign == '-' ? 1 : -1) * (hours * 60 + minutes) * 60000;
    }
    t = *s;
    take(&t, " ");
    if (take_word(&t, names, sizeof names / sizeof names[0], &ignored)) {
        *s = str_is_alnum(peek(&t)) ? *s : t;
    }
    return 0;
}

/* " AM", "PM" behind a clock of twelve hours: what to add to its hour. */
static int64_t take_half(struct scan *s, int64_t hour)
{
    static const struct str halves[] = {STR_INIT("AM"), STR_INIT("PM")};
    struct scan t = *s;
    int64_t half;
    take(&t, " ");
    if (hour < 1 || hour > 12 || !take_word(&t, halves, sizeof halves / sizeof halves[0], &half)) {
        return 0;
    }
    *s = t;
    return half * 12 - (hour == 12 ? 12 : 0);
}

/* HH:MM, HH:MM:SS, HH:MM:SS.mmm: milliseconds since midnight. */
static bool take_clock(struct scan *s, int64_t *ms)
{
    int64_t hour, minute, second = 0;
    bool is_short = s->at + 1 < s->text.len && s->text.ptr[s->at + 1] == ':';
    if (!take_number(s, is_short ? 1 : 2, &hour) || !take(s, ":") || !take_number(s, 2, &minute)) {
        return false;
    }
    if (peek(s) == ':' && (s->at++, !take_number(s, 2, &second))) {
        return false;
    }
    if (hour > 24 || minute > 59 || second > 60 || str_is_digit(peek(s))) {
        return false;
    }
    *ms = ((hour * 60 + minute) * 60 + second) * 1000 + take_fraction(s);
    *ms += take_half(s, hour) * 60 * 60 * 1000;
    return true;
}

/* 2026-11-29, 2026/11/29 */
static bool take_iso_date(struct scan *s, struct date *date)
{
    return take_number(s, 4, &date->year) && take(s, "-/") && take_number(s, 2, &date->month) &&
           take(s, "-/") && take_number(s, 2, &date->day) && str_is_of(peek(s), "Tt _,-");
}

/* 29/Nov/2026 of web servers, 29 Nov 2026 */
static bool take_web_date(struct scan *s, struct date *date)
{
    return take_number(s, 2, &date->day) && take(s, "/- ") && take_month(s, &date->month) &&
           take(s, "/- ") && take_number(s, 4, &date->year) && (peek(s) == ':' || peek(s) == ' ');
}

/* "11/29/2026 ", "29.11.2026 ", "29-11-2026 ": where no month is that high, the day comes first,
 * and so it does between dots and dashes. */
static bool take_slash_date(struct scan *s, struct date *date)
{
    bool is_short = s->at + 1 < s->text.len && str_is_of(s->text.ptr[s->at + 1], "/.-");
    if (!take_number(s, is_short ? 1 : 2, &date->month) || !take(s, "/.-")) {
        return false;
    }
    is_short = s->at + 1 < s->text.len && str_is_of(s->text.ptr[s->at + 1], "/.-");
    char sign = s->text.ptr[s->at - 1];
    if (!take_number(s, is_short ? 1 : 2, &date->day) || peek(s) != sign || !take(s, "/.-") ||
        !take_number(s, 4, &date->year)) {
        return false;
    }
    if (date->month > 12 || (sign != '/' && date->day <= 12)) {
        int64_t day = date->month;
        date->month = date->day;
        date->day = day;
    }
    take(s, ",");
    return peek(s) == ' ';
}

/* "11-29 " of Android and of model servers. */
static bool take_short_date(struct scan *s, struct date *date)
{
    date->year = 0;
    return take_number(s, 2, &date->month) && take(s, "-/") && take_number(s, 2, &date->day) &&
           peek(s) == ' ';
}

/* "20261129 " */
static bool take_compact_date(struct scan *s, struct date *date)
{
    return take_number(s, 4, &date->year) && take_number(s, 2, &date->month) &&
           take_number(s, 2, &date->day) && str_is_of(peek(s), " Tt_-");
}

/* "26/11/29 " of log4j; where no year is that low, "11/29/26 ". */
static bool take_young_date(struct scan *s, struct date *date)
{
    int64_t first, last;
    if (!take_number(s, 2, &first) || !take(s, "/") || !take_number(s, 2, &date->month) ||
        !take(s, "/") || !take_number(s, 2, &last) || peek(s) != ' ') {
        return false;
    }
    bool is_year_first = first > 12;
    date->year = 2000 + (is_year_first ? first : last);
    date->day = is_year_first ? last : date->month;
    date->month = is_year_first ? date->month : first;
    return true;
}

static bool take_sign(struct scan *s, struct str sign)
{
    bool is_there = str_starts(str_slice(s->text, s->at, s->text.len), sign);
    s->at += is_there ? sign.len : 0;
    return is_there;
}

/* One digit or two. */
static bool take_short_number(struct scan *s, int64_t *value)
{
    bool has_two = s->at + 1 < s->text.len && str_is_digit(s->text.ptr[s->at + 1]);
    return take_number(s, has_two ? 2 : 1, value);
}

/* "2026年11月29日 " */
static bool take_chinese_date(struct scan *s, struct date *date)
{
    return take_number(s, 4, &date->year) && take_sign(s, STR("年")) &&
           take_short_number(s, &date->month) && take_sign(s, STR("月")) &&
           take_short_number(s, &date->day) && take_sign(s, STR("日"));
}

/* "Nov 29 " of syslog, "11月 29 ", "Sun Nov 29 " of ctime; the year, where there is one, stands
 * behind the clock. */
static bool take_mail_date(struct scan *s, struct date *date)
{
    static const struct str days[] = {STR_INIT("Mon"), STR_INIT("Tue"), STR_INIT("Wed"),
                                      STR_INIT("Thu"), STR_INIT("Fri"), STR_INIT("Sat"),
                                      STR_INIT("Sun")};
    int64_t ignored;
    if (take_word(s, days, sizeof days / sizeof days[0], &ignored)) {
        take(s, ",");
        take(s, " ");
        struct scan t = *s;
        if (take_web_date(&t, date)) { /* "Sun, 29 Nov 2026 " */
            *s = t;
            return true;
        }
    }
    if (!take_month(s, &date->month) || !take(s, " ")) {
        return false;
    }
    bool is_short = take(s, " ");
    date->year = 0;
    return take_number(
               s,
               is_short || !str_is_digit(s->text.len > s->at + 1 ? s->text.ptr[s->at + 1] : '\0')
                   ? 1
                   : 2,
               &date->day) &&
           peek(s) == ' ';
}

/* "1129 " of klog, behind the letter of its level. */
static bool take_klog_date(struct scan *s, struct date *date)
{
    date->year = 0;
    return take(s, "IWEF") && take_number(s, 2, &date->month) && take_number(s, 2, &date->day) &&
           peek(s) == ' ';
}

typedef bool take_date(struct scan *s, struct date *date);

static bool take_any_date(struct scan *s, struct date *date)
{
    static take_date *const forms[] = {take_iso_date,     take_web_date,     take_slash_date,
                                       take_short_date,   take_compact_date, take_young_date,
                                       take_chinese_date, take_mail_date,    take_klog_date};
    for (size_t i = str_is_digit(peek(s)) ? 0 : 7; i < sizeof forms / sizeof forms[0]; i++) {
        struct scan t = *s; /* the first seven begin with a digit */
        if (forms[i](&t, date) && date->month >= 1 && date->month <= 12 && date->day >= 1 &&
            date->day <= 31) {
            *s = t;
            return true;
        }
    }
    return false;
}

/* The year behind the clock of ctime, else this one, or the last where that lies ahead; unknown to
 * who knows no clock. */
static void settle_year(struct scan *s, struct date *date, int64_t now_ms)
{
    struct scan t = *s;
    int64_t year;
    if (date->year) {
        return;
    }
    if (take(&t, " ") && take_number(&t, 4, &year) && !str_is_digit(peek(&t)) && year >= YEAR_MIN &&
        year < YEAR_MAX) {
        date->year = year;
        *s = t;
        return;
    }
    if (now_ms <= 0) {
        date->year = YEAR_UNKNOWN;
        return;
    }
    date->year = year_of(now_ms);
    date->year -= days_of(date) * DAY_MS > now_ms + DAY_MS;
}

int64_t log_moment_from_number(struct str number)
{
    double value;
    if (!str_to_double(number, &value) || value < 631152000.0) { /* 1990 in seconds */
        return -1;
    }
    while (value >= 1e14) { /* micro- and nanoseconds */
        value /= 1000;
    }
    return (int64_t)(value < 1e11 ? value * 1000 : value);
}

/* 1764421200.123 or 1764421200123, alone between blanks or signs. */
static bool read_epoch(struct str text, size_t at, struct log_moment *moment)
{
    size_t end = at, digits;
    while (end < text.len && str_is_digit(text.ptr[end])) {
        end++;
    }
    digits = end - at;
    if (digits != 10 && digits != 13) {
        return false;
    }
    if (end + 1 < text.len && text.ptr[end] == '.' && str_is_digit(text.ptr[end + 1])) {
        for (end++; end < text.len && str_is_digit(text.ptr[end]); end++) {
        }
    }
    char next = end < text.len ? text.ptr[end] : ' ';
    moment->ms = log_moment_from_number(str_slice(text, at, end));
    moment->end = end;
    return moment->ms >= 0 && (next == ' ' || next == '\t' || next == ']' || next == ',' ||
                               next == ':' || next == '"');
}

/* Between a date and its clock: "T", " ", "_", ":", ", "; " - " of Go's web servers. */
static void take_gap(struct scan *s)
{
    if (str_starts(str_slice(s->text, s->at, s->text.len), STR(" - "))) {
        s->at += 3;
        return;
    }
    take(s, "Tt:_,-");
    take(s, " ");
}

/* A moment is no moment where a word goes on from it: "13:00:00wrong". */
static bool is_ended(const struct scan *s)
{
    return !str_is_word(peek(s));
}

/* Digits, capitals of a day, a month or a level; small letters of a month, which a day follows. */
static bool may_begin(struct str text)
{
    char first = text.len ? text.ptr[0] : '\0';
    size_t blank = str_is_digit(first) || (first >= 'A' && first <= 'W') ? 0 : MONTH_BYTES_MAX;
    struct str name = str_slice(text, 0, blank);
    ptrdiff_t end = str_find_char(name, ' ');
    return blank == 0 || (end > 2 && (size_t)end + 1 < text.len && !str_is_of(first, " \"[]") &&
                          str_is_of(text.ptr[end + 1], " 0123456789"));
}

bool log_moment_read(struct str text, size_t at, int64_t now_ms, struct log_moment *moment)
{
    struct scan s = {text, at};
    struct date date = {0, 0, 0};
    int64_t clock_ms, zone_ms;
    if (!may_begin(str_slice(text, at, text.len))) {
        return false;
    }
    if (take_any_date(&s, &date) && (take_gap(&s), take_clock(&s, &clock_ms))) {
        zone_ms = take_zone(&s);
        settle_year(&s, &date, now_ms);
        bool is_sane = date.year >= YEAR_MIN && date.year < YEAR_MAX;
        moment->ms = is_sane ? days_of(&date) * DAY_MS + clock_ms + zone_ms : -1;
        moment->end = s.at;
        return (is_sane || date.year == YEAR_UNKNOWN) && is_ended(&s);
    }
    s = (struct scan){text, at};
    bool is_clock = take_clock(&s, &clock_ms) && is_ended(&s);
    if (is_clock && (s.at - at >= 8 || text.ptr[s.at - 1] == 'M')) { /* "13:00:00", "1:00PM" */
        *moment = (struct log_moment){.ms = -1, .end = s.at};
        return true;
    }
    return read_epoch(text, at, moment);
}
