/* Zones of time by name. Takes a text and a moment, gives a distance from UTC; reads no file, so
 * that a message means the same on every machine. */
#include "classify/wait_zone.h"

#include "base/moment.h"

enum summer { SUMMER_NONE, SUMMER_EU, SUMMER_US, SUMMER_AUSTRALIA };

static const struct zone {
    struct str name;
    int minutes;
    enum summer summer;
} zones[] = {
#define ZONE(name, minutes, summer) {STR_INIT(name), minutes, SUMMER_##summer},
#include "classify/wait_zone.def"
#undef ZONE
};

/* A change of the clocks: the nth Sunday of a month (5 = the last), at an hour of winter time, or
 * of UTC. */
struct change {
    int month, nth, hour;
    bool is_utc;
};
static const struct {
    struct change from, to;
} summers[] = {
    [SUMMER_EU] = {{3, 5, 1, true}, {10, 5, 1, true}},
    [SUMMER_US] = {{3, 2, 2, false}, {11, 1, 1, false}},
    [SUMMER_AUSTRALIA] = {{10, 1, 2, false}, {4, 1, 2, false}},
};

static int64_t change_ms(const struct change *change, int year, int64_t winter_ms)
{
    struct civil civil = {.year = year, .month = change->month, .day = 1};
    int64_t moment = 0;
    (void)moment_of_civil(&civil, 0, &moment);
    int first = 1 + (6 - moment_civil(moment, 0).weekday); /* 0 = Monday */
    civil.day = first + 7 * (change->nth - 1);
    while (!moment_of_civil(&civil, 0, &moment) &&
           civil.day > 7) { /* no day of years over 9999 is */
        civil.day -= 7;
    }
    return moment + change->hour * HOUR_MS - (change->is_utc ? 0 : winter_ms);
}

static bool is_summer(const struct zone *zone, int64_t at_ms)
{
    if (zone->summer == SUMMER_NONE) {
        return false;
    }
    int64_t winter_ms = zone->minutes * MINUTE_MS;
    int year = moment_civil(at_ms, 0).year;
    int64_t from = change_ms(&summers[zone->summer].from, year, winter_ms);
    int64_t to = change_ms(&summers[zone->summer].to, year, winter_ms);
    return from < to ? at_ms >= from && at_ms < to : at_ms >= from || at_ms < to;
}

size_t wait_zone(struct str text, int64_t at_ms, int64_t *utc_offset_s)
{
    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++) {
        struct str name = zones[i].name;
        bool ends = text.len <= name.len ||
                    !(str_is_alnum(text.ptr[name.len]) || str_is_of(text.ptr[name.len], "_/"));
        if (ends && str_starts(text, name)) {
            *utc_offset_s =
                (int64_t)60 * (zones[i].minutes + (is_summer(&zones[i], at_ms) ? 60 : 0));
            return name.len;
        }
    }
    return 0;
}

size_t wait_zone_of_clock(struct str text, int64_t local_ms, int64_t *utc_offset_s)
{
    /* The first guess is an hour off at most, which leads to the right side of a change. */
    size_t length = wait_zone(text, local_ms, utc_offset_s);
    return length ? wait_zone(text, local_ms - *utc_offset_s * 1000, utc_offset_s) : 0;
}
