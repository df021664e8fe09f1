/* Findings remembered: what is recalled is what would have been found, moments and bounds. */
#include "classify/memo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "classify/classify.h"
#include "input/bound.h"
#include "input/log_observe.h"

#include <cjson/cJSON.h>

#define NOW_MS INT64_C(1795957200000)
#define CORPUS_BYTES_MAX ((size_t)64 * 1024 * 1024)

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
    world.memo = memo_create(world.arena);
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

/* Judges an entry and has that noted, so many times. */
static struct finding learn(struct world *world, struct str text, unsigned times)
{
    struct finding finding = {.wait_ms = -1};
    for (unsigned i = 0; i < times; i++) {
        struct observation *entry = ARENA_NEW(world->scratch, struct observation);
        *entry = observe(world, text, NOW_MS);
        struct str raw = entry->body;
        finding = judge(world, entry);
        memo_keep(world->memo, raw, &finding);
    }
    return finding;
}

static bool recalls(struct world *world, struct str text)
{
    struct finding finding;
    struct observation entry = observe(world, text, NOW_MS);
    return memo_recall(world->memo, &entry, &finding);
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
    assert_same(have->observation->body, want->observation->body, text);
    assert_int_equal(have->wait_ms, want->wait_ms);
    assert_int_equal(have->severity, want->severity);
    assert_int_equal(have->is_retryable, want->is_retryable);
    assert_int_equal(have->capture_count, want->capture_count);
    for (size_t i = 0; i < want->capture_count; i++) {
        assert_same(have->captures[i].name, want->captures[i].name, text);
        assert_same(have->captures[i].text, want->captures[i].text, text);
    }
}

/* What is kept at one moment is what would be found at any other. Gives whether it was kept. */
static bool check(struct world *world, struct str text)
{
    static const int64_t moments[] = {NOW_MS, NOW_MS + INT64_C(86400000) * 200, 0, 1};
    bool is_kept = false;
    (void)learn(world, text, 2);
    for (size_t i = 0; i < sizeof moments / sizeof moments[0]; i++) {
        struct finding recalled;
        struct observation fresh = observe(world, text, moments[i]), again = fresh;
        again.utc_offset_s = fresh.utc_offset_s = (int64_t)i * 3600;
        is_kept = memo_recall(world->memo, &again, &recalled);
        if (is_kept) {
            struct finding found = judge(world, &fresh);
            assert_ptr_equal(recalled.observation, &again);
            assert_same_finding(&recalled, &found, text);
        }
    }
    arena_reset(world->scratch);
    return is_kept;
}

static void a_finding_recalled_is_what_would_be_found(void **state)
{
    static const char *const files[] = {"tests/corpus/given.jsonl", "tests/corpus/more.jsonl",
                                        "tests/corpus/neighbours.jsonl",
                                        "tests/corpus/ordinary.jsonl"};
    struct world *world = *state;
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct str rest, line;
        assert_int_equal(file_read(world->arena, files[i], CORPUS_BYTES_MAX, &rest, NULL), FILE_OK);
        while (str_split(&rest, '\n', &line)) {
            cJSON *row = cJSON_ParseWithLength(line.ptr, line.len);
            const char *body = cJSON_GetStringValue(cJSON_GetObjectItem(row, "body"));
            count += body != NULL;
            kept += body && check(world, str_from(body));
            kept += body && check(world, arena_printf(world->scratch, "ERROR app: %s", body));
            cJSON_Delete(row);
        }
    }
    assert_true(count > 1000);
    assert_true(kept > count); /* of two entries each */
}

static void what_is_told_of_an_entry_is_part_of_the_key(void **state)
{
    struct world *world = *state;
    struct str text = STR("the server had an error: overloaded");
    (void)learn(world, text, 2);
    struct finding finding;
    struct observation entry = observe(world, text, NOW_MS);
    assert_true(memo_recall(world->memo, &entry, &finding));
    bool *const traits[] = {&entry.is_ordinary, &entry.is_bare, &entry.is_talk, &entry.is_marked};
    for (size_t i = 0; i < sizeof traits / sizeof traits[0]; i++) {
        *traits[i] = !*traits[i];
        assert_false(memo_recall(world->memo, &entry, &finding));
        *traits[i] = !*traits[i];
    }
    assert_true(memo_recall(world->memo, &entry, &finding));
    entry.about = STR("other system");
    assert_false(memo_recall(world->memo, &entry, &finding));
}

static void an_entry_is_kept_when_it_comes_again(void **state)
{
    struct world *world = *state;
    struct str text = STR("ERROR Selected model is at capacity.");
    (void)learn(world, text, 1);
    assert_false(recalls(world, text));
    (void)learn(world, text, 1);
    assert_true(recalls(world, text));
    assert_false(recalls(world, STR("ERROR Selected model is at capacity!")));
}

static void a_wait_until_a_moment_is_not_kept(void **state)
{
    struct world *world = *state;
    static const struct str texts[] = {
        STR_INIT("ERROR You've hit your usage limit. Try again at 2:25 PM."),
        STR_INIT("ERROR 429 {\"error\":{\"message\":\"Too many requests, resets at "
                 "2026-12-01T15:00:00Z\",\"type\":\"rate_limit_error\"}}"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct finding finding = learn(world, texts[i], 3);
        assert_true(finding.wait_ms > 0);
        assert_true(finding.is_momentary);
        assert_false(recalls(world, texts[i]));
    }
    struct str wait = STR("ERROR 429 Rate limit reached for gpt-4o. Please try again in 20s.");
    assert_int_equal(learn(world, wait, 2).wait_ms, 20000);
    assert_true(recalls(world, wait));
}

static void its_size_is_bounded(void **state)
{
    struct world *world = *state;
    struct finding finding = learn(world, STR("ERROR insufficient_quota"), 1);
    size_t most = 0, most_bytes = 0;
    for (unsigned i = 0; i < 3 * MEMO_ENTRIES_MAX; i++) {
        struct str text = arena_printf(world->arena, "entry %u %0*u", i, (int)(i % 1000), i);
        memo_keep(world->memo, text, &finding);
        memo_keep(world->memo, text, &finding);
        most = memo_count(world->memo) > most ? memo_count(world->memo) : most;
        most_bytes = memo_bytes(world->memo) > most_bytes ? memo_bytes(world->memo) : most_bytes;
    }
    assert_in_range(most, 100, MEMO_ENTRIES_MAX);
    assert_in_range(most_bytes, MEMO_BYTES_MAX / 2, MEMO_BYTES_MAX + 4 * MEMO_TEXT_MAX);
    size_t count = memo_count(world->memo);
    char *bytes = arena_alloc(world->arena, MEMO_TEXT_MAX + 1);
    memo_keep(world->memo, (struct str){bytes, MEMO_TEXT_MAX + 1}, &finding);
    memo_keep(world->memo, (struct str){bytes, MEMO_TEXT_MAX + 1}, &finding);
    assert_int_equal(memo_count(world->memo), count);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_finding_recalled_is_what_would_be_found),
        TEST(what_is_told_of_an_entry_is_part_of_the_key),
        TEST(an_entry_is_kept_when_it_comes_again),
        TEST(a_wait_until_a_moment_is_not_kept),
        TEST(its_size_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
