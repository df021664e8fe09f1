/* Parts of URLs, also of odd ones. */
#include "triage_fixture.h"

#include "triage/place.h"

static const struct {
    const char *url, *authority, *host, *port;
    bool is_address, is_plain;
} rows[] = {
    {"https://api.a.example/v1", "api.a.example", "api.a.example", "443", false, false},
    {"http://user:p%40w@h:8080/x@y", "h:8080", "h", "8080", false, true},
    {"https://[2001:db8::1]:8443/v1", "[2001:db8::1]:8443", "2001:db8::1", "8443", true, false},
    {"http://[::1]", "[::1]", "::1", "80", true, true},
    {"HTTP://10.0.0.1?x=/", "10.0.0.1", "10.0.0.1", "80", true, true},
    {"proxy.example:3128", "proxy.example:3128", "proxy.example", "3128", false, false},
    {"https://a.example:/v1", "a.example:", "a.example", "443", false, false},
    {"https://[broken", "[broken", "[broken", "443", false, false},
    {"", "", "", "443", false, false},
};

static void urls_come_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str url = str_from(rows[i].url);
        assert_str(place_authority(url), rows[i].authority);
        assert_str(place_host(url), rows[i].host);
        assert_str(place_port(url), rows[i].port);
        assert_int_equal(place_is_address(place_host(url)), rows[i].is_address);
        assert_int_equal(place_is_plain_http(url), rows[i].is_plain);
    }
}

static void a_proxy_is_the_place_when_it_was_between(void **state)
{
    (void)state;
    struct run *run = run_open();
    struct result *result = run_add_answer(run, "m", 0, "connection_refused");
    run->targets[0].proxy.text = STR("http://u:p@proxy.example:3128");
    assert_str(place_of_result(result), "a.example");
    run->observations[0].is_through_proxy = true;
    assert_str(place_of_result(result), "proxy.example:3128");
    result->target = NULL;
    assert_false(str_is_set(place_of_result(result)));
    run_close(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(urls_come_apart),
        cmocka_unit_test(a_proxy_is_the_place_when_it_was_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
