/* Moments and calendar: text to milliseconds since 1970 and back, without the C library's zones. */
#include "base/moment.h"

#define DAY_S 86400

static bool is_leap(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap(year) ? 1 : 0);
}

/* Days from 1970-01-01 to the first of January. */
static int64_t days_before_year(int64_t year)
{
    int64_t y = year - 1;
    return 365 * (year - 1970) + (y / 4 - y / 100 + y / 400) - (1969 / 4 - 1969 / 100 + 1969 / 400);
}

bool moment_of_civil(const struct civil *civil, int64_t utc_offset_s, int64_t *moment_ms)
{
    if (civil->year < 1 || civil->year > 9999 || civil->month < 1 || civil->month > 12 ||
        civil->day < 1 || civil->day > days_of_month(civil->year, civil->month) ||
        civil->hour < 0 || civil->hour > 23 || civil->minute < 0 || civil->minute > 59 ||
        civil->second < 0 || civil->second > 60 || civil->millisecond < 0 ||
        civil->millisecond > 999) {
        return false;
    }
    int64_t days = days_before_year(civil->year) + civil->day - 1;
    for (int month = 1; month < civil->month; month++) {
        days += days_of_month(civil->year, month);
    }
    int second = civil->second == 60 ? 59 : civil->second;
    int64_t seconds = days * DAY_S + civil->hour * 3600 + civil->minute * 60 + second;
    *moment_ms = (seconds - utc_offset_s) * 1000 + civil->millisecond;
    return true;
}

static int64_t divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b < 0 ? 1 : 0);
}

struct civil moment_civil(int64_t moment_ms, int64_t utc_offset_s)
{
    int64_t seconds = divide_down(moment_ms, 1000) + utc_offset_s;
    int64_t days = divide_down(seconds, DAY_S), of_day = seconds - days * DAY_S;
    int64_t year = 1970 + divide_down(days, days < 0 ? 365 : 366); /* never too late */
    while (days_before_year(year + 1) <= days) {
        year++;
    }
    struct civil civil = {.year = (int)year,
                          .month = 1,
                          .hour = (int)(of_day / 3600),
                          .minute = (int)(of_day % 3600 / 60),
                          .second = (int)(of_day % 60),
                          .millisecond = (int)(moment_ms - divide_down(moment_ms, 1000) * 1000)};
    int day = (int)(days - days_before_year(year));
    while (day >= days_of_month(civil.year, civil.month)) {
        day -= days_of_month(civil.year, civil.month++);
    }
    civil.day = day + 1;
    civil.weekday = (int)(((days + 3) % 7 + 7) % 7); /* 1970 began on a Thursday */
    return civil;
}

/* Takes `digits` digits off the front. */
static bool take_number(struct str *rest, size_t digits, int *number)
{
    if (rest->len < digits) {
        return false;
    }
    *number = 0;
    for (size_t i = 0; i < digits; i++) {
        char c = rest->ptr[i];
        if (c < '0' || c > '9') {
            return false;
        }
        *number = *number * 10 + (c - '0');
    }
    *rest = str_slice(*rest, digits, rest->len);
    return true;
}

static bool take_char(struct str *rest, const char *any_of)
{
    if (rest->len == 0 || str_find_char(str_from(any_of), rest->ptr[0]) < 0) {
        return false;
    }
    *rest = str_slice(*rest, 1, rest->len);
    return true;
}

static bool take_date(struct str *rest, struct civil *civil)
{
    return take_number(rest, 4, &civil->year) && take_char(rest, "-") &&
           take_number(rest, 2, &civil->month) && take_char(rest, "-") &&
           take_number(rest, 2, &civil->day);
}

/* Digits behind the point; those past the third are read and dropped. */
static bool take_fraction(struct str *rest, int *milliseconds)
{
    int digit, weight = 100;
    if (!take_number(rest, 1, &digit)) {
        return false;
    }
    do {
        *milliseconds += digit * weight;
        weight /= 10;
    } while (take_number(rest, 1, &digit));
    return true;
}

static bool take_time(struct str *rest, struct civil *civil)
{
    return take_number(rest, 2, &civil->hour) && take_char(rest, ":") &&
           take_number(rest, 2, &civil->minute) && take_char(rest, ":") &&
           take_number(rest, 2, &civil->second) &&
           (!take_char(rest, ".,") || take_fraction(rest, &civil->millisecond));
}

/* "Z", "+08:00", "+0800" or nothing. */
static bool take_zone(struct str *rest, int64_t *utc_offset_s)
{
    int hours, minutes;
    if (rest->len == 0) {
        return true;
    }
    if (take_char(rest, "Zz")) {
        *utc_offset_s = 0;
        return true;
    }
    bool is_west = rest->ptr[0] == '-';
    if (!take_char(rest, "+-") || !take_number(rest, 2, &hours)) {
        return false;
    }
    take_char(rest, ":");
    if (!take_number(rest, 2, &minutes) || hours > 23 || minutes > 59) {
        return false;
    }
    *utc_offset_s = (is_west ? -1 : 1) * (hours * 3600 + minutes * 60);
    return true;
}

bool moment_parse(struct str text, int64_t utc_offset_s, int64_t *moment_ms)
{
    struct civil civil = {0};
    struct str rest = text;
    if (!take_date(&rest, &civil)) {
        return false;
    }
    if (rest.len && (!take_char(&rest, "Tt ") || !take_time(&rest, &civil) ||
                     !take_zone(&rest, &utc_offset_s))) {
        return false;
    }
    return rest.len == 0 && moment_of_civil(&civil, utc_offset_s, moment_ms);
}

struct str moment_text(struct arena *arena, int64_t moment_ms, int64_t utc_offset_s)
{
    struct civil c = moment_civil(moment_ms, utc_offset_s);
    return arena_printf(arena, "%04d-%02d-%02d %02d:%02d:%02d", c.year, c.month, c.day, c.hour,
                        c.minute, c.second);
}

struct str moment_rfc3339(struct arena *arena, int64_t moment_ms)
{
    struct civil c = moment_civil(moment_ms, 0);
    struct str fraction =
        c.millisecond ? arena_printf(arena, ".%03d", c.millisecond) : (struct str){"", 0};
    return arena_printf(arena, "%04d-%02d-%02dT%02d:%02d:%02d%.*sZ", c.year, c.month, c.day, c.hour,
                        c.minute, c.second, STR_ARG(fraction));
}

static bool is_at(struct str text, size_t at, const char *signs)
{
    return at < text.len && (str_is_digit(text.ptr[at]) || str_is_of(text.ptr[at], signs));
}

bool moment_leads(struct str text)
{
    size_t begin = str_starts(text, STR("[")) ? 1 : 0, end = begin;
    while (is_at(text, end, "")) {
        end++;
    }
    return end > begin + 1 && is_at(text, end, "-:/") && is_at(text, end + 1, "") &&
           is_at(text, end + 2, "-:/");
}
