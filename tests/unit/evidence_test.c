/* Laying answers open: which fields come out of real-shaped bodies, streams and headers, and what
 * must not come out of a model's own words. */
#include "evidence_world.h"

#include <errno.h>
#include <string.h>

static void an_openai_error_is_lifted(void **state)
{
    struct evidence e =
        lift_http(*state, 400,
                  "{\"error\":{\"message\":\"Unknown parameter: 'x'.\",\"type\":"
                  "\"invalid_request_error\",\"param\":\"x\",\"code\":\"unknown_parameter\"}}");
    is(&e, FIELD_ERROR_CODE, 0, "unknown_parameter");
    is(&e, FIELD_ERROR_TYPE, 0, "invalid_request_error");
    is(&e, FIELD_ERROR_PARAM, 0, "x");
    is(&e, FIELD_ERROR_MESSAGE, 0, "Unknown parameter: 'x'.");
    is(&e, FIELD_STATUS, 0, "400");
    is(&e, FIELD_KIND, 0, "http");
    assert_true(e.has_lifted_fields);
    assert_false(e.is_answer);
    assert_int_equal(e.wait_ms, -1);
}

static void googles_details_are_lifted(void **state)
{
    struct evidence e = lift_http(
        *state, 429,
        "[{\"error\":{\"code\":429,\"message\":\"Quota "
        "exceeded\",\"status\":\"RESOURCE_EXHAUSTED\",\"details\":["
        "{\"@type\":\"type.googleapis.com/"
        "google.rpc.QuotaFailure\",\"violations\":[{\"quotaId\":\"RequestsPerDay\"}]},"
        "{\"@type\":\"type.googleapis.com/"
        "google.rpc.ErrorInfo\",\"reason\":\"RATE_LIMIT_EXCEEDED\"},"
        "{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"34.07s\"}]}}]");
    is(&e, FIELD_ERROR_REASON, 0, "RequestsPerDay");
    is(&e, FIELD_ERROR_REASON, 1, "RATE_LIMIT_EXCEEDED");
    is(&e, FIELD_ERROR_TYPE, 0, "RESOURCE_EXHAUSTED");
    assert_int_equal(e.wait_ms, 34070);
}

static void the_innermost_error_comes_first(void **state)
{
    struct evidence e = lift_http(
        *state, 400,
        "{\"error\":{\"message\":\"Provider returned error\",\"code\":400,\"metadata\":{\"raw\":"
        "\"{\\\"error\\\":{\\\"message\\\":\\\"context too "
        "long\\\",\\\"code\\\":\\\"context_length_exceeded\\\"}}\","
        "\"provider_name\":\"X\"}}}");
    is(&e, FIELD_ERROR_CODE, 0, "context_length_exceeded");
    is(&e, FIELD_ERROR_MESSAGE, 0, "context too long");
    is(&e, FIELD_ERROR_CODE, 1, "400");
    e = lift_http(
        *state, 503,
        "{\"error\":{\"message\":\"{\\n  \\\"error\\\": {\\n \\\"code\\\": 503,\\n \\\"message\\\":"
        " \\\"high demand\\\",\\n \\\"status\\\": \\\"UNAVAILABLE\\\"}}\\n\",\"code\":503}}");
    is(&e, FIELD_ERROR_MESSAGE, 0, "high demand");
    is(&e, FIELD_ERROR_TYPE, 0, "UNAVAILABLE");
}

