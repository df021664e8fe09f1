/* The probe against a server that does everything wrong: what is observed of each failure, and that
 * neither bytes nor time nor other targets can be taken from us. */
#include "probe_peer.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <errno.h>
#include <sys/socket.h>

static struct peer peer;

static int start(void **state)
{
    (void)state;
    peer = peer_start(12, NULL, NULL);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    peer_stop(&peer);
    return 0;
}

/* A port that nobody listens on: bound, and never listened to, until the socket is closed. */
static unsigned closed_port(int *fd)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    *fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(*fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(getsockname(*fd, (struct sockaddr *)&address, &size), 0);
    return ntohs(address.sin_port);
}

static void assert_transport(const struct observation *o, int code, int os_errno, enum step phase)
{
    assert_int_equal(o->kind, OBSERVATION_TRANSPORT);
    assert_int_equal(o->curl_code, code);
    assert_int_equal(o->os_errno, os_errno);
    assert_int_equal(o->phase, phase);
    assert_int_equal(o->status, 0);
    assert_int_equal(o->outcome, OUTCOME_NONE);
    assert_true(o->step_ms[STEP_ANSWER] == -1);
    assert_true(phase == STEP_CONFIG || o->step_ms[phase] >= 0);
}

static void names_the_step_at_which_a_connection_failed(void **state)
{
    (void)state;
    struct trial t = trial_create();
    int fd;
    trial_ask(&t, &peer, "chat", "reset");
    trial_ask(&t, &peer, "chat", "close");
    trial_ask(&t, &peer, "chat", "garbage");
    trial_add(&t, "chat", arena_printf(t.arena, "http://127.0.0.1:%u", closed_port(&fd)));
    trial_add(&t, "chat",
              STR("http://a.label.that.is.longer.than.any.name.server.knows."
                  "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx/"
                  "v1"));
    trial_run(&t);
    struct observation *o = t.observations;
    assert_transport(&o[0], CURLE_RECV_ERROR, ECONNRESET, STEP_HTTP);
    assert_transport(&o[1], CURLE_GOT_NOTHING, 0, STEP_HTTP);
    assert_transport(&o[2], CURLE_UNSUPPORTED_PROTOCOL, 0, STEP_HTTP);
    assert_transport(&o[3], CURLE_COULDNT_CONNECT, ECONNREFUSED, STEP_CONNECT);
    assert_transport(&o[4], CURLE_COULDNT_RESOLVE_HOST, 0, STEP_DNS);
    assert_true(o[4].step_ms[STEP_CONNECT] == -1);
    assert_true(str_starts(o[0].address, STR("127.0.0.1:")));
    close(fd);
    trial_free(&t);
}

static void silence_is_a_timeout_also_behind_an_interim_answer(void **state)
{
    (void)state;
    struct trial t = trial_create();
    t.options.timeout_ms = 1000;
    trial_ask(&t, &peer, "chat", "silent");
    trial_ask(&t, &peer, "responses", "interim");
    trial_run(&t);
    for (size_t i = 0; i < 2; i++) {
        assert_transport(&t.observations[i], CURLE_OPERATION_TIMEDOUT, 0, STEP_HTTP);
    }
    trial_free(&t);
}

/* A listener whose queue is full: the system answers no further connect. */
static void a_connect_that_hangs_is_no_silent_server(void **state)
{
    (void)state;
    struct trial t = trial_create();
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    int fds[5];
    unsigned port = closed_port(&fds[0]);
    assert_int_equal(getsockname(fds[0], (struct sockaddr *)&address, &size), 0);
    assert_int_equal(listen(fds[0], 0), 0);
    for (size_t i = 1; i < 5; i++) {
        fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(fds[i], (struct sockaddr *)&address, size);
    }
    t.options.timeout_ms = 5000;
    t.options.connect_timeout_ms = 300;
    trial_add(&t, "chat", arena_printf(t.arena, "http://127.0.0.1:%u/v1", port));
    trial_add(&t, "chat", arena_printf(t.arena, "https://127.0.0.1:%u/v1", port));
    trial_run(&t);
    assert_transport(&t.observations[0], CURLE_OPERATION_TIMEDOUT, ETIMEDOUT, STEP_CONNECT);
    assert_transport(&t.observations[1], CURLE_OPERATION_TIMEDOUT, ETIMEDOUT, STEP_CONNECT);
    for (size_t i = 0; i < 5; i++) {
        close(fds[i]);
    }
    trial_free(&t);
}

