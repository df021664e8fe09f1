/* What each wire makes of an answer: every outcome, with bodies of the recorded shapes, and bodies
 * of no shape at all. */
#include "wire/answer.h"
#include "wire/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define JSON "application/json"
#define SSE "text/event-stream"
#define HTML "text/html; charset=UTF-8"

#define CREATED                                                                                    \
    "event: response.created\ndata: {\"type\": \"response.created\", \"response\": {\"id\": "      \
    "\"resp_1\", \"model\": \"m\"}}\n\n"
#define COMPLETED                                                                                  \
    "event: response.completed\ndata: {\"type\": \"response.completed\", \"response\": {\"id\": "  \
    "\"resp_1\", \"model\": \"m-2\", \"error\": null}}\n\n"
#define DELTA                                                                                      \
    "event: response.output_text.delta\ndata: {\"type\": \"response.output_text.delta\", "         \
    "\"delta\": \"par\"}\n\n"
#define FAILED                                                                                     \
    "event: response.failed\ndata: {\"type\": \"response.failed\", \"response\": {\"id\": "        \
    "\"resp_f\", \"status\": \"failed\", \"error\": {\"code\": \"server_is_overloaded\"}}}\n\n"
#define INCOMPLETE(reason)                                                                         \
    "event: response.incomplete\ndata: {\"type\": \"response.incomplete\", \"response\": "         \
    "{\"id\": \"r\", \"incomplete_details\": {\"reason\": \"" reason "\"}}}\n\n"
#define OVERLOADED                                                                                 \
    "{\"error\": {\"message\": \"Our servers are currently overloaded.\", \"type\": "              \
    "\"service_unavailable_error\", \"param\": null, \"code\": \"server_is_overloaded\"}}"
#define CHOICE(reason)                                                                             \
    "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\",\"model\":\"m-2\",\"choices\":"         \
    "[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"pong\"},"                     \
    "\"finish_reason\":\"" reason "\"}]}"
#define MESSAGE(content, reason)                                                                   \
    "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m-2\","             \
    "\"content\":" content ",\"stop_reason\":" reason ",\"usage\":{\"output_tokens\":1}}"
#define LOGIN "<!doctype html><html><body>Login to Wi-Fi</body></html>"

enum ending { WHOLE, CUT_OFF, BOUNDED };

struct row {
    const char *wire;
    long status;
    const char *type, *body;
    enum outcome outcome;
    enum ending ending;
};

static struct observation read_as(struct arena *arena, const struct row *row)
{
    const struct wire *wire = wire_find(str_from(row->wire));
    struct header *header = ARENA_NEW(arena, struct header);
    *header = (struct header){STR("content-type"), str_from(row->type)};
    struct observation observation = {
        .kind = OBSERVATION_HTTP,
        .status = row->status,
        .headers = header,
        .header_count = 1,
        .body = str_from(row->body),
        .is_body_cut = row->ending == BOUNDED,
    };
    wire->read_answer(arena, row->ending != CUT_OFF, &observation);
    return observation;
}

static void judge(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct arena *arena = arena_create();
        struct observation observation = read_as(arena, &rows[i]);
        if (observation.outcome != rows[i].outcome) {
            struct str have = outcome_name(observation.outcome);
            struct str want = outcome_name(rows[i].outcome);
            fail_msg("%s, %ld, %s: is %.*s, not %.*s", rows[i].wire, rows[i].status, rows[i].body,
                     STR_ARG(have), STR_ARG(want));
        }
        arena_free(arena);
    }
}
#define JUDGE(rows) judge(rows, sizeof(rows) / sizeof(rows)[0])

