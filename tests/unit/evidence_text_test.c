/* Laying texts open: values and facts in prose, pages, what terminals did, mere mentions. */
#include "classify/clean.h"

#include "evidence_world.h"

static void values_in_prose_are_lifted(void **state)
{
    struct evidence e = lift_plain(
        *state,
        "openai.RateLimitError: Error code: 429 - {'error': {'message': \"You exceeded your "
        "quota\", 'type': 'insufficient_quota', 'param': None, 'code': 'insufficient_quota'}}");
    is(&e, FIELD_ERROR_CODE, 0, "insufficient_quota");
    is(&e, FIELD_STATUS, 0, "429");
    is(&e, FIELD_ERROR_MESSAGE, 0, "You exceeded your quota");
    e = lift_plain(*state, "WARN error=HttpError: "
                           "{\"type\":\"error\",\"error\":{\"type\":\"authorized_error\","
                           "\"message\":\"login fail: (1004)\"}");
    is(&e, FIELD_ERROR_TYPE, 0, "authorized_error");
    e = lift_plain(*state, "log=\"{\\\"error\\\":{\\\"code\\\":\\\"slow_down\\\"}}\"");
    is(&e, FIELD_ERROR_CODE, 0, "slow_down");
    e = lift_plain(
        *state,
        "{\"level\":\"error\",\"log\":\"503 {\\\"error\\\":{\\\"code\\\":\\\"slow_down\\\"}}\"}");
    is(&e, FIELD_ERROR_CODE, 0, "slow_down");
    e = lift_plain(*state, "body: b'{\"error\": {\"code\": \"slow_down\"}}'");
    is(&e, FIELD_ERROR_CODE, 0, "slow_down");
}

/* What an exception or a variable quotes begins of its own; the text as it was shown comes first.
 */
static void quoted_messages_are_texts(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"app.Failure: x\nException: 'You\\'ve reached today\\'s limit.\\nWait.'",
         "You've reached today's limit.\nWait."},
        {"builtins.RuntimeError: \"No such deployment: a\"", "No such deployment: a"},
        {"last_error = \"You are offline\"", "You are offline"},
        {"2026 worker lastError=\"Error: timed out\"", "Error: timed out"},
        {"2026 worker: failed: HTTP 401\\nTry again later",
         "2026 worker: failed: HTTP 401\nTry again later"},
        {"Exception: 'one' and 'two'", "(none)"},
        {"note: 'You are offline'", "(none)"},
        {"Exception: '", "(none)"},
        {"Exception: 'cut \\'", "(none)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct evidence e = lift_plain(*state, cases[i].text);
        is(&e, FIELD_TEXT, 1, cases[i].message);
        assert_true(e.counts[FIELD_TEXT] < 2 ||
                    bigrams_may_hold(&e.bigrams, str_from(cases[i].message)));
    }
    struct evidence e = lift_plain(
        *state,
        "Exception: 'HTTP 400: {\"error\": {\"message\": \"\\\\\"auto\\\\\" needs a flag\"}}'");
    is(&e, FIELD_ERROR_MESSAGE, 0, "\"auto\" needs a flag");
}

