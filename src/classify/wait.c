/* Times to wait, as servers and clients word them. Takes text, gives milliseconds or -1; knows no
 * clock, so moments need the caller's. */
#include "classify/wait.h"

#include <string.h>

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

/* Takes a decimal number off the front. */
static bool take_number(struct str *rest, double *number)
{
    size_t length = 0;
    while (length < rest->len && (str_is_digit(rest->ptr[length]) ||
                                  (rest->ptr[length] == '.' && length + 1 < rest->len &&
                                   str_is_digit(rest->ptr[length + 1])))) {
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
            !(str_is_letter(units[i].name.ptr[0]) && length < rest->len &&
              str_is_letter(rest->ptr[length]))) {
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
    return has_any && total <= (double)WAIT_MS_MAX ? (int64_t)(total + 0.5) : -1;
}

int64_t wait_parse(struct str text)
{
    struct str rest;
    int64_t wait = parse_front(text, true, &rest);
    rest = str_trim(rest);
    return rest.len == 0 || (rest.len == 1 && rest.ptr[0] == '.') ? wait : -1;
}

int64_t wait_find(const struct bigrams *bigrams, struct str text)
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
        for (ptrdiff_t at; (at = bigrams_ifind(bigrams, here, leads[i])) >= 0;) {
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

/* A moment in parts: year, month, day, hour, minute, second. */
struct moment {
    int64_t part[6];
};

static int64_t moment_ms(const struct moment *m, int64_t offset_minutes)
{
    static const struct {
        int64_t least, most;
    } bounds[6] = {{1970, 9999}, {1, 12}, {1, 31}, {0, 24}, {0, 59}, {0, 60}};
    for (size_t i = 0; i < 6; i++) {
        if (m->part[i] < bounds[i].least || m->part[i] > bounds[i].most) {
            return -1;
        }
    }
    int64_t days = days_of(m->part[0], m->part[1], m->part[2]);
    int64_t minutes = (days * 24 + m->part[3]) * 60 + m->part[4] - offset_minutes;
    return minutes * 60000 + m->part[5] * 1000;
}

/* Reads text by a form: the digits 0 to 5 stand for a digit of that part, 'N' for a letter of the
 * month's name, '*' for any letter, everything else for itself. Gives false where it differs. */
static bool read_form(struct str text, const char *form, struct moment *m, char month[4])
{
    size_t letters = 0;
    *m = (struct moment){.part = {0}};
    if (text.len < strlen(form)) {
        return false;
    }
    for (size_t i = 0; form[i]; i++) {
        char c = text.ptr[i];
        if (str_is_digit(form[i]) && str_is_digit(c)) {
            int64_t *part = &m->part[form[i] - '0'];
            *part = *part * 10 + (c - '0');
        } else if (form[i] == 'N' && str_is_letter(c) && letters < 3) {
            month[letters++] = c;
        } else if (!(form[i] == '*' && str_is_letter(c)) &&
                   (str_is_digit(form[i]) || c != form[i])) {
            return false;
        }
    }
    return true;
}

static int64_t http_date(struct str text)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    static const char form[] = "***, 22 NNN 0000 33:44:55 GMT";
    char month[4] = "";
    struct moment m;
    if (text.len != sizeof form - 1 || !read_form(text, form, &m, month)) {
        return -1;
    }
    const char *at = strstr(months, month);
    if (!at || (at - months) % 3) {
        return -1;
    }
    m.part[1] = (at - months) / 3 + 1;
    return moment_ms(&m, 0);
}

static int64_t rfc3339(struct str text)
{
    static const char form[] = "0000-11-22*33:44:55", zone_form[] = "33:44";
    char month[4];
    struct moment m, zone;
    if (!read_form(text, form, &m, month)) {
        return -1;
    }
    text = str_slice(text, sizeof form - 1, text.len);
    if (str_starts(text, STR("."))) {
        text = str_slice(text, 1, text.len);
        while (text.len && str_is_digit(text.ptr[0])) {
            text = str_slice(text, 1, text.len);
        }
    }
    if (str_ieq(text, STR("z"))) {
        return moment_ms(&m, 0);
    }
    if (text.len != sizeof zone_form || (text.ptr[0] != '+' && text.ptr[0] != '-') ||
        !read_form(str_slice(text, 1, text.len), zone_form, &zone, month)) {
        return -1;
    }
    int64_t offset = zone.part[3] * 60 + zone.part[4];
    return moment_ms(&m, text.ptr[0] == '-' ? -offset : offset);
}

int64_t wait_moment(struct str text)
{
    double number;
    text = str_trim(text);
    if (str_to_double(text, &number)) {
        /* 1e9 to 1e10 are seconds of the years 2001 to 2286, 1e12 to 1e13 the same in ms. */
        return number >= 1e9 && number < 1e10    ? (int64_t)(number * 1000)
               : number >= 1e12 && number < 1e13 ? (int64_t)number
                                                 : -1;
    }
    int64_t moment = http_date(text);
    return moment >= 0 ? moment : rfc3339(text);
}

int64_t wait_until(struct str text, int64_t now_ms)
{
    int64_t moment = wait_moment(text);
    if (moment < 0 || now_ms <= 0) {
        return -1;
    }
    return moment > now_ms ? moment - now_ms : 0;
}