static void responses_wants_a_completed_stream(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"responses", 200, SSE, CREATED DELTA COMPLETED, OUTCOME_COMPLETE, WHOLE},
        {"responses", 200, "", CREATED COMPLETED, OUTCOME_COMPLETE, WHOLE},
        {"responses", 200, SSE, CREATED COMPLETED "data: [DONE]\n\n", OUTCOME_COMPLETE, CUT_OFF},
        {"responses", 200, SSE, CREATED FAILED, OUTCOME_FAILED, WHOLE},
        {"responses", 200, SSE, INCOMPLETE("max_output_tokens"), OUTCOME_CAPPED, WHOLE},
        {"responses", 200, SSE, INCOMPLETE("content_filter"), OUTCOME_FAILED, WHOLE},
        {"responses", 200, SSE,
         CREATED "event: error\ndata: {\"type\": \"error\", \"code\": \"server_is_overloaded\", "
                 "\"message\": \"overloaded\"}\n\n",
         OUTCOME_FAILED, WHOLE},
        {"responses", 200, SSE,
         "event: error\ndata: {\"type\": \"error\", \"error\": {\"code\": \"x\"}}\n\n",
         OUTCOME_FAILED, WHOLE},
        {"responses", 200, SSE, "data: {\"error\": {\"message\": \"no\"}}\n\n", OUTCOME_FAILED,
         WHOLE},
        {"responses", 200, SSE, CREATED DELTA, OUTCOME_TRUNCATED, WHOLE},
        {"responses", 200, SSE, CREATED "data: {\"type\": \"response.com", OUTCOME_TRUNCATED,
         CUT_OFF},
        {"responses", 200, SSE, CREATED "event: response.completed\nda", OUTCOME_TRUNCATED, WHOLE},
        {"responses", 200, SSE, CREATED DELTA, OUTCOME_CAPPED, BOUNDED},
        {"responses", 200, SSE, ": keep-alive\n\n", OUTCOME_EMPTY, WHOLE},
        {"responses", 200, SSE, ": keep-alive\n\n", OUTCOME_TRUNCATED, CUT_OFF},
        {"responses", 200, SSE, "data: {\"choices\": []}\n\ndata: [DONE]\n\n", OUTCOME_NOT_API,
         WHOLE},
        {"responses", 200, JSON, "{\"id\":\"resp_1\",\"status\":\"completed\",\"output\":[]}",
         OUTCOME_NOT_API, WHOLE},
        {"responses", 200, JSON, OVERLOADED, OUTCOME_FAILED, WHOLE},
        {"responses", 200, SSE, "", OUTCOME_EMPTY, WHOLE},
        {"responses", 200, SSE, "", OUTCOME_TRUNCATED, CUT_OFF},
    };
    JUDGE(rows);
}

static void chat_wants_choices(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"chat", 200, JSON, CHOICE("stop"), OUTCOME_COMPLETE, WHOLE},
        {"chat", 200, "text/html", CHOICE("stop"), OUTCOME_COMPLETE, WHOLE},
        {"chat", 200, JSON, "\xef\xbb\xbf" CHOICE("stop"), OUTCOME_COMPLETE, WHOLE},
        {"chat", 200, JSON, CHOICE("length"), OUTCOME_CAPPED, WHOLE},
        {"chat", 200, JSON,
         "{\"choices\":[{\"message\":{\"content\":null},\"finish_reason\":\"length\"}]}",
         OUTCOME_CAPPED, WHOLE},
        {"chat", 200, JSON, "{\"choices\":[]}", OUTCOME_EMPTY, WHOLE},
        {"chat", 200, JSON, "{\"choices\":null}", OUTCOME_EMPTY, WHOLE},
        {"chat", 200, JSON, "{\"choices\":7}", OUTCOME_NOT_API, WHOLE},
        {"chat", 200, JSON, "{\"choices\":[7]}", OUTCOME_NOT_API, WHOLE},
        {"chat", 200, JSON, "{\"choices\":[{\"text\":\"pong\"}]}", OUTCOME_NOT_API, WHOLE},
        {"chat", 200, JSON, "{\"status\":\"healthy\"}", OUTCOME_NOT_API, WHOLE},
        {"chat", 200, JSON, "[]", OUTCOME_NOT_API, WHOLE},
        {"chat", 200, "text/plain", "Welcome", OUTCOME_NOT_API, WHOLE},
        {"chat", 200, JSON, OVERLOADED, OUTCOME_FAILED, WHOLE},
        {"chat", 200, JSON, "{\"error\":\"busy\",\"choices\":[]}", OUTCOME_FAILED, WHOLE},
        {"chat", 200, JSON,
         "{\"choices\":[{\"finish_reason\":\"error\",\"error\":{\"code\":502,\"message\":\"up\"},"
         "\"message\":{\"content\":\"\"}}]}",
         OUTCOME_FAILED, WHOLE},
        {"chat", 200, JSON, "{\"base_resp\":{\"status_code\":1002,\"status_msg\":\"limit\"}}",
         OUTCOME_FAILED, WHOLE},
        {"chat", 200, JSON, "{\"code\":1113,\"msg\":\"\xe4\xbd\x99\xe9\xa2\x9d\"}", OUTCOME_FAILED,
         WHOLE},
        {"chat", 200, JSON, "{\"code\":0,\"msg\":\"ok\"}", OUTCOME_NOT_API, WHOLE},
        {"chat", 200, JSON, "{\"error\":null,\"base_resp\":{\"status_code\":0},\"choices\":[]}",
         OUTCOME_EMPTY, WHOLE},
        {"chat", 200, SSE, "data: {\"error\":{\"message\":\"no\"}}\n\n", OUTCOME_FAILED, WHOLE},
        {"chat", 200, SSE, "data: {\"choices\":[]}\n\n", OUTCOME_NOT_API, WHOLE},
        {"chat", 200, JSON, "{\"id\":\"c\",\"choices\":[{\"mess", OUTCOME_TRUNCATED, CUT_OFF},
        {"chat", 200, JSON, "{\"id\":\"c\",\"choices\":[{\"mess", OUTCOME_TRUNCATED, WHOLE},
        {"chat", 200, JSON, "{\"id\":\"c\",\"choices\":[{\"mess", OUTCOME_CAPPED, BOUNDED},
        {"chat", 200, "text/plain", "qqqqqqqqqqq", OUTCOME_NOT_API, BOUNDED},
        {"chat", 204, "", "", OUTCOME_EMPTY, WHOLE},
        {"chat", 200, JSON, " \r\n ", OUTCOME_EMPTY, WHOLE},
        {"chat", 200, JSON, "", OUTCOME_TRUNCATED, CUT_OFF},
    };
    JUDGE(rows);
}

