/* Pasted text, HTTP dumps and NDJSON lines as observations. */
#include "input/input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static int set_up(void **state)
{
    *state = arena_create();
    return 0;
}

static int tear_down(void **state)
{
    arena_free(*state);
    return 0;
}

static struct observation paste(struct arena *arena, const char *text)
{
    struct mask mask = {0};
    return input_paste(arena, &mask, str_from(text), INPUT_AUTO);
}

static void is(struct str have, const char *want)
{
    if (!str_eq(have, str_from(want))) {
        fail_msg("\"%.*s\" is not \"%s\"", STR_ARG(have), want);
    }
}

static void plain_text_stays_text(void **state)
{
    struct observation o = paste(*state, "API Error: 529 {\"type\":\"error\"}\nHTTP 529");
    assert_int_equal(o.kind, OBSERVATION_TEXT);
    is(o.body, "API Error: 529 {\"type\":\"error\"}\nHTTP 529");
    assert_int_equal(o.status, 0);
    assert_int_equal(o.retry_after_ms, -1);
    assert_int_equal(o.origin.line, 1);
    o = paste(*state, "one\ntwo\nthree\nfour\nfive\nHTTP/1.1 503 Service Unavailable\n\nbody");
    assert_int_equal(o.kind, OBSERVATION_TEXT);
    assert_int_equal(paste(*state, "").kind, OBSERVATION_TEXT);
}

static void curl_i_is_read(void **state)
{
    struct observation o =
        paste(*state, "$ curl -i https://api.x/v1\r\nHTTP/1.1 429 Too Many "
                      "Requests\r\nContent-Type: application/json\r\n"
                      "Retry-After:  20\r\nx-empty:\r\n\r\n{\"error\":\n{}}\r\n");
    assert_int_equal(o.kind, OBSERVATION_HTTP);
    assert_int_equal(o.status, 429);
    assert_int_equal(o.header_count, 3);
    is(observation_header(&o, STR("retry-after")), "20");
    is(observation_header(&o, STR("x-empty")), "");
    is(o.body, "{\"error\":\n{}}\n");
    assert_int_equal(o.phase, STEP_ANSWER);
    o = paste(*state, "--2026--  http://x/\n  HTTP/1.1 429 Too Many Requests\n  Retry-After: 5\n");
    assert_int_equal(o.status, 429);
    is(observation_header(&o, STR("retry-after")), "5");
    o = paste(*state, "HTTP/2 503 \nserver: x\n\n");
    assert_int_equal(o.status, 503);
    is(o.body, "");
}

static void of_several_answers_the_last_counts(void **state)
{
    struct observation o =
        paste(*state, "HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
                      "HTTP/2 301\r\nlocation: /x\r\n\r\n<html>moved</html>\nHTTP/2 401\r\nserver: "
                      "y\r\n\r\nno\n");
    assert_int_equal(o.status, 401);
    assert_int_equal(o.header_count, 1);
    is(o.body, "no\n");
}

static void curl_v_is_read(void **state)
{
    struct observation o =
        paste(*state, "*   Trying 127.0.0.1:1...\n* Connected to x (127.0.0.1) port 1 (#0)\n> POST "
                      "/v1/chat HTTP/1.1\n> Host: x\n> \n"
                      "} [12 bytes data]\n< HTTP/1.1 503 Service Unavailable\n< Retry-After: 3\n< "
                      "\n{ [20 bytes data]\n"
                      "{\"error\":1}\n* Connection #0 to host x left intact\ncurl: (18) transfer "
                      "closed with outstanding read data remaining\n");
    assert_int_equal(o.kind, OBSERVATION_HTTP);
    assert_int_equal(o.status, 503);
    is(observation_header(&o, STR("retry-after")), "3");
    is(o.body, "{\"error\":1}\n");
    assert_int_equal(o.curl_code, 18);
    assert_false(o.is_through_proxy);
}

static void a_refused_connect_is_a_transport_failure(void **state)
{
    struct observation o =
        paste(*state, "* Establish HTTP proxy tunnel to api.x:443\n> CONNECT api.x:443 HTTP/1.1\n> "
                      "Host: api.x:443\n> \n"
                      "< HTTP/1.1 407 Proxy Authentication Required\n< Proxy-Authenticate: "
                      "Basic\n< \n* CONNECT tunnel failed, response 407\n"
                      "curl: (56) CONNECT tunnel failed, response 407\n");
    assert_int_equal(o.kind, OBSERVATION_TRANSPORT);
    assert_int_equal(o.proxy_status, 407);
    assert_int_equal(o.status, 0);
    assert_int_equal(o.curl_code, 56);
    assert_int_equal(o.phase, STEP_CONNECT);
    assert_true(o.is_through_proxy);
    o = paste(*state, "> CONNECT api.x:443 HTTP/1.1\n> \n< HTTP/1.1 200 Connection established\n< "
                      "\n> GET / HTTP/1.1\n> \n< HTTP/1.1 401 Unauthorized\n< \nno\n");
    assert_int_equal(o.kind, OBSERVATION_HTTP);
    assert_int_equal(o.status, 401);
    assert_int_equal(o.proxy_status, 0);
    assert_true(o.is_through_proxy);
}

static void a_head_without_end_is_no_empty_answer(void **state)
{
    struct observation o = paste(
        *state, "*   Trying 198.51.100.7:443...\n* Connected to api.openai.com\n< HTTP/2 200");
    assert_int_equal(o.kind, OBSERVATION_TEXT);
    struct mask mask = {0};
    o = input_paste(*state, &mask, STR("HTTP/1.1 200 OK\nserver: x"), INPUT_HTTP);
    assert_int_equal(o.kind, OBSERVATION_HTTP);
    o = input_paste(*state, &mask, STR("HTTP/1.1 503 X\n\n"), INPUT_TEXT);
    assert_int_equal(o.kind, OBSERVATION_TEXT);
}

