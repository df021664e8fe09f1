/* A log of any size, always the same for the same arguments: JSON records, logfmt, access logs,
 * tracebacks, lines of proxies and agents, Chinese lines, one line in 1000 of 4 to 64 KiB; and so
 * many failures of LLM calls among them.
 *
 * usage: gen MEBIBYTES FAILING_PER_100000_LINES SEED > FILE      (0 failing lines: an ordinary log)
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PICK(g, list) ((list)[below((g), sizeof(list) / sizeof(list)[0])])
#define LINE_BYTES_MAX ((size_t)128 * 1024)

struct gen {
    uint64_t state;
    char line[LINE_BYTES_MAX];
    size_t length;
};

static const char *const words[] = {
    "the",     "request",   "model",      "token",     "limit",       "cache",    "worker",
    "session", "completed", "started",    "user",      "order",       "payment",  "invoice",
    "queue",   "batch",     "stream",     "response",  "latency",     "retrying", "error",
    "warning", "timeout",   "connection", "pool",      "index",       "shard",    "replica",
    "commit",  "rollback",  "schema",     "migration", "config",      "loaded",   "reloaded",
    "metrics", "export",    "upload",     "download",  "checksum",    "prompt",   "completion",
    "context", "window",    "tool",       "call",      "function",    "result",   "agent",
    "plan",    "step",      "file",       "path",      "read",        "write",    "patch",
    "applied", "test",      "passed",     "skipped",   "build",       "compile",  "deploy",
    "region",  "zone",      "instance",   "health",    "check",       "ok",       "ready",
    "idle",    "busy",      "capacity",   "usage",     "quota",       "account",  "profile",
    "login",   "logout",    "refresh",    "rotate",    "certificate", "renewed",  "resolve",
    "lookup",  "handshake", "retry",      "after",     "server",      "client",   "proxy",
    "route",   "gateway",   "backend",    "and",       "of",          "to",       "in",
    "for",     "with",      "from",       "was",       "is",          "by",       "at",
    "on"};
static const char *const services[] = {"checkout",     "gateway",   "billing-worker", "llm-proxy",
                                       "ingest",       "scheduler", "auth-svc",       "search-api",
                                       "vector-index", "notifier",  "codex-agent",    "litellm"};
static const char *const levels[] = {"INFO", "INFO", "INFO", "INFO", "DEBUG", "DEBUG"};
static const char *const models[] = {"gpt-4o",
                                     "gpt-5-codex",
                                     "claude-sonnet-4-5-20250929",
                                     "claude-opus-4-1",
                                     "gemini-2.5-pro",
                                     "deepseek-chat",
                                     "qwen3-max",
                                     "glm-4.6",
                                     "kimi-k2-0905",
                                     "mistral-large-2411",
                                     "openrouter/x-ai/grok-4"};
static const char *const paths[] = {
    "/v1/chat/completions", "/v1/messages", "/v1/responses",  "/health", "/api/orders/",
    "/static/app.js",       "/metrics",     "/v1/embeddings", "/login",  "/api/v2/search?q="};
static const char *const chinese[] = {
    "用户登录成功",   "任务已完成",   "开始处理订单", "模型响应时间", "缓存命中",
    "配置文件已读取", "请求处理完毕", "数据同步中",   "令牌已刷新",   "会话已创建",
    "上游节点健康",   "写入数据库",   "重新连接成功", "渠道测试通过", "日志已归档"};
static const char *const sources[] = {
    "openai/_base_client.py", "litellm/main.py",  "app/worker.py",
    "asyncio/runners.py",     "httpx/_client.py", "site-packages/starlette/routing.py",
    "service/orders.py"};
static const char *const functions[] = {"request",           "acompletion", "run",
                                        "_process_response", "handle",      "dispatch",
                                        "wrapper",           "main",        "process_batch"};
static const char *const exceptions[] = {
    "ValueError: invalid literal for int() with base 10: 'abc'",
    "KeyError: 'customer_id'",
    "sqlalchemy.exc.IntegrityError: duplicate key value violates unique constraint",
    "AssertionError",
    "FileNotFoundError: [Errno 2] No such file or directory: '/tmp/x'",
    "TypeError: unsupported operand type(s) for +: 'int' and 'str'"};

/* %m model, %n number, %h sixteen hex digits */
static const char *const failures[] = {
    "{\"error\":{\"message\":\"Rate limit reached for %m in organization org-%h on tokens per min "
    "(TPM): Limit %n, Used %n, "
    "Requested %n. Please try again in "
    "12.5s.\",\"type\":\"tokens\",\"code\":\"rate_limit_exceeded\"}}",
    "{\"error\":{\"message\":\"You exceeded your current quota, please check your plan and billing "
    "details.\","
    "\"type\":\"insufficient_quota\",\"code\":\"insufficient_quota\"}}",
    "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"},"
    "\"request_id\":\"req_%h\"}",
    "{\"error\":{\"code\":429,\"message\":\"Resource has been exhausted (e.g. check "
    "quota).\",\"status\":"
    "\"RESOURCE_EXHAUSTED\"}}",
    "{\"error\":{\"message\":\"The model `%m` does not exist or you do not have access to "
    "it.\",\"type\":"
    "\"invalid_request_error\",\"code\":\"model_not_found\"}}",
    "{\"error\":{\"message\":\"当前分组上游负载已饱和，请稍后再试 (request id: "
    "%h)\",\"type\":\"new_api_error\"}}",
    "{\"error\":{\"message\":\"当前分组 default 下对于模型 %m 无可用渠道 (request id: "
    "%h)\",\"type\":\"new_api_error\"}}",
    "{\"error\":{\"message\":\"用户额度不足, 剩余额度: ¥0.%n\",\"type\":\"new_api_error\"}}",
    "ERROR: unexpected status 503 Service Unavailable: Selected model is at capacity. Please try a "
    "different model., url: "
    "https://chatgpt.com/backend-api/codex/responses",
    "ERROR: exceeded retry limit, last status: 429 Too Many Requests, request id: %h",
    "ERROR: stream disconnected before completion: Transport error: network error: error decoding "
    "response body",
    "litellm.exceptions.RateLimitError: litellm.RateLimitError: AnthropicException - "
    "{\"type\":\"error\",\"error\":{\"type\":"
    "\"rate_limit_error\",\"message\":\"Number of request tokens has exceeded your per-minute rate "
    "limit\"}}",
    "litellm.AuthenticationError: AuthenticationError: OpenAIException - Incorrect API key "
    "provided: sk-%h. You can find "
    "your API key at https://platform.openai.com/account/api-keys.",
    "litellm.ContextWindowExceededError: litellm.BadRequestError: OpenAIException - This model's "
    "maximum context length is "
    "%n tokens. However, your messages resulted in %n tokens.",
    "curl: (60) SSL certificate problem: certificate has expired",
    "ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: "
    "self-signed certificate in "
    "certificate chain (_ssl.c:1006)",
    "curl: (6) Could not resolve host: api.%h.example",
    "Error: getaddrinfo ENOTFOUND api.%h.example",
    "httpx.ConnectError: [Errno 111] Connection refused",
    "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad "
    "Gateway</h1></center><hr><center>cloudflare"
    "</center></body></html>",
    "upstream connect error or disconnect/reset before headers. reset reason: connection timeout",
    "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too "
    "long: %n tokens > 200000 "
    "maximum\"}}",
    "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"Your credit "
    "balance is too low to access "
    "the Anthropic API.\"}}",
    "{\"detail\":\"Unsupported parameter: 'max_output_tokens'\"}",
    "{\"error\":{\"message\":\"Country, region, or territory not supported\",\"code\":"
    "\"unsupported_country_region_territory\"}}",
    "{\"code\":\"InvalidApiKey\",\"message\":\"Invalid API-key provided.\",\"request_id\":\"%h\"} "
    "invalid api_key",
    "You've hit your usage limit. Upgrade to Pro or try again in 3 days 4 hours.",
    "{\"error\":{\"message\":\"[GoogleGenerativeAI Error]: 503 Service Unavailable The model is "
    "overloaded. Please try again "
    "later.\"}}",
    "botocore.errorfactory.ThrottlingException: An error occurred (ThrottlingException) when "
    "calling the InvokeModel "
    "operation: Too many tokens, please wait before trying again."};

