#ifndef TESTS_MEMO_WORLD_H
#define TESTS_MEMO_WORLD_H

#include "classify/classify.h"
#include "classify/memo.h"
#include "input/bound.h"
#include "input/log_observe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A memo beside the built-in rules, entries of logs that it is asked about, and claims about what
 * it recalls. */

#define NOW_MS INT64_C(1795957200000)

struct world {
    struct arena *arena, *scratch;
    struct rules *rules;
    struct classifier *classifier;
    struct mask mask;
    struct memo *memo;
};

static int set_up(void **state)
{
    static struct world world;
    struct problems problems = {0};
    struct err err;
    world = (struct world){.arena = arena_create(), .scratch = arena_create()};
    *state = &world;
    if (rules_open_brief((struct str){NULL, 0}, &problems, world.arena, &world.rules, &err)) {
        return -1;
    }
    world.classifier = classifier_open(world.rules);
    world.mask.key_prefixes = rules_key_prefixes(world.rules, &world.mask.prefix_count);
    world.memo = memo_create(world.arena, &world.mask, true);
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    memo_free(world->memo);
    classifier_close(world->classifier);
    rules_close(world->rules);
    arena_free(world->scratch);
    arena_free(world->arena);
    return 0;
}

/* An entry of a log, not sealed yet. */
static struct observation observe(struct world *world, struct str text, int64_t now_ms)
{
    struct log_front front = log_front_read(log_entry_line(text), now_ms);
    struct observation entry = log_entry_observe(world->scratch, text, &front, now_ms);
    entry.is_marked = classifier_finds_mark(world->classifier, text);
    entry.is_talk = classifier_is_talk(text, &front);
    entry.started_ms = now_ms;
    return entry;
}

static struct finding judge(struct world *world, struct observation *entry)
{
    observation_seal(world->scratch, &world->mask, entry);
    return classify(world->classifier, world->scratch, entry);
}

/* Judges an entry that is not known and has that noted, so many times. */
static struct finding learn(struct world *world, struct str text, unsigned times)
{
    struct finding finding = {.wait_ms = -1};
    for (unsigned i = 0; i < times; i++) {
        struct observation *entry = ARENA_NEW(world->scratch, struct observation);
        *entry = observe(world, text, NOW_MS);
        bool is_known = memo_recall(world->memo, world->scratch, entry, &finding);
        finding = judge(world, entry);
        if (!is_known) {
            memo_keep(world->memo, &finding);
        }
    }
    return finding;
}

static bool recall(struct world *world, const struct observation *entry, struct finding *finding)
{
    return memo_recall(world->memo, world->scratch, entry, finding);
}

static bool recalls(struct world *world, struct str text)
{
    struct finding finding;
    struct observation entry = observe(world, text, NOW_MS);
    return recall(world, &entry, &finding);
}

static void assert_same(struct str have, struct str want, struct str text)
{
    if (!str_eq(have, want)) {
        fail_msg("\"%.*s\" instead of \"%.*s\": %.*s", STR_ARG(have), STR_ARG(want), STR_ARG(text));
    }
}

static void assert_same_finding(const struct finding *have, const struct finding *want,
                                struct str text)
{
    assert_ptr_equal(have->diagnosis, want->diagnosis);
    assert_ptr_equal(have->runner_up, want->runner_up);
    assert_same(have->rule_id, want->rule_id, text);
    assert_same(have->runner_up_rule, want->runner_up_rule, text);
    assert_same(have->skipped_rule, want->skipped_rule, text);
    assert_same(have->reason, want->reason, text);
    assert_same(have->field, want->field, text);
    assert_same(have->evidence, want->evidence, text);
    assert_int_equal(have->wait_ms, want->wait_ms);
    assert_int_equal(have->retry_at_ms, want->retry_at_ms);
    assert_int_equal(have->severity, want->severity);
    assert_int_equal(have->is_retryable, want->is_retryable);
    assert_int_equal(have->capture_count, want->capture_count);
    for (size_t i = 0; i < want->capture_count; i++) {
        assert_same(have->captures[i].name, want->captures[i].name, text);
        assert_same(have->captures[i].text, want->captures[i].text, text);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