static void errors_of_many_vendors_are_lifted(void **state)
{
    struct evidence e = lift_http(
        *state, 200, "{\"base_resp\":{\"status_code\":2049,\"status_msg\":\"invalid api key\"}}");
    is(&e, FIELD_ERROR_CODE, 0, "2049");
    is(&e, FIELD_ERROR_MESSAGE, 0, "invalid api key");
    e = lift_http(*state, 503,
                  "{\"code\":50508,\"message\":\"System is too busy now.\",\"data\":null}");
    is(&e, FIELD_ERROR_CODE, 0, "50508");
    e = lift_http(*state, 403,
                  "{\"code\":\"permission-denied\",\"error\":\"You have run out of credits\"}");
    is(&e, FIELD_ERROR_CODE, 0, "permission-denied");
    is(&e, FIELD_ERROR_MESSAGE, 0, "You have run out of credits");
    e = lift_http(*state, 401, "{\"detail\":\"Invalid API Key\"}");
    is(&e, FIELD_ERROR_MESSAGE, 0, "Invalid API Key");
    e = lift_http(*state, 422,
                  "{\"detail\":[{\"loc\":[\"body\",\"messages\",0],\"msg\":\"field "
                  "required\",\"type\":\"value_error.missing\","
                  "\"input\":\"why is there a 429?\"}]}");
    is(&e, FIELD_ERROR_PARAM, 0, "body.messages.0");
    is(&e, FIELD_ERROR_MESSAGE, 0, "field required");
    assert_false(text_has(&e, "why is there"));
    e = lift_http(*state, 404, "{\"error\":\"model \\\"llama3.1\\\" not found\"}");
    is(&e, FIELD_ERROR_MESSAGE, 0, "model \"llama3.1\" not found");
    e = lift_http(*state, 522,
                  "{\"type\":\"https://x/error-522/\",\"title\":\"Error 522: Connection timed "
                  "out\",\"status\":522,\"detail\":\"no TCP\"}");
    is(&e, FIELD_ERROR_TYPE, 0, "https://x/error-522/");
    is(&e, FIELD_ERROR_MESSAGE, 1, "no TCP");
    e = lift_http(
        *state, 400,
        "{\"__type\":\"com.amazon.coral.service#ThrottlingException\",\"message\":\"x\"}");
    is(&e, FIELD_ERROR_REASON, 0, "ThrottlingException");
    e = lift_http(*state, 429,
                  "{\"error\":{\"type\":\"usage_limit_reached\",\"resets_in_seconds\":3600}}");
    assert_int_equal(e.wait_ms, 3600000);
}

static void what_went_well_is_no_error(void **state)
{
    struct evidence e =
        lift_http(*state, 200, "{\"code\":0,\"message\":\"success\",\"data\":{\"x\":1}}");
    assert_false(e.has_lifted_fields);
    e = lift_http(*state, 200,
                  "{\"base_resp\":{\"status_code\":0,\"status_msg\":\"success\"},\"choices\":[{"
                  "\"message\":{\"content\":\"x\"}}]}");
    assert_false(e.has_lifted_fields);
    assert_true(e.is_answer);
    e = lift_http(*state, 200,
                  "{\"id\":\"r\",\"object\":\"response\",\"status\":\"completed\",\"error\":null,"
                  "\"incomplete_details\":null,"
                  "\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\","
                  "\"text\":\"quota exceeded\"}]}]}");
    assert_true(e.is_answer);
    assert_int_equal(e.counts[FIELD_TEXT], 0);
}

static void an_answer_with_an_error_beside_it_is_none(void **state)
{
    struct evidence e =
        lift_plain(*state, "{\"choices\":[{\"message\":{\"content\":\"x\"}}]}\nError: at capacity");
    assert_false(e.is_answer);
    assert_true(text_has(&e, "Error: at capacity"));
    e = lift_plain(*state, "{\"choices\":[{\"message\":{\"content\":\"x\"}}]}%");
    assert_true(e.is_answer);
    e = lift_http(*state, 200,
                  "{\"object\":\"response\",\"status\":\"failed\",\"error\":null,\"output\":[]}");
    assert_false(e.is_answer);
    e = lift_http(*state, 200, "{\"status\":\"error\",\"msg\":\"no room\"}");
    is(&e, FIELD_ERROR_MESSAGE, 0, "no room");
}

