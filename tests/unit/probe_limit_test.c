/* How many requests are under way at once. Each test has a server of its own, since that counts
 * over its whole life. */
#include "probe_peer.h"

static void ask_often(struct trial *t, const struct peer *peer, const char *mode, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        trial_ask(t, peer, "chat", mode);
    }
    trial_run(t);
    assert_int_equal(t->plan.request_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(t->observations[i].outcome, OUTCOME_COMPLETE);
    }
}

static void never_more_than_eight_at_one_host(void **state)
{
    (void)state;
    struct peer peer = peer_start(1, NULL, NULL);
    struct trial t = trial_create();
    ask_often(&t, &peer, "gate-8", 30);
    struct str stats = peer_stats(&t, &peer);
    assert_holds(stats, "\"gate-8\": 30");
    assert_holds(stats, "\"in_flight\": 8,");
    trial_free(&t);
    peer_stop(&peer);
}

static void the_second_try_takes_the_place_of_the_first(void **state)
{
    (void)state;
    struct peer peer = peer_start(1, NULL, NULL);
    struct trial t = trial_create();
    t.options.per_host = 2;
    ask_often(&t, &peer, "old-cap-gate-2", 8);
    struct str stats = peer_stats(&t, &peer);
    assert_holds(stats, "\"old-cap-gate-2\": 16");
    assert_holds(stats, "\"in_flight\": 2,");
    trial_free(&t);
    peer_stop(&peer);
}

static void zero_is_no_limit(void **state)
{
    (void)state;
    struct peer peer = peer_start(1, NULL, NULL);
    struct trial t = trial_create();
    t.options.per_host = 0;
    ask_often(&t, &peer, "barrier-30", 30);
    trial_free(&t);
    peer_stop(&peer);
}

static void a_full_host_holds_up_no_other(void **state)
{
    (void)state;
    /* One host is silent until it times out, with more waiting behind; the other answers only when
     * all of its requests and those under way at the first are there. */
    struct peer peer = peer_start(2, NULL, NULL);
    struct trial t = trial_create();
    t.options.timeout_ms = 2000;
    t.options.per_host = 4;
    for (unsigned i = 0; i < 5; i++) {
        trial_add(&t, "chat", arena_printf(t.arena, "http://127.0.0.1:%u/silent", peer.ports[0]));
    }
    for (unsigned i = 0; i < 4; i++) {
        trial_add(&t, "chat",
                  arena_printf(t.arena, "http://127.0.0.1:%u/barrier-8", peer.ports[1]));
    }
    trial_run(&t);
    for (size_t i = 0; i < 9; i++) {
        assert_int_equal(t.observations[i].outcome, i < 5 ? OUTCOME_NONE : OUTCOME_COMPLETE);
    }
    trial_free(&t);
    peer_stop(&peer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_more_than_eight_at_one_host),
        cmocka_unit_test(the_second_try_takes_the_place_of_the_first),
        cmocka_unit_test(zero_is_no_limit),
        cmocka_unit_test(a_full_host_holds_up_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
