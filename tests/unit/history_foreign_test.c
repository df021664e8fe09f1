/* Stores that somebody else wrote or changed: nothing in them may hang a run, lead it out of bounds
 * or be taken for ours. */
#include "base/file.h"
#include "history/history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOW_MS ((int64_t)1795957200 * 1000) /* 2026-11-29 13:00:00 UTC, a Sunday */

struct world {
    struct arena *arena;
    char directory[64];
    const char *path;
    struct env env;
};

static int64_t wall_ms(void *clock)
{
    (void)clock;
    return NOW_MS;
}

static int64_t offset_s(void *clock, int64_t at_ms)
{
    (void)clock, (void)at_ms;
    return 0;
}

static int set_up(void **state)
{
    struct world *world = calloc(1, sizeof *world);
    world->arena = arena_create();
    snprintf(world->directory, sizeof world->directory, "/tmp/diagnose-history-XXXXXX");
    assert_non_null(mkdtemp(world->directory));
    world->path = arena_printf(world->arena, "%s/history.db", world->directory).ptr;
    world->env = (struct env){.wall_ms = wall_ms, .utc_offset_s = offset_s};
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    const char *endings[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < 4; i++) {
        unlink(arena_printf(world->arena, "%s%s", world->path, endings[i]).ptr);
    }
    rmdir(world->directory);
    arena_free(world->arena);
    free(world);
    return 0;
}

static enum err_code open_store(struct world *world, enum history_mode mode,
                                struct history **history, struct err *err)
{
    *err = (struct err){0};
    return history_open(world->path, mode, &world->env, history, err);
}

static void run_sql(const struct world *world, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(world->path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    }
    sqlite3_close(db);
}

/* A store with one request. */
static void make_store(struct world *world)
{
    struct history *history;
    struct err err;
    struct record record = record_blank();
    record.uid = STR("one");
    record.at_ms = NOW_MS;
    record.client = STR("codex");
    record.diagnosis = STR("capacity");
    const struct history_batch batch = {.records = &record, .count = 1};
    assert_int_equal(open_store(world, HISTORY_WRITE, &history, &err), ERR_OK);
    assert_int_equal(history_add(history, &batch, NULL, &err), ERR_OK);
    history_close(history);
}

static void hours_and_counts_stay_in_bounds(void **state)
{
    struct world *world = *state;
    struct history *history;
    struct err err;
    struct history_filter all = history_filter_all(), late = history_filter_all();
    const struct week_tally *week;
    size_t count = 0;
    int64_t sum = 0;
    make_store(world);
    run_sql(world, "INSERT INTO week_tally VALUES(-5, 'ok', 9223372036854775807),"
                   "(-9223372036854775808, 'ok', -9223372036854775808),"
                   "(9223372036854775807, 'ok', 9223372036854775807);"
                   "UPDATE request SET local_hour = -1000000;"
                   "UPDATE tally SET count = 9223372036854775807");
    assert_int_equal(open_store(world, HISTORY_READ, &history, &err), ERR_OK);
    assert_int_equal(history_week(history, world->arena, &all, &week, &count, &err), ERR_OK);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        assert_true(week[i].week_hour < 168 && week[i].count >= 0);
        sum += week[i].count;
    }
    assert_true(sum < INT64_C(10000000000));
    late.until_ms = NOW_MS + 1;
    assert_int_equal(history_week(history, world->arena, &late, &week, &count, &err), ERR_OK);
    assert_true(count == 1 && week[0].week_hour < 168);
    struct past past;
    assert_int_equal(history_past(history, world->arena, &past, &err), ERR_OK);
    assert_true(past.tally_count == 1 && past.tallies[0].count < INT64_C(10000000000));
    history_close(history);
}

static void numbers_out_of_all_bounds_are_unknown(void **state)
{
    struct world *world = *state;
    struct history *history;
    struct history_rows *rows;
    struct err err;
    struct record record;
    struct history_filter all = history_filter_all();
    make_store(world);
    run_sql(world, "UPDATE request SET total_ms = 9223372036854775807, wait_ms = "
                   "-9223372036854775808, status = -2, session_ms = 1e300, context_tokens = 7");
    assert_int_equal(open_store(world, HISTORY_READ, &history, &err), ERR_OK);
    assert_int_equal(history_rows_open(history, &all, 0, &rows, &err), ERR_OK);
    assert_true(history_rows_next(rows, &record, &err));
    assert_true(record.total_ms == -1 && record.wait_ms == -1 && record.status == -1);
    assert_true(record.session_ms == -1 && record.context_tokens == 7);
    history_rows_close(rows);
    history_close(history);
}

static void what_runs_the_words_of_others_is_refused(void **state)
{
    static const char *const additions[] = {
        "CREATE TRIGGER evil AFTER INSERT ON request BEGIN INSERT INTO mark WITH RECURSIVE c(x) AS"
        " (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x, 'a' FROM c; END",
        "DROP TABLE week_tally; CREATE VIEW week_tally AS WITH RECURSIVE c(x) AS (SELECT 1 UNION"
        " ALL SELECT x + 1 FROM c) SELECT x AS week_hour, 'ok' AS diagnosis, 1 AS count FROM c",
        "DROP TRIGGER request_added; CREATE TRIGGER request_added AFTER INSERT ON request BEGIN"
        " DELETE FROM request; END",
    };
    struct world *world = *state;
    struct history *history;
    struct err err;
    for (size_t i = 0; i < sizeof additions / sizeof additions[0]; i++) {
        make_store(world);
        run_sql(world, additions[i]);
        for (int mode = HISTORY_WRITE; mode <= HISTORY_READ; mode++) {
            assert_int_equal(open_store(world, (enum history_mode)mode, &history, &err), ERR_FILE);
            assert_null(history);
            assert_non_null(strstr(err.text, "is another program's"));
        }
        assert_int_equal(unlink(world->path), 0);
    }
}

static void the_database_of_another_program_is_left_as_it_is(void **state)
{
    struct world *world = *state;
    struct history *history;
    struct err err;
    struct str before, after;
    run_sql(world, "CREATE TABLE places(url TEXT); INSERT INTO places VALUES('x')");
    assert_int_equal(file_read(world->arena, world->path, 1 << 20, &before, NULL), FILE_OK);
    for (int mode = HISTORY_WRITE; mode <= HISTORY_READ; mode++) {
        assert_int_equal(open_store(world, (enum history_mode)mode, &history, &err), ERR_FILE);
        assert_non_null(strstr(err.text, "places"));
    }
    assert_int_equal(file_read(world->arena, world->path, 1 << 20, &after, NULL), FILE_OK);
    assert_true(str_eq(before, after));
}

static void a_fifo_is_refused_at_once(void **state)
{
    static const char *const endings[] = {"", "-journal", "-wal"};
    struct world *world = *state;
    struct history *history;
    struct err err;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const char *fifo = arena_printf(world->arena, "%s%s", world->path, endings[i]).ptr;
        make_store(world);
        unlink(fifo);
        assert_int_equal(mkfifo(fifo, 0600), 0);
        for (int mode = HISTORY_WRITE; mode <= HISTORY_READ; mode++) {
            assert_int_equal(open_store(world, (enum history_mode)mode, &history, &err), ERR_FILE);
            assert_non_null(strstr(err.text, "no plain file"));
        }
        unlink(fifo);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(hours_and_counts_stay_in_bounds),
        TEST(numbers_out_of_all_bounds_are_unknown),
        TEST(what_runs_the_words_of_others_is_refused),
        TEST(the_database_of_another_program_is_left_as_it_is),
        TEST(a_fifo_is_refused_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
