/* Keys: they reach the request as the provider wants them, and nothing that is observed. The server
 * sends back all that it got. */
#include "probe_peer.h"

#include <curl/curl.h>

static struct peer peer;

static int start(void **state)
{
    (void)state;
    peer = peer_start(1, NULL, NULL);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    peer_stop(&peer);
    return 0;
}

static void assert_hidden(const struct observation *o, const char *secret)
{
    assert_int_equal(str_find(o->body, str_from(secret)), -1);
    assert_int_equal(str_find(o->request_id, str_from(secret)), -1);
    assert_int_equal(str_find(o->served_model, str_from(secret)), -1);
    for (size_t i = 0; i < o->header_count; i++) {
        assert_int_equal(str_find(o->headers[i].value, str_from(secret)), -1);
        assert_int_equal(str_find(o->headers[i].name, str_from(secret)), -1);
    }
}

static void the_key_is_sent_and_not_seen(void **state)
{
    (void)state;
    static const struct {
        const char *wire, *header, *prefix;
    } rows[] = {
        {"responses", "Authorization", "Bearer "},
        {"chat", "api-key", ""},
        {"messages", "x-api-key", ""},
        {"chat", "X-Odd-Place", "Token="},
    };
    struct trial t = trial_create();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct target *target = trial_ask(&t, &peer, rows[i].wire, "echo");
        target->auth_header = str_from(rows[i].header);
        target->auth_prefix = str_from(rows[i].prefix);
    }
    trial_run(&t);
    for (size_t i = 0; i < t.count; i++) {
        assert_int_equal(t.observations[i].status, 401);
        assert_holds(t.observations[i].body, rows[i].header);
        assert_holds(observation_header(&t.observations[i], STR("x-fingerprints")),
                     t.targets[i].key.fingerprint);
        assert_hidden(&t.observations[i], KEY);
    }
    trial_free(&t);
}

static void cookies_keep_their_names_only(void **state)
{
    (void)state;
    struct trial t = trial_create();
    trial_ask(&t, &peer, "chat", "echo");
    trial_run(&t);
    assert_true(
        str_eq(observation_header(&t.observations[0], STR("set-cookie")), STR("session=[masked]")));
    trial_free(&t);
}

static void other_secrets_are_hidden_by_the_callers_mask(void **state)
{
    (void)state;
    static const char other[] = "other-secret-value";
    struct trial t = trial_create();
    struct header header = {STR("x-team-token"), STR("other-secret-value")};
    struct secret secret = secret_create(t.arena, header.value);
    struct target *target = trial_ask(&t, &peer, "chat", "echo");
    target->headers = &header;
    target->header_count = 1;
    t.mask = (struct mask){.secrets = &secret, .secret_count = 1};
    trial_run(&t);
    assert_holds(t.observations[0].body, "x-team-token: [key ");
    assert_hidden(&t.observations[0], other);
    assert_hidden(&t.observations[0], KEY);
    trial_free(&t);
}

static void a_key_cut_by_the_bound_is_cut_off(void **state)
{
    (void)state;
    struct trial t = trial_create();
    trial_ask(&t, &peer, "chat", "split-key");
    trial_run(&t);
    assert_true(t.observations[0].is_body_cut);
    assert_true(t.observations[0].body.len > 60000);
    assert_hidden(&t.observations[0], "sk-test");
    trial_free(&t);
}

static void a_key_that_breaks_a_header_is_not_sent(void **state)
{
    (void)state;
    static const struct str keys[] = {STR_INIT(KEY "\r\nX-Evil: 1"), STR_INIT(KEY "\n"),
                                      STR_INIT(KEY "\x01"), STR_INIT("\x7f" KEY)};
    struct trial t = trial_create();
    struct header bad = {STR("x-a"), STR("1\r\nX-Evil: 1")};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        trial_ask(&t, &peer, "chat", "ok")->key = secret_create(t.arena, keys[i]);
    }
    struct target *target = trial_ask(&t, &peer, "chat", "ok");
    target->headers = &bad;
    target->header_count = 1;
    trial_run(&t);
    for (size_t i = 0; i < t.count; i++) {
        assert_int_equal(t.observations[i].kind, OBSERVATION_TRANSPORT);
        assert_int_equal(t.observations[i].curl_code, CURLE_BAD_FUNCTION_ARGUMENT);
        assert_int_equal(t.observations[i].phase, STEP_CONFIG);
    }
    assert_int_equal(str_find(peer_stats(&t, &peer), STR("\"ok\"")), -1);
    trial_free(&t);
}

static void sends_its_own_name_and_what_the_target_adds(void **state)
{
    (void)state;
    struct trial t = trial_create();
    struct header headers[] = {
        {STR("anthropic-version"), STR("2023-06-01")},
        {STR("authorization"), STR("Basic mine-and-not-yours")},
        {STR("x-empty"), STR("")},
    };
    struct target *target = trial_ask(&t, &peer, "messages", "echo");
    target->headers = headers;
    target->header_count = 3;
    target->query = STR("api-version=1");
    trial_run(&t);
    struct str body = t.observations[0].body;
    assert_holds(body, "POST /echo/v1/messages?api-version=1 HTTP/1.1");
    assert_holds(body, "User-Agent: diagnose/" DIAGNOSE_VERSION);
    assert_holds(body, "Content-Type: application/json");
    assert_holds(body, "anthropic-version: 2023-06-01");
    assert_holds(body, "x-empty:");
    assert_int_equal(str_find(body, STR("Authorization")), -1);
    assert_holds(body, "authorization: Basic [key ");
    assert_hidden(&t.observations[0], "mine-and-not-yours");
    assert_holds(body, "max_tokens\\\":1");
    trial_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_key_is_sent_and_not_seen),
        cmocka_unit_test(cookies_keep_their_names_only),
        cmocka_unit_test(other_secrets_are_hidden_by_the_callers_mask),
        cmocka_unit_test(a_key_cut_by_the_bound_is_cut_off),
        cmocka_unit_test(a_key_that_breaks_a_header_is_not_sent),
        cmocka_unit_test(sends_its_own_name_and_what_the_target_adds),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