static void answers_of_every_api_are_answers_and_no_evidence(void **state)
{
    static const char *const answers[] = {
        "{\"object\":\"chat.completion\",\"choices\":[{\"message\":{\"role\":\"assistant\","
        "\"content\":\"{\\\"error\\\":{\\\"type\\\":\\\"overloaded_error\\\"}}\"},\"finish_"
        "reason\":\"stop\"}]}",
        "{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":"
        "\"overloaded_error\"}],\"stop_reason\":\"end_turn\"}",
        "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"overloaded_error\"}]},"
        "\"finishReason\":\"STOP\"}]}",
        "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"overloaded_error\"},"
        "\"done\":true}",
        "{\"model\":\"m\",\"response\":\"overloaded_error\",\"done\":true}",
        "{\"object\":\"list\",\"data\":[{\"id\":\"overloaded_error\",\"object\":\"model\"}]}",
        "{\"models\":[{\"name\":\"overloaded_error\"}]}",
        "{\"output\":{\"message\":{\"role\":\"assistant\",\"content\":[{\"text\":\"overloaded_"
        "error\"}]}},\"stopReason\":\"end_turn\"}",
        "event: content_block_delta\ndata: "
        "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":"
        "\"overloaded_error\"}}\n\n"
        "event: message_delta\ndata: "
        "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\nevent: "
        "message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
        "data: "
        "{\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{\"content\":\"overloaded_"
        "error\"},\"finish_reason\":null}]}\n\ndata: [DONE]\n\n",
        "event: response.output_text.delta\ndata: "
        "{\"type\":\"response.output_text.delta\",\"delta\":\"overloaded_error\"}\n\n"
        "event: response.completed\ndata: "
        "{\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"error\":null,"
        "\"output\":[{\"content\":[{\"text\":\"overloaded_error\"}]}]}}\n\n",
    };
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        struct evidence e = lift_http(*state, 200, answers[i]);
        assert_true(e.is_answer);
        assert_false(e.has_lifted_fields);
        assert_false(text_has(&e, "overloaded_error"));
        is(&e, FIELD_ANSWER, 0, "complete");
    }
}

static void reasons_to_stop_are_lifted(void **state)
{
    struct evidence e = lift_http(
        *state, 200,
        "{\"choices\":[{\"message\":{\"content\":\"\"},\"finish_reason\":\"content_filter\"}]}");
    is(&e, FIELD_ERROR_REASON, 0, "content_filter");
    e = lift_http(
        *state, 200,
        "{\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"stop_reason\":\"refusal\"}");
    is(&e, FIELD_ERROR_REASON, 0, "refusal");
    e = lift_http(*state, 200,
                  "{\"object\":\"response\",\"status\":\"incomplete\",\"incomplete_details\":{"
                  "\"reason\":\"content_filter\"},\"output\":[]}");
    is(&e, FIELD_ERROR_REASON, 0, "content_filter");
    e = lift_http(*state, 200, "{\"promptFeedback\":{\"blockReason\":\"PROHIBITED_CONTENT\"}}");
    is(&e, FIELD_ERROR_REASON, 0, "PROHIBITED_CONTENT");
    e = lift_http(*state, 200, "{\"promptFeedback\":{\"blockReason\":\"MODEL_ARMOR\"}}");
    is(&e, FIELD_ERROR_REASON, 1, "blocked");
    e = lift_http(*state, 200,
                  "{\"object\":\"response\",\"status\":\"incomplete\",\"incomplete_details\":{"
                  "\"reason\":\"max_output_tokens\"},\"output\":[]}");
    assert_true(e.is_answer);
    assert_int_equal(e.counts[FIELD_ERROR_REASON], 0);
}

