/* Event streams as they come off a socket, JSON as it is written, and the shapes a request can
 * take. */
#include "wire/answer.h"
#include "wire/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char last[] = "event: response.completed\ndata: {\"type\":\"response.completed\"}\n\n";

static void assert_events(const char *body, const char *const want[][2], size_t count)
{
    struct arena *arena = arena_create();
    struct sse sse = {str_from(body)};
    struct str name, text;
    for (size_t i = 0; i < count; i++) {
        assert_true(sse_next(arena, &sse, &name, &text));
        assert_true(str_eq(name, str_from(want[i][0])));
        assert_string_equal(text.ptr, want[i][1]);
    }
    assert_false(sse_next(arena, &sse, &name, &text));
    arena_free(arena);
}

static void reads_events_whatever_ends_their_lines(void **state)
{
    (void)state;
    static const char *const want[][2] = {{"a", "1\n2"}, {"", "3"}};
    assert_events("event: a\ndata: 1\ndata: 2\n\ndata:3\n\n", want, 2);
    assert_events("event: a\r\ndata: 1\r\ndata: 2\r\n\r\ndata:3\r\n\r\n", want, 2);
    assert_events("event: a\rdata: 1\rdata: 2\r\rdata:3\r\r", want, 2);
    assert_events("\xef\xbb\xbf"
                  ": hello\n\n\n\nid: 7\nretry: 10\nevent: a\ndata: 1\n: between\ndata: 2\n\n"
                  "data:3",
                  want, 2);
}

static void reads_odd_fields_as_the_standard_says(void **state)
{
    (void)state;
    static const char *const want[][2] = {{"", ""}, {"e", ""}, {"", " two blanks"}};
    assert_events("data\n\nevent: e\n\ndata:  two blanks\ndatabase: x\nnonsense\n\n", want, 3);
    assert_events("", NULL, 0);
    assert_events(": only\n\n: comments\n\n", NULL, 0);
}

static void knows_a_stream_by_its_first_line(void **state)
{
    (void)state;
    assert_true(sse_is_stream(STR("\n\ndata: x")));
    assert_true(sse_is_stream(STR("\xef\xbb\xbf: hi\n")));
    assert_true(sse_is_stream(STR("retry: 3\n")));
    assert_false(sse_is_stream(STR("{\"data\": 1}")));
    assert_false(sse_is_stream(STR("database: x")));
    assert_false(sse_is_stream(STR("")));
}

static void hangs_up_at_the_last_event_only(void **state)
{
    (void)state;
    const struct wire *wire = wire_find(STR("responses"));
    char body[512];
    size_t seen = 0;
    int length = snprintf(body, sizeof body, "data: {\"type\":\"response.created\"}\n\n%s", last);
    for (int i = 1; i < length; i++) {
        assert_false(wire->is_over((struct str){body, (size_t)i}, &seen));
    }
    assert_true(wire->is_over((struct str){body, (size_t)length}, &seen));
}

static void every_end_of_a_stream_is_an_end(void **state)
{
    (void)state;
    static const char *const ends[] = {
        "data: {\"type\":\"response.failed\"}\n\n",
        "data: {\"type\":\"response.incomplete\"}\r\n\r\n",
        "data: {\"type\":\"error\"}\r\r",
        "data: {\"error\":{\"message\":\"x\"}}\n\n",
    };
    const struct wire *wire = wire_find(STR("responses"));
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t seen = 0;
        assert_true(wire->is_over(str_from(ends[i]), &seen));
    }
    assert_null(wire_find(STR("chat"))->is_over);
}

static struct str body_of(const struct wire *wire, struct wire_request request, struct buf *body)
{
    *body = buf_create(4096);
    wire->write_body(&request, body);
    return buf_str(body);
}

