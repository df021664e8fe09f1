/* Whom entries of logs are about, and the words that tell it. */
#include "input/log_about.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void an_entry_tells_whom_it_is_about(void **state)
{
    static const struct {
        const char *entry, *about;
    } rows[] = {
        {"a b \"GET /cart HTTP/1.1\" 502 1", "other system"},
        {"a b \"GET /robots.txt HTTP/1.1\" 404 1 \"GPTBot\"", "other system"},
        {"a b \"GET /?model=7 HTTP/1.1\" 404 1", "other system"},
        {"a b \"POST /v1/chat/completions HTTP/1.1\" 502 1", "llm api"},
        {"request: \"GET /a HTTP/1.1\", upstream: \"http://llm:80/a\"", "llm api"},
        {"a b \"POST /v1/messages?next=https://a.example/ HTTP/1.1\" 502 1", "llm api"},
        {"a b \"GET /login?next=https://a.example/v1/messages HTTP/1.1\" 502 1", "other system"},
        {"url=/?url=/?url=https://example.com/cart", "other system"},
        {"{\"uri\":\"/\",\"status\":502}", "other system"},
        {"Get \"https://example.com\": refused", ""},
        {"Max retries exceeded with url: /v1 (refused)", ""},
        {"Max retries exceeded with url: /cart (refused)", "other system"},
        {"at createChatCompletions (/a)", "llm api"},
        {"host sshd[7]: reset", "other system"},
        {"host kernel: reset", "other system"},
        {"CUDA kernel errors", ""},
        {"host openai-relay[7]: redis reset", "llm api"},
        {"documentation_url: /a", ""},
        {"Failed: http://localhost:8002/system: All connection attempts failed", "other system"},
        {"Failed: http://localhost:8002/v1/messages: refused", "llm api"},
        {"Failed: http://localhost:8002/api: refused", ""},
        {"Refused, see https://example.com/help/errors", ""},
        {"Google Search API error: 400", "other system"},
        {"server: llm.example.com, request: \"GET /cart HTTP/1.1\", upstream: \"http://a:9/cart\"",
         "other system"},
        {"haproxy[7]: llm shop/a 0/0/-1/-1/15 503 2 SC-- \"POST /cart HTTP/1.1\"", "other system"},
        {"haproxy[7]: llm x/vllm1 0/0/-1/-1/15 503 2 SC-- \"POST /run HTTP/1.1\"", "llm api"},
        {"{\"hostname\":\"chat-7f9c\",\"url\":\"http://a/orders/7\"}", "other system"},
        {"{\"hostname\":\"chat-7f9c\",\"msg\":\"failed\"}", ""},
        {"{\"res\":{\"statusCode\":404},\"responseTime\":3,\"msg\":\"a\"}", "other system"},
        {"{\"log\":\"a \\\"GET /cart HTTP/1.1\\\" 404 1 \\\"GPTBot\\\"\"}", "other system"},
        {"ERROR assistant - Failed to send mail: 535", "other system"},
        {"chat-api-1  | INFO: 127.0.0.1 - \"GET /orders/3 HTTP/1.1\" 404 Not Found",
         "other system"},
        {"page.goto: net::ERR_NAME_NOT_RESOLVED at https://example.com/", "other system"},
        {"Internal Server Error: /orders", "other system"},
        {"Too Many Requests: /v1/chat/completions", "llm api"},
        {"app: method=GET path=\"/favicon.ico\" host=llm.example.com", "other system"},
        {"短信发送失败：余额不足", "other system"},
        {"余额不足", "llm api"},
        {"{\"host\":\"llm.example.com\",\"uri\":\"/favicon.ico\",\"status\":404}", "other system"},
        {"{\"host\":\"llm.example.com\",\"uri\":\"/chat\",\"status\":404}", "llm api"},
        {"429 Too Many Requests", ""},
        {"discord_bot - ERROR - x failed", ""},
        {"discord.client - ERROR - x failed", "other system"},
        {"2026-11-29 13:00:00 - gpt-desk.request - INFO - done: GET /api/desk/7 | 404",
         "other system"},
        {"2026-11-29 13:00:00 - gpt-desk.request - INFO - done: POST /v1/messages | 404",
         "llm api"},
        {"10.0.0.1 - \"POST /api/profiles/switch/ollama HTTP/1.1\" 500", "other system"},
        {"10.0.0.1 - \"POST /providers/openai/v1/chat/completions HTTP/1.1\" 500", "llm api"},
        {"{\"path\":\"/home/a/genai/chat/main.py\",\"message\":\"x failed\"}", ""},
        {"dockerd[7]: lookup failed", "other system"},
        {"{\"kubernetes\":{\"pod_name\":\"api\"},\"log\":\"call failed\"}", ""},
        {"{\"log\":\"kubernetes: call failed\"}", "other system"},
        {"operation error EC2: RunInstances", "other system"},
        {"operation error Bedrock Runtime: InvokeModel", "llm api"},
        {"模型 at redis", "llm api"},
        {"no api key", "llm api"},
        {"no api key of stripe", "other system"},
        {"<html>/login for redis", ""},
        {"{\"log\":\"WARN\\tredis: ping\\n\"}", "other system"},
        {"I/O error on GET request for \"http://stock:8081/stock/7\": Connection refused",
         "other system"},
        {"I/O error on POST request for \"http://a:8081/v1/chat/completions\": refused", "llm api"},
        {"ERROR queue: 451 4.7.1 Greylisting in action, rate limit exceeded", "other system"},
        {"[d31] Completed 429 Too Many Requests in 2ms", "other system"},
        {"INFO: 10.0.0.7:0 - \"POST /api/ai/plugins HTTP/1.1\" 405 Method Not Allowed",
         "other system"},
        {"INFO: 10.0.0.7:0 - \"POST /api/ai/chat HTTP/1.1\" 500", "llm api"},
        {"ERROR ai service failed", "llm api"},
        {"Authentication failed: Bad credentials", "other system"},
        {"2026-11-29T13:00:05Z ERROR 7 --- [assistant] [main] c.acme.Stock : GET request for "
         "\"http://stock:81/7\": refused",
         "other system"},
        {"2026-11-29T13:00:05Z ERROR 7 --- [assistant] [main] c.acme.Stock : refused", "llm api"},
        {"2026-11-29T13:00:05Z ERROR chat failed, url: http://stock:81/7", "llm api"},
        {"\x1b[31mERROR\x1b[39m (7): \x1b[36mkafka: request timed out\x1b[39m", "other system"},
        {"{\"log\":\"\\u001b[36mkafka: request timed out\"}", "other system"},
        {"error exporterhelper/common.go: otlphttp/langfuse: HTTP Status Code 401", "other system"},
        {"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}",
         "other system"},
        {"upload to s3 failed: <html>502", "other system"},
        {"ERROR (MainThread) [govee_api.api] Rate limit exceeded", "other system"},
        {"[homeassistant.components.openai_conversation] Rate limit exceeded", "llm api"},
        {"[custom_components.weather] Request timed out", "other system"},
        {"get", ""},
        {"", ""},
    };
    (void)state;
    struct arena *arena = arena_create();
    const struct log_words *table = log_words_create(arena);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str about = log_about(table, str_from(rows[i].entry));
        if (!str_eq(about, str_from(rows[i].about))) {
            fail_msg("%s: \"%.*s\"", rows[i].entry, STR_ARG(about));
        }
    }
    arena_free(arena);
}

