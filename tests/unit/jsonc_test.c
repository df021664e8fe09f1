/* The JSON reader: places, what cJSON would let pass, comments, texts that break off, bounds. */
#include "syntax/jsonc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
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

static struct document parse(struct arena *arena, enum json_dialect dialect, struct str text)
{
    struct document document;
    bool is_clean = json_parse(arena, text, dialect, &document);
    assert_true(is_clean == (document.error_count == 0));
    return document;
}

static void pos_is(struct pos pos, unsigned line, unsigned column)
{
    assert_int_equal(pos.line, line);
    assert_int_equal(pos.column, column);
}

/* One error and nothing else. */
static struct document only_error(struct arena *arena, struct str text, unsigned line,
                                  unsigned column, const char *part)
{
    struct document document = parse(arena, JSON_STRICT, text);
    assert_true(document.error_count > 0);
    if (str_find(document.errors[0].message, str_from(part)) < 0) {
        fail_msg("error is: %.*s", STR_ARG(document.errors[0].message));
    }
    pos_is(document.errors[0].pos, line, column);
    if (document.error_count != 1) {
        fail_msg("second error: %.*s", STR_ARG(document.errors[1].message));
    }
    return document;
}

static void keys_and_values_have_places(void **state)
{
    struct document document = parse(*state, JSON_STRICT,
                                     STR("{\r\n"
                                         "\t\"a\": \"x\",\n"
                                         "  \"\xC3\xA9\xF0\x9F\x98\x80\": [1, {\"b\" : null}]\n"
                                         "}\n"));
    assert_int_equal(document.error_count, 0);
    const struct node *root = document.root;
    pos_is(root->pos, 1, 1);
    pos_is(root->entries[0].pos, 2, 2);
    pos_is(root->entries[0].value->pos, 2, 7);
    pos_is(root->entries[1].pos, 3, 3);
    assert_str(root->entries[1].key, "\xC3\xA9\xF0\x9F\x98\x80");
    const struct node *array = root->entries[1].value;
    pos_is(array->pos, 3, 9);
    pos_is(array->items[0]->pos, 3, 10);
    pos_is(array->items[1]->pos, 3, 13);
    pos_is(array->items[1]->entries[0].pos, 3, 14);
    pos_is(array->items[1]->entries[0].value->pos, 3, 20);
}