/* xorshift64*: the same numbers everywhere. */
static uint32_t below(struct gen *g, uint64_t limit)
{
    g->state ^= g->state >> 12;
    g->state ^= g->state << 25;
    g->state ^= g->state >> 27;
    uint64_t bits = (g->state * UINT64_C(2685821657736338717)) >> 32;
    return (uint32_t)((bits * limit) >> 32);
}

static void put(struct gen *g, const char *text)
{
    size_t length = strlen(text);
    if (g->length + length < sizeof g->line) {
        memcpy(g->line + g->length, text, length);
        g->length += length;
    }
}

static void put_number(struct gen *g, unsigned number, int digits)
{
    char text[16];
    snprintf(text, sizeof text, "%0*u", digits, number);
    put(g, text);
}

static void put_hex(struct gen *g, size_t digits)
{
    char digit[2] = "";
    while (digits-- > 0) {
        digit[0] = "0123456789abcdef"[below(g, 16)];
        put(g, digit);
    }
}

static bool is_one_of(const char *word, const char *const *list, size_t count)
{
    size_t i = 0;
    while (i < count && strcmp(word, list[i]) != 0) {
        i++;
    }
    return i < count;
}

/* Words by chance that report nothing: "timeout" and its like stand in front of all others, and
 * without an error. "Gateway timeout", "model busy" and "read timeout error" are failures. */
