/* What only speaks of errors is blanked, and what reports one beside it stays. */
#include "evidence_world.h"

#include "classify/bigrams.h"

static void lists_of_explanations_go_reports_beside_them_stay(void **state)
{
    static const char list[] = "## Troubleshooting\n\n- **Model not found**: run `ollama pull`.\n"
                               "- **401 Unauthorized**: check the key.\n\n";
    struct evidence e = lift_plain(*state, list);
    assert_false(text_has(&e, "Model not found"));
    assert_false(text_has(&e, "401"));
    e = lift_plain(*state,
                   "- `insufficient_quota` - top up\n- `invalid_api_key`: make a new one\n");
    assert_false(text_has(&e, "insufficient_quota"));
    e = lift_plain(*state, "Troubleshooting:\n - check the key\nError: 429 Too Many Requests");
    assert_true(text_has(&e, "429 Too Many Requests"));
    e = lift_plain(*state, "## Troubleshooting\n\n```\nHTTP/1.1 429\ninsufficient_quota\n```\n");
    assert_true(text_has(&e, "insufficient_quota"));
    e = lift_plain(*state,
                   "Error codes\n\n401\nReturned when the key is bad.\n403\nNo right.\n429\n"
                   "{\"error\": {\"code\": \"insufficient_quota\"}}\n");
    assert_false(text_has(&e, "insufficient_quota"));
    e = lift_plain(*state,
                   "I see 401, 403 and 429:\nsolution?\n{\"error\": \"insufficient_quota\"}\n");
    assert_true(text_has(&e, "insufficient_quota"));
    e = lift_plain(*state, "- **Error**: insufficient_quota\n- **Model**: gpt-x\n");
    assert_true(text_has(&e, "insufficient_quota"));
}

static void catalogues_of_messages_go_answers_stay(void **state)
{
    struct evidence e = lift_plain(
        *state, "{\"errors.rate\": \"Rate limit exceeded.\", \"errors.key\": \"The key is bad.\", "
                "\"errors.quota\": \"You exceeded your current quota.\"}");
    assert_false(text_has(&e, "current quota"));
    e = lift_plain(*state, "error.rate=Rate limit exceeded\nerror.key=Invalid API key\n"
                           "error.quota=Insufficient quota\n");
    assert_false(text_has(&e, "Invalid API key"));
    e = lift_plain(*state, "{\"error\": \"Rate limit exceeded.\", \"hint\": \"Wait a moment.\", "
                           "\"more\": \"See the docs.\", \"and\": \"Try it again.\"}");
    assert_true(text_has(&e, "Rate limit exceeded"));
}

static void what_a_change_makes_of_a_message_goes(void **state)
{
    struct evidence e = lift_plain(*state, "It says more now.\n\n### Before\n\nBad Request\n\n### "
                                           "After\n\nBad Request: overloaded_x\n");
    assert_false(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "It fails.\n\n### Before\n\nfine\n\n### After the update\n\n"
                           "Error: overloaded_x\n");
    assert_true(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "### Before\n\na\n\n### After\n\nb\n\n### Log\n\nError: "
                           "overloaded_x\n");
    assert_true(text_has(&e, "overloaded_x"));
}

static void messages_of_commits_go_reports_under_a_title_stay(void **state)
{
    struct evidence e =
        lift_plain(*state, "fix: wait for overloaded_x\n\nIt answered 529 overloaded_x.");
    assert_false(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "Handle overloaded_x\n\nThe server says overloaded_x under load.");
    assert_false(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "Check this:\n\noverloaded_x came back");
    assert_true(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "Fix my overloaded_x\n\nI see overloaded_x all day.");
    assert_true(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "Handle overloaded_x\n\nError: overloaded_x");
    assert_true(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "write tcp 10.0.0.4:5->192.0.2.1:443: overloaded_x\n\nand then nothing");
    assert_true(text_has(&e, "overloaded_x"));
}

static void counts_of_zero_and_questions_at_a_prompt_go_others_stay(void **state)
{
    struct evidence e =
        lift_plain(*state, "[2026-11-29] pool: 4 healthy, 0 rate limited, 0 exhausted");
    assert_false(text_has(&e, "rate limited"));
    e = lift_plain(*state, "[2026-11-29] pool: 0 healthy, 4 rate limited, 0 exhausted");
    assert_true(text_has(&e, "rate limited"));
    e = lift_plain(*state, "\u203a why does it say \"overloaded_x\"?");
    assert_false(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "\u203a Error: overloaded_x");
    assert_true(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "\u276f why does it say \"overloaded_x\"?");
    assert_false(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "\u276f overloaded_x");
    assert_true(text_has(&e, "overloaded_x"));
}

