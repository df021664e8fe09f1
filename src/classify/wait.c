/* Times to wait, as servers and clients word them. Takes text, gives milliseconds or -1; knows no
 * clock, so moments need the caller's. */
#include "classify/wait.h"

#include <stdio.h>
#include <string.h>

#define WAIT_MS_MAX ((double)366 * 24 * 3600 * 1000)

struct unit {
    struct str name;
    double ms;
};

/* The longest spelling of each beginning stands first. */
static const struct unit units[] = {
    {STR_INIT("milliseconds"), 1}, {STR_INIT("millisecond"), 1}, {STR_INIT("msecs"), 1},
    {STR_INIT("ms"), 1},           {STR_INIT("毫秒"), 1},        {STR_INIT("seconds"), 1000},
    {STR_INIT("second"), 1000},    {STR_INIT("secs"), 1000},     {STR_INIT("sec"), 1000},
    {STR_INIT("s"), 1000},         {STR_INIT("秒"), 1000},       {STR_INIT("minutes"), 60000},
    {STR_INIT("minute"), 60000},   {STR_INIT("mins"), 60000},    {STR_INIT("min"), 60000},
    {STR_INIT("m"), 60000},        {STR_INIT("分钟"), 60000},    {STR_INIT("分"), 60000},
    {STR_INIT("hours"), 3.6e6},    {STR_INIT("hour"), 3.6e6},    {STR_INIT("hrs"), 3.6e6},
    {STR_INIT("hr"), 3.6e6},       {STR_INIT("h"), 3.6e6},       {STR_INIT("个小时"), 3.6e6},
    {STR_INIT("小时"), 3.6e6},     {STR_INIT("days"), 8.64e7},   {STR_INIT("day"), 8.64e7},
    {STR_INIT("d"), 8.64e7},       {STR_INIT("天"), 8.64e7},
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Takes a decimal number off the front. */
static bool take_number(struct str *rest, double *number)
{
    size_t length = 0;
    while (length < rest->len &&
           (is_digit(rest->ptr[length]) || (rest->ptr[length] == '.' && length + 1 < rest->len &&
                                            is_digit(rest->ptr[length + 1])))) {
        length++;
    }
    if (length > 18 || !str_to_double(str_slice(*rest, 0, length), number)) {
        return false;
    }
    *rest = str_slice(*rest, length, rest->len);
    return true;
}

/* Takes a unit off the front, which must not run on into another word. */
static const struct unit *take_unit(struct str *rest)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t length = units[i].name.len;
        if (str_istarts(*rest, units[i].name) &&
            !(is_letter(units[i].name.ptr[0]) && length < rest->len &&
              is_letter(rest->ptr[length]))) {
            *rest = str_slice(*rest, length, rest->len);
            return &units[i];
        }
    }
    return NULL;
}

/* Reads numbers with units from the front on, as far as they go: "1h 2m", "20 seconds and more". */
static int64_t parse_front(struct str text, bool allows_bare, struct str *rest)
{
    double total = 0, number;
    bool has_any = false;
    *rest = str_trim(text);
    for (;;) {
        struct str here = *rest;
        if (!take_number(&here, &number)) {
            break;
        }
        here = str_trim(here);
        const struct unit *unit = take_unit(&here);
        if (!unit && (has_any || !allows_bare)) {
            break;
        }
        total += number * (unit ? unit->ms : 1000);
        has_any = true;
        *rest = here;
        if (!unit) {
            break;
        }
        *rest = str_trim(here);
    }
    return has_any && total <= WAIT_MS_MAX ? (int64_t)(total + 0.5) : -1;
}

int64_t wait_parse(struct str text)
{
    struct str rest;
    int64_t wait = parse_front(text, true, &rest);
    rest = str_trim(rest);
    return rest.len == 0 || (rest.len == 1 && rest.ptr[0] == '.') ? wait : -1;
}