static void errors_in_streams_are_lifted(void **state)
{
    struct evidence e = lift_http(
        *state, 200,
        "event: response.failed\ndata: "
        "{\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"error\":"
        "{\"code\":\"server_is_overloaded\",\"message\":\"Our servers are overloaded\"}}}\n\n");
    is(&e, FIELD_ERROR_CODE, 0, "server_is_overloaded");
    assert_false(e.is_answer);
    e = lift_http(*state, 200,
                  "event: error\ndata: "
                  "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":"
                  "\"Overloaded\"}}\n\n");
    is(&e, FIELD_ERROR_TYPE, 0, "overloaded_error");
    e = lift_http(*state, 200,
                  "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\ndata: "
                  "{\"error\":{\"message\":\"gone\",\"code\":502}}\n\n");
    is(&e, FIELD_ERROR_MESSAGE, 0, "gone");
    is(&e, FIELD_STATUS, 0, "502");
    e = lift_http(*state, 200, "event: error\ndata: {\"text\":\"no spec\"}\n\n");
    assert_true(e.has_error);
    e = lift_http(*state, 200, "event: error\n\ndata: no spec\n\n");
    assert_false(e.has_error);
    e = lift_http(*state, 200, "event: error\ndata: no spec\n\n");
    is(&e, FIELD_ERROR_MESSAGE, 0, "no spec");
    e = lift_http(*state, 200,
                  "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\nerror: "
                  "{\"error\":{\"message\":\"gone\"}}\n\n");
    is(&e, FIELD_ERROR_MESSAGE, 0, "gone");
}

static void the_shape_of_a_200_is_told(void **state)
{
    struct evidence e = lift_http(
        *state, 200,
        "data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"delta\":{\"content\":\"The "
        "qui\"},\"finish_reason\":null}]}\n\ndata: {\"id\":\"x\",\"object\":\"chat.comp");
    is(&e, FIELD_ANSWER, 0, "truncated");
    assert_false(e.is_answer);
    e = lift_http(*state, 200, "{\"choices\":[{\"message\":{\"content\":\"half");
    is(&e, FIELD_ANSWER, 0, "truncated");
    e = lift_http(*state, 200,
                  "event: message_start\ndata: "
                  "{\"type\":\"message_start\",\"message\":{\"type\":\"message\",\"role\":"
                  "\"assistant\",\"content\":[],\"stop_reason\":null}}\n\n");
    is(&e, FIELD_ANSWER, 0, "truncated");
    struct observation cut = {.kind = OBSERVATION_HTTP,
                              .status = 200,
                              .is_body_cut = true,
                              .body = STR("{\"choices\":[{\"message\":{\"content\":\"long")};
    evidence_lift(*state, &cut, &e);
    is(&e, FIELD_ANSWER, 0, "complete");
    assert_true(e.is_answer);
    e = lift_http(*state, 200, " \n");
    is(&e, FIELD_ANSWER, 0, "empty");
    e = lift_http(*state, 200, "<html><title>Log in</title><body>x</body></html>");
    is(&e, FIELD_ANSWER, 0, "page");
    e = lift_http(*state, 200, "{\"ok\":true}");
    assert_int_equal(e.counts[FIELD_ANSWER], 0);
    e = lift_http(*state, 503, "");
    assert_int_equal(e.counts[FIELD_ANSWER], 0);
}

