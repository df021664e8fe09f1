#ifndef TESTS_TRIAGE_RECORD_WORLD_H
#define TESTS_TRIAGE_RECORD_WORLD_H

#include "base/moment.h"
#include "history/history.h"
#include "triage/triage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <unistd.h>

/* Triage by the record, with the real table, a real store and a scripted clock; runs and records
 * are short texts. */

#define RESULTS_MAX 8
#define RECORDS_MAX 100
#define NOON "2026-11-29T12:00:00Z"

struct world {
    struct arena *arena;
    struct rules *rules;
    int64_t now_ms;
    bool is_in_berlin; /* summer from 2026-03-29 to 2026-10-25, 01:00 UTC; else it is UTC */
    struct env env;
    struct target targets[RESULTS_MAX];
    struct observation observations[RESULTS_MAX];
    struct finding findings[RESULTS_MAX];
    struct result results[RESULTS_MAX];
    size_t result_count;
};

static int64_t wall_ms(void *clock)
{
    return ((struct world *)clock)->now_ms;
}

static int64_t offset_s(void *clock, int64_t at_ms)
{
    int64_t forth_ms = 0, back_ms = 0;
    moment_parse(STR("2026-03-29T01:00:00Z"), 0, &forth_ms);
    moment_parse(STR("2026-10-25T01:00:00Z"), 0, &back_ms);
    bool is_summer = at_ms >= forth_ms && at_ms < back_ms;
    return ((struct world *)clock)->is_in_berlin ? (is_summer ? 7200 : 3600) : 0;
}

/* The next word of a text. */
static struct str next_word(struct str *rest)
{
    struct str word = {NULL, 0};
    while (rest->len && str_split(rest, ' ', &word) && word.len == 0) {
    }
    return word;
}

/* "-26h", "-9m", "-30s" before now, or "2026-10-24T22:30:00Z". */
static int64_t moment_of(const struct world *world, struct str word)
{
    int64_t ms = 0;
    if (str_starts(word, STR("-"))) {
        assert_true(str_to_duration_ms(str_slice(word, 1, word.len), &ms));
        return world->now_ms - ms;
    }
    assert_true(moment_parse(word, 0, &ms));
    return ms;
}

/* "session=61m", "context=701/1000", "limit=12" in percent, or whose record it is. */
static void add_word(struct record *record, struct str word)
{
    struct str name, value = word;
    str_split(&value, '=', &name);
    if (!str_is_set(value)) {
        record->who = word;
    } else if (str_eq(name, STR("session"))) {
        assert_true(str_to_duration_ms(value, &record->session_ms));
    } else if (str_eq(name, STR("limit"))) {
        assert_true(str_to_i64(value, &record->limit_permille));
        record->limit_permille *= 10;
    } else {
        struct str tokens;
        str_split(&value, '/', &tokens);
        assert_true(str_to_i64(tokens, &record->context_tokens));
        assert_true(str_to_i64(value, &record->context_window));
    }
}

/* Records as "TIME MODEL DIAGNOSIS [WORD...]", parted by commas; client codex at host h. */
static void add_records(struct world *world, struct history *history, struct str text)
{
    struct str part;
    struct err err = {0};
    struct record records[RECORDS_MAX];
    size_t count = 0;
    while (text.len && str_split(&text, ',', &part)) {
        struct record record = record_blank();
        assert_true(count < RECORDS_MAX);
        record.at_ms = moment_of(world, next_word(&part));
        record.uid = arena_printf(world->arena, "%zu", count);
        record.client = STR("codex");
        record.host = STR("h");
        record.model = next_word(&part);
        record.diagnosis = next_word(&part);
        for (struct str word; (word = next_word(&part)).len;) {
            add_word(&record, word);
        }
        assert_non_null(rules_diagnosis(world->rules, record.diagnosis));
        records[count++] = record;
    }
    const struct history_batch batch = {.records = records, .count = count};
    assert_int_equal(history_add(history, &batch, NULL, &err), ERR_OK);
}

/* This run as "MODEL DIAGNOSIS", parted by commas. */
static void set_run(struct world *world, struct str text)
{
    struct str part;
    world->result_count = 0;
    while (text.len && str_split(&text, ',', &part)) {
        size_t i = world->result_count++;
        struct target *target = &world->targets[i];
        *target = (struct target){.client = STR("codex"), .wire = STR("responses")};
        target->model.text = next_word(&part);
        target->name = target->model.text;
        target->chain = target->name;
        target->base_url.text = STR("http://h/v1");
        world->observations[i] = observation_blank(OBSERVATION_HTTP);
        world->observations[i].target = target;
        world->observations[i].status = 503;
        world->observations[i].started_ms = world->now_ms;
        world->findings[i] =
            (struct finding){.observation = &world->observations[i],
                             .diagnosis = rules_diagnosis(world->rules, next_word(&part)),
                             .wait_ms = -1};
        assert_non_null(world->findings[i].diagnosis);
        world->findings[i].severity = world->findings[i].diagnosis->severity;
        world->results[i] = (struct result){.target = target,
                                            .observation = &world->observations[i],
                                            .finding = &world->findings[i]};
    }
}

static void judge(struct world *world, enum lang lang, const char *now, const char *records,
                  const char *run, struct report *report)
{
    char in_memory[] = "/dev/shm/diagnose-record-XXXXXX", on_disk[] = "/tmp/diagnose-record-XXXXXX";
    struct history *history = NULL;
    struct err err = {0};
    struct past past = {0};
    assert_true(moment_parse(str_from(now), 0, &world->now_ms));
    char *directory = mkdtemp(in_memory); /* a disk is slow at the hundreds of stores made here */
    directory = directory ? directory : mkdtemp(on_disk);
    assert_non_null(directory);
    struct str path = arena_printf(world->arena, "%s/h.db", directory);
    assert_int_equal(history_open(path.ptr, HISTORY_WRITE, &world->env, &history, &err), ERR_OK);
    add_records(world, history, str_from(records));
    assert_int_equal(history_past(history, world->arena, &past, &err), ERR_OK);
    history_close(history);
    unlink(path.ptr);
    rmdir(directory);
    set_run(world, str_from(run));
    const struct triage_input input = {.rules = world->rules,
                                       .lang = lang,
                                       .results = world->results,
                                       .result_count = world->result_count,
                                       .past = &past};
    *report = (struct report){.started_ms = world->now_ms, .lang = lang};
    triage(world->arena, &input, report);
}

static int set_up(void **state)
{
    struct world *world = calloc(1, sizeof *world);
    struct problems problems = {0};
    struct err err = {0};
    world->arena = arena_create();
    world->env = (struct env){.wall_ms = wall_ms, .utc_offset_s = offset_s, .clock = world};
    assert_int_equal(
        rules_open((struct str){NULL, 0}, &problems, world->arena, &world->rules, &err), ERR_OK);
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    rules_close(world->rules);
    arena_free(world->arena);
    free(world);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