static void messages_wants_content(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"messages", 200, JSON, MESSAGE("[{\"type\":\"text\",\"text\":\"p\"}]", "\"max_tokens\""),
         OUTCOME_CAPPED, WHOLE},
        {"messages", 200, JSON, MESSAGE("[]", "\"max_tokens\""), OUTCOME_CAPPED, WHOLE},
        {"messages", 200, JSON, MESSAGE("[{\"type\":\"text\",\"text\":\"p\"}]", "\"end_turn\""),
         OUTCOME_COMPLETE, WHOLE},
        {"messages", 200, JSON, MESSAGE("[{\"type\":\"text\",\"text\":\"p\"}]", "null"),
         OUTCOME_COMPLETE, WHOLE},
        {"messages", 200, JSON, MESSAGE("[]", "null"), OUTCOME_EMPTY, WHOLE},
        {"messages", 200, JSON, MESSAGE("null", "null"), OUTCOME_EMPTY, WHOLE},
        {"messages", 200, JSON, MESSAGE("\"x\"", "null"), OUTCOME_NOT_API, WHOLE},
        {"messages", 200, JSON, CHOICE("stop"), OUTCOME_NOT_API, WHOLE},
        {"messages", 200, JSON,
         "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"O\"}}",
         OUTCOME_FAILED, WHOLE},
        {"messages", 200, SSE,
         "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n\n",
         OUTCOME_FAILED, WHOLE},
        {"messages", 200, JSON, "{\"type\":\"message\",\"content\":[{", OUTCOME_TRUNCATED, CUT_OFF},
        {"messages", 200, JSON, "", OUTCOME_EMPTY, WHOLE},
        {"messages", 200, JSON, MESSAGE("[{\"text\":\"", "") "x", OUTCOME_CAPPED, BOUNDED},
    };
    JUDGE(rows);
}

static void every_wire_sees_refusals_and_pages(void **state)
{
    (void)state;
    for (size_t w = 0; w < wire_count(); w++) {
        const char *wire = wire_at(w)->name.ptr;
        const struct row rows[] = {
            {wire, 503, JSON, OVERLOADED, OUTCOME_FAILED, WHOLE},
            {wire, 529, JSON, "{\"type\":\"error\"}", OUTCOME_FAILED, WHOLE},
            {wire, 401, "", "", OUTCOME_FAILED, WHOLE},
            {wire, 500, "text/plain", "Internal Server Error", OUTCOME_FAILED, CUT_OFF},
            {wire, 302, "", "", OUTCOME_FAILED, WHOLE},
            {wire, 503, SSE, CREATED, OUTCOME_FAILED, WHOLE},
            {wire, 200, HTML, LOGIN, OUTCOME_PAGE, WHOLE},
            {wire, 200, JSON, "\xef\xbb\xbf\n<!-- x -->\n<HTML><head>", OUTCOME_PAGE, CUT_OFF},
            {wire, 200, HTML, "Please log in", OUTCOME_PAGE, WHOLE},
            {wire, 403, HTML, "<!DOCTYPE html><title>Just a moment...</title>", OUTCOME_PAGE,
             WHOLE},
            {wire, 502, HTML, "<html>\r\n<head><title>502 Bad Gateway</title>", OUTCOME_PAGE,
             WHOLE},
            {wire, 0, "", "", OUTCOME_NONE, CUT_OFF},
            {wire, 200, JSON, "\x01\xff\xfe", OUTCOME_NOT_API, WHOLE},
            {wire, 200, "text/plain", "<!-- never closed", OUTCOME_NOT_API, WHOLE},
        };
        JUDGE(rows);
    }
}