int64_t wait_find(struct str text)
{
    static const struct str leads[] = {
        STR_INIT("try again in "), STR_INIT("try again after "), STR_INIT("retry after "),
        STR_INIT("retry in "),     STR_INIT("retrying in "),     STR_INIT("please wait "),
        STR_INIT("reset in "),     STR_INIT("resets in "),       STR_INIT("reset after "),
        STR_INIT("retry-after: "), STR_INIT("available in "),    STR_INIT("retrydelay\": \""),
        STR_INIT("请在"),          STR_INIT("请等待"),           STR_INIT("请稍等"),
    };
    struct str rest;
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
        struct str here = text;
        for (ptrdiff_t at = str_ifind(here, leads[i]); at >= 0; at = str_ifind(here, leads[i])) {
            here = str_slice(here, (size_t)at + leads[i].len, here.len);
            struct str words = str_slice(here, 0, 64);
            static const struct str fillers[] = {STR_INIT("about "), STR_INIT("at least "),
                                                 STR_INIT("approximately "), STR_INIT("~")};
            for (size_t f = 0; f < sizeof fillers / sizeof fillers[0]; f++) {
                words = str_istarts(words, fillers[f]) ? str_slice(words, fillers[f].len, words.len)
                                                       : words;
            }
            int64_t wait = parse_front(words, false, &rest);
            if (wait >= 0) {
                return wait;
            }
        }
    }
    return -1;
}

/* Days since 1970 of a day of the Gregorian calendar. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int64_t moment_ms(const int v[6], int offset_minutes)
{
    if (v[0] < 1970 || v[0] > 9999 || v[1] < 1 || v[1] > 12 || v[2] < 1 || v[2] > 31 || v[3] < 0 ||
        v[3] > 24 || v[4] < 0 || v[4] > 59 || v[5] < 0 || v[5] > 60) {
        return -1;
    }
    return ((days_of(v[0], v[1], v[2]) * 24 + v[3]) * 60 + v[4] - offset_minutes) * 60000 +
           (int64_t)v[5] * 1000;
}

static int64_t http_date(const char *text)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    char month[4] = "";
    int v[6] = {0};
    if (sscanf(text, "%*3[A-Za-z], %2d %3[A-Za-z] %4d %2d:%2d:%2d GMT", &v[2], month, &v[0], &v[3],
               &v[4], &v[5]) != 6) {
        return -1;
    }
    const char *at = strstr(months, month);
    if (!at || strlen(month) != 3 || (at - months) % 3) {
        return -1;
    }
    v[1] = (int)((at - months) / 3) + 1;
    return moment_ms(v, 0);
}

static int64_t rfc3339(const char *text)
{
    int v[6] = {0}, used = 0, hours = 0, minutes = 0;
    if (sscanf(text, "%4d-%2d-%2d%*1[Tt ]%2d:%2d:%2d%n", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5],
               &used) != 6 ||
        used == 0) {
        return -1;
    }
    text += used;
    if (*text == '.') {
        text++;
        text += strspn(text, "0123456789");
    }
    if (*text == '+' || *text == '-') {
        if (sscanf(text + 1, "%2d:%2d", &hours, &minutes) != 2) {
            return -1;
        }
        minutes += hours * 60;
        return moment_ms(v, *text == '-' ? -minutes : minutes);
    }
    return *text == 'Z' || *text == 'z' ? moment_ms(v, 0) : -1;
}

int64_t wait_moment(struct str text)
{
    char copy[48];
    double number;
    text = str_trim(text);
    if (text.len == 0 || text.len >= sizeof copy) {
        return -1;
    }
    if (str_to_double(text, &number)) {
        /* 1e9 to 1e10 are seconds of the years 2001 to 2286, 1e12 to 1e13 the same in ms. */
        return number >= 1e9 && number < 1e10    ? (int64_t)(number * 1000)
               : number >= 1e12 && number < 1e13 ? (int64_t)number
                                                 : -1;
    }
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    int64_t moment = http_date(copy);
    return moment >= 0 ? moment : rfc3339(copy);
}

int64_t wait_until(struct str text, int64_t now_ms)
{
    int64_t moment = wait_moment(text);
    if (moment < 0 || now_ms <= 0) {
        return -1;
    }
    return moment > now_ms ? moment - now_ms : 0;
}
