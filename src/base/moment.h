#ifndef BASE_MOMENT_H
#define BASE_MOMENT_H

#include "base/arena.h"

/* Moments are milliseconds since 1970 in UTC; civil times follow the Gregorian calendar. */

#define MINUTE_MS ((int64_t)60 * 1000)
#define HOUR_MS (60 * MINUTE_MS)
#define DAY_MS (24 * HOUR_MS)

struct civil {
    int year;       /* 1 to 9999 */
    int month, day; /* from 1 */
    int hour, minute;
    int second, millisecond;
    int weekday; /* 0 = Monday; an output only */
};

/* False for a date or time that does not exist; a leap second counts as the second before it. */
bool moment_of_civil(const struct civil *civil, int64_t utc_offset_s, int64_t *moment_ms);
struct civil moment_civil(int64_t moment_ms, int64_t utc_offset_s);

/* Reads a whole text: RFC 3339 ("2026-11-29T13:00:00.5Z", "2026-11-29 13:00:00+08:00"), the same
 * without a zone, or a date; those two are taken by utc_offset_s. False for anything else. */
bool moment_parse(struct str text, int64_t utc_offset_s, int64_t *moment_ms);

/* "2026-11-29 13:00:05" by that offset. */
struct str moment_text(struct arena *arena, int64_t moment_ms, int64_t utc_offset_s);
/* RFC 3339 in UTC: "2026-11-29T13:00:00Z", with milliseconds where they are not zero. */
struct str moment_rfc3339(struct arena *arena, int64_t moment_ms);

/* Whether the text begins with digits of a date or a clock, behind a bracket or not: "2026-11-29",
 * "[09:45", "11/3/26". No more is read of it. */
bool moment_leads(struct str text);

#endif
