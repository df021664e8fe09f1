/* pick --wait on a scripted clock: how often it asks, how long it pauses, and when it stops. */
#include "cli_world.h"

#include <cJSON.h>

#define TEST(test) cmocka_unit_test_setup_teardown(test, world_open, world_close)

#define FULL(more)                                                                                 \
    "[[reply]]\n" more "status = 503\n"                                                            \
    "body = '{\"error\":{\"code\":\"server_is_overloaded\",\"message\":\"busy\"}}'\n"
#define HEALTHY "[[reply]]\nhealthy = \"any\"\n"

static void configure(struct world *world, const char *script, const char *fallback)
{
    world_serve(world, script);
    world_write(world, "config.toml",
                arena_printf(world->arena,
                             "[[target]]\nname = \"main\"\nprovider = \"openai\"\n"
                             "base_url = \"http://127.0.0.1:%u/v1\"\nwire = \"chat\"\n"
                             "model = \"a\"\nfallback = [%s]\nkey_env = \"WORLD_KEY\"\n",
                             world->port, fallback));
    world_set(world, "WORLD_KEY=" WORLD_KEY);
}

/* Number of tries in the JSON, of one model or of all. */
static int tries_of(const struct world *world, const char *model)
{
    cJSON *root = cJSON_Parse(world->out), *item;
    int count = 0;
    assert_non_null(root);
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(root, "tries"))
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(item, "model"));
        count += model == NULL || strcmp(name, model) == 0 ? 1 : 0;
    }
    cJSON_Delete(root);
    return count;
}

/* A pause is as long as said, and at most a quarter longer. */
static void assert_pauses(const struct world *world, const int64_t *seconds, size_t count)
{
    assert_int_equal(world->pause_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_in_range(world->pauses_ms[i], seconds[i] * 1000 - 50, seconds[i] * 1250 + 50);
    }
}

static void chain_that_recovers_is_asked_until_then_and_no_more(void **state)
{
    struct world *world = *state;
    configure(world, FULL("model = \"a\"\ntimes = 3\n") FULL("model = \"b\"\n") HEALTHY, "\"b\"");
    assert_int_equal(RUN(world, "pick", "--wait", "--json"), EXIT_FINE);
    assert_has(world->out, "\"picked\": \"a\"");
    assert_int_equal(tries_of(world, "a"), 4);
    assert_int_equal(tries_of(world, "b"), 4);
    assert_pauses(world, (const int64_t[]){2, 4, 8}, 3);
    assert_has(world->errors, "trying again in ");
}

static void single_model_is_asked_in_minutes(void **state)
{
    struct world *world = *state;
    configure(world, FULL("times = 3\n") HEALTHY, "");
    assert_int_equal(RUN(world, "pick", "--wait=20m", "--json"), EXIT_FINE);
    assert_int_equal(tries_of(world, NULL), 4);
    assert_pauses(world, (const int64_t[]){30, 120, 300}, 3);
}

static void the_servers_wait_is_kept(void **state)
{
    struct world *world = *state;
    configure(world,
              FULL("model = \"a\"\ntimes = 1\nheaders = { retry-after = \"45\" }\n")
                  FULL("model = \"b\"\ntimes = 1\nheaders = { retry-after = \"20\" }\n")
                      FULL("model = \"b\"\n") HEALTHY,
              "\"b\"");
    assert_int_equal(RUN(world, "pick", "--wait", "--json"), EXIT_FINE);
    assert_has(world->out, "\"picked\": \"a\"");
    assert_int_equal(tries_of(world, "a"), 2); /* not before its 45 s were over */
    assert_in_range(world->pauses_ms[0], 19900, 25100);
}

static void it_gives_up_in_time(void **state)
{
    struct world *world = *state;
    configure(world, FULL(""), "\"b\"");
    assert_int_equal(RUN(world, "pick", "--wait=10m", "--json"), EXIT_THEIRS);
    assert_true(world->skipped_ms <= 600000);
    assert_true(world->skipped_ms >= 500000);
    for (size_t i = 5; i < world->pause_count; i++) {
        assert_in_range(world->pauses_ms[i], 59900, 75100);
    }
}

static void a_link_that_waiting_does_not_cure_is_asked_once(void **state)
{
    struct world *world = *state;
    configure(world,
              "[[reply]]\nmodel = \"a\"\nstatus = 404\n"
              "body = '{\"error\":{\"code\":\"model_not_found\",\"message\":\"no\"}}'\n"
              "[[reply]]\nwire = \"models\"\nhealthy = \"models\"\n" FULL(
                  "model = \"b\"\ntimes = 2\n") HEALTHY,
              "\"b\"");
    assert_int_equal(RUN(world, "pick", "--wait", "--json"), EXIT_FINE);
    assert_has(world->out, "\"picked\": \"b\"");
    assert_int_equal(tries_of(world, "a"), 1);
    assert_int_equal(tries_of(world, "b"), 3);
}

static void a_quota_ends_it_at_once(void **state)
{
    struct world *world = *state;
    configure(world,
              "[[reply]]\nstatus = 429\n"
              "body = '{\"error\":{\"code\":\"insufficient_quota\",\"message\":\"no\"}}'\n",
              "\"b\"");
    assert_int_equal(RUN(world, "pick", "--wait", "--json"), EXIT_OURS);
    assert_int_equal(tries_of(world, NULL), 2);
    assert_int_equal(world->pause_count, 0);
}

static void without_wait_it_asks_once(void **state)
{
    struct world *world = *state;
    configure(world, FULL(""), "\"b\"");
    assert_int_equal(RUN(world, "pick", "--json"), EXIT_THEIRS);
    assert_int_equal(tries_of(world, NULL), 2);
    assert_int_equal(world->pause_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(chain_that_recovers_is_asked_until_then_and_no_more),
        TEST(single_model_is_asked_in_minutes),
        TEST(the_servers_wait_is_kept),
        TEST(it_gives_up_in_time),
        TEST(a_link_that_waiting_does_not_cure_is_asked_once),
        TEST(a_quota_ends_it_at_once),
        TEST(without_wait_it_asks_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