static void roots_of_every_kind_are_read(void **state)
{
    struct {
        const char *text;
        enum node_kind kind;
    } cases[] = {
        {"null", NODE_NULL},     {"\"x\"", NODE_STRING}, {"12", NODE_INTEGER},
        {"1.5e3", NODE_FLOAT},   {" true ", NODE_BOOL},  {"[]", NODE_ARRAY},
        {"\n{ }\n", NODE_TABLE}, {"-0", NODE_INTEGER},   {"1e5", NODE_FLOAT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct document document = parse(*state, JSON_STRICT, str_from(cases[i].text));
        assert_int_equal(document.error_count, 0);
        assert_int_equal(document.root->kind, cases[i].kind);
    }
}

static void values_are_kept_in_full(void **state)
{
    struct document document =
        parse(*state, JSON_STRICT,
              STR("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\", 9007199254740993, "
                  "-9223372036854775808, 9223372036854775808, 0.5, true, false, "
                  "1000000000000000000000000000000000000000000000000000000000000000000000.5]"));
    assert_int_equal(document.error_count, 0);
    struct node **items = document.root->items;
    assert_str(items[0]->string, "\"\\/\b\f\n\r\t\xC3\xA9\xF0\x9F\x98\x80");
    assert_true(items[1]->integer == INT64_C(9007199254740993));
    assert_true(items[2]->integer == INT64_MIN);
    assert_int_equal(items[3]->kind, NODE_FLOAT);
    assert_true(items[3]->number > 9.2e18 && items[3]->number < 9.3e18);
    assert_true(items[4]->number > 0.49 && items[4]->number < 0.51);
    assert_true(items[5]->boolean && !items[6]->boolean);
    assert_true(items[7]->number > 0.99e69 && items[7]->number < 1.01e69);
}

static void comments_and_trailing_commas_are_the_loose_dialects_own(void **state)
{
    struct str text =
        STR("// a\n{ /* b\n */ \"k\": [1, 2, ], // \"c\": 1\n \"u\": \"http://x/*y*/\",\n}\n/**/");
    struct document document = parse(*state, JSON_WITH_COMMENTS, text);
    assert_int_equal(document.error_count, 0);
    assert_int_equal(document.root->count, 2);
    pos_is(document.root->entries[0].pos, 3, 5);
    assert_int_equal(node_get(document.root, STR("k"))->count, 2);
    assert_str(node_string(node_get(document.root, STR("u"))), "http://x/*y*/");
    document = parse(*state, JSON_STRICT, text);
    assert_int_equal(document.error_count, 3);
    pos_is(document.errors[0].pos, 1, 1);
    pos_is(document.errors[1].pos, 3, 15);
    pos_is(document.errors[2].pos, 4, 22);
    assert_int_equal(document.root->count, 2);
    document = parse(*state, JSON_WITH_COMMENTS, STR("[1, /* open ]"));
    assert_int_equal(document.error_count, 1);
    pos_is(document.errors[0].pos, 1, 5);
    assert_int_equal(parse(*state, JSON_WITH_COMMENTS, STR("[1,,]")).error_count, 1);
    assert_int_equal(parse(*state, JSON_WITH_COMMENTS, STR("[,]")).error_count, 1);
}

static void what_cjson_lets_pass_is_found(void **state)
{
    struct {
        const char *text;
        unsigned line, column;
        const char *part;
    } cases[] = {
        {"[012]", 1, 2, "leading zeros"},
        {"[\n1.]", 2, 1, "digits after the point"},
        {"[1.e5]", 1, 2, "digits after the point"},
        {"[.5]", 1, 2, "digit before the point"},
        {"[1e]", 1, 2, "exponent"},
        {"[-]", 1, 2, "not a number"},
        {"-", 1, 1, "not a number"},
        {"[1x]", 1, 2, "must be quoted"},
        {"[1e999]", 1, 2, "out of range"},
        {"[\"a\tb\"]", 1, 4, "U+0009"},
        {"[\"a\x01\"]", 1, 4, "U+0001"},
        {"[\"\\q\"]", 1, 3, "unknown escape"},
        {"[\"\\u12\"]", 1, 3, "4 hex digits"},
        {"[\"\\ud800x\"]", 1, 3, "surrogate"},
        {"[\"\\udc00\"]", 1, 3, "surrogate"},
        {"[\"\\ud800\\ud800\\udc00\"]", 1, 3, "surrogate"},
        {"\xEF\xBB\xBF[]", 1, 1, "byte order mark"},
        {"{\"a\":1,\"b\":2,\n\"a\":3}", 2, 1, "\"a\", already defined on line 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        only_error(*state, str_from(cases[i].text), cases[i].line, cases[i].column, cases[i].part);
    }
}

static void faults_of_form_are_named(void **state)
{
    struct {
        const char *text;
        unsigned line, column;
        const char *part;
    } cases[] = {
        {"", 1, 1, "found end of file, expected a value"},
        {" \n ", 2, 2, "found end of file, expected a value"},
        {"[1 2]", 1, 4, "expected ',' or ']' in the array opened on line 1"},
        {"{\n\"a\":1\n\"b\":2}", 3, 1, "expected ',' or '}' in the object opened on line 1"},
        {"{\"a\" 1}", 1, 6, "expected ':'"},
        {"{a: 1}", 1, 2, "key in double quotes"},
        {"{'a': 1}", 1, 2, "key in double quotes"},
        {"['a', 1]", 1, 2, "string in double quotes"},
        {"[True]", 1, 2, "true in small letters"},
        {"[NaN, 1]", 1, 2, "JSON has no NaN"},
        {"[sk-1, 1]", 1, 2, "string values must be in double quotes"},
        {"[1}", 1, 3, "']'"},
        {"{]", 1, 2, "key"},
        {"[1] x", 1, 5, "nothing after the document"},
        {"{\"a\":1}{\"b\":2}", 1, 8, "nothing after the document"},
        {"{\"a\":", 1, 6, "end of file"},
        {"[\"a\n\"]", 1, 2, "unterminated string"},
        {"/", 1, 1, "found '/'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        only_error(*state, str_from(cases[i].text), cases[i].line, cases[i].column, cases[i].part);
    }
}

static void text_that_breaks_off_gives_what_stood_before(void **state)
{
    struct document document =
        only_error(*state, STR("{\"error\":{\"code\":\"x\",\"list\":[1,{\"y\":2},\"cut o"), 1, 40,
                   "unterminated string");
    const struct node *error = node_get(document.root, STR("error"));
    assert_str(node_string(node_get(error, STR("code"))), "x");
    assert_int_equal(node_get(error, STR("list"))->count, 2);
    pos_is(node_get(error, STR("list"))->items[1]->entries[0].value->pos, 1, 37);
    document = parse(*state, JSON_STRICT, STR("{\"a\":1,\"b"));
    assert_int_equal(document.root->count, 1);
    assert_null(parse(*state, JSON_STRICT, STR("\"cut")).root);
}

static void bad_values_are_left_out_and_the_rest_is_read(void **state)
{
    struct document document =
        parse(*state, JSON_STRICT, STR("{\"a\":01,\"b\":[x,2],\"c\":'y',\"d\":\"p\\q\" \"e\":5}"));
    assert_int_equal(document.error_count, 5);
    assert_null(node_get(document.root, STR("a")));
    assert_int_equal(node_get(document.root, STR("b"))->count, 1);
    assert_int_equal(node_get(document.root, STR("b"))->items[0]->integer, 2);
    assert_null(node_get(document.root, STR("c")));
    assert_str(node_string(node_get(document.root, STR("d"))), "p\\q");
    assert_int_equal(node_get(document.root, STR("e"))->integer, 5);
}

static void duplicate_key_is_marked_and_the_last_one_rules(void **state)
{
    struct document document =
        parse(*state, JSON_STRICT, STR("{\"a\":1,\n\"b\":{\"a\":7},\n\"\\u0061\":3}"));
    assert_int_equal(document.error_count, 1);
    assert_true(document.errors[0].is_duplicate_key);
    assert_int_equal(document.root->count, 2);
    assert_int_equal(node_get(document.root, STR("a"))->integer, 3);
    pos_is(node_entry(document.root, STR("a"))->pos, 3, 1);
    document = parse(*state, JSON_STRICT, STR("{\"a\":1,\"A\":2}"));
    assert_int_equal(document.error_count, 0);
}

static void escaped_nul_cuts_no_string_short(void **state)
{
    struct document document = parse(*state, JSON_STRICT, STR("{\"a\\u0000b\":\"x\\u0000y\"}"));
    assert_int_equal(document.error_count, 0);
    assert_str(document.root->entries[0].key, "a\xEF\xBF\xBD"
                                              "b");
    assert_str(document.root->entries[0].value->string, "x\xEF\xBF\xBDy");
}

static void text_that_is_no_text_is_rejected_with_the_place(void **state)
{
    struct document document = only_error(*state, STR("[1,\n\"\xE9\"]"), 2, 2, "0xE9");
    assert_int_equal(document.reject, SYNTAX_NOT_UTF8);
    assert_null(document.root);
    document = only_error(*state, STR("[\"\0\"]"), 1, 3, "NUL");
    assert_int_equal(document.reject, SYNTAX_HAS_NUL);
    char *bytes = arena_alloc(*state, SYNTAX_BYTES_MAX + 1);
    memset(bytes, ' ', SYNTAX_BYTES_MAX + 1);
    bytes[0] = '1';
    document = only_error(*state, (struct str){bytes, SYNTAX_BYTES_MAX + 1}, 1, 1, "4 MiB");
    assert_int_equal(document.reject, SYNTAX_TOO_BIG);
    document = parse(*state, JSON_STRICT, (struct str){bytes, SYNTAX_BYTES_MAX});
    assert_int_equal(document.root->integer, 1);
}

static void depth_is_bounded(void **state)
{
    char text[2 * SYNTAX_DEPTH_MAX];
    memset(text, '[', SYNTAX_DEPTH_MAX);
    memset(text + SYNTAX_DEPTH_MAX, ']', SYNTAX_DEPTH_MAX);
    assert_int_equal(parse(*state, JSON_STRICT, (struct str){text, sizeof text}).error_count, 0);
    memset(text, '[', sizeof text);
    only_error(*state, (struct str){text, sizeof text}, 1, SYNTAX_DEPTH_MAX + 1, "128 levels");
}

static void errors_are_bounded_and_in_order(void **state)
{
    char text[2000];
    for (size_t i = 0; i < sizeof text; i += 4) {
        memcpy(text + i, i ? ",01 " : "[01 ", 4);
    }
    struct document document = parse(*state, JSON_STRICT, (struct str){text, sizeof text});
    assert_int_equal(document.error_count, SYNTAX_ERRORS_MAX);
    for (size_t i = 0; i < SYNTAX_ERRORS_MAX; i++) {
        pos_is(document.errors[i].pos, 1, (unsigned)(4 * i + 2));
    }
}

/* Would take hours if keys were compared one by one or places counted from the start. */
static void many_keys_take_no_quadratic_time(void **state)
{
    size_t used = 1, max = (size_t)100000 * 24;
    char *text = arena_alloc(*state, max);
    text[0] = '{';
    for (unsigned i = 0; i < 100000; i++) {
        used += (size_t)snprintf(text + used, max - used, "\"key%u\":%u,", i, i);
    }
    text[used - 1] = '}';
    struct document document = parse(*state, JSON_STRICT, (struct str){text, used});
    assert_int_equal(document.error_count, 0);
    assert_int_equal(document.root->count, 100000);
    assert_int_equal(node_get(document.root, STR("key99999"))->integer, 99999);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(keys_and_values_have_places),
        TEST(roots_of_every_kind_are_read),
        TEST(values_are_kept_in_full),
        TEST(comments_and_trailing_commas_are_the_loose_dialects_own),
        TEST(what_cjson_lets_pass_is_found),
        TEST(faults_of_form_are_named),
        TEST(text_that_breaks_off_gives_what_stood_before),
        TEST(bad_values_are_left_out_and_the_rest_is_read),
        TEST(duplicate_key_is_marked_and_the_last_one_rules),
        TEST(escaped_nul_cuts_no_string_short),
        TEST(text_that_is_no_text_is_rejected_with_the_place),
        TEST(depth_is_bounded),
        TEST(errors_are_bounded_and_in_order),
        TEST(many_keys_take_no_quadratic_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
