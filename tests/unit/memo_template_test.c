/* Findings remembered by the template of their entry: which entries are one, which are others, and
 * what is not shown of either. */
#include "memo_world.h"

#include <stdio.h>

/* Two that differ in ids and times only, and one more. */
struct trio {
    const char *first, *second, *third;
};

/* Whether the third, of which the first two were learnt, is recalled as it would be found. */
static bool recalls_third(struct world *world, const struct trio *trio)
{
    struct str text = str_from(trio->third);
    struct finding recalled;
    (void)learn(world, str_from(trio->first), 1);
    (void)learn(world, str_from(trio->second), 1);
    struct observation entry = observe(world, text, NOW_MS), fresh = entry;
    bool is_kept = recall(world, &entry, &recalled);
    if (is_kept) {
        struct finding found = judge(world, &fresh);
        assert_same_finding(&recalled, &found, text);
    }
    return is_kept;
}

#define RECORD(id, status, wait, model, ms, ts, level)                                             \
    "{\"ts\":\"" ts "\",\"level\":\"" level "\",\"msg\":\"call failed: HTTP " status               \
    ": Rate limit reached for " model ". Please try again in " wait "s. (request id: " id          \
    ")\",\"trace_id\":\"" id "0011223344\",\"duration_ms\":" ms "}"
#define AT "2026-11-29T13:00:0"
#define PAIR(ms) "ERROR the server is overloaded\n  {\"duration_ms\":" ms "}"
#define SPOKEN(service, model, tokens, ms)                                                         \
    "{\"level\":\"error\",\"service\":\"" service "\",\"msg\":\"the server is overloaded\","       \
    "\"model\":\"" model "\",\"tokens\":{\"prompt\":" tokens "},\"duration_ms\":" ms "}"

/* In a record that has a message. */
static void a_name_is_no_evidence(void **state)
{
    static const struct {
        const char *line, *body;
    } records[] = {
        {"{\"ts\":\"" AT "1Z\",\"service\":\"llm-proxy\",\"msg\":\"boom\",\"status\":429,\"usage\":"
         "{\"a\":[1,\"}\"]},\"took\":81}",
         "boom\n{\"ts\":\"\",\"service\":\"\",\"msg\":\"boom\",\"status\":429,\"usage\":{},"
         "\"took\":0}"},
        {"{\"msg\":\"{boom\", \"model\" : null, \"hostname\":\"a\\\"b\"}",
         "{boom\n{\"msg\":\"\", \"model\" : null, \"hostname\":\"\"}"},
        {"{\"msg\":\"boom\",\"service\":\"cut of", "boom\n{\"msg\":\"boom\",\"service\":\"cut of"},
        {"level=error svc=gateway msg=\"boom\" dur=81ms hostname=\"a b\" status=429 node=",
         "boom\nsvc= msg=\"boom\" dur= hostname=\"\" status=429 node="},
        {"svc=gateway \"msg\" host=a", "svc=gateway \"msg\" host=a"}, /* no message */
        {"{\"service\":\"llm-proxy\",\"status\":429}",
         "{\"service\":\"llm-proxy\",\"status\":429}"},
    };
    struct world *world = *state;
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++) {
        struct str line = str_from(records[i].line);
        assert_same(observe(world, line, NOW_MS).body, str_from(records[i].body), line);
    }
}

static void entries_that_differ_in_ids_are_one(void **state)
{
    struct world *world = *state;
    static const struct trio trios[] = {
        {RECORD("0a1b2c3d4e5f6071", "429", "20", "gpt-4o", "1234", AT "1Z", "error"),
         RECORD("9f8e7d6c5b4a3021", "429", "20", "gpt-4o", "2345", AT "2Z", "error"),
         RECORD("77aa88bb99cc11dd", "429", "20", "gpt-4o", "1111", AT "3Z", "error")},
        {"ERROR chat: 当前分组 default 下对于模型 glm-4.6 无可用渠道 (request id: "
         "0a1b2c3d4e5f6071)",
         "ERROR chat: 当前分组 default 下对于模型 glm-4.6 无可用渠道 (request id: "
         "9f8e7d6c5b4a3021)",
         "ERROR chat: 当前分组 default 下对于模型 glm-4.6 无可用渠道 (request id: "
         "77aa88bb99cc11dd)"},
        {"ERROR model overloaded, request 0a1b2c3d-1111-2222-3333-0a1b2c3d4e5f refused",
         "ERROR model overloaded, request 9f8e7d6c-2222-3333-1111-9f8e7d6c4e5f refused",
         "ERROR model overloaded, request 77aa88bb-3333-1111-2222-77aa88bb4e5f refused"},
        {"ERROR the server is overloaded, request req_011CSHoEeqs5C35K2UUqR7Fy",
         "ERROR the server is overloaded, request req_011DTJpFfrt6D46L3VVrS8Gz",
         "ERROR the server is overloaded, request req_011EUKqGgsu7E57M4WWsT9Ha"},
        {PAIR("1234"), PAIR("2345"), PAIR("1111")},
        {SPOKEN("gateway", "gpt-4o", "429", "1234"), SPOKEN("llm-proxy", "glm-4.6", "7", "429"),
         SPOKEN("search-api", "gpt-5", "0", "0")},
        {"ERROR Incorrect API key provided: sk-0a1b2c3d4e5f6071. You can find your key there.",
         "ERROR Incorrect API key provided: sk-9f8e7d6c5b4a3021. You can find your key there.",
         "ERROR Incorrect API key provided: sk-77aa88bb99cc11dd. You can find your key there."},
    };
    for (size_t i = 0; i < sizeof trios / sizeof trios[0]; i++) {
        assert_true(recalls_third(world, &trios[i]));
    }
}

