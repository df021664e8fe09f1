/* The store of past requests: what it keeps, tells and forgets. */
#include "history_world.h"

#include <string.h>
#include <sys/stat.h>

static void every_member_comes_back_as_it_went_in(void **state)
{
    struct world *world = *state;
    struct record given = record_blank(), got = record_blank();
    for (size_t i = 0; i < record_member_count(); i++) {
        const struct record_member *member = record_member_at(i);
        if (member->kind == RECORD_TEXT) {
            *record_text(&given, member) = arena_printf(world->arena, "text %zu", i);
        } else {
            *record_number(&given, member) = (int64_t)i + 1000;
        }
    }
    struct history *history = open_store(world);
    assert_int_equal(add(history, &given, 1), 1);
    struct history_filter all = history_filter_all();
    struct history_rows *rows = NULL;
    struct err err = {0};
    assert_int_equal(history_rows_open(history, &all, 0, &rows, &err), ERR_OK);
    assert_true(history_rows_next(rows, &got, &err));
    for (size_t i = 0; i < record_member_count(); i++) {
        const struct record_member *member = record_member_at(i);
        if (member->kind == RECORD_TEXT) {
            assert_true(str_eq(*record_text(&got, member), *record_text(&given, member)));
        } else {
            assert_int_equal(*record_number(&got, member), *record_number(&given, member));
        }
    }
    history_rows_close(rows);
    history_close(history);
}