static void a_refusal_of_the_cap_alone_proves_the_rest(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"responses", 400, JSON,
         "{\"error\":{\"message\":\"Invalid 'max_output_tokens': integer below minimum value. "
         "Expected a value >= 16, but got 1 instead.\",\"param\":\"max_output_tokens\",\"code\":"
         "\"integer_below_min_value\"}}",
         OUTCOME_CAPPED, WHOLE},
        {"chat", 400, JSON,
         "{\"error\":{\"message\":\"Could not finish the message because max_tokens or model output"
         " limit was reached. Please try again with higher max_tokens.\"}}",
         OUTCOME_CAPPED, WHOLE},
        {"messages", 400, JSON,
         "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":"
         "\"`max_tokens` must be greater than `thinking.budget_tokens`.\"}}",
         OUTCOME_CAPPED, WHOLE},
        {"chat", 422, JSON, "{\"detail\":\"max_tokens must be at least 32\"}", OUTCOME_CAPPED,
         WHOLE},
        {"chat", 400, JSON,
         "{\"error\":{\"message\":\"Unsupported parameter: 'max_tokens' is not supported with this "
         "model. Use 'max_completion_tokens' instead.\",\"code\":\"unsupported_parameter\"}}",
         OUTCOME_FAILED, WHOLE},
        {"chat", 400, JSON,
         "{\"error\":{\"message\":\"'max_tokens' is too large: 16. This model's maximum context "
         "length is at least 8 tokens\"}}",
         OUTCOME_FAILED, WHOLE},
        {"chat", 400, JSON, "{\"error\":{\"message\":\"messages must hold at least 1 item\"}}",
         OUTCOME_FAILED, WHOLE},
        {"chat", 429, JSON,
         "{\"error\":{\"message\":\"max_tokens limit was reached for your organisation\"}}",
         OUTCOME_FAILED, WHOLE},
    };
    JUDGE(rows);
}

static void lifts_model_and_request_id(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const struct row stream = {"responses", 200, SSE, CREATED COMPLETED, OUTCOME_NONE, WHOLE};
    const struct row chat = {"chat", 200, JSON, CHOICE("stop"), OUTCOME_NONE, WHOLE};
    const struct row message = {"messages",   200,  JSON, MESSAGE("[]", "\"end_turn\""),
                                OUTCOME_NONE, WHOLE};
    const struct row error = {
        "messages",   529,  JSON, "{\"type\":\"error\",\"error\":{},\"request_id\":\"req_7\"}",
        OUTCOME_NONE, WHOLE};
    struct observation o = read_as(arena, &stream);
    assert_string_equal(o.served_model.ptr, "m-2");
    assert_string_equal(o.request_id.ptr, "resp_1");
    o = read_as(arena, &chat);
    assert_string_equal(o.served_model.ptr, "m-2");
    assert_string_equal(o.request_id.ptr, "chatcmpl-1");
    o = read_as(arena, &message);
    assert_string_equal(o.served_model.ptr, "m-2");
    o = read_as(arena, &error);
    assert_string_equal(o.request_id.ptr, "req_7");
    assert_false(str_is_set(o.served_model));
    arena_free(arena);
}

static void headers_name_the_request_before_the_body_does(void **state)
{
    (void)state;
    static const char *const names[] = {"x-request-id", "request-id", "apim-request-id"};
    struct arena *arena = arena_create();
    struct header headers[2] = {{STR("cf-ray"), STR("8abc-SJC")}};
    struct observation o = {.status = 401, .headers = headers, .header_count = 1};
    wire_find(STR("chat"))->read_answer(arena, true, &o);
    assert_true(str_eq(o.request_id, STR("8abc-SJC")));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        headers[1] = (struct header){str_from(names[i]), STR("req_abc")};
        o = (struct observation){.status = 200,
                                 .headers = headers,
                                 .header_count = 2,
                                 .body = STR("{\"id\":\"body\",\"choices\":[]}")};
        wire_find(STR("chat"))->read_answer(arena, true, &o);
        assert_true(str_eq(o.request_id, STR("req_abc")));
    }
    headers[0] = (struct header){STR("openai-model"), STR("gpt-real")};
    o = (struct observation){.status = 200,
                             .headers = headers,
                             .header_count = 1,
                             .body = STR("data: {\"type\":\"response.completed\"}\n\n")};
    wire_find(STR("responses"))->read_answer(arena, true, &o);
    assert_true(str_eq(o.served_model, STR("gpt-real")));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(responses_wants_a_completed_stream),
        cmocka_unit_test(chat_wants_choices),
        cmocka_unit_test(messages_wants_content),
        cmocka_unit_test(every_wire_sees_refusals_and_pages),
        cmocka_unit_test(a_refusal_of_the_cap_alone_proves_the_rest),
        cmocka_unit_test(lifts_model_and_request_id),
        cmocka_unit_test(headers_name_the_request_before_the_body_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
