/* The last 24 hours of the clients in the report as a row of signs, where something failed in them.
 *
 *     last 24 h  [   ··▂·█▅      ]  14 of 61 requests failed
 */
#include "report/bar.h"
#include "report/human.h"
#include "report/labels.h"
#include "report/layout.h"

#define HOURS 24

static bool is_of_report(const struct report *report, const struct tally *tally)
{
    for (size_t i = 0; i < report->result_count; i++) {
        const struct target *target = report->results[i].target;
        if (target && str_eq(target->client, tally->client)) {
            return str_is_empty(tally->who);
        }
    }
    return false;
}

void human_day(const struct human *human)
{
    const struct past *past = human->report->past;
    int64_t requests[HOURS] = {0}, failures[HOURS] = {0}, all = 0, failed = 0;
    if (past == NULL) {
        return;
    }
    int64_t first = (past->now_ms / 1000 + past->utc_offset_s) / 3600 - (HOURS - 1);
    for (size_t i = 0; i < past->tally_count; i++) {
        const struct tally *tally = &past->tallies[i];
        int64_t at = tally->hour - first;
        if (at < 0 || at >= HOURS || !is_of_report(human->report, tally)) {
            continue;
        }
        bool is_failure = !str_eq(tally->diagnosis, STR("ok"));
        requests[at] += tally->count;
        failures[at] += is_failure ? tally->count : 0;
        all += tally->count;
        failed += is_failure ? tally->count : 0;
    }
    if (failed == 0) {
        return;
    }
    struct str row = {"", 0};
    for (size_t i = 0; i < HOURS; i++) {
        row = arena_printf(human->arena, "%.*s%.*s", STR_ARG(row),
                           STR_ARG(bar_of_share(human->style, failures[i], requests[i])));
    }
    buf_add(human->out, STR("\n  "));
    buf_add(human->out,
            labels_say(human->arena, human->report->lang, LABEL_LAST_DAY,
                       arena_cstr(human->arena, row), (long long)failed, (long long)all));
    buf_add_char(human->out, '\n');
}