static void excerpts_of_programs_go_values_and_prints_stay(void **state)
{
    static const char *const sources[] = {
        "\t\t{429, \"overloaded_x\"},\n\t\t{503, \"b_x\"},\n\t\t{500, \"c_x\"},\n\t}\n",
        "        status=\"timeout\",\n        message=f\"overloaded_x after {n}s\",\n      )\n",
        "      type: 'ApiError',\n      message: 'overloaded_x',\n      code: 429,\n    };\n",
        "  | \"CONTEXT_OVERFLOW\"\n  | \"overloaded_x\"\n\nexport function add(\n",
        "    return c.json({\n      error: { message: 'overloaded_x' }\n    }, 429);\n",
        "  echo \"overloaded_x after ${n}s\"\n  exit 1\n",
        "        RateLimitError: (429, \"overloaded_x\"),\n        OtherError: (500, \"x\"),\n",
        "    401: { description: \"overloaded_x\" },\n    403: { description: \"x\" },\n",
        "    loadTip: 'Wait when overloaded_x is back.',\n    loadName: 'Load it now',\n"
        "    loadMore: 'Load more of it',\n",
        "    FirstError,\n    overloaded_x,\n    LastError,\n    OtherError,\n    AnError,\n",
        "    model: model,\n    kind: .overloaded_x,\n    lastError: nil,\n",
        "\tGet(overloaded_x *event.Event) error\n}\n\ntype Store interface {\n\tPut() error\n}\n",
        "import os\nfrom x import y\n\nPATTERNS = (\"overloaded_x\", \"other\")\n",
        "Code | Like | Text\n3 | 400 | overloaded_x is back\n4 | 408 | too late\n",
    };
    static const char *const prints[] = {
        "  status: 429,\n  error: {\n    message: 'overloaded_x',\n    type: 'requests',\n  },\n",
        "RateLimitError(\n    message='overloaded_x',\n    status_code=429,\n)\n",
        "const r = await create({\n  model: 'x',\n});\n{ error: { code: 'overloaded_x' } }\n",
        "  File \"a.py\", line 5, in ask\n    raise error(answer)\nAPIError: overloaded_x\n",
        "<_InactiveRpcError of RPC that terminated with:\n\tstatus = StatusCode.UNAVAILABLE\n"
        "\tdetails = \"overloaded_x\"\n>\n",
        "import os\n\nprint(ask(\"x\"))\n\n{\n  \"message\": \"overloaded_x\"\n}\n",
        "2025-02-24T09:45:35.652Z WARN a: overloaded_x,\n2025-02-24T09:45:35.653Z WARN b: c,\n",
        "    'status' => 429,\n    'data' => \n    array (\n      'code' => 'overloaded_x',\n    "
        "),\n",
        "{:status=>429,\n \"data\"=>\n  {\"error\"=>\n    {\"code\"=>\"overloaded_x\",\n"
        "     \"type\"=>\"x\"}}}\n",
        "    message='overloaded_x',\n    status_code=429,\n    body=None,\n",
        "  headers: [\n    {\"content-type\", \"text/plain\"},\n    {\"retry-after\", \"20\"}\n  "
        "],\n"
        "  reason: :overloaded_x\n",
        "model-a -> 429 overloaded_x (try later)\nmodel-b -> 429 overloaded_x (try later)\n",
        "(map[string]interface {}) (len=2) {\n (string) (len=6) \"status\": (float64) 429,\n"
        " (string) (len=4) \"code\": (string) (len=12) \"overloaded_x\"\n}\n",
        "    status=429,\n    body=Body(\n        error=Error(\n"
        "            message='overloaded_x',\n        )\n    )\n",
        "ProxyError('overloaded_x', OSError('Tunnel connection failed'))\n",
        "10:02:33 | ERROR | overloaded_x\n10:02:34 | ERROR | other_x\n10:02:35 | INFO | x\n",
        "* TLSv1.3 (IN), TLS alert, x (628):\n* OpenSSL: error:0A00045C:overloaded_x::x\n",
    };
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        struct evidence e = lift_plain(*state, sources[i]);
        assert_false(text_has(&e, "overloaded_x"));
    }
    for (size_t i = 0; i < sizeof prints / sizeof prints[0]; i++) {
        struct evidence e = lift_plain(*state, prints[i]);
        assert_true(text_has(&e, "overloaded_x"));
    }
}