static void facts_spelled_out_in_prose_are_lifted(void **state)
{
    static const struct {
        const char *text;
        enum field field;
        const char *value;
    } cases[] = {
        {"exceeded retry limit, last status: 503 Service Unavailable", FIELD_STATUS, "503"},
        {"429 Provider returned error", FIELD_STATUS, "429"},
        {"status 503, retrying 1/5\nlast status: 429 Too Many Requests", FIELD_STATUS, "429"},
        {"503", FIELD_STATUS, "(none)"},
        {"HTTP 502: upstream returned 504", FIELD_STATUS, "504"},
        {"API Error (Request rejected (429))", FIELD_STATUS, "429"},
        {"API returned status 401", FIELD_STATUS, "401"},
        {"API 拒绝访问（HTTP 403）。", FIELD_STATUS, "403"},
        {"INFO: 127.0.0.1:1 - \"POST /v1/x HTTP/1.1\" 404 Not Found", FIELD_STATUS, "404"},
        {"waited 500 ms, 443 connections, port 503", FIELD_STATUS, "(none)"},
        {"auth error code: token_expired", FIELD_ERROR_CODE, "token_expired"},
        {"type x, code account_deactivated, message y", FIELD_ERROR_CODE, "account_deactivated"},
        {"exit code: 1", FIELD_ERROR_CODE, "(none)"},
        {"the code is good", FIELD_ERROR_CODE, "(none)"},
        {"Incomplete response returned, reason: content_filter", FIELD_ERROR_REASON,
         "content_filter"},
        {"An error occurred (ThrottlingException) when calling the InvokeModel operation",
         FIELD_ERROR_REASON, "ThrottlingException"},
        {"curl: (28) Connection timed out after 10001 milliseconds", FIELD_CURL_CODE,
         "OPERATION_TIMEDOUT"},
        {"code: 'ECONNRESET'", FIELD_ERROR_CODE, "ECONNRESET"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct evidence e = lift_plain(*state, cases[i].text);
        is(&e, cases[i].field, 0, cases[i].value);
    }
}

static void terminals_are_undone(void **state)
{
    struct evidence e = lift_plain(
        *state, "\x1b[31mAPI Error: 401 \x1b]8;;http://x\x1b\\OAuth token has expired. Please "
                "obtain a new token or refresh your\r\n    existing token.\x1b[0m");
    assert_true(text_has(
        &e, "OAuth token has expired. Please obtain a new token or refresh your existing token."));
    e = lift_plain(
        *state,
        "│ Insufficient balance or no resource package for this account, please  │\n│ recharge. │");
    assert_true(text_has(&e, "account, please recharge."));
    e = lift_plain(*state, "TypeError: fetch failed because of something that is explained below "
                           "here\n    at node:internal/deps/undici");
    assert_true(text_has(&e, "below here\n"));
    e = lift_plain(*state, "2026-11-29 10:00:00 connection refused by the upstream server number "
                           "one\n2026-11-29 10:00:01 next");
    assert_true(text_has(&e, "number one\n"));
}

static void blanks_within_prose_are_one(void **state)
{
    static const struct {
        const char *text, *clean;
    } cases[] = {
        {"Access denied.  Please check it.", "Access denied. Please check it."},
        {"It was blocked      by our filter", "It was blocked by our filter"},
        {"No.  2.  Then v1.  X", "No.  2.  Then v1.  X"},
        {"ok  READY   idle.   Next", "ok  READY   idle.   Next"},
        {"a  ", "a  "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct str clean = clean_rejoin(*state, str_from(cases[i].text));
        assert_int_equal(clean.len, strlen(cases[i].clean));
        assert_memory_equal(clean.ptr, cases[i].clean, clean.len);
    }
}

static void margins_are_left_off(void **state)
{
    static const char *const texts[] = {
        "> Error: the key\n> > is invalid_api_key\n>\n> here",
        "     1\tError: the key\n     2\tis invalid_api_key",
        " 9 | Error: the key\n10 | is invalid_api_key\n11 |",
        "<div><p>Error: the key\nis invalid_api_key</p></div>",
        "     7→Error: the key is invalid_api_key",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct evidence e = lift_plain(*state, texts[i]);
        assert_int_equal(str_find(e.values[FIELD_TEXT][0], STR("Error: the key")), 0);
        assert_true(text_has(&e, "invalid_api_key"));
    }
    struct evidence e = lift_plain(*state, "Kim wrote:\n> Error: one\nand so on");
    assert_true(text_has(&e, "wrote:\n\nError: one\n\nand"));
    static const char *const kept[] = {">>> Error: a",     "> File \"a.py\", line 7",
                                       "Error: 1\n>\nend", "4 | Error | 408\n5 | Error | 404",
                                       "429 | Error: a",   "> GET / HTTP/2\n< HTTP/2 429",
                                       "<p>Error: a</p> b"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        struct str body = str_from(kept[i]);
        assert_true(clean_margin(*state, body).ptr == body.ptr);
    }
}

static void mentions_are_no_evidence(void **state)
{
    static const char *const lines[] = {
        "if (res.status === 401) { throw new Error('invalid_api_key'); }",
        "+    '429': 'invalid_api_key',",
        "PASS tests/errors.test.ts  invalid_api_key",
        "test maps_invalid_api_key ... ok",
        "llm_errors_total{reason=\"invalid_api_key\"} 0",
        "# HELP invalid_api_key errors by reason",
        "  ⎿  src/limits.ts:14: // invalid_api_key",
        "Subject: invalid_api_key",
        "fix: retry on invalid_api_key",
        "    if e.code == \"invalid_api_key\":",
        "def retry(invalid_api_key):",
        "-    retry_on: ['invalid_api_key']",
        "# invalid_api_key is not retried",
        "ok 12 - invalid_api_key is named",
        "tests/test_x.py::test_invalid_api_key PASSED",
        "./src/a.py:12:    \"invalid_api_key\": KEY,",
        "| 401 | invalid_api_key | check your key |",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct evidence e = lift_plain(*state, lines[i]);
        assert_false(text_has(&e, "invalid_api_key"));
    }
    struct evidence e = lift_plain(*state, "Fix: invalid_api_key");
    assert_true(text_has(&e, "invalid_api_key"));
    e = lift_plain(*state, "# Error: invalid_api_key");
    assert_true(text_has(&e, "invalid_api_key"));
    e = lift_plain(*state, "- Error: invalid_api_key");
    assert_true(text_has(&e, "invalid_api_key"));
    e = lift_plain(*state, "main.go:67: [Info] err=error, status code: 403, invalid_api_key");
    assert_true(text_has(&e, "invalid_api_key"));
}

static void pages_give_title_and_visible_text(void **state)
{
    struct evidence e = lift_http(*state, 403,
                                  "<!DOCTYPE html><html><head><title>Attention &amp; "
                                  "Required!</title><style>p{color:red}</style>"
                                  "<script>var error='invalid_api_key';</script></head><body><!-- "
                                  "not shown --><h1>Sorry,\n you have been <b>blocked</b></h1>"
                                  "<p>Ray ID: 1</p></body></html>");
    is(&e, FIELD_HTML_TITLE, 0, "Attention & Required!");
    assert_true(str_find(e.values[FIELD_HTML_TEXT][0], STR("Sorry, you have been blocked")) >= 0);
    assert_true(str_find(e.values[FIELD_HTML_TEXT][0], STR("invalid_api_key")) < 0);
    assert_true(str_find(e.values[FIELD_HTML_TEXT][0], STR("not shown")) < 0);
    assert_false(text_has(&e, "invalid_api_key"));
    e = lift_plain(*state, "Error: 413 <html>\r\n<head><title>413 Request Entity Too "
                           "Large</title></head>\r\n<body>x</body></html>");
    is(&e, FIELD_HTML_TITLE, 0, "413 Request Entity Too Large");
    is(&e, FIELD_STATUS, 0, "413");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(values_in_prose_are_lifted),        TEST(facts_spelled_out_in_prose_are_lifted),
        TEST(quoted_messages_are_texts),         TEST(terminals_are_undone),
        TEST(mentions_are_no_evidence),          TEST(margins_are_left_off),
        TEST(pages_give_title_and_visible_text), TEST(blanks_within_prose_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
