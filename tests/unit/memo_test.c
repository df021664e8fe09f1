/* Findings remembered: what is recalled is what would have been found, moments and bounds. */
#include "memo_world.h"

#include "base/file.h"

#include <cjson/cJSON.h>

#define CORPUS_BYTES_MAX ((size_t)64 * 1024 * 1024)

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
        is_kept = recall(world, &again, &recalled);
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
    assert_true(recall(world, &entry, &finding));
    bool *const traits[] = {&entry.is_ordinary, &entry.is_bare, &entry.is_talk, &entry.is_marked};
    for (size_t i = 0; i < sizeof traits / sizeof traits[0]; i++) {
        *traits[i] = !*traits[i];
        assert_false(recall(world, &entry, &finding));
        *traits[i] = !*traits[i];
    }
    assert_true(recall(world, &entry, &finding));
    entry.about = STR("other system");
    assert_false(recall(world, &entry, &finding));
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
    struct finding finding;
    size_t most = 0, most_bytes = 0;
    for (unsigned i = 0; i < 3 * MEMO_KEYS; i++) {
        struct str text = arena_printf(world->scratch, "ERROR insufficient_quota of %u, %0*u left",
                                       i, (int)(i % 99), i);
        struct observation entry = observe(world, text, NOW_MS), sealed = entry;
        finding = (struct finding){.observation = &sealed, .evidence = text, .wait_ms = -1};
        for (int times = 0; times < 2; times++) {
            struct finding ignored;
            (void)recall(world, &entry, &ignored);
            memo_keep(world->memo, &finding);
        }
        most = memo_count(world->memo) > most ? memo_count(world->memo) : most;
        most_bytes = memo_bytes(world->memo) > most_bytes ? memo_bytes(world->memo) : most_bytes;
        arena_reset(world->scratch);
    }
    assert_in_range(most, 100, MEMO_KEYS);
    assert_in_range(most_bytes, MEMO_BYTES_MAX / 2, MEMO_BYTES_MAX + 4 * MEMO_TEXT_MAX);
    size_t count = memo_count(world->memo);
    char *bytes = arena_alloc(world->arena, MEMO_TEXT_MAX + 1);
    struct observation entry = observe(world, STR("ERROR"), NOW_MS);
    entry.body = (struct str){bytes, MEMO_TEXT_MAX + 1};
    for (int times = 0; times < 3; times++) {
        assert_false(recall(world, &entry, &finding));
        memo_keep(world->memo, &(struct finding){.observation = &entry, .wait_ms = -1});
    }
    assert_int_equal(memo_count(world->memo), count);
}

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
