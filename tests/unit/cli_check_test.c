/* check --retry on a scripted clock: what it asks again, how long it waits, and when it stops. */
#include "cli_world.h"

/* One target at the scripted provider. */
static void open_check(struct world *world, const char *script)
{
    world_serve(world, script);
    world_set(world, "MY_KEY=" WORLD_KEY);
    world_write(world, "config.toml",
                arena_printf(world->arena,
                             "[[target]]\nbase_url = \"http://127.0.0.1:%u/v1\"\nwire = \"chat\"\n"
                             "model = \"m\"\nkey_env = \"MY_KEY\"\n",
                             world->port));
}

#define LIMITED(times, header)                                                                     \
    "[[reply]]\nmethod = \"GET\"\ntimes = " times "\nstatus = 429\n" header                        \
    "body = '{\"error\":{\"message\":\"Rate limit reached\",\"code\":\"rate_limit_exceeded\"}}'\n"
#define GOOD "[[reply]]\nmethod = \"GET\"\nbody = '{\"data\":[{\"id\":\"m\"}]}'\n"

static void waits_as_long_as_the_server_says(void **state)
{
    struct world *world = *state;
    open_check(world, LIMITED("1", "headers = { retry-after = \"42\" }\n") GOOD);
    assert_int_equal(RUN(world, "check", "--json", "--retry", "3"), EXIT_FINE);
    assert_int_equal(world->pause_count, 1);
    assert_int_equal(world->pauses_ms[0], 42000);
    assert_has(world->out, "\"status\": \"ok\"");
    assert_has(world->out, "\"tries\": 2");
    assert_has(world->errors, "asking again in 42 s");
}

static void waits_longer_each_time_where_nobody_says(void **state)
{
    struct world *world = *state;
    open_check(world, LIMITED("9", ""));
    assert_int_equal(RUN(world, "check", "--json", "--retry", "7"), EXIT_THEIRS);
    static const int64_t seconds[] = {2, 4, 8, 16, 32, 60, 60};
    assert_int_equal(world->pause_count, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(world->pauses_ms[i], seconds[i] * 1000);
    }
    assert_has(world->out, "\"tries\": 8");
    assert_has(world->out, "\"diagnosis\": \"rate_limit\"");
}

static void asks_nobody_again_who_wants_hours(void **state)
{
    struct world *world = *state;
    open_check(world, LIMITED("9", "headers = { retry-after = \"7200\" }\n"));
    assert_int_equal(RUN(world, "check", "--json", "--retry", "3"), EXIT_THEIRS);
    assert_int_equal(world->pause_count, 0);
    assert_has(world->out, "\"tries\": 1");
}

static void asks_only_what_may_pass(void **state)
{
    struct world *world = *state;
    open_check(world, "[[reply]]\nstatus = 401\nbody = '{\"error\":{\"code\":\"invalid_api_key\","
                      "\"message\":\"Incorrect API key provided\"}}'\n");
    assert_int_equal(RUN(world, "check", "--json", "--retry", "3"), EXIT_OURS);
    assert_int_equal(world->pause_count, 0);
}

static void counts_retries_in_the_budget(void **state)
{
    struct world *world = *state;
    open_check(world, LIMITED("9", ""));
    assert_int_equal(RUN(world, "check", "--json", "--retry", "5", "--budget", "3"), EXIT_THEIRS);
    assert_int_equal(world->pause_count, 2);
    assert_has(world->out, "\"requests\": 3");
}

static void asks_models_again_as_well(void **state)
{
    struct world *world = *state;
    open_check(world,
               GOOD "[[reply]]\ntimes = 1\nstatus = 503\nbody = "
                    "'{\"error\":{\"code\":\"server_is_overloaded\",\"message\":\"full\"}}'\n"
                    "[[reply]]\nhealthy = \"chat\"\n");
    assert_int_equal(RUN(world, "check", "--json", "--live", "--retry", "1"), EXIT_FINE);
    assert_int_equal(world->pause_count, 1);
    assert_has(world->out, "\"requests\": 3");
}

static void options_are_read_strictly(void **state)
{
    struct world *world = *state;
    static const char *const wrong[] = {"101%", "-1", "ten", "%", "nan"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(RUN(world, "check", "--min-headroom", wrong[i]), EXIT_USAGE);
        assert_has(world->errors, "--min-headroom takes a percentage");
    }
    assert_int_equal(RUN(world, "check", "--retry", "21"), EXIT_USAGE);
    assert_int_equal(RUN(world, "check", "--budget", "-1"), EXIT_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(waits_as_long_as_the_server_says, world_open, world_close),
        cmocka_unit_test_setup_teardown(waits_longer_each_time_where_nobody_says, world_open,
                                        world_close),
        cmocka_unit_test_setup_teardown(asks_nobody_again_who_wants_hours, world_open, world_close),
        cmocka_unit_test_setup_teardown(asks_only_what_may_pass, world_open, world_close),
        cmocka_unit_test_setup_teardown(counts_retries_in_the_budget, world_open, world_close),
        cmocka_unit_test_setup_teardown(asks_models_again_as_well, world_open, world_close),
        cmocka_unit_test_setup_teardown(options_are_read_strictly, world_open, world_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