static void files_and_directories_are_private(void **state)
{
    struct world *world = *state;
    struct stat status;
    history_close(open_store(world));
    assert_int_equal(stat(world->path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(
        stat(arena_printf(world->arena, "%s/state/diagnose", world->directory).ptr, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0700);
}

static void the_same_request_is_kept_once(void **state)
{
    struct world *world = *state;
    struct history *history = open_store(world);
    struct history_filter all = history_filter_all();
    struct record records[] = {record_of(world, "a", NOW_MS, "gpt-x", "ok"),
                               record_of(world, "b", NOW_MS, "gpt-x", "capacity"),
                               record_of(world, "a", NOW_MS, "gpt-x", "ok")};
    assert_int_equal(add(history, records, 3), 2);
    assert_int_equal(add(history, records, 3), 0);
    assert_int_equal(count_rows(history, &all), 2);
    history_close(history);
}

static void filters_pick_and_limits_keep_the_newest(void **state)
{
    struct world *world = *state;
    struct history *history = open_store(world);
    struct record records[] = {record_of(world, "a", NOW_MS - 3, "gpt-x", "ok"),
                               record_of(world, "b", NOW_MS - 2, "gpt-y", "capacity"),
                               record_of(world, "c", NOW_MS - 1, "gpt-x", "capacity")};
    add(history, records, 3);
    struct history_filter filter = history_filter_all();
    filter.model = STR("gpt-x");
    assert_int_equal(count_rows(history, &filter), 2);
    filter.diagnosis = STR("capacity");
    assert_int_equal(count_rows(history, &filter), 1);
    filter = history_filter_all();
    filter.since_ms = NOW_MS - 2;
    filter.until_ms = NOW_MS - 1;
    assert_int_equal(count_rows(history, &filter), 1);
    struct history_rows *rows = NULL;
    struct record record;
    struct err err = {0};
    filter = history_filter_all();
    assert_int_equal(history_rows_open(history, &filter, 2, &rows, &err), ERR_OK);
    assert_true(history_rows_next(rows, &record, &err));
    assert_true(str_eq(record.uid, STR("b")));
    assert_true(history_rows_next(rows, &record, &err));
    assert_true(str_eq(record.uid, STR("c")));
    assert_false(history_rows_next(rows, &record, &err));
    history_rows_close(rows);
    history_close(history);
}

static void the_past_counts_by_the_hour_of_the_users_clock(void **state)
{
    struct world *world = *state;
    world->offset_s = 5 * 3600 + 45 * 60; /* Nepal: 18:45 there, so 12:15 UTC is 18 o'clock */
    struct history *history = open_store(world);
    struct record records[] = {
        record_of(world, "a", NOW_MS - 9 * 24 * HOUR_MS, "gpt-x", "capacity"),
        record_of(world, "b", NOW_MS - 46 * 60000, "gpt-x", "capacity"),
        record_of(world, "c", NOW_MS - 45 * 60000, "gpt-x", "capacity"),
        record_of(world, "d", NOW_MS - 60000, "gpt-x", "capacity"),
        record_of(world, "e", NOW_MS, "gpt-x", "ok"),
    };
    records[3].session_ms = 4000000;
    records[3].context_tokens = 1000;
    add(history, records, 5);
    struct past past;
    struct err err = {0};
    assert_int_equal(history_past(history, world->arena, &past, &err), ERR_OK);
    assert_int_equal(past.tally_count, 3);
    assert_int_equal(past.tallies[0].count, 1);
    assert_int_equal(past.tallies[0].hour % 24, 17);
    assert_int_equal(past.tallies[1].count, 2);
    assert_int_equal(past.tallies[1].hour % 24, 18);
    assert_int_equal(past.tallies[1].first_ms, NOW_MS - 45 * 60000);
    assert_int_equal(past.tallies[1].last_ms, NOW_MS - 60000);
    assert_int_equal(past.failed_count, 3);
    assert_true(str_eq(past.failed[0].uid, STR("b")));
    assert_true(str_eq(past.failed[2].uid, STR("d")));
    assert_int_equal(past.session_count, 1);
    assert_int_equal(past.sessions[0].session_ms, 4000000);
    unsigned sunday_18 = 6 * 24 + 18;
    int64_t at_18 = 0;
    for (size_t i = 0; i < past.week_count; i++) {
        at_18 += past.week[i].week_hour == sunday_18 ? past.week[i].count : 0;
    }
    assert_int_equal(at_18, 3);
    history_close(history);
}

static void old_requests_go_and_leave_no_count(void **state)
{
    struct world *world = *state;
    struct history *history = open_store(world);
    struct history_filter all = history_filter_all();
    struct record old = record_of(world, "old", NOW_MS - 91 * 24 * HOUR_MS, "gpt-x", "capacity");
    struct record recent = record_of(world, "new", NOW_MS - 89 * 24 * HOUR_MS, "gpt-x", "ok");
    add(history, &old, 1);
    struct history_batch batch = {.records = &recent, .count = 1, .keep_days = 90};
    struct err err = {0};
    assert_int_equal(history_add(history, &batch, NULL, &err), ERR_OK);
    assert_int_equal(count_rows(history, &all), 1);
    const struct week_tally *week;
    size_t count;
    assert_int_equal(history_week(history, world->arena, &all, &week, &count, &err), ERR_OK);
    assert_int_equal(count, 1);
    assert_true(str_eq(week[0].diagnosis, STR("ok")));
    history_close(history);
}

static void the_week_is_the_same_with_and_without_a_filter(void **state)
{
    struct world *world = *state;
    struct history *history = open_store(world);
    for (int i = 0; i < 50; i++) {
        char uid[16];
        snprintf(uid, sizeof uid, "%d", i);
        struct record record =
            record_of(world, uid, NOW_MS - i * 7 * HOUR_MS, "gpt-x", i % 3 ? "ok" : "capacity");
        add(history, &record, 1);
    }
    struct history_filter all = history_filter_all(), model = all;
    model.model = STR("gpt-x");
    const struct week_tally *a, *b;
    size_t a_count, b_count;
    struct err err = {0};
    assert_int_equal(history_week(history, world->arena, &all, &a, &a_count, &err), ERR_OK);
    assert_int_equal(history_week(history, world->arena, &model, &b, &b_count, &err), ERR_OK);
    assert_int_equal(a_count, b_count);
    for (size_t i = 0; i < a_count; i++) {
        assert_int_equal(a[i].week_hour, b[i].week_hour);
        assert_int_equal(a[i].count, b[i].count);
        assert_true(str_eq(a[i].diagnosis, b[i].diagnosis));
    }
    history_close(history);
}

static void clearing_leaves_nothing_in_the_file(void **state)
{
    struct world *world = *state;
    struct history *history = open_store(world);
    struct history_filter all = history_filter_all();
    struct record record = record_of(world, "a", NOW_MS, "a-model-to-be-forgotten", "ok");
    struct history_mark mark = {STR("file"), STR("12")};
    struct history_batch batch = {.records = &record, .count = 1, .marks = &mark, .mark_count = 1};
    struct err err = {0};
    struct str text;
    size_t removed = 0;
    assert_int_equal(history_add(history, &batch, NULL, &err), ERR_OK);
    assert_int_equal(history_mark(history, world->arena, mark.name, &text, &err), ERR_OK);
    assert_true(str_eq(text, STR("12")));
    assert_int_equal(history_clear(history, &all, &removed, &err), ERR_OK);
    assert_int_equal(removed, 1);
    assert_int_equal(history_mark(history, world->arena, mark.name, &text, &err), ERR_OK);
    assert_false(str_is_set(text));
    history_close(history);
    FILE *file = fopen(world->path, "rb");
    static char bytes[1 << 20];
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_null(memmem(bytes, length, "to-be-forgotten", 15));
}

static void reading_makes_no_store(void **state)
{
    struct world *world = *state;
    struct history *history = NULL;
    struct err err = {0};
    assert_int_equal(history_open(world->path, HISTORY_READ, &world->env, &history, &err), ERR_OK);
    assert_null(history);
    assert_int_equal(access(world->path, F_OK), -1);
}

static void the_path_follows_the_state_directory(void **state)
{
    struct world *world = *state;
    static struct {
        char first[24], second[8];
        const char *path;
    } cases[] = {
        {"XDG_STATE_HOME=/s", "HOME=/h", "/s/diagnose/history.db"},
        {"XDG_STATE_HOME=", "HOME=/h", "/h/.local/state/diagnose/history.db"},
        {"XDG_STATE_HOME=rel", "HOME=/h", "/h/.local/state/diagnose/history.db"},
        {"HOME=r", "A=b", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *variables[] = {cases[i].first, cases[i].second, NULL};
        struct env env = {.variables = variables};
        assert_true(str_eq(history_path(world->arena, &env), str_from(cases[i].path)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_member_comes_back_as_it_went_in),
        TEST(files_and_directories_are_private),
        TEST(the_same_request_is_kept_once),
        TEST(filters_pick_and_limits_keep_the_newest),
        TEST(the_past_counts_by_the_hour_of_the_users_clock),
        TEST(old_requests_go_and_leave_no_count),
        TEST(the_week_is_the_same_with_and_without_a_filter),
        TEST(clearing_leaves_nothing_in_the_file),
        TEST(reading_makes_no_store),
        TEST(the_path_follows_the_state_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