static void put_words(struct gen *g, size_t count)
{
    static const char *const states[] = {"busy", "capacity", "quota", "timeout"};
    const char *first = PICK(g, words);
    put(g, first);
    while (count-- > 1) {
        const char *word = PICK(g, words);
        bool is_state = is_one_of(word, states, sizeof states / sizeof states[0]);
        bool is_error = strcmp(word, "error") == 0 &&
                        is_one_of(first, states, sizeof states / sizeof states[0]);
        put(g, " ");
        put(g, is_state || is_error ? "idle" : word);
    }
}

static void put_date(struct gen *g, const char *between)
{
    put(g, "2026-11-");
    put_number(g, 1 + below(g, 28), 2);
    put(g, between);
    for (unsigned i = 0; i < 3; i++) {
        put(g, i ? ":" : "");
        put_number(g, below(g, i ? 60 : 24), 2);
    }
}

static void put_stamp(struct gen *g)
{
    put_date(g, " ");
    put(g, ",");
    put_number(g, below(g, 1000), 3);
}

static void put_iso(struct gen *g)
{
    put_date(g, "T");
    put(g, ".");
    put_number(g, below(g, 1000000), 6);
    put(g, "Z");
}

static void put_failure(struct gen *g, int is_escaped)
{
    char one[2] = "";
    for (const char *at = PICK(g, failures); *at; at++) {
        if (*at == '%') {
            at++;
            if (*at == 'm') {
                put(g, PICK(g, models));
            } else if (*at == 'n') {
                put_number(g, 1000 + below(g, 300000), 1);
            } else {
                put_hex(g, 16);
            }
            continue;
        }
        one[0] = *at;
        put(g, is_escaped && *at == '"' ? "\\" : "");
        put(g, one);
    }
}

static void long_line(struct gen *g)
{
    size_t wanted = 4096 + below(g, 61440);
    uint32_t kind = below(g, 3);
    put_iso(g);
    put(g, " DEBUG dump prompt=\"");
    while (g->length < wanted) {
        if (kind == 0) {
            put_hex(g, 76);
        } else if (kind == 1) {
            put_words(g, 12);
            put(g, ". ");
        } else {
            put(g, PICK(g, chinese));
            put(g, "，");
        }
    }
    put(g, "\"");
}

static void json_line(struct gen *g, int is_failing)
{
    put(g, "{\"ts\":\"");
    put_iso(g);
    put(g, "\",\"level\":\"");
    put(g, is_failing ? "ERROR" : PICK(g, levels));
    put(g, "\",\"service\":\"");
    put(g, PICK(g, services));
    put(g, "\",\"msg\":\"");
    if (is_failing) {
        put_failure(g, 1);
    } else {
        put_words(g, 4 + below(g, 10));
    }
    put(g, "\",\"trace_id\":\"");
    put_hex(g, 32);
    put(g, "\",\"duration_ms\":");
    put_number(g, below(g, 5000), 1);
    put(g, ",\"model\":\"");
    put(g, PICK(g, models));
    put(g, "\",\"tokens\":{\"prompt\":");
    put_number(g, below(g, 90000), 1);
    put(g, ",\"completion\":");
    put_number(g, below(g, 4000), 1);
    put(g, "}}");
}

static void logfmt_line(struct gen *g, int is_failing)
{
    put(g, "time=");
    put_iso(g);
    put(g, is_failing ? " level=error svc=" : " level=info svc=");
    put(g, PICK(g, services));
    put(g, " msg=\"");
    if (is_failing) {
        put_failure(g, 1);
    } else {
        put_words(g, 3 + below(g, 8));
    }
    put(g, "\" dur=");
    put_number(g, below(g, 900), 1);
    put(g, "ms req_id=");
    put_hex(g, 12);
    put(g, is_failing ? " status=429" : " status=200");
}