static void what_settings_do_goes_and_what_happened_stays(void **state)
{
    struct evidence e = lift_plain(*state, "Switch models when the model is overloaded_x");
    assert_false(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "  --fallback <model>   Enable it when the model is overloaded_x");
    assert_false(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "Switch models when you can: the model is overloaded_x");
    assert_true(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "Error: overloaded_x when calling the model");
    assert_true(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "overloaded_x时自动重试");
    assert_false(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "overloaded_x cooldown expired, re-enabling fast mode");
    assert_false(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "overloaded_x cooldown expired");
    assert_true(text_has(&e, "overloaded_x"));
}

static void what_is_said_again_is_no_list(void **state)
{
    struct evidence e = lift_plain(*state, "400: overloaded_x\n400: overloaded_x\n400: again");
    assert_true(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "400: overloaded_x\n401: no key\n404: no page");
    assert_false(text_has(&e, "overloaded_x"));
}

static void lists_of_codes_go_and_lines_of_loggers_stay(void **state)
{
    struct evidence e = lift_plain(*state, "[EACCES]  overloaded_x\n[EBADF]  no\n[EBUSY]  no");
    assert_false(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "[ERROR] overloaded_x\n[ERROR] again\n[ERROR] giving up");
    assert_true(text_has(&e, "overloaded_x"));
}

static void sentences_of_people_are_told_from_code(void **state)
{
    struct evidence e =
        lift_plain(*state, "For the second model (gpt-x):\n    Error code: 429 overloaded_x\n");
    assert_true(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "# output of curl:\n    overloaded_x\n");
    assert_true(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "Except for gpt-x all models are overloaded_x");
    assert_true(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "for code in CODES:\n    names.add(\"overloaded_x\")\n");
    assert_false(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "##[error]all models are overloaded_x");
    assert_true(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "## Models that are overloaded_x");
    assert_false(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "If overloaded_x comes back, wait a little.");
    assert_false(text_has(&e, "overloaded_x"));
    e = lift_plain(*state, "What does this mean? Error code: 429 - {'code': 'overloaded_x'}");
    is(&e, FIELD_ERROR_CODE, 0, "overloaded_x");
}

