#ifndef TESTS_HISTORY_WORLD_H
#define TESTS_HISTORY_WORLD_H

#include "history/history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A store of past requests in a directory of its own, and short ways to fill and count it. */

#define HOUR_MS ((int64_t)3600 * 1000)
#define NOW_MS ((int64_t)1795957200 * 1000) /* 2026-11-29 13:00:00 UTC, a Sunday */

/* A directory of its own and a scripted clock for each test. */
struct world {
    struct arena *arena;
    char directory[64];
    const char *path;
    int64_t now_ms, offset_s;
    struct env env;
};

static int64_t wall_ms(void *clock)
{
    return ((struct world *)clock)->now_ms;
}

static int64_t offset_s(void *clock, int64_t at_ms)
{
    (void)at_ms;
    return ((struct world *)clock)->offset_s;
}

static int set_up(void **state)
{
    struct world *world = calloc(1, sizeof *world);
    world->arena = arena_create();
    snprintf(world->directory, sizeof world->directory, "/tmp/diagnose-history-XXXXXX");
    assert_non_null(mkdtemp(world->directory));
    world->path = arena_printf(world->arena, "%s/state/diagnose/history.db", world->directory).ptr;
    world->now_ms = NOW_MS;
    world->env = (struct env){.wall_ms = wall_ms, .utc_offset_s = offset_s, .clock = world};
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
    rmdir(arena_printf(world->arena, "%s/state/diagnose", world->directory).ptr);
    rmdir(arena_printf(world->arena, "%s/state", world->directory).ptr);
    rmdir(world->directory);
    arena_free(world->arena);
    free(world);
    return 0;
}

static struct history *open_store(struct world *world)
{
    struct history *history = NULL;
    struct err err = {0};
    if (history_open(world->path, HISTORY_WRITE, &world->env, &history, &err)) {
        fail_msg("%s", err.text);
    }
    return history;
}

static struct record record_of(struct world *world, const char *uid, int64_t at_ms,
                               const char *model, const char *diagnosis)
{
    struct record record = record_blank();
    record.uid = arena_printf(world->arena, "%s", uid);
    record.at_ms = at_ms;
    record.client = STR("codex");
    record.model = str_from(model);
    record.diagnosis = str_from(diagnosis);
    return record;
}

static size_t add(struct history *history, const struct record *records, size_t count)
{
    struct err err = {0};
    size_t added = 0;
    struct history_batch batch = {.records = records, .count = count};
    if (history_add(history, &batch, &added, &err)) {
        fail_msg("%s", err.text);
    }
    return added;
}

static size_t count_rows(struct history *history, const struct history_filter *filter)
{
    struct history_rows *rows = NULL;
    struct record record;
    struct err err = {0};
    size_t count = 0;
    assert_int_equal(history_rows_open(history, filter, 0, &rows, &err), ERR_OK);
    while (history_rows_next(rows, &record, &err)) {
        count++;
    }
    assert_int_equal(err.code, ERR_OK);
    history_rows_close(rows);
    return count;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