/* Each word stands in its table once, as it is looked for: in lower case, by its first two letters;
 * a Chinese one in the whole text, which no letter of ASCII need bound. */
static void words_of_whom_an_entry_is_about_are_plain(void **state)
{
    static const char *const words[] = {
#define LLM(word) "llm " word,
#define SHARED(word) "llm " word,
#define TOPIC(word) "llm " word,
#define OTHER(word) "other " word,
#define TAG(word) "tag " word,
#define LEAD(word) "lead " word,
#define CALL(word) "lead " word,
#define PLACE(word) "place " word,
#include "input/log_about.def"
    };
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        for (const char *c = words[i]; *c; c++) {
            assert_false(*c >= 'A' && *c <= 'Z');
        }
        const char *front = strchr(words[i], ' ') + 1;
        bool is_chinese = (unsigned char)front[0] >= 0x80;
        assert_true(is_chinese ||
                    (isalnum((unsigned char)front[0]) && isalnum((unsigned char)front[1])));
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(words[i], words[k]);
        }
    }
}

/* No row is dead: at its last word none of its kind stands that takes it and more. */
static void no_word_stands_for_less_than_another(void **state)
{
#undef SHARED
#undef TOPIC
#undef LEAD
#undef CALL
#undef PLACE
    static const char *const words[] = {
#define SHARED(word) "shared " word,
#define TOPIC(word) "shared " word,
#define LEAD(word)
#define CALL(word)
#define PLACE(word)
#include "input/log_about.def"
    };
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t kind = (size_t)(strchr(words[i], ' ') - words[i]);
        const char *last = strrchr(words[i], ' ');
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
            const char *other = words[k] + kind;
            if (k == i || strncmp(words[i], words[k], kind + 1) != 0) {
                continue;
            }
            size_t length = strlen(other) - 1;
            bool is_dead =
                other[length] == '*' ? strncmp(last, other, length) == 0 : strcmp(last, other) == 0;
            if (is_dead) {
                fail_msg("\"%s\" by \"%s\"", words[i], words[k]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_tells_whom_it_is_about),
        cmocka_unit_test(words_of_whom_an_entry_is_about_are_plain),
        cmocka_unit_test(no_word_stands_for_less_than_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
