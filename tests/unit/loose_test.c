/* The forgiving value reader: JSON, Python, Node and Rust forms, cut and wrapped ones, bounds. */
#include "classify/loose.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define assert_str(have, want) assert_true(str_eq((have), STR(want)))

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

static const struct loose *parse(struct arena *arena, const char *text)
{
    struct loose_budget budget = {.bytes = 1000000, .nodes = 1000};
    return loose_parse(arena, &budget, str_from(text), 0, true);
}

static void json_is_read_with_places(void **state)
{
    const struct loose *root =
        parse(*state, "{\"a\": [1, \"x\\n\\u4f60\\ud83d\\ude00\"], \"b\": null} tail");
    assert_true(root->is_whole);
    assert_int_equal(root->end, 46);
    const struct loose *list = loose_get(root, "a");
    assert_int_equal(list->kind, LOOSE_ARRAY);
    assert_int_equal(list->first->kind, LOOSE_NUMBER);
    assert_str(loose_text(list->first->next), "x\n你😀");
    assert_int_equal(list->begin, 6);
    assert_true(loose_is_null(loose_get(root, "b")));
    assert_false(str_is_set(loose_text(loose_get(root, "b"))));
    assert_true(loose_is_null(loose_get(root, "c")));
    assert_true(loose_get(root, "A") == list);
}

static void python_reprs_are_read(void **state)
{
    const struct loose *root = parse(*state, "{'error': {'message': \"can't\", 'code': None, "
                                             "'param': b'\\xe4\\xbd\\xa0', 'ok': False}}");
    const struct loose *error = loose_get(root, "error");
    assert_true(root->is_whole);
    assert_str(loose_text(loose_get(error, "message")), "can't");
    assert_true(loose_is_null(loose_get(error, "code")));
    assert_str(loose_text(loose_get(error, "param")), "你");
    assert_str(loose_text(loose_get(error, "ok")), "False");
}

static void node_and_rust_forms_are_read(void **state)
{
    const struct loose *root = parse(
        *state, "{\n  errno: -104,\n  code: 'ECONNRESET',\n  [cause]: SocketError { x: 1 } }");
    assert_str(loose_text(loose_get(root, "code")), "ECONNRESET");
    assert_str(loose_text(loose_get(root, "errno")), "-104");
    assert_str(loose_text(loose_get(loose_get(root, "[cause]"), "x")), "1");
    root = parse(*state, "{ code: Some(\"rate_limited\"), status: 429 }");
    assert_str(loose_text(loose_get(root, "code")), "rate_limited");
    assert_str(loose_text(loose_get(root, "status")), "429");
}

static void cut_values_keep_what_was_there(void **state)
{
    const struct loose *root = parse(*state, "{\"error\":{\"code\":\"x\",\"message\":\"half a sen");
    assert_false(root->is_whole);
    assert_str(loose_text(loose_get(loose_get(root, "error"), "code")), "x");
    assert_str(loose_text(loose_get(loose_get(root, "error"), "message")), "half a sen");
}

static void lines_wrapped_inside_a_string_are_joined(void **state)
{
    const struct loose *root =
        parse(*state, "{\"error\":{\"\n    message\":\"was not found or is\n    malformed.\"}}");
    assert_str(loose_text(loose_get(loose_get(root, "error"), "message")),
               "was not found or is malformed.");
}

static void prose_in_braces_is_no_value(void **state)
{
    assert_null(parse(*state, "{name}"));
    assert_null(parse(*state, "{ return 1; }"));
    assert_null(parse(*state, "{}"));
    assert_null(parse(*state, "[::1]:53"));
    assert_null(parse(*state, "text"));
}

static void depth_and_work_are_bounded(void **state)
{
    char deep[4000];
    memset(deep, '[', sizeof deep);
    struct loose_budget budget = {.bytes = 10000, .nodes = 1000};
    assert_null(loose_parse(*state, &budget, (struct str){deep, 100}, 200, true));
    loose_parse(*state, &budget, (struct str){deep, sizeof deep}, 0, true);
    assert_true(budget.nodes > 900);
    budget.nodes = 2;
    loose_parse(*state, &budget, STR("[1,2,3,4]"), 0, true);
    assert_int_equal(budget.nodes, 0);
    budget = (struct loose_budget){.bytes = 0, .nodes = 10};
    assert_null(loose_parse(*state, &budget, STR("[1]"), 0, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(json_is_read_with_places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(python_reprs_are_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(node_and_rust_forms_are_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cut_values_keep_what_was_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lines_wrapped_inside_a_string_are_joined, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(prose_in_braces_is_no_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(depth_and_work_are_bounded, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