static void access_line(struct gen *g, int is_failing)
{
    if (is_failing) {
        put_stamp(g);
        put(g, " ERROR ");
        put_failure(g, 0);
        return;
    }
    put(g, "10.1.");
    put_number(g, below(g, 256), 1);
    put(g, ".7 - - [");
    put_number(g, 1 + below(g, 28), 2);
    put(g, "/Nov/2026:13:");
    put_number(g, below(g, 60), 2);
    put(g, ":07 +0000] \"");
    put(g, below(g, 3) ? "GET " : "POST ");
    put(g, PICK(g, paths));
    put_number(g, below(g, 100000), 1);
    put(g, " HTTP/1.1\" ");
    put(g, below(g, 20) ? "200 " : "304 ");
    put_number(g, below(g, 90000), 1);
    put(g, " \"-\" \"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36\" rt=0.");
    put_number(g, below(g, 1000), 3);
}

static void trace_line(struct gen *g, int is_failing)
{
    uint32_t kind = below(g, 6);
    if (is_failing) {
        put_failure(g, 0);
    } else if (kind == 0) {
        put(g, "Traceback (most recent call last):");
    } else if (kind == 5) {
        put(g, PICK(g, exceptions));
    } else {
        put(g, "  File \"/srv/app/");
        put(g, PICK(g, sources));
        put(g, "\", line ");
        put_number(g, 1 + below(g, 2000), 1);
        put(g, ", in ");
        put(g, PICK(g, functions));
    }
}

static void agent_line(struct gen *g, int is_failing)
{
    put_stamp(g);
    put(g, " - ");
    put(g, PICK(g, services));
    put(g, ":");
    put(g, PICK(g, functions));
    put(g, ":");
    put_number(g, below(g, 3000), 1);
    put(g, " - ");
    put(g, is_failing ? "ERROR" : PICK(g, levels));
    put(g, " - ");
    if (is_failing) {
        put_failure(g, 0);
        return;
    }
    put(g,
        below(g, 2) ? "LiteLLM completion() model= " : "codex_core::client: turn finished model=");
    put(g, PICK(g, models));
    put(g, "; provider = openai; ");
    put_words(g, 2 + below(g, 6));
}

static void chinese_line(struct gen *g, int is_failing)
{
    put(g, "[");
    put_stamp(g);
    put(g, is_failing ? "] 错误 " : "] 信息 ");
    if (is_failing) {
        put_failure(g, 0);
        return;
    }
    for (uint32_t i = 1 + below(g, 4); i > 0; i--) {
        put(g, PICK(g, chinese));
        put(g, "，");
    }
    put(g, "耗时 ");
    put_number(g, below(g, 5000), 1);
    put(g, " ms，模型 ");
    put(g, PICK(g, models));
}

static void make_line(struct gen *g, int is_failing)
{
    static const struct {
        uint32_t below;
        void (*make)(struct gen *g, int is_failing);
    } kinds[] = {{35, json_line},  {55, logfmt_line}, {67, access_line},
                 {79, trace_line}, {93, agent_line},  {100, chinese_line}};
    uint32_t kind = below(g, 100);
    g->length = 0;
    if (!is_failing && below(g, 1000) == 0) {
        long_line(g);
    } else {
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            if (kind < kinds[i].below) {
                kinds[i].make(g, is_failing);
                break;
            }
        }
    }
    put(g, "\n");
}

int main(int argc, char **argv)
{
    static struct gen g;
    if (argc != 4) {
        fprintf(stderr, "usage: gen MEBIBYTES FAILING_PER_100000_LINES SEED\n");
        return 2;
    }
    uint64_t wanted = strtoull(argv[1], NULL, 10) << 20, written = 0;
    uint64_t failing = strtoull(argv[2], NULL, 10);
    g.state =
        UINT64_C(0x9E3779B97F4A7C15) ^ (strtoull(argv[3], NULL, 10) * UINT64_C(0xD1342543DE82EF95));
    for (int i = 0; i < 16; i++) {
        (void)below(&g, 2);
    }
    while (written < wanted) {
        make_line(&g, below(&g, 100000) < failing);
        if (fwrite(g.line, 1, g.length, stdout) != g.length) {
            return 1;
        }
        written += g.length;
    }
    return fflush(stdout) ? 1 : 0;
}
