/* The store of past requests when others write to it, when it is damaged and when it cannot grow:
 * what is whole stays whole, and what is not is refused. */
#include "history_world.h"

#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define WRITERS 8
#define ROWS_EACH 100
#define STORES_MADE 40

static void write_many(struct world *world, int writer)
{
    for (int i = 0; i < ROWS_EACH; i++) {
        struct history *history = NULL;
        char uid[32];
        snprintf(uid, sizeof uid, "%d-%d", writer, i);
        struct record record = record_of(world, uid, NOW_MS + i, "gpt-x", "ok");
        struct history_batch batch = {.records = &record, .count = 1};
        struct err err = {0};
        if (history_open(world->path, HISTORY_WRITE, &world->env, &history, &err) ||
            history_add(history, &batch, NULL, &err)) {
            fprintf(stderr, "%s\n", err.text);
            _exit(1);
        }
        history_close(history);
    }
    _exit(0);
}

static int try_open(const struct world *world)
{
    struct history *history = NULL;
    struct err err = {0};
    if (history_open(world->path, HISTORY_WRITE, &world->env, &history, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    history_close(history);
    return 0;
}

static void eight_writers_lose_nothing(void **state)
{
    struct world *world = *state;
    pid_t writers[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = fork();
        if (writers[i] == 0) {
            write_many(world, i);
        }
    }
    for (int i = 0; i < WRITERS; i++) {
        int status = 1;
        assert_int_equal(waitpid(writers[i], &status, 0), writers[i]);
        assert_int_equal(status, 0);
    }
    struct history *history = open_store(world);
    struct history_filter all = history_filter_all();
    assert_int_equal(count_rows(history, &all), WRITERS * ROWS_EACH);
    history_close(history);
}

/* Each run that finds no store makes it, and none is turned away. */
static void a_store_that_many_make_at_once_is_made(void **state)
{
    struct world *world = *state;
    for (int round = 0; round < STORES_MADE; round++) {
        pid_t makers[WRITERS];
        int gate[2];
        assert_int_equal(pipe(gate), 0);
        for (int i = 0; i < WRITERS; i++) {
            makers[i] = fork();
            if (makers[i] == 0) {
                char byte;
                close(gate[1]);
                _exit(read(gate[0], &byte, 1) == 0 ? try_open(world) : 1);
            }
        }
        close(gate[0]);
        close(gate[1]); /* opens it for all */
        for (int i = 0; i < WRITERS; i++) {
            int status = 1;
            assert_int_equal(waitpid(makers[i], &status, 0), makers[i]);
            assert_int_equal(status, 0);
        }
        assert_int_equal(unlink(world->path), 0);
    }
}

static void a_killed_writer_leaves_whole_batches(void **state)
{
    struct world *world = *state;
    history_close(open_store(world));
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t writer = fork();
    if (writer == 0) {
        for (int batch = 0;; batch++) {
            struct history *history = open_store(world);
            struct record records[10];
            for (int i = 0; i < 10; i++) {
                char uid[32];
                snprintf(uid, sizeof uid, "%d-%d", batch, i);
                records[i] = record_of(world, uid, NOW_MS, "gpt-x", "ok");
            }
            add(history, records, 10);
            if (batch == 20 && write(ready[1], "r", 1) != 1) {
                _exit(1);
            }
            history_close(history);
        }
    }
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    close(ready[0]);
    close(ready[1]);
    struct history *history = open_store(world);
    struct history_filter all = history_filter_all();
    size_t rows = count_rows(history, &all);
    assert_true(rows >= 210);
    assert_int_equal(rows % 10, 0);
    history_close(history);
}

static void spoil(struct world *world, const char *content, size_t length)
{
    FILE *file = fopen(world->path, "r+b");
    assert_non_null(file);
    fwrite(content, 1, length, file);
    fclose(file);
}

static void a_damaged_store_is_an_error_that_names_it(void **state)
{
    struct world *world = *state;
    struct history *history = open_store(world);
    struct err err = {0};
    history_close(history);
    static const char noise[4096] = "this is no database at all";
    spoil(world, noise, sizeof noise);
    assert_int_equal(history_open(world->path, HISTORY_WRITE, &world->env, &history, &err),
                     ERR_FILE);
    assert_null(history);
    assert_non_null(strstr(err.text, "damaged"));
    assert_string_equal(err.file, world->path);
}

static void a_store_of_a_later_version_is_left_alone(void **state)
{
    struct world *world = *state;
    struct history *history = open_store(world);
    struct err err = {0};
    sqlite3 *db;
    history_close(history);
    assert_int_equal(sqlite3_open(world->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(history_open(world->path, HISTORY_WRITE, &world->env, &history, &err),
                     ERR_FILE);
    assert_non_null(strstr(err.text, "later diagnose"));
}

/* A number that the store's file itself tells. */
static int64_t ask(struct world *world, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(world->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return number;
}

/* Version 2 left empty tallies to be looked for. */
static void a_store_of_an_earlier_version_is_brought_up(void **state)
{
    static const char back[] =
        "DROP TRIGGER request_removed;"
        "CREATE TRIGGER request_removed AFTER DELETE ON request BEGIN"
        " UPDATE tally SET count = count - 1 WHERE hour = old.local_hour"
        "  AND client = ifnull(old.client, '') AND host = ifnull(old.host, '')"
        "  AND model = ifnull(old.model, '') AND who = ifnull(old.who, '')"
        "  AND diagnosis = old.diagnosis;"
        " UPDATE week_tally SET count = count - 1 WHERE week_hour = (old.local_hour + 72) % 168"
        "  AND diagnosis = old.diagnosis; END;"
        "DROP INDEX request_session; CREATE INDEX request_session ON request(at_ms)"
        " WHERE session_ms IS NOT NULL OR context_tokens IS NOT NULL;"
        "INSERT INTO tally VALUES(1, '', '', '', '', 'ok', 0, 1, 1); PRAGMA user_version = 2";
    struct world *world = *state;
    struct record records[] = {record_of(world, "a", NOW_MS - 100 * 24 * HOUR_MS, "m", "ok"),
                               record_of(world, "b", NOW_MS - HOUR_MS, "m", "capacity")};
    struct history_batch batch = {.records = &records[1], .count = 1, .keep_days = 90};
    struct history *history = open_store(world);
    struct err err = {0};
    sqlite3 *db;
    add(history, records, 2);
    history_close(history);
    assert_int_equal(sqlite3_open(world->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, back, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(ask(world, "SELECT count(*) FROM tally"), 3);
    history = open_store(world);
    assert_int_equal(history_add(history, &batch, NULL, &err), ERR_OK); /* drops the old row */
    history_close(history);
    assert_int_equal(ask(world, "SELECT count(*) FROM request"), 1);
    assert_int_equal(ask(world, "SELECT count(*) FROM tally"), 1);
    assert_int_equal(ask(world, "SELECT count(*) FROM week_tally"), 1);
}

static void a_step_does_without_what_it_replaces(void **state)
{
    struct world *world = *state;
    struct record record = record_of(world, "a", NOW_MS, "m", "ok");
    struct history *history = open_store(world);
    sqlite3 *db;
    history_close(history);
    assert_int_equal(sqlite3_open(world->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "DROP TRIGGER request_removed; DROP INDEX request_session;"
                                  "PRAGMA user_version = 2",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    history = open_store(world);
    add(history, &record, 1);
    history_close(history);
    assert_int_equal(ask(world, "SELECT count(*) FROM sqlite_master WHERE name ="
                                " 'request_removed' OR name = 'request_session'"),
                     2);
}

static void a_store_that_cannot_grow_is_an_error_and_stays_whole(void **state)
{
    struct world *world = *state;
    struct history *history = open_store(world);
    struct history_filter all = history_filter_all();
    struct record first = record_of(world, "first", NOW_MS, "gpt-x", "ok");
    add(history, &first, 1);
    history_close(history);
    pid_t writer = fork(); /* a limit on the size of files stands for a full disk */
    if (writer == 0) {
        struct rlimit limit = {4096, 4096};
        struct record more = record_of(world, "more", NOW_MS, "gpt-x", "ok");
        struct history_batch batch = {.records = &more, .count = 1};
        struct err err = {0};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        bool is_refused =
            history_open(world->path, HISTORY_WRITE, &world->env, &history, &err) == ERR_FILE ||
            history_add(history, &batch, NULL, &err) == ERR_FILE;
        _exit(is_refused && strstr(err.text, "cannot be used") ? 0 : 1);
    }
    int status = 1;
    waitpid(writer, &status, 0);
    assert_int_equal(status, 0);
    history = open_store(world);
    assert_int_equal(count_rows(history, &all), 1);
    history_close(history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(eight_writers_lose_nothing),
        TEST(a_store_that_many_make_at_once_is_made),
        TEST(a_killed_writer_leaves_whole_batches),
        TEST(a_damaged_store_is_an_error_that_names_it),
        TEST(a_store_of_a_later_version_is_left_alone),
        TEST(a_step_does_without_what_it_replaces),
        TEST(a_store_of_an_earlier_version_is_brought_up),
        TEST(a_store_that_cannot_grow_is_an_error_and_stays_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
