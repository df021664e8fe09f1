/* The .env reader: forms of values, places, errors. */
#include "syntax/dotenv.h"

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

static struct document parse(struct arena *arena, struct str text)
{
    struct document document;
    char shell[] = "SHELL_A=from shell", *variables[] = {shell, NULL};
    const struct env env = {.variables = variables};
    bool is_clean = dotenv_parse(arena, text, &env, &document);
    assert_true(is_clean == (document.error_count == 0));
    assert_int_equal(document.root->kind, NODE_TABLE);
    return document;
}

static void pos_is(struct pos pos, unsigned line, unsigned column)
{
    assert_int_equal(pos.line, line);
    assert_int_equal(pos.column, column);
}

static void only_error(struct arena *arena, struct str text, unsigned line, unsigned column,
                       const char *part)
{
    struct document document = parse(arena, text);
    assert_int_equal(document.error_count, 1);
    if (str_find(document.errors[0].message, str_from(part)) < 0) {
        fail_msg("error is: %.*s", STR_ARG(document.errors[0].message));
    }
    pos_is(document.errors[0].pos, line, column);
}

static void values_of_every_form_are_read(void **state)
{
    struct {
        const char *text, *value;
    } cases[] = {
        {"A=x", "x"},
        {"A=", ""},
        {"A= \t", ""},
        {"A=  x y \t\r\n", "x y"},
        {"A=x # c", "x"},
        {"A=x#y", "x#y"},
        {"A=# c", ""},
        {"A='x # \\n $B'", "x # \\n $B"},
        {"A=\"x # y\" # c", "x # y"},
        {"A=\"a\\nb\\\"c\\\\d\\$e\\w\"", "a\nb\"c\\d$e\\w"},
        {"A=\"one\ntwo\"\n", "one\ntwo"},
        {"A=''", ""},
        {"A=x\"y\"", "x\"y\""},
        {"A=a=b", "a=b"},
        {"A=$HOME", ""},
        {"A=${SHELL_A}", "from shell"},
        {"A=$SHELL_A", "_A"},
        {"A=x${NONE}y", "xy"},
        {"A=abc$", "abc"},
        {"A=abc$-d", "abc-d"},
        {"A=\\$B", "$B"},
        {"A=a\\b", "a\\b"},
        {"A=\"${SHELL_A}!\"", "from shell!"},
        {"A=\"$SHELL-x\"", "-x"},
        {"A='${SHELL_A}'", "${SHELL_A}"},
        {"  export  A = x", "x"},
        {"\xEF\xBB\xBF"
         "A=x",
         "x"},
        {"A=\xE4\xBD\xA0", "\xE4\xBD\xA0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct document document = parse(*state, str_from(cases[i].text));
        assert_int_equal(document.error_count, 0);
        assert_int_equal(document.root->count, 1);
        struct str value = node_string(node_get(document.root, STR("A")));
        if (!str_is_set(value) || !str_eq(value, str_from(cases[i].value))) {
            fail_msg("%s gives %.*s", cases[i].text, STR_ARG(value));
        }
    }
}

static void names_and_values_have_places(void **state)
{
    struct document document = parse(*state, STR("# c\r\n\r\nA=1\r\n  export B_2.x-y = 'z'\n\n"
                                                 "C=\"two\nlines\"\nD=4\nexport=5"));
    assert_int_equal(document.error_count, 0);
    assert_int_equal(document.root->count, 5);
    pos_is(document.root->entries[0].pos, 3, 1);
    pos_is(document.root->entries[0].value->pos, 3, 3);
    assert_str(document.root->entries[1].key, "B_2.x-y");
    pos_is(document.root->entries[1].pos, 4, 10);
    pos_is(document.root->entries[1].value->pos, 4, 20);
    pos_is(document.root->entries[3].pos, 8, 1);
    assert_str(document.root->entries[4].key, "export");
}

static void errors_are_told_and_the_rest_is_read(void **state)
{
    struct document document =
        parse(*state, STR("1A=x\nB\nexport C\nD-\xC3\xA9=1\nE='x' y\nF=ok\n"));
    assert_int_equal(document.error_count, 5);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(document.errors[i].pos.line, i + 1);
        assert_false(document.errors[i].is_duplicate_key);
    }
    assert_int_equal(document.root->count, 1);
    assert_str(node_string(node_get(document.root, STR("F"))), "ok");
    only_error(*state, STR("A=1\n1B=2"), 2, 1, "expected a name");
    only_error(*state, STR("A: 1"), 1, 2, "expected '='");
    only_error(*state, STR("A=1\nB='x\nC=2"), 2, 3, "unterminated value");
    only_error(*state, STR("A=\"x\nB=\"y\"\n"), 2, 4, "begins on line 1");
    only_error(*state, STR("B=\"$A\""), 1, 3, "write ${NAME}");
    only_error(*state, STR("A=1\nB=x${A\nC=2"), 2, 3, "write ${NAME}");
}