static void what_is_pasted_is_repaired_masked_and_bounded(void **state)
{
    const struct str prefixes[] = {STR_INIT("sk-")};
    struct mask mask = {.key_prefixes = prefixes, .prefix_count = 1};
    struct observation o = input_paste(*state, &mask,
                                       STR("\xEF\xBB\xBF"
                                           "bad \xff\xfe key sk-abcdefghijklmnop1234 nul \0 end"),
                                       INPUT_AUTO);
    is(o.body, "bad \xEF\xBF\xBD\xEF\xBF\xBD key [masked] nul   end");
    o = input_paste(*state, &mask,
                    STR("\xff\xfe"
                        "4\0"
                        "2\0"
                        "\x60\x4f"
                        "\x3d\xd8\x00\xde"),
                    INPUT_AUTO);
    is(o.body, "42你😀");
    o = input_paste(*state, &mask,
                    STR("\xff\xfe\x3d\xd8"
                        "4\0"),
                    INPUT_AUTO);
    is(o.body, "\xEF\xBF\xBD"
               "4");
    size_t size = 200000;
    char *text = arena_alloc(*state, size + 1);
    for (size_t i = 0; i < size; i++) {
        text[i] = i % 100 == 99 ? '\n' : 'x';
    }
    memcpy(text + size - 10, "the error\n", 10);
    o = input_paste(*state, &mask, (struct str){text, size}, INPUT_AUTO);
    assert_true(o.is_body_cut);
    assert_true(o.body.len <= 65536 && o.body.len > 65000);
    assert_true(str_ends(o.body, STR("the error\n")));
    assert_int_equal(o.origin.line, (size - o.body.len) / 100 + 1);
    memcpy(text, "HTTP/1.1 500 X\n\nfront", 21);
    o = input_paste(*state, &mask, (struct str){text, size}, INPUT_AUTO);
    assert_true(o.is_body_cut && str_starts(o.body, STR("front")));
}

static void an_ndjson_line_becomes_an_observation(void **state)
{
    struct mask mask = {0};
    struct observation o;
    struct str id, error;
    assert_true(input_ndjson(*state, &mask,
                             STR("{\"id\":{\"a\":[1,\"\\u0001\\\"\",null,true,1.5]},\"kind\":"
                                 "\"http\",\"provider\":\"openai\",\"status\":429,"
                                 "\"headers\":{\"Retry-After\":20,\"X\":[\"a\",\"b\"],\"n\":null},"
                                 "\"body\":\"b\\u4f60\",\"new\":{\"x\":1}}"),
                             &o, &id, &error));
    is(id, "{\"a\":[1,\"\\u0001\\\"\",null,true,1.5]}");
    assert_int_equal(o.kind, OBSERVATION_HTTP);
    assert_int_equal(o.status, 429);
    is(o.provider, "openai");
    is(o.body, "b你");
    is(observation_header(&o, STR("retry-after")), "20");
    is(observation_header(&o, STR("x")), "a");
    assert_int_equal(o.header_count, 2);
    assert_int_equal(o.retry_after_ms, -1);
    assert_true(input_ndjson(*state, &mask,
                             STR("{\"id\":9007199254740993,\"text\":\"t\",\"status\":null}"), &o,
                             &id, &error));
    is(id, "9007199254740993");
    assert_int_equal(o.kind, OBSERVATION_TEXT);
    is(o.body, "t");
    assert_true(
        input_ndjson(*state, &mask, STR("{\"curl_code\":7,\"errno\":111}"), &o, &id, &error));
    is(id, "null");
    assert_int_equal(o.kind, OBSERVATION_TRANSPORT);
    assert_int_equal(o.os_errno, 111);
}

static void a_wrong_ndjson_line_is_told_what_is_wrong(void **state)
{
    static const struct {
        const char *line, *part;
    } cases[] = {
        {"", "JSON"},
        {"[1]", "no JSON object"},
        {"{\"body\":\"x\"", "column"},
        {"{\"body\":1}", "\"body\" must be a string"},
        {"{\"body\":\"x\",\"kind\":\"mail\"}", "\"kind\" must be"},
        {"{\"body\":\"x\",\"status\":\"429\"}", "\"status\" must be"},
        {"{\"body\":\"x\",\"status\":-1}", "\"status\" must be"},
        {"{\"body\":\"x\",\"headers\":[]}", "\"headers\" must be"},
        {"{\"body\":\"x\",\"headers\":{\"a\":{}}}", "\"headers.a\" must be"},
        {"{\"body\":\"x\",\"curl_code\":1.5}", "\"curl_code\" must be"},
        {"{\"id\":1}", "no evidence"},
    };
    struct mask mask = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct observation o;
        struct str id, error;
        assert_false(input_ndjson(*state, &mask, str_from(cases[i].line), &o, &id, &error));
        if (i > 0 && str_find(error, str_from(cases[i].part)) < 0) {
            fail_msg("\"%.*s\" does not say \"%s\"", STR_ARG(error), cases[i].part);
        }
        assert_true(error.len > 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(plain_text_stays_text),
        TEST(curl_i_is_read),
        TEST(of_several_answers_the_last_counts),
        TEST(curl_v_is_read),
        TEST(a_refused_connect_is_a_transport_failure),
        TEST(a_head_without_end_is_no_empty_answer),
        TEST(what_is_pasted_is_repaired_masked_and_bounded),
        TEST(an_ndjson_line_becomes_an_observation),
        TEST(a_wrong_ndjson_line_is_told_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