static void a_connection_used_again_does_not_blur_the_step(void **state)
{
    (void)state;
    struct trial t = trial_create();
    t.options.per_host = 1;
    t.options.timeout_ms = 1000;
    trial_ask(&t, &peer, "chat", "gate-0");
    trial_ask(&t, &peer, "chat", "silent");
    trial_run(&t);
    assert_int_equal(t.observations[0].outcome, OUTCOME_COMPLETE);
    assert_transport(&t.observations[1], CURLE_OPERATION_TIMEDOUT, 0, STEP_HTTP);
    trial_free(&t);
}

static void never_sends_to_a_url_that_is_none(void **state)
{
    (void)state;
    static const char *const urls[] = {"", "127.0.0.1:%u/ok", "http://", "http://127.0.0.1:99999",
                                       "nonsense"};
    struct trial t = trial_create();
    for (size_t i = 0; i < sizeof urls / sizeof urls[0]; i++) {
        trial_add(&t, "chat", str_from(urls[i]));
    }
    t.targets[1].base_url.text = arena_printf(t.arena, "127.0.0.1:%u/ok", peer.ports[0]);
    trial_add(&t, "chat", STR("ftp://127.0.0.1/v1"));
    trial_run(&t);
    assert_int_equal(t.plan.request_count, 6);
    for (size_t i = 0; i < 5; i++) {
        assert_transport(&t.observations[i], CURLE_URL_MALFORMAT, 0, STEP_CONFIG);
        assert_true(str_eq(t.plan.requests[i].place.host, STR("unusable URL")));
    }
    assert_transport(&t.observations[5], CURLE_UNSUPPORTED_PROTOCOL, 0, STEP_CONFIG);
    assert_int_equal(str_find(peer_stats(&t, &peer), STR("\"ok\"")), -1);
    trial_free(&t);
}

static void keeps_what_came_of_an_answer_that_broke_off(void **state)
{
    (void)state;
    struct trial t = trial_create();
    trial_ask(&t, &peer, "responses", "chunk-cut");
    trial_ask(&t, &peer, "chat", "length-cut");
    trial_ask(&t, &peer, "responses", "stream-cut");
    trial_run(&t);
    for (size_t i = 0; i < 3; i++) {
        const struct observation *o = &t.observations[i];
        assert_int_equal(o->kind, OBSERVATION_HTTP);
        assert_int_equal(o->status, 200);
        assert_int_equal(o->outcome, OUTCOME_TRUNCATED);
        assert_int_equal(o->phase, STEP_ANSWER);
        assert_int_equal(o->curl_code, i < 2 ? CURLE_PARTIAL_FILE : CURLE_OK);
        assert_true(o->body.len > 0);
        assert_false(o->is_body_cut);
    }
    assert_true(str_eq(t.observations[0].served_model, STR("m-served")));
    trial_free(&t);
}

static void drips_end_with_the_time_they_were_given(void **state)
{
    (void)state;
    struct trial t = trial_create();
    t.options.timeout_ms = 1000;
    trial_ask(&t, &peer, "responses", "header-drip");
    trial_ask(&t, &peer, "responses", "body-drip");
    trial_run(&t);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(t.observations[i].kind, OBSERVATION_HTTP);
        assert_int_equal(t.observations[i].curl_code, CURLE_OPERATION_TIMEDOUT);
        assert_int_equal(t.observations[i].outcome, OUTCOME_TRUNCATED);
    }
    trial_free(&t);
}