static void headers_tell_reason_and_wait(void **state)
{
    const struct header aws[] = {{STR("x-amzn-errortype"), STR("ThrottlingException:http://x/")},
                                 {STR("retry-after"), STR("7")}};
    struct evidence e = lift_with(*state, OBSERVATION_HTTP, 429, aws, 2, "{}");
    is(&e, FIELD_ERROR_REASON, 0, "ThrottlingException");
    assert_int_equal(e.wait_ms, 7000);
    const struct header dates[] = {{STR("date"), STR("Sun, 29 Nov 2026 13:00:00 GMT")},
                                   {STR("retry-after"), STR("Sun, 29 Nov 2026 13:02:00 GMT")}};
    e = lift_with(*state, OBSERVATION_HTTP, 503, dates, 2, "{}");
    assert_int_equal(e.wait_ms, 120000);
    const struct header ms[] = {{STR("retry-after"), STR("2")},
                                {STR("retry-after-ms"), STR("1500")}};
    e = lift_with(*state, OBSERVATION_HTTP, 429, ms, 2, "{}");
    assert_int_equal(e.wait_ms, 1500);
    const struct header reset[] = {{STR("x-ratelimit-remaining-tokens"), STR("0")},
                                   {STR("x-ratelimit-reset-tokens"), STR("6m0s")}};
    e = lift_with(*state, OBSERVATION_HTTP, 429, reset, 2, "{}");
    assert_int_equal(e.wait_ms, 360000);
    e = lift_with(*state, OBSERVATION_HTTP, 200, reset, 2, "{}");
    assert_int_equal(e.wait_ms, -1);
    const struct header left[] = {{STR("x-ratelimit-remaining-tokens"), STR("5")},
                                  {STR("x-ratelimit-reset-tokens"), STR("6m0s")}};
    e = lift_with(*state, OBSERVATION_HTTP, 429, left, 2, "{}");
    assert_int_equal(e.wait_ms, -1);
}

static void transport_numbers_become_names(void **state)
{
    struct observation observation = {.kind = OBSERVATION_TRANSPORT,
                                      .phase = STEP_CONNECT,
                                      .curl_code = 7,
                                      .os_errno = ECONNREFUSED,
                                      .tls_verify = 10,
                                      .is_through_proxy = true,
                                      .proxy_status = 407};
    struct evidence e;
    evidence_lift(*state, &observation, &e);
    is(&e, FIELD_CURL_CODE, 0, "COULDNT_CONNECT");
    is(&e, FIELD_OS_ERRNO, 0, "ECONNREFUSED");
    is(&e, FIELD_TLS_VERIFY, 0, "CERT_HAS_EXPIRED");
    is(&e, FIELD_PHASE, 0, "connect");
    is(&e, FIELD_PROXY, 0, "yes");
    is(&e, FIELD_PROXY_STATUS, 0, "407");
    is(&e, FIELD_KIND, 0, "transport");
}

static void config_problems_become_fields(void **state)
{
    struct problem problem = {.code = STR("unknown_key"), .message = STR("no key \"x\"")};
    struct observation observation = {.kind = OBSERVATION_CONFIG, .problem = &problem};
    struct evidence e;
    evidence_lift(*state, &observation, &e);
    is(&e, FIELD_CONFIG_PROBLEM, 0, "unknown_key");
    is(&e, FIELD_TEXT, 0, "no key \"x\"");
}

static void hostile_nesting_ends(void **state)
{
    size_t size = 64 * 1024;
    char *bytes = arena_alloc(*state, size + 1);
    for (size_t i = 0; i + 6 <= size; i += 6) {
        memcpy(bytes + i, "{\"a\":[", 6);
    }
    struct evidence e = lift_http(*state, 400, bytes);
    assert_false(e.is_answer);
    memset(bytes, '{', size);
    e = lift_plain(*state, bytes);
    assert_false(e.is_answer);
    for (size_t i = 0; i + 3 <= size; i += 3) {
        memcpy(bytes + i, "{\\\"", 3);
    }
    e = lift_plain(*state, bytes);
    assert_false(e.is_answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_openai_error_is_lifted),
        TEST(googles_details_are_lifted),
        TEST(the_innermost_error_comes_first),
        TEST(errors_of_many_vendors_are_lifted),
        TEST(what_went_well_is_no_error),
        TEST(an_answer_with_an_error_beside_it_is_none),
        TEST(answers_of_every_api_are_answers_and_no_evidence),
        TEST(reasons_to_stop_are_lifted),
        TEST(errors_in_streams_are_lifted),
        TEST(the_shape_of_a_200_is_told),
        TEST(headers_tell_reason_and_wait),
        TEST(transport_numbers_become_names),
        TEST(config_problems_become_fields),
        TEST(hostile_nesting_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
