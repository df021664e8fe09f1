/* The heat map of diagnose history hours: share of failures at each hour of each weekday, on the
 * user's own clock.
 *
 *            0  1  2 ...
 *     Mon    ·  ·  ▂
 *     Tue    ·  █  ▅
 */
#include "cli/history_part.h"
#include "cli/json.h"
#include "cli/say.h"
#include "report/bar.h"
#include "report/layout.h"

#include <cJSON.h>

#define DAYS 7
#define HOURS 24

struct cell {
    int64_t requests, failures;
};

struct week {
    struct cell cells[DAYS][HOURS];
    int64_t requests, failures;
};

static void count_all(const struct week_tally *tallies, size_t count, struct week *week)
{
    for (size_t i = 0; i < count; i++) {
        struct cell *cell =
            &week->cells[tallies[i].week_hour / HOURS][tallies[i].week_hour % HOURS];
        bool is_failure = !str_eq(tallies[i].diagnosis, STR("ok"));
        cell->requests += tallies[i].count;
        week->requests += tallies[i].count;
        cell->failures += is_failure ? tallies[i].count : 0;
        week->failures += is_failure ? tallies[i].count : 0;
    }
}

static struct str day_name(const struct cli *cli, size_t day)
{
    static const char *const english[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    static const char *const chinese[] = {"周一", "周二", "周三", "周四", "周五", "周六", "周日"};
    return str_from(say(cli, english[day], chinese[day]));
}

static void draw(struct cli *cli, const struct week *week)
{
    layout_pad(&cli->out, STR(""), 6);
    for (size_t hour = 0; hour < HOURS; hour++) {
        buf_printf(&cli->out, "%3zu", hour);
    }
    buf_add_char(&cli->out, '\n');
    for (size_t day = 0; day < DAYS; day++) {
        layout_pad(&cli->out, day_name(cli, day), 6);
        for (size_t hour = 0; hour < HOURS; hour++) {
            const struct cell *cell = &week->cells[day][hour];
            buf_add(&cli->out, STR("  "));
            layout_tinted(&cli->out, &cli->style,
                          cell->requests == 0  ? TINT_NONE
                          : cell->failures > 0 ? TINT_BAD
                                               : TINT_GOOD,
                          bar_of_share(&cli->style, cell->failures, cell->requests));
        }
        buf_add_char(&cli->out, '\n');
    }
    const char *none = bar_of_share(&cli->style, 0, 1).ptr;
    const char *some = bar_of_share(&cli->style, 1, 100).ptr;
    const char *all = bar_of_share(&cli->style, 1, 1).ptr;
    buf_add(&cli->out,
            say_with(cli,
                     "\n%lld failures in %lld requests. %s none failed, %s some, %s all; "
                     "blank: no request.\n",
                     "\n失败 %lld 次，共 %lld 次请求。%s 无失败，%s 部分失败，%s "
                     "全部失败；空白：没有请求。\n",
                     (long long)week->failures, (long long)week->requests, none, some, all));
}

static int print_json(struct cli *cli, const struct week *week)
{
    struct cJSON *root = json_begin(cli), *array = json_array(root, "hours");
    for (size_t i = 0; i < DAYS * HOURS; i++) {
        const struct cell *cell = &week->cells[i / HOURS][i % HOURS];
        if (cell->requests) {
            struct cJSON *item = json_element(array);
            json_number(item, "weekday", (int64_t)(i / HOURS) + 1); /* ISO 8601: 1 = Monday */
            json_number(item, "hour", (int64_t)(i % HOURS));
            json_number(item, "requests", cell->requests);
            json_number(item, "failures", cell->failures);
        }
    }
    return json_end(cli, root, EXIT_FINE);
}

int history_show_hours(struct cli *cli, struct history *history,
                       const struct history_filter *filter)
{
    struct err err = {0};
    const struct week_tally *tallies = NULL;
    size_t count = 0;
    struct week week = {0};
    if (history && history_week(history, cli->arena, filter, &tallies, &count, &err)) {
        return say_error(cli, &err);
    }
    count_all(tallies, count, &week);
    if (!cli->is_human) {
        return print_json(cli, &week);
    }
    if (week.requests == 0) {
        return history_say_none(cli, filter);
    }
    draw(cli, &week);
    return EXIT_FINE;
}