static void endless_bytes_are_cut_at_their_bounds(void **state)
{
    (void)state;
    struct trial t = trial_create();
    trial_ask(&t, &peer, "responses", "body-huge");
    trial_ask(&t, &peer, "chat", "body-endless");
    trial_ask(&t, &peer, "chat", "header-flood");
    trial_ask(&t, &peer, "chat", "header-long");
    trial_ask(&t, &peer, "chat", "header-many");
    trial_run(&t);
    struct observation *o = t.observations;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(o[i].body.len, 64 * 1024);
        assert_true(o[i].is_body_cut);
        assert_int_equal(o[i].curl_code, CURLE_OK);
    }
    assert_int_equal(o[0].outcome, OUTCOME_CAPPED);
    assert_int_equal(o[1].outcome, OUTCOME_NOT_API);
    for (size_t i = 2; i < 4; i++) {
        assert_int_equal(o[i].kind, OBSERVATION_HTTP);
        assert_int_equal(o[i].curl_code, CURLE_WEIRD_SERVER_REPLY);
        assert_int_equal(o[i].outcome, OUTCOME_TRUNCATED);
        assert_true(o[i].header_count <= 100);
    }
    assert_int_equal(o[4].outcome, OUTCOME_COMPLETE);
    assert_int_equal(o[4].header_count, 100);
    trial_free(&t);
}

static void an_interim_answer_is_not_the_answer(void **state)
{
    (void)state;
    struct trial t = trial_create();
    trial_ask(&t, &peer, "chat", "hints");
    trial_run(&t);
    assert_int_equal(t.observations[0].status, 200);
    assert_int_equal(t.observations[0].outcome, OUTCOME_COMPLETE);
    assert_false(str_is_set(observation_header(&t.observations[0], STR("x-interim"))));
    trial_free(&t);
}

static void hangs_up_when_a_stream_is_over(void **state)
{
    (void)state;
    /* The server keeps both open: without hanging up these would be timeouts. */
    struct trial t = trial_create();
    t.options.timeout_ms = 5000;
    trial_ask(&t, &peer, "responses", "stream-open");
    trial_ask(&t, &peer, "responses", "stream-pieces");
    trial_run(&t);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(t.observations[i].curl_code, CURLE_OK);
        assert_int_equal(t.observations[i].outcome, OUTCOME_COMPLETE);
        assert_true(str_eq(t.observations[i].request_id, STR("resp_1")));
    }
    trial_free(&t);
}

static void a_redirect_is_seen_and_not_followed(void **state)
{
    (void)state;
    struct trial t = trial_create();
    trial_ask(&t, &peer, "chat", "redirect");
    trial_run(&t);
    assert_int_equal(t.observations[0].status, 302);
    assert_holds(observation_header(&t.observations[0], STR("location")), "/leak/");
    assert_holds(peer_stats(&t, &peer), "\"leaks\": []");
    trial_free(&t);
}

static void all_ports_are_asked_at_once(void **state)
{
    (void)state;
    /* Each of the twelve answers only when all twelve have come; failures stand between them. */
    struct trial t = trial_create();
    for (unsigned i = 0; i < 12; i++) {
        trial_add(&t, "chat", arena_printf(t.arena, "http://127.0.0.1:%u/reset", peer.ports[i]));
        trial_add(&t, "chat",
                  arena_printf(t.arena, "http://127.0.0.1:%u/barrier-12", peer.ports[i]));
    }
    trial_run(&t);
    assert_int_equal(t.plan.request_count, 24);
    for (size_t i = 0; i < 24; i++) {
        assert_int_equal(t.observations[i].outcome, i % 2 ? OUTCOME_COMPLETE : OUTCOME_NONE);
        assert_ptr_equal(t.observations[i].target, &t.targets[i]);
    }
    trial_free(&t);
}

static void asks_again_with_the_old_cap_just_once(void **state)
{
    (void)state;
    struct trial t = trial_create();
    trial_ask(&t, &peer, "chat", "old-cap");
    trial_ask(&t, &peer, "chat", "no-cap");
    trial_run(&t);
    assert_int_equal(t.observations[0].outcome, OUTCOME_COMPLETE);
    assert_true(str_eq(t.observations[0].served_model, STR("old-16")));
    assert_int_equal(t.observations[1].status, 400);
    assert_int_equal(t.observations[1].outcome, OUTCOME_FAILED);
    struct str stats = peer_stats(&t, &peer);
    assert_holds(stats, "\"old-cap\": 2");
    assert_holds(stats, "\"no-cap\": 2");
    trial_free(&t);
}

