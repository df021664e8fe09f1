/* Which proxy a request takes, by variables and lists, and what a run through one looks like. */
#include "probe_peer.h"

#include "probe/proxy.h"

#include <curl/curl.h>

static struct str choose(struct arena *arena, char **variables, const char *url)
{
    struct env env = {.variables = variables};
    const struct url_place place = url_place(arena, str_from(url));
    return proxy_choose(arena, &env, &place, &(struct value){0}).text;
}

static void reads_the_variables_as_other_clients_do(void **state)
{
    (void)state;
    char http[] = "http_proxy=http://lower:1", http_upper[] = "HTTP_PROXY=http://cgi:1";
    char https[] = "https_proxy=http://s:1", https_upper[] = "HTTPS_PROXY=http://S:1";
    char all[] = "all_proxy=socks5://a:1", empty[] = "https_proxy=";
    char except[] = "no_proxy=inside.test", star[] = "NO_PROXY=*";
    const struct {
        char *variables[5];
        const char *url, *proxy;
    } rows[] = {
        {{NULL}, "http://h/", ""},
        {{http}, "http://h/", "http://lower:1"},
        {{http_upper}, "http://h/", ""},
        {{http}, "https://h/", ""},
        {{https_upper}, "https://h/", "http://S:1"},
        {{https_upper, https}, "HTTPS://h/", "http://s:1"},
        {{https_upper, empty}, "https://h/", "http://S:1"},
        {{all}, "https://h/", "socks5://a:1"},
        {{all, https}, "https://h/", "http://s:1"},
        {{https, except}, "https://inside.test/v1", ""},
        {{https, except}, "https://user:pass@api.inside.test:8443/v1", ""},
        {{https, except}, "https://outside.test/v1", "http://s:1"},
        {{https, star}, "https://h/", ""},
        {{https, except, star}, "https://h/", "http://s:1"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str proxy = choose(arena, (char **)(uintptr_t)rows[i].variables, rows[i].url);
        assert_true(str_is_set(proxy));
        assert_true(str_eq(proxy, str_from(rows[i].proxy)));
    }
    arena_free(arena);
}

static struct str configured(struct arena *arena, const struct env *env, const char *proxy)
{
    const struct value value = {.text = str_from(proxy)};
    const struct url_place place = url_place(arena, STR("https://h/"));
    return proxy_choose(arena, env, &place, &value).text;
}

static void the_configured_proxy_beats_the_variables(void **state)
{
    (void)state;
    char https[] = "https_proxy=http://s:1", star[] = "no_proxy=*";
    char *variables[] = {https, star, NULL};
    struct env env = {.variables = variables};
    struct arena *arena = arena_create();
    assert_true(str_eq(configured(arena, &env, "http://own:1"), STR("http://own:1")));
    variables[1] = NULL;
    assert_true(str_eq(configured(arena, &env, ""), STR("")));
    arena_free(arena);
}

static void exempts_names_addresses_and_networks(void **state)
{
    (void)state;
    static const struct {
        const char *host, *list;
        bool is_exempt;
    } rows[] = {
        {"a.test", "a.test", true},
        {"A.TEST", "b.test, a.test", true},
        {"x.a.test", "a.test", true},
        {"x.a.test", ".a.test", true},
        {"a.test", ".a.test", true},
        {"a.test.", "a.test", true},
        {"xa.test", "a.test", false},
        {"a.test", "x.a.test", false},
        {"a.test", "", false},
        {"a.test", " ,, ", false},
        {"a.test", ".", false},
        {"a.test", "b.test c.test\ta.test", true},
        {"10.1.2.3", "10.1.2.3", true},
        {"10.1.2.3", "10.0.0.0/8", true},
        {"11.1.2.3", "10.0.0.0/8", false},
        {"192.168.5.200", "192.168.5.192/27", true},
        {"192.168.5.191", "192.168.5.192/27", false},
        {"1.2.3.4", "0.0.0.0/0", true},
        {"1.2.3.4", "1.2.3.4/33", false},
        {"1.2.3.4", "1.2.3.0/x", false},
        {"[::1]", "::1", true},
        {"[fd00::7]", "fd00::/8", true},
        {"[fd00::7]", "10.0.0.0/8", false},
        {"[::1]", "[::1]", true},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (proxy_is_exempt(arena, str_from(rows[i].host), str_from(rows[i].list)) !=
            rows[i].is_exempt) {
            fail_msg("%s in \"%s\"", rows[i].host, rows[i].list);
        }
    }
    arena_free(arena);
}

static void goes_where_the_variables_of_env_say(void **state)
{
    (void)state;
    struct peer peer = peer_start(1, NULL, NULL);
    struct trial t = trial_create();
    char *variables[] = {
        (char *)(uintptr_t)arena_printf(t.arena, "http_proxy=http://127.0.0.1:%u", peer.ports[0])
            .ptr,
        (char *)(uintptr_t) "no_proxy=127.0.0.1", NULL};
    t.variables = variables;
    trial_add(&t, "chat", STR("http://any.test/ok"));
    trial_add(&t, "chat", STR("http://any.test/status-407"));
    trial_ask(&t, &peer, "chat", "ok");
    trial_ask(&t, &peer, "chat", "ok")->proxy.text = STR("http://127.0.0.1:1");
    trial_run(&t);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(t.observations[i].is_through_proxy, i != 2);
    }
    assert_int_equal(t.observations[0].outcome, OUTCOME_COMPLETE);
    assert_int_equal(t.observations[1].status, 407);
    assert_int_equal(t.observations[2].outcome, OUTCOME_COMPLETE);
    assert_int_equal(t.observations[3].curl_code, CURLE_COULDNT_CONNECT);
    assert_int_equal(t.observations[3].phase, STEP_CONNECT);
    trial_free(&t);
    peer_stop(&peer);
}

static void reads_no_variable_of_the_process(void **state)
{
    (void)state;
    struct peer peer = peer_start(1, NULL, NULL);
    struct trial t = trial_create();
    setenv("http_proxy", "http://127.0.0.1:1", 1);
    setenv("all_proxy", "http://127.0.0.1:1", 1);
    trial_ask(&t, &peer, "chat", "ok");
    trial_run(&t);
    assert_int_equal(t.observations[0].outcome, OUTCOME_COMPLETE);
    assert_false(t.observations[0].is_through_proxy);
    unsetenv("http_proxy");
    unsetenv("all_proxy");
    setenv("no_proxy", "*", 1);
    t.targets[0].proxy.text = STR("http://127.0.0.1:1");
    trial_run(&t);
    assert_int_equal(t.observations[0].curl_code, CURLE_COULDNT_CONNECT);
    unsetenv("no_proxy");
    trial_free(&t);
    peer_stop(&peer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_variables_as_other_clients_do),
        cmocka_unit_test(the_configured_proxy_beats_the_variables),
        cmocka_unit_test(exempts_names_addresses_and_networks),
        cmocka_unit_test(goes_where_the_variables_of_env_say),
        cmocka_unit_test(reads_no_variable_of_the_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