static void an_entry_that_differs_in_more_is_another(void **state)
{
    struct world *world = *state;
#define FIRST RECORD("0a1b2c3d4e5f6071", "429", "20", "gpt-4o", "1234", AT "1Z", "error")
#define SECOND RECORD("9f8e7d6c5b4a3021", "429", "20", "gpt-4o", "2345", AT "2Z", "error")
#define THIRD(status, wait, model, ms, level)                                                      \
    {                                                                                              \
        FIRST, SECOND, RECORD("77aa88bb99cc11dd", status, wait, model, ms, AT "3Z", level)         \
    }
    static const struct trio others[] = {
        THIRD("503", "20", "gpt-4o", "1111", "error"),
        THIRD("429", "30", "gpt-4o", "1111", "error"),
        THIRD("429", "20", "gpt-5o", "1111", "error"),
        THIRD("429", "20", "gpt-4o", "1111", "fatal"),
        {PAIR("1234"), PAIR("2345"), PAIR("429")},   /* a measure that may be a status */
        {PAIR("1234"), PAIR("2345"), PAIR("0")},     /* none at all */
        {PAIR("1234"), PAIR("2345"), PAIR("11111")}, /* a longer line */
        {"ERROR 429 quota of 1000 tries", "ERROR 429 quota of 1000 tries",
         "ERROR 429 quota of 2000 tries"},
        {"ERROR overloaded: Limit 1000, Used 1000", "ERROR overloaded: Limit 2000, Used 2000",
         "ERROR overloaded: Limit 3000, Used 3001"},
        {"ERROR overloaded, balance $1.25", "ERROR overloaded, balance $2.25",
         "ERROR overloaded, balance $0.00"},
        {"ERROR overloaded, 1000 tokens", "ERROR overloaded, 2000 tokens",
         "ERROR overloaded, 20000 tokens"},
        {"ERROR code=1302 overloaded", "ERROR code=1302 overloaded", "ERROR code=1305 overloaded"},
        {"ERROR {\"code\":\"rate_limit_exceeded\"}", "ERROR {\"code\":\"rate_limit_exceeded\"}",
         "ERROR {\"code\":\"insufficient_quota\"}"},
        {"ERROR openai: overloaded", "ERROR openai: overloaded", "ERROR azure: overloaded"},
        {"ERROR overloaded, retry after 20 s", "ERROR overloaded, retry after 20 s",
         "ERROR overloaded, retry after 25 s"},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_false(recalls_third(world, &others[i]));
    }
}

/* A careless pattern of a user's may look into these. */
static void quantities_are_parameters_where_all_are_taken(void **state)
{
    struct world *world = *state;
    struct memo *all = world->memo, *strict = memo_create(world->arena, &world->mask, false);
    static const struct trio trios[] = {
        {"ERROR 429 Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used "
         "29123, "
         "Requested 5001. Please try again in 7.8s.",
         "ERROR 429 Rate limit reached for gpt-4o on tokens per min (TPM): Limit 40000, Used "
         "31002, "
         "Requested 7345. Please try again in 7.8s.",
         "ERROR 429 Rate limit reached for gpt-4o on tokens per min (TPM): Limit 50300, Used "
         "50099, "
         "Requested 4290. Please try again in 7.8s."},
        {"ERROR prompt is too long: 258819 tokens > 200000 maximum",
         "ERROR prompt is too long: 207787 tokens > 200000 maximum",
         "ERROR prompt is too long: 429503 tokens > 200000 maximum"},
        {"ERROR new-api: 用户额度不足, 剩余额度: ¥0.128787",
         "ERROR new-api: 用户额度不足, 剩余额度: ¥1.500429",
         "ERROR new-api: 用户额度不足, 剩余额度: ¥0.000429"},
        {"ERROR the server is overloaded, request 0a1b2c3d4e5f6429",
         "ERROR the server is overloaded, request 503e7d6c5b4a3021",
         "ERROR the server is overloaded, request 77aa88bb99cc1503"},
    };
    for (size_t i = 0; i < sizeof trios / sizeof trios[0]; i++) {
        world->memo = all;
        assert_true(recalls_third(world, &trios[i]));
        world->memo = strict;
        assert_false(recalls_third(world, &trios[i]));
    }
    world->memo = all;
    memo_free(strict);
}