static void documents_go_as_a_whole(void **state)
{
    struct arena *arena = *state;
    static const struct {
        const char *head, *line;
        bool is_document;
    } cases[] = {
        {"", "The server may be overloaded_x, and then a client waits for some time.\n", true},
        {"", "    if (code == 429) { retry(\"overloaded_x\"); }\n    return;\n", true},
        {"Error: overloaded_x\n", "The client went on and printed many words after that line.\n",
         false},
        {"", "2026-11-29 10:00:00 model overloaded_x, waiting for the next one to come up\n",
         false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct str text = str_from(cases[i].head);
        for (size_t k = 0; k < 60; k++) {
            text = arena_printf(arena, "%.*s%s", STR_ARG(text), cases[i].line);
        }
        struct evidence e = lift_plain(arena, text.ptr);
        assert_int_equal(text_has(&e, "overloaded_x"), !cases[i].is_document);
    }
}

static void streams_within_texts_are_seen_to_break_off(void **state)
{
    static const char chunk[] = "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}";
    struct arena *arena = *state;
    struct str cut = arena_printf(arena, "It stops:\n```\n%s\n\n%s\n```\n", chunk, chunk);
    struct evidence e = lift_plain(arena, cut.ptr);
    is(&e, FIELD_ANSWER, 0, "truncated");
    struct str whole = arena_printf(arena, "%s\n\n%s\n\ndata: [DONE]\n", chunk, chunk);
    e = lift_plain(arena, arena_printf(arena, "All is well:\n%.*s", STR_ARG(whole)).ptr);
    assert_int_equal(e.counts[FIELD_ANSWER], 0);
    e = lift_plain(arena, arena_printf(arena, "DEBUG chunk %s", chunk).ptr);
    assert_int_equal(e.counts[FIELD_ANSWER], 0);
    e = lift_plain(arena,
                   "body=\"data: {\\\"choices\\\":[]}\\n\\ndata: {\\\"choices\\\":[]}\\n\\n\"");
    is(&e, FIELD_ANSWER, 0, "truncated");
}

static void pages_within_texts_take_the_status_told(void **state)
{
    struct evidence e = lift_plain(*state, "It answers HTTP 200: <html><head><title>App</title>");
    is(&e, FIELD_STATUS, 0, "200");
    is(&e, FIELD_ANSWER, 0, "page");
    e = lift_plain(*state, "It answers HTTP 502: <html><head><title>Bad</title>");
    is(&e, FIELD_STATUS, 0, "502");
    assert_int_equal(e.counts[FIELD_ANSWER], 0);
}

static void values_are_found_through_several_escapes(void **state)
{
    struct evidence e =
        lift_plain(*state, "resp=\"{\\\"candidates\\\":[{\\\"finishReason\\\":\\\"SAFETY\\\"}]}\"");
    is(&e, FIELD_ERROR_REASON, 0, "SAFETY");
    e = lift_plain(*state, "'resp=\"{\\\\\"error\\\\\":{\\\\\"code\\\\\":\\\\\"a_code\\\\\"}}\"'");
    is(&e, FIELD_ERROR_CODE, 0, "a_code");
    e = lift_plain(*state, "HTTP 400: {\"message\": \"no such thing\"}");
    is(&e, FIELD_ERROR_MESSAGE, 0, "no such thing");
    e = lift_http(*state, 200, "{\"message\": \"no such thing\"}");
    assert_int_equal(e.counts[FIELD_ERROR_MESSAGE], 0);
}

static void manuals_go_reports_laid_out_alike_stay(void **state)
{
    static const char *const manuals[] = {
        "<Accordion title=\"Limits\">\nThe API answers overloaded_x.\n</Accordion>\n",
        "See [limits](/docs/limits) for what overloaded_x says.\n",
        "### Busy hours [#busy]\n\nThe API answers overloaded_x.\n",
        "### Fixed\n\n- overloaded_x is sent again\n",
        "## Limits\n\nYou can raise them.\nIf you see overloaded_x, wait.\n",
        "### The request failed\n\n**Problem**: it says overloaded_x.\n\n**Solution**:\n- wait\n- "
        "ask\n",
        "You should see an `overloaded_x` answer.\n"};
    static const char *const reports[] = {
        "## Limits\n\nThe API answers overloaded_x since the update.\n",
        "### The request failed\n\nIt says overloaded_x.\n\n- version 2\n- Linux\n",
        "> [!WARNING]\n> Error: overloaded_x\n",
        "See [limits](/docs/limits).\n\n```text\nError: overloaded_x\n```\n",
        "## Fixed\n\nI still get overloaded_x.\n"};
    for (size_t i = 0; i < sizeof manuals / sizeof manuals[0]; i++) {
        struct evidence e = lift_plain(*state, manuals[i]);
        assert_false(text_has(&e, "overloaded_x"));
    }
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        struct evidence e = lift_plain(*state, reports[i]);
        assert_true(text_has(&e, "overloaded_x"));
    }
}

/* Pairs of signs are known before they are asked for, though the first line is empty. */
static void an_empty_line_may_be_the_first(void **state)
{
    static const char *const texts[] = {"", "\n", "\n\nError: overloaded_x",
                                        "\n# Errors\n[limits](#limits)\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct evidence e = lift_plain(*state, texts[i]);
        assert_int_equal(text_has(&e, "overloaded_x"), i == 2);
    }
    struct bigram_lines lines;
    struct str line;
    memset(&lines, 0xA5, sizeof lines); /* no bool that is true or false */
    bigrams_begin(&lines, STR("\nx"));
    assert_true(bigrams_next_line(&lines, &line));
    for (size_t i = 0; i < sizeof lines.bigrams.has; i++) {
        assert_true(((const unsigned char *)lines.bigrams.has)[i] <= 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(lists_of_explanations_go_reports_beside_them_stay),
        TEST(catalogues_of_messages_go_answers_stay),
        TEST(messages_of_commits_go_reports_under_a_title_stay),
        TEST(what_a_change_makes_of_a_message_goes),
        TEST(counts_of_zero_and_questions_at_a_prompt_go_others_stay),
        TEST(excerpts_of_programs_go_values_and_prints_stay),
        TEST(what_settings_do_goes_and_what_happened_stays),
        TEST(what_is_said_again_is_no_list),
        TEST(lists_of_codes_go_and_lines_of_loggers_stay),
        TEST(sentences_of_people_are_told_from_code),
        TEST(documents_go_as_a_whole),
        TEST(manuals_go_reports_laid_out_alike_stay),
        TEST(streams_within_texts_are_seen_to_break_off),
        TEST(pages_within_texts_take_the_status_told),
        TEST(an_empty_line_may_be_the_first),
        TEST(values_are_found_through_several_escapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
