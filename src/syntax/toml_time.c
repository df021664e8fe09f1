/* TOML dates and times. Takes one token, gives its kind and its text as RFC 3339 writes it (capital
 * T and Z, seconds always there), or what is wrong with it. */
#include "syntax/toml_reader.h"

/* Reads exactly `count` digits at *at. */
static bool take_digits(struct str s, size_t *at, size_t count, unsigned *value)
{
    *value = 0;
    for (size_t i = 0; i < count; i++, ++*at) {
        if (*at >= s.len || s.ptr[*at] < '0' || s.ptr[*at] > '9') {
            return false;
        }
        *value = *value * 10 + (unsigned)(s.ptr[*at] - '0');
    }
    return true;
}

static bool take_char(struct str s, size_t *at, char c)
{
    if (*at >= s.len || s.ptr[*at] != c) {
        return false;
    }
    ++*at;
    return true;
}

static unsigned days_of(unsigned year, unsigned month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month == 2 && is_leap ? 29 : days[month - 1];
}

static const char *take_date(struct str s, size_t *at)
{
    unsigned year, month, day;
    if (!take_digits(s, at, 4, &year) || !take_char(s, at, '-') || !take_digits(s, at, 2, &month) ||
        !take_char(s, at, '-') || !take_digits(s, at, 2, &day)) {
        return "not a date, expected YYYY-MM-DD; string values must be quoted";
    }
    if (month < 1 || month > 12) {
        return "no such month in a date, expected 01 to 12";
    }
    return day < 1 || day > days_of(year, month) ? "no such day in that month" : NULL;
}

/* *seconds_at gets the offset where ":00" is missing, 0 when it is not. */
static const char *take_time(struct str s, size_t *at, enum toml_version version,
                             size_t *seconds_at)
{
    unsigned hour, minute, second = 0, digit;
    if (!take_digits(s, at, 2, &hour) || !take_char(s, at, ':') ||
        !take_digits(s, at, 2, &minute)) {
        return "not a time, expected HH:MM:SS; string values must be quoted";
    }
    if (!take_char(s, at, ':')) {
        if (version == TOML_1_0) {
            return "a time without seconds needs TOML 1.1, expected HH:MM:SS";
        }
        *seconds_at = *at;
    } else {
        if (!take_digits(s, at, 2, &second)) {
            return "not a time, expected two digits of seconds";
        }
        if (take_char(s, at, '.')) {
            size_t start = *at;
            while (take_digits(s, at, 1, &digit)) {
                /* any number of digits */
            }
            if (*at == start) {
                return "not a time, expected digits after the point";
            }
        }
    }
    /* 60 is a leap second. */
    return hour > 23 || minute > 59 || second > 60 ? "no such time of day" : NULL;
}

static const char *take_zone(struct str s, size_t *at)
{
    unsigned hour, minute;
    if (take_char(s, at, 'Z') || take_char(s, at, 'z')) {
        return NULL;
    }
    if (!take_char(s, at, '+') && !take_char(s, at, '-')) {
        return "not a time, expected Z, +HH:MM or -HH:MM at its end";
    }
    if (!take_digits(s, at, 2, &hour) || !take_char(s, at, ':') ||
        !take_digits(s, at, 2, &minute)) {
        return "not a time, expected an offset of the form +HH:MM";
    }
    return hour > 23 || minute > 59 ? "no such offset from UTC" : NULL;
}

bool toml_is_time_like(struct str token)
{
    size_t at = 0;
    unsigned ignored;
    if (take_digits(token, &at, 4, &ignored) && take_char(token, &at, '-')) {
        return true;
    }
    at = 0;
    return take_digits(token, &at, 2, &ignored) && take_char(token, &at, ':');
}

/* The token with its date and time joined by T, seconds put in, and Z in capitals. */
static struct str normalise(struct arena *arena, struct str s, bool has_date, size_t seconds_at)
{
    char *out = arena_alloc(arena, s.len + 4);
    size_t length = 0;
    for (size_t i = 0; i <= s.len; i++) {
        if (seconds_at != 0 && i == seconds_at) {
            out[length++] = ':';
            out[length++] = '0';
            out[length++] = '0';
        }
        if (i < s.len) {
            char c = s.ptr[i];
            out[length++] = has_date && i == 10 ? 'T' : c == 'z' ? 'Z' : c;
        }
    }
    return (struct str){out, length};
}

const char *toml_read_time(struct arena *arena, struct str token, enum toml_version version,
                           struct node *node)
{
    size_t at = 0;
    size_t seconds_at = 0;
    bool has_date = token.len > 2 && token.ptr[2] != ':';
    const char *wrong = has_date ? take_date(token, &at) : NULL;
    if (wrong) {
        return wrong;
    }
    node->kind = has_date ? NODE_LOCAL_DATE : NODE_LOCAL_TIME;
    if (!has_date || take_char(token, &at, 'T') || take_char(token, &at, 't') ||
        take_char(token, &at, ' ')) {
        wrong = take_time(token, &at, version, &seconds_at);
        if (!wrong && has_date) {
            node->kind = at == token.len ? NODE_LOCAL_DATETIME : NODE_OFFSET_DATETIME;
            wrong = at == token.len ? NULL : take_zone(token, &at);
        }
    }
    if (!wrong && at != token.len) {
        wrong = "not a date or time; string values must be quoted";
    }
    if (!wrong) {
        node->string = normalise(arena, token, has_date, seconds_at);
    }
    return wrong;
}