static void reads_waits_and_clock_from_the_server(void **state)
{
    (void)state;
    struct trial t = trial_create();
    trial_ask(&t, &peer, "chat", "dated");
    trial_ask(&t, &peer, "chat", "ok");
    trial_ask(&t, &peer, "chat", "timely");
    trial_run(&t);
    assert_true(t.observations[0].retry_after_ms == 30000);
    assert_true(t.observations[0].has_date_skew);
    assert_true(t.observations[0].date_skew_ms == 5900);
    assert_true(t.observations[0].started_ms == NOW_MS);
    assert_true(t.observations[1].retry_after_ms == -1);
    assert_false(t.observations[1].has_date_skew);
    assert_true(t.observations[2].has_date_skew);
    assert_true(t.observations[2].date_skew_ms == 0);
    for (enum step step = STEP_DNS; step <= STEP_ANSWER; step++) {
        bool is_network = step != STEP_TLS && step != STEP_AUTH && step != STEP_MODEL;
        assert_int_equal(t.observations[1].step_ms[step] >= 0, is_network);
    }
    trial_free(&t);
}

static void a_long_list_of_models_proves_a_key(void **state)
{
    (void)state;
    struct trial t = trial_create();
    const struct free_request models = {.path = STR("/models")},
                              refused = {.path = STR("/status-401")};
    struct free_wish wishes[3] = {{.form = &models}, {.form = NULL}, {.form = &refused}};
    for (size_t i = 0; i < 3; i++) {
        wishes[i].target = trial_add(&t, "no such wire",
                                     arena_printf(t.arena, "http://127.0.0.1:%u", peer.ports[0]));
    }
    probe_plan_free(t.arena, wishes, 3, &t.plan);
    assert_int_equal(t.plan.request_count, 2);
    assert_int_equal(t.plan.token_bound, 0);
    trial_run_plan(&t, NULL, NULL);
    assert_true(t.observations[0].is_body_cut);
    assert_int_equal(t.observations[0].outcome, OUTCOME_COMPLETE);
    assert_int_equal(t.observations[1].status, 401);
    assert_int_equal(t.plan.requests[1].target_indices[0], 2);
    trial_free(&t);
}

static void count_progress(void *context, size_t done, size_t total,
                           const struct observation *observation)
{
    size_t *calls = context;
    assert_non_null(observation->target);
    assert_int_equal(done, ++*calls);
    assert_int_equal(total, 3);
}

static void tells_about_each_request_that_ended(void **state)
{
    (void)state;
    struct trial t = trial_create();
    const struct target *list[3] = {trial_ask(&t, &peer, "chat", "ok"),
                                    trial_ask(&t, &peer, "chat", "reset"),
                                    trial_add(&t, "chat", STR("nonsense"))};
    size_t calls = 0;
    probe_plan(t.arena, list, 3, &t.plan);
    trial_run_plan(&t, count_progress, &calls);
    assert_int_equal(calls, 3);
    t.plan = (struct plan){0};
    trial_run_plan(&t, NULL, NULL);
    trial_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_step_at_which_a_connection_failed),
        cmocka_unit_test(silence_is_a_timeout_also_behind_an_interim_answer),
        cmocka_unit_test(a_connect_that_hangs_is_no_silent_server),
        cmocka_unit_test(a_connection_used_again_does_not_blur_the_step),
        cmocka_unit_test(never_sends_to_a_url_that_is_none),
        cmocka_unit_test(keeps_what_came_of_an_answer_that_broke_off),
        cmocka_unit_test(drips_end_with_the_time_they_were_given),
        cmocka_unit_test(endless_bytes_are_cut_at_their_bounds),
        cmocka_unit_test(an_interim_answer_is_not_the_answer),
        cmocka_unit_test(hangs_up_when_a_stream_is_over),
        cmocka_unit_test(a_redirect_is_seen_and_not_followed),
        cmocka_unit_test(all_ports_are_asked_at_once),
        cmocka_unit_test(asks_again_with_the_old_cap_just_once),
        cmocka_unit_test(reads_waits_and_clock_from_the_server),
        cmocka_unit_test(a_long_list_of_models_proves_a_key),
        cmocka_unit_test(tells_about_each_request_that_ended),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
