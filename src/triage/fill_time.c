/* Times in words: how long, and when. Takes milliseconds, gives what a person reads. */
#include "base/moment.h"
#include "triage/fill.h"
#include "triage/words.h"

#include <stdlib.h>

struct str fill_duration(struct arena *arena, enum lang lang, int64_t duration_ms)
{
    static const struct {
        int64_t from_ms, unit_ms;
        enum word word;
    } units[] = {
        {48 * 3600000LL, 24 * 3600000LL, WORD_DAYS},
        {2 * 3600000LL, 3600000LL, WORD_HOURS},
        {2 * 60000LL, 60000LL, WORD_MINUTES},
        {0, 1000LL, WORD_SECONDS},
    };
    if (duration_ms > 0 && duration_ms < 100) {
        struct str few = arena_printf(arena, "%d", (int)duration_ms);
        return words_say(arena, lang, WORD_MILLISECONDS, arena_cstr(arena, few));
    }
    size_t i = 0;
    while (duration_ms < units[i].from_ms && i + 1 < sizeof units / sizeof units[0]) {
        i++;
    }
    int64_t tenths = (duration_ms * 10 + units[i].unit_ms / 2) / units[i].unit_ms;
    struct str number =
        tenths % 10 == 0 || tenths >= 100
            ? arena_printf(arena, "%lld", (long long)((tenths + 5) / 10))
            : arena_printf(arena, "%lld.%lld", (long long)(tenths / 10), (long long)(tenths % 10));
    return words_say(arena, lang, units[i].word, arena_cstr(arena, number));
}

struct str fill_moment(struct arena *arena, int64_t moment_ms, int64_t utc_offset_s)
{
    struct str clock = moment_text(arena, moment_ms, utc_offset_s);
    int minutes = (int)(utc_offset_s / 60), hours = minutes / 60, rest = abs(minutes % 60);
    clock = str_slice(clock, 0, clock.len - sizeof ":00" + 1);
    if (minutes == 0) {
        return arena_printf(arena, "%.*s UTC", STR_ARG(clock));
    }
    const char *sign = minutes < 0 ? "-" : "+";
    return rest ? arena_printf(arena, "%.*s UTC%s%d:%02d", STR_ARG(clock), sign, abs(hours), rest)
                : arena_printf(arena, "%.*s UTC%s%d", STR_ARG(clock), sign, abs(hours));
}

/* It is known when a paste was read and what an entry of a log was written at; what a log says is
 * never over then. */
bool fill_is_over(const struct finding *finding)
{
    const struct observation *observation = finding->observation;
    return finding->retry_at_ms > 0 && observation &&
           finding->retry_at_ms <= observation->started_ms;
}

struct str fill_reset(struct arena *arena, enum lang lang, const struct finding *finding)
{
    int64_t offset_s = finding->observation ? finding->observation->utc_offset_s : 0;
    struct str moment = fill_moment(arena, finding->retry_at_ms, offset_s);
    bool is_log = finding->observation && finding->observation->is_log;
    if (is_log || fill_is_over(finding)) { /* the time until then is that of the entry */
        return moment;
    }
    struct str wait = fill_duration(arena, lang, finding->wait_ms);
    return words_say(arena, lang, WORD_MOMENT_IN, arena_cstr(arena, moment),
                     arena_cstr(arena, wait));
}