static void asks_for_the_smallest_answer(void **state)
{
    (void)state;
    static const struct {
        const char *wire, *path, *body;
        unsigned bound;
    } rows[] = {
        {"responses", "/responses",
         "{\"model\":\"m\",\"input\":[{\"type\":\"message\",\"role\":\"user\",\"content\":"
         "[{\"type\":\"input_text\",\"text\":\"ping\"}]}],\"stream\":true,\"store\":false,"
         "\"max_output_tokens\":16}",
         16},
        {"chat", "/chat/completions",
         "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"ping\"}],"
         "\"max_completion_tokens\":16}",
         16},
        {"messages", "/v1/messages",
         "{\"model\":\"m\",\"max_tokens\":1,\"messages\":[{\"role\":\"user\",\"content\":"
         "\"ping\"}]}",
         1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct wire *wire = wire_find(str_from(rows[i].wire));
        struct buf body;
        assert_string_equal(body_of(wire, (struct wire_request){.model = STR("m")}, &body).ptr,
                            rows[i].body);
        assert_string_equal(wire->path.ptr, rows[i].path);
        assert_int_equal(wire->token_bound, rows[i].bound);
        buf_free(&body);
    }
    assert_null(wire_find(STR("gopher")));
    assert_null(wire_at(wire_count()));
}

static void sends_no_cap_where_none_is_wanted(void **state)
{
    (void)state;
    static const char *const names[] = {"responses", "chat"};
    for (size_t i = 0; i < 2; i++) {
        struct buf body;
        struct wire_request request = {.model = STR("m"), .is_uncapped = true};
        struct str text = body_of(wire_find(str_from(names[i])), request, &body);
        assert_int_equal(str_find(text, STR("max_")), -1);
        /* Endpoints of logins want instructions with it; only this API has them. */
        assert_int_equal(str_find(text, STR("\"instructions\":\"")) >= 0, i == 0);
        cJSON *json = cJSON_Parse(text.ptr);
        assert_non_null(json);
        cJSON_Delete(json);
        buf_free(&body);
    }
}

static void any_model_name_makes_valid_json(void **state)
{
    (void)state;
    const struct str model = STR("a\"b\\c\n\x01/\xe6\xa8\xa1");
    for (size_t i = 0; i < wire_count(); i++) {
        struct buf body;
        struct str text = body_of(wire_at(i), (struct wire_request){.model = model}, &body);
        cJSON *json = cJSON_Parse(text.ptr);
        assert_string_equal(body_member(json, "model")->valuestring, model.ptr);
        cJSON_Delete(json);
        buf_free(&body);
    }
}

static void chat_asks_once_more_with_the_old_cap(void **state)
{
    (void)state;
    const struct wire *wire = wire_find(STR("chat"));
    struct arena *arena = arena_create();
    struct observation o = {
        .status = 400,
        .body = STR("{\"error\":{\"message\":\"Unrecognized request argument supplied: "
                    "max_completion_tokens\"}}"),
    };
    unsigned next = 0;
    wire->read_answer(arena, true, &o);
    assert_true(wire->next_variant(&o, 0, &next));
    struct buf body;
    struct str text = body_of(wire, (struct wire_request){STR("m"), false, next}, &body);
    assert_true(str_find(text, STR("\"max_tokens\":16")) > 0);
    assert_int_equal(str_find(text, STR("max_completion_tokens")), -1);
    buf_free(&body);
    assert_false(wire->next_variant(&o, next, &next));
    o.status = 401;
    wire->read_answer(arena, true, &o);
    assert_false(wire->next_variant(&o, 0, &next));
    o.status = 400;
    o.body = STR("{\"error\":{\"message\":\"max_completion_tokens is below minimum value\"}}");
    wire->read_answer(arena, true, &o);
    assert_int_equal(o.outcome, OUTCOME_CAPPED);
    assert_false(wire->next_variant(&o, 0, &next));
    arena_free(arena);
}

static void a_list_proves_a_key(void **state)
{
    (void)state;
    static const struct {
        long status;
        const char *body;
        bool is_cut;
        enum outcome outcome;
    } rows[] = {
        {200, "{\"object\":\"list\",\"data\":[]}", false, OUTCOME_COMPLETE},
        {200, "[]", false, OUTCOME_COMPLETE},
        {200, "{\"data\":[{\"id\":\"m", true, OUTCOME_COMPLETE},
        {200, "{\"data\":[{\"id\":\"m", false, OUTCOME_TRUNCATED},
        {200, "{\"error\":{\"message\":\"no\"}}", false, OUTCOME_FAILED},
        {200, "<html>login", false, OUTCOME_PAGE},
        {200, "welcome", true, OUTCOME_NOT_API},
        {200, "", false, OUTCOME_EMPTY},
        {401, "{}", false, OUTCOME_FAILED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_create();
        struct observation o = {.status = rows[i].status,
                                .body = str_from(rows[i].body),
                                .is_body_cut = rows[i].is_cut};
        const struct free_request form = {.path = STR("/models")};
        wire_read_free(arena, true, &form, NULL, 0, &o);
        assert_int_equal(o.outcome, rows[i].outcome);
        arena_free(arena);
    }
}

/* Bytes of every kind, cut at every place: no crash, and always some outcome. */
static void survives_any_cut_of_any_body(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "event: response.created\r\ndata: {\"type\":\"response.created\",\"response\":{\"id\":1}}"
        "\r\n\r\ndata: {\"type\":\"response.completed\",\"response\":[]}\r\n\r\n",
        "{\"error\":{\"message\":[{}],\"code\":{}},\"choices\":{\"a\":[[[[null]]]]}}",
        "{\"choices\":[{\"message\":{\"content\":\"\\ud83d\\ude00\"},\"finish_reason\":[]}]}",
        "{\"type\":7,\"content\":[null,{\"text\":1e999}],\"stop_reason\":{},\"model\":[]}",
        "\xff\xfe<\x00html>",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    };
    for (size_t w = 0; w < wire_count(); w++) {
        for (size_t b = 0; b < sizeof bodies / sizeof bodies[0]; b++) {
            for (size_t cut = 0; cut <= strlen(bodies[b]); cut++) {
                struct arena *arena = arena_create();
                /* A heap copy of just these bytes, so that reading beyond them is caught. */
                char *copy = malloc(cut ? cut : 1);
                memcpy(copy, bodies[b], cut);
                struct observation o = {.status = 200, .body = {copy, cut}};
                wire_at(w)->read_answer(arena, cut % 2, &o);
                assert_int_not_equal(o.outcome, OUTCOME_NONE);
                free(copy);
                arena_free(arena);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_events_whatever_ends_their_lines),
        cmocka_unit_test(reads_odd_fields_as_the_standard_says),
        cmocka_unit_test(knows_a_stream_by_its_first_line),
        cmocka_unit_test(hangs_up_at_the_last_event_only),
        cmocka_unit_test(every_end_of_a_stream_is_an_end),
        cmocka_unit_test(asks_for_the_smallest_answer),
        cmocka_unit_test(sends_no_cap_where_none_is_wanted),
        cmocka_unit_test(any_model_name_makes_valid_json),
        cmocka_unit_test(chat_asks_once_more_with_the_old_cap),
        cmocka_unit_test(a_list_proves_a_key),
        cmocka_unit_test(survives_any_cut_of_any_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
