/* Quick-reference rows by the record: every row on both sides of each of its thresholds. */
#include "triage_record_world.h"

static struct str ids_of(struct world *world, const struct report *report)
{
    struct str ids = {"", 0};
    for (size_t i = 0; i < report->verdict_count; i++) {
        ids = arena_printf(world->arena, "%.*s%s%.*s", STR_ARG(ids), i ? " " : "",
                           STR_ARG(report->verdicts[i].id));
    }
    return ids;
}

static const struct {
    const char *now, *records, *run, *ids;
    int exit_code;
    bool is_in_berlin;
} cases[] = {
    /* occasional: nothing on record, or too little */
    {NOON, "", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-1h x capacity, -30m x ok", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-1h x capacity, -2h x capacity, -3h x capacity", "x capacity", "capacity-occasional", 2,
     false},
    {NOON, "-1h x ok, -2h x ok", "x capacity", "capacity-occasional", 2, false},
    /* frequent by number: five in 24 hours, this run's among them */
    {NOON, "-1h x capacity, -2h x capacity, -3h x capacity, -4h x capacity", "x capacity",
     "capacity-frequent", 2, false},
    {NOON, "-1h x capacity, -2h x capacity, -3h x capacity, -1439m x capacity", "x capacity",
     "capacity-frequent", 2, false},
    {NOON, "-1h x capacity, -2h x capacity, -3h x capacity, -24h x capacity, -1m x ok",
     "x capacity", "capacity-occasional", 2, false},
    {NOON, "-1h x capacity, -2h x capacity, -3h x capacity, -4h y capacity", "x capacity",
     "capacity-occasional", 2, false},
    {NOON, "-1h x capacity, -2h x capacity, -3h x capacity, -4h x rate_limit", "x capacity",
     "capacity-occasional", 2, false},
    {NOON, "-1h x capacity ann, -2h x capacity ann, -3h x capacity ann, -4h x capacity ann",
     "x capacity", "capacity-occasional", 2, false},
    /* frequent by days: three of the last seven, today among them */
    {NOON, "-25h x capacity, -49h x capacity, -1h x ok", "x capacity", "capacity-frequent", 2,
     false},
    {NOON, "-25h x capacity, -26h x capacity, -1h x ok", "x capacity", "capacity-occasional", 2,
     false},
    {NOON, "2026-11-23T00:00:01Z x capacity, -25h x capacity, -1h x ok", "x capacity",
     "capacity-frequent", 2, false},
    {NOON, "2026-11-22T23:59:59Z x capacity, -25h x capacity, -1h x ok", "x capacity",
     "capacity-occasional", 2, false},
    {NOON, "-1h x capacity, -25h x capacity, -49h x capacity, -10m x ok", "x capacity",
     "capacity-frequent", 2, false},
    /* days are those of the user's clock: 22:30 UTC is the next day in Berlin's summer */
    {"2026-10-24T12:00:00Z",
     "2026-10-22T22:30:00Z x capacity, 2026-10-22T21:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-frequent", 2, true},
    {"2026-10-24T12:00:00Z",
     "2026-10-22T22:30:00Z x capacity, 2026-10-22T21:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-occasional", 2, false},
    /* the night of the change: 22:30 UTC is already Sunday, 23:30 UTC on Sunday is Monday */
    {"2026-10-26T12:00:00Z",
     "2026-10-24T22:30:00Z x capacity, 2026-10-25T22:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-occasional", 2, true},
    {"2026-10-26T12:00:00Z",
     "2026-10-24T21:30:00Z x capacity, 2026-10-25T22:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-frequent", 2, true},
    /* the other night of the change: 22:30 UTC on Saturday is Saturday, on Sunday it is Monday */
    {"2026-03-30T12:00:00Z",
     "2026-03-28T22:30:00Z x capacity, 2026-03-28T23:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-frequent", 2, true},
    {"2026-03-30T12:00:00Z",
     "2026-03-28T22:30:00Z x capacity, 2026-03-28T23:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-occasional", 2, false},
    {"2026-03-30T12:00:00Z",
     "2026-03-28T22:30:00Z x capacity, 2026-03-29T22:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-occasional", 2, true},
    {"2026-03-30T12:00:00Z",
     "2026-03-28T22:30:00Z x capacity, 2026-03-29T22:30:00Z x capacity, -1h x ok", "x capacity",
     "capacity-frequent", 2, false},
    /* persistent: three bands over a day, no success */
    {NOON, "-24h x capacity, -12h x capacity", "x capacity", "persistent", 2, false},
    {NOON, "-23h x capacity, -12h x capacity", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-30h x capacity", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-30h x capacity, -29h x capacity", "x capacity", "capacity-occasional", 2, false},
    /* bands are those of the user's clock: 05:30 UTC is past six in Berlin's summer */
    {"2026-10-24T12:00:00Z", "2026-10-23T03:30:00Z x timeout, 2026-10-23T05:30:00Z x timeout",
     "x timeout", "persistent timeout", 3, true},
    {"2026-10-24T12:00:00Z", "2026-10-23T03:30:00Z x timeout, 2026-10-23T05:30:00Z x timeout",
     "x timeout", "timeout", 3, false},
    {NOON, "-30h x capacity, -12h x capacity, -11h x ok", "x capacity", "capacity-occasional", 2,
     false},
    {NOON, "-40h x ok, -30h x capacity, -12h x capacity", "x capacity", "persistent", 2, false},
    {NOON, "-30h x server_error, -12h x rate_limit", "x server_error", "persistent server_error", 2,
     false},
    {NOON, "-30h x auth_invalid_key, -12h x auth_invalid_key", "x auth_invalid_key",
     "persistent auth_invalid_key", 1, false},
    {NOON, "-30h y capacity, -12h y capacity", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-49h x capacity, -25h x capacity, -1h x capacity", "x capacity", "persistent", 2,
     false},
    {NOON, "-30h x capacity, -12h x capacity, -1h x capacity", "x ok", "capacity-occasional", 0,
     false},
    /* organisation-wide: two people within ten minutes */
    {NOON, "-10m x capacity ann", "x capacity", "organisation-wide capacity-occasional", 2, false},
    {NOON, "-11m x capacity ann", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-5m y capacity ann", "x capacity", "organisation-wide capacity-occasional", 2, false},
    {NOON, "-5m x rate_limit ann", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-3h x capacity ann, -175m x capacity bob", "x capacity",
     "organisation-wide capacity-occasional", 2, false},
    {NOON, "-3h x capacity ann, -160m x capacity bob", "x capacity", "capacity-occasional", 2,
     false},
    {NOON, "-3h x capacity ann, -175m x capacity ann", "x capacity", "capacity-occasional", 2,
     false},
    {NOON, "-5m x capacity ann", "x rate_limit", "rate_limit", 2, false},
    /* after a switch: two models of one client, in one run or within ten minutes */
    {NOON, "", "x capacity, y capacity", "capacity-after-switch capacity-occasional", 2, false},
    {NOON, "-10m y capacity", "x capacity", "capacity-after-switch capacity-occasional", 2, false},
    {NOON, "-11m y capacity", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-5m y capacity", "x capacity, y ok", "capacity-occasional capacity-occasional", 2,
     false},
    {NOON, "-5m y rate_limit", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-5m y capacity ann", "x capacity", "organisation-wide capacity-occasional", 2, false},
    /* with timeouts: a timeout and another failure of one client, likewise */
    {NOON, "", "x capacity, y timeout", "failure-with-timeout timeout capacity-occasional", 3,
     false},
    {NOON, "-10m x timeout", "x capacity", "failure-with-timeout capacity-occasional", 2, false},
    {NOON, "-11m x timeout", "x capacity", "capacity-occasional", 2, false},
    {NOON, "-9m x server_error", "x timeout", "failure-with-timeout timeout", 3, false},
    {NOON, "-9m x ok", "x timeout", "timeout", 3, false},
    /* a model that answers again */
    {NOON, "-119m x capacity", "x ok", "capacity-occasional", 0, false},
    {NOON, "-121m x capacity", "x ok", "", 0, false},
    {NOON, "-5h x capacity, -6h x capacity, -7h x capacity, -8h x capacity, -9h x capacity", "x ok",
     "capacity-frequent", 0, false},
    {NOON, "-5h x capacity, -6h x capacity, -7h x capacity, -8h x capacity", "x ok", "", 0, false},
    {NOON, "-10m y capacity", "x ok", "", 0, false},
};

static void every_threshold_has_two_sides(void **state)
{
    struct world *world = *state;
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int lang = 0; lang < LANG_COUNT; lang++) {
            struct report report;
            world->is_in_berlin = cases[i].is_in_berlin;
            judge(world, (enum lang)lang, cases[i].now, cases[i].records, cases[i].run, &report);
            struct str ids = ids_of(world, &report);
            if (!str_eq(ids, str_from(cases[i].ids)) || report.exit_code != cases[i].exit_code) {
                print_error("case %zu: %s | %s: wanted \"%s\" and exit %d, got \"%.*s\" and %d\n",
                            i, cases[i].records, cases[i].run, cases[i].ids, cases[i].exit_code,
                            STR_ARG(ids), report.exit_code);
                wrong++;
            }
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_threshold_has_two_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