static void variables_stand_for_lines_above_first(void **state)
{
    struct document document =
        parse(*state, STR("SHELL_A=of the file\nB=${SHELL_A}\nC='${B}'\nD=${C}${E}\nE=late"));
    assert_int_equal(document.error_count, 0);
    assert_str(node_string(node_get(document.root, STR("B"))), "of the file");
    assert_str(node_string(node_get(document.root, STR("D"))), "${B}");
}

static void variables_do_not_blow_up_memory(void **state)
{
    struct arena *arena = *state;
    struct str text = arena_printf(arena, "A0=%01000d\n", 7);
    for (int i = 1; i < 40; i++) {
        text = arena_printf(arena, "%.*sA%d=${A%d}${A%d}\n", STR_ARG(text), i, i - 1, i - 1);
    }
    struct document document = parse(arena, text);
    assert_true(document.error_count > 0);
    size_t bytes = 0;
    for (size_t i = 0; i < document.root->count; i++) {
        bytes += node_string(document.root->entries[i].value).len;
    }
    assert_true(bytes < (size_t)1024 * 1024);
}

static void no_message_quotes_a_value(void **state)
{
    struct document document = parse(*state, STR("A='sk-secret1' sk-secret2\nA sk-secret3\nB=1\n"
                                                 "B=sk-secret4\nC=\"sk-secret5"));
    assert_int_equal(document.error_count, 4);
    for (size_t i = 0; i < document.error_count; i++) {
        assert_int_equal(str_find(document.errors[i].message, STR("secret")), -1);
    }
}

static void last_of_equal_names_rules(void **state)
{
    struct document document = parse(*state, STR("A=1\nB=2\nA=3\n"));
    assert_int_equal(document.error_count, 1);
    assert_true(document.errors[0].is_duplicate_key);
    assert_true(str_find(document.errors[0].message, STR("before on line 1")) >= 0);
    pos_is(document.errors[0].pos, 3, 1);
    assert_int_equal(document.root->count, 2);
    assert_str(node_string(node_get(document.root, STR("A"))), "3");
    pos_is(node_entry(document.root, STR("A"))->pos, 3, 1);
}

static void text_that_is_no_text_is_rejected_with_the_place(void **state)
{
    assert_int_equal(parse(*state, STR("A=1\nB=\xFF")).reject, SYNTAX_NOT_UTF8);
    only_error(*state, STR("A=1\nB=\xFF"), 2, 3, "0xFF");
    assert_int_equal(parse(*state, STR("A=\0")).reject, SYNTAX_HAS_NUL);
    char *bytes = arena_alloc(*state, SYNTAX_BYTES_MAX + 1);
    memset(bytes, '\n', SYNTAX_BYTES_MAX + 1);
    struct document document = parse(*state, (struct str){bytes, SYNTAX_BYTES_MAX + 1});
    assert_int_equal(document.reject, SYNTAX_TOO_BIG);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(values_of_every_form_are_read),
        TEST(names_and_values_have_places),
        TEST(errors_are_told_and_the_rest_is_read),
        TEST(variables_stand_for_lines_above_first),
        TEST(variables_do_not_blow_up_memory),
        TEST(no_message_quotes_a_value),
        TEST(last_of_equal_names_rules),
        TEST(text_that_is_no_text_is_rejected_with_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