/* An id that the shown text ends within is shown by nobody else's finding; wherever else it stands
 * the finding is kept. */
static void a_finding_that_shows_part_of_an_id_is_not_kept(void **state)
{
    struct world *world = *state;
    char text[3][200];
    static const char *const ids[] = {"a0a1b2c3d4e5f607", "b9f8e7d6c5b4a302", "c77aa88bb99cc11d"};
    unsigned kept = 0;
    for (unsigned dots = 0; dots < 70; dots++) {
        for (size_t i = 0; i < 3; i++) {
            snprintf(text[i], sizeof text[i], "ERROR model overloaded %.*s;%s;%.*s|", (int)dots,
                     "......................................................................",
                     ids[i], 70 - (int)dots,
                     "......................................................................");
        }
        kept += recalls_third(world, &(struct trio){text[0], text[1], text[2]});
    }
    assert_int_equal(kept, 70 - (strlen(ids[0]) - 1)); /* but for each place that cuts it */
}

static void a_finding_that_shows_a_measure_is_not_kept(void **state)
{
    struct world *world = *state;
    const struct trio trio = {"level=error words=\"model overloaded\" dur=629ms there",
                              "level=error words=\"model overloaded\" dur=629ms there",
                              "level=error words=\"model overloaded\" dur=631ms there"};
    assert_false(recalls_third(world, &trio));
}

static void an_id_that_is_a_secret_is_not_shown(void **state)
{
    struct world *world = *state;
    const struct secret secret = secret_create(world->arena, STR("77aa88bb99cc11dd"));
    const struct trio trio = {"ERROR model overloaded for 0a1b2c3d4e5f6071, sorry",
                              "ERROR model overloaded for 9f8e7d6c5b4a3021, sorry",
                              "ERROR model overloaded for 77aa88bb99cc11dd, sorry"};
    assert_true(recalls_third(world, &trio));
    world->mask.secrets = &secret;
    world->mask.secret_count = 1;
    assert_false(recalls_third(world, &trio));
    world->mask.secret_count = 0;
}

/* Of three entries of one template the last alone holds no secret, or is the only one that does. */
static void an_id_is_not_shown_as_hidden_elsewhere(void **state)
{
    struct world *world = *state;
    const struct secret secrets[] = {secret_create(world->arena, STR("7f8e9d0a1b2c3d4e")),
                                     secret_create(world->arena, STR("team-77aa88bb99cc11dd"))};
    static const struct str texts[][3] = {
        {STR_INIT("ERROR openai: 429 rate limit exceeded, request 7f8e9d0a1b2c3d4e"),
         STR_INIT("ERROR openai: 429 rate limit exceeded, request 7f8e9d0a1b2c3d4e"),
         STR_INIT("ERROR openai: 429 rate limit exceeded, request 0a1b2c3d4e5f6071")},
        {STR_INIT("ERROR 0a1b2c3d4e5f6071 openai: invalid api key team-0a1b2c3d4e5f6071"),
         STR_INIT("ERROR 9f8e7d6c5b4a3021 openai: invalid api key team-9f8e7d6c5b4a3021"),
         STR_INIT("ERROR 77aa88bb99cc11dd openai: invalid api key team-77aa88bb99cc11dd")}};
    world->mask.secrets = secrets;
    world->mask.secret_count = sizeof secrets / sizeof secrets[0];
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        (void)learn(world, texts[i][0], 1);
        (void)learn(world, texts[i][1], 1);
        assert_true(recalls(world, texts[i][1]));
        assert_false(recalls(world, texts[i][2]));
    }
}

static void equal_ids_are_no_different_ids(void **state)
{
    struct world *world = *state;
    const struct trio trio = {"ERROR overloaded 0a1b2c3d4e5f6071 0a1b2c3d4e5f6071 there",
                              "ERROR overloaded 9f8e7d6c5b4a3021 9f8e7d6c5b4a3021 there",
                              "ERROR overloaded 77aa88bb99cc11dd 0a1b2c3d4e5f6071 there"};
    assert_false(recalls_third(world, &trio));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_name_is_no_evidence),
        TEST(entries_that_differ_in_ids_are_one),
        TEST(an_entry_that_differs_in_more_is_another),
        TEST(quantities_are_parameters_where_all_are_taken),
        TEST(a_finding_that_shows_part_of_an_id_is_not_kept),
        TEST(a_finding_that_shows_a_measure_is_not_kept),
        TEST(an_id_that_is_a_secret_is_not_shown),
        TEST(an_id_is_not_shown_as_hidden_elsewhere),
        TEST(equal_ids_are_no_different_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
