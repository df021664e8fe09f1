/* The TOML reader: places, several errors in one text, what 1.0 and 1.1 differ in, bounds. The
 * values themselves are checked by the conformance suite. */
#include "syntax/toml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
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

static struct document parse(struct arena *arena, struct str text)
{
    struct document document;
    bool is_clean = toml_parse(arena, text, TOML_1_1, &document);
    assert_true(is_clean == (document.error_count == 0));
    assert_int_equal(document.root->kind, NODE_TABLE);
    return document;
}

/* The node at a path of keys between dots. */
static const struct node *at(const struct document *document, const char *path)
{
    const struct node *node = document->root;
    struct str rest = str_from(path), key;
    while (str_split(&rest, '.', &key)) {
        node = node_get(node, key);
    }
    return node;
}

static void pos_is(struct pos pos, unsigned line, unsigned column)
{
    assert_int_equal(pos.line, line);
    assert_int_equal(pos.column, column);
}

static void error_is(const struct document *document, size_t i, unsigned line, unsigned column,
                     const char *part)
{
    assert_true(i < document->error_count);
    pos_is(document->errors[i].pos, line, column);
    if (str_find(document->errors[i].message, str_from(part)) < 0) {
        fail_msg("error %zu is: %.*s", i, STR_ARG(document->errors[i].message));
    }
}

/* One error and nothing else. */
static void only_error(struct arena *arena, struct str text, unsigned line, unsigned column,
                       const char *part)
{
    struct document document = parse(arena, text);
    error_is(&document, 0, line, column, part);
    if (document.error_count != 1) {
        fail_msg("second error: %.*s", STR_ARG(document.errors[1].message));
    }
}

static void keys_and_values_have_places(void **state)
{
    struct arena *arena = *state;
    struct document document = parse(arena, STR("model = \"x\"\n"
                                                "\t\"k\xC3\xA9y\" = 1 # c\n"
                                                "[ a . \"b\" ]\n"
                                                "c.d = [ 1, {e = true} ]\n"
                                                "[[list]]\n"
                                                "  '\xF0\x9F\x98\x80\xF0\x9F\x98\x80' = 1.5\n"));
    assert_int_equal(document.error_count, 0);
    pos_is(node_entry(document.root, STR("model"))->pos, 1, 1);
    pos_is(at(&document, "model")->pos, 1, 9);
    pos_is(node_entry(document.root, STR("k\xC3\xA9y"))->pos, 2, 2);
    pos_is(at(&document, "k\xC3\xA9y")->pos, 2, 10);
    pos_is(node_entry(document.root, STR("a"))->pos, 3, 3);
    pos_is(at(&document, "a.b")->pos, 3, 1);
    pos_is(node_entry(at(&document, "a"), STR("b"))->pos, 3, 7);
    pos_is(node_entry(at(&document, "a.b.c"), STR("d"))->pos, 4, 3);
    pos_is(at(&document, "a.b.c.d")->pos, 4, 7);
    pos_is(at(&document, "a.b.c.d")->items[1]->entries[0].value->pos, 4, 17);
    const struct node *list = at(&document, "list");
    pos_is(list->items[0]->pos, 5, 1);
    pos_is(list->items[0]->entries[0].pos, 6, 3);
    pos_is(list->items[0]->entries[0].value->pos, 6, 10);
}

static void table_made_in_passing_gets_the_place_of_its_own_header(void **state)
{
    struct arena *arena = *state;
    struct document document = parse(arena, STR("[a.b]\n[a]\nx = 1\n"));
    assert_int_equal(document.error_count, 0);
    pos_is(at(&document, "a")->pos, 2, 1);
    pos_is(node_entry(document.root, STR("a"))->pos, 2, 2);
}

static void crlf_and_byte_order_mark_do_not_move_places(void **state)
{
    struct arena *arena = *state;
    struct document document =
        parse(arena, STR("\xEF\xBB\xBF"
                         "a = 1\r\n\r\nb = \"\"\"x\r\ny\"\"\"\r\nc = 3 # d\r\n"));
    assert_int_equal(document.error_count, 0);
    pos_is(node_entry(document.root, STR("a"))->pos, 1, 1);
    pos_is(node_entry(document.root, STR("c"))->pos, 5, 1);
    only_error(arena,
               STR("\xEF\xBB\xBF"
                   "a = x\r\nb = 1\r\n"),
               1, 5, "quoted");
    only_error(arena,
               STR("a = 1\n\xEF\xBB\xBF"
                   "b = 1\n"),
               2, 1, "U+FEFF");
}

static void bare_cr_is_an_error(void **state)
{
    struct arena *arena = *state;
    only_error(arena, STR("a = 1\rb = 2\n"), 1, 6, "U+000D");
    only_error(arena, STR("a = 1 # x\ry\nb = 2\n"), 1, 10, "U+000D");
    only_error(arena, STR("a = '''x\ry'''\n"), 1, 9, "U+000D");
}

static void one_text_tells_all_its_errors_and_keeps_the_rest(void **state)
{
    struct arena *arena = *state;
    struct document document = parse(arena, STR("model = gpt-5\n"
                                                "good = 1\n"
                                                "name: 3\n"
                                                "path = \"C:\\Users\"\n"
                                                "on = True\n"
                                                "open = \"x\n"
                                                "[t\n"
                                                "lost = 1\n"
                                                "[u]\n"
                                                "n = 007\n"
                                                "good = 2\n"
                                                "rest = 1 2\n"));
    assert_int_equal(document.error_count, 8);
    error_is(&document, 0, 1, 9, "string values must be quoted");
    error_is(&document, 1, 3, 5, "found ':', expected '='");
    error_is(&document, 2, 4, 11, "\\U needs 8 hex digits");
    error_is(&document, 3, 5, 6, "small letters");
    error_is(&document, 4, 6, 8, "unterminated string");
    error_is(&document, 5, 7, 3, "expected ']'");
    error_is(&document, 6, 10, 5, "leading zeros");
    error_is(&document, 7, 12, 10, "found '2', expected the end of the line");
    assert_str(document.errors[0].line_text, "model = gpt-5");
    assert_str(document.errors[6].line_text, "n = 007");
    assert_int_equal(at(&document, "good")->integer, 1);
    assert_int_equal(at(&document, "u.good")->integer, 2);
    assert_int_equal(at(&document, "u.rest")->integer, 1);
    assert_null(at(&document, "model"));
    assert_null(at(&document, "lost"));
    assert_null(at(&document, "t"));
}

static void one_fault_makes_one_error(void **state)
{
    struct arena *arena = *state;
    struct {
        const char *text;
        unsigned line, column;
        const char *part;
    } cases[] = {
        {"a = [1, 2\nb = 3\nc = 4\n", 2, 1, "array opened on line 1"},
        {"a = [\n  1,\n  2,\nb = 3\n[t]\nc = 4\n", 4, 1, "array opened on line 1 is not closed"},
        {"a = [\n  1,\n\n[t]\nc = 4\n", 4, 1, "is not closed"},
        {"a = [\n 'x'\n 'y',\n 'z'\n]\nb = 1\n", 3, 2, "expected ',' or ']'"},
        {"a = [\n x,\n 'y',\n]\nb = 1\n", 2, 2, "quoted"},
        {"a = { b = 1\n\n", 1, 12, "found end of file"},
        {"a = { b = 1\nc = 2\n", 2, 1, "inline table opened on line 1"},
        {"a = {\n  b = 1\n  c = 2\n}\nd = 1\n", 3, 3, "inline table opened on line 1"},
        {"a = {\n  b = 1,\n", 3, 1, "not closed"},
        {"a b = [\n 1,\n 2,\n]\nc = 1\n", 1, 3, "expected '='"},
        {"= 1\na = 1\n", 1, 1, "expected a key"},
        {"a.=1\nb=2\n", 1, 3, "expected a key"},
        {"a =\nb = 1\n", 1, 4, "missing value"},
        {"a = # none\nb = 1\n", 1, 5, "missing value"},
        {"a", 1, 2, "found end of file, expected '='"},
        {"a = \xE2\x80\x9Cx y\xE2\x80\x9D\nb=1\n", 1, 5, "typographic quote"},
        {"a = null\n", 1, 5, "TOML has no null"},
        {"a = \"\"\"x\nb = 1\n", 1, 5, "end of the file"},
        {"a = 1 b = 2\nc = 1\n", 1, 7, "end of the line"},
        {"a = 9223372036854775808\n", 1, 5, "out of range"},
        {"a = 1e999\n", 1, 5, "out of range"},
        {"a = 1979-02-30\n", 1, 5, "no such day"},
        {"a = 1__0\n", 1, 5, "underscore"},
        {"a = +0x1\n", 1, 5, "no sign"},
        {"[[a]\nb = 1\n", 1, 5, "]]"},
        {"a = \"x\x01\"\nb = 1\n", 1, 7, "U+0001"},
        {"\"\"\"a\"\"\" = 1\nb = 1\n", 1, 1, "expected a key"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        only_error(arena, str_from(cases[i].text), cases[i].line, cases[i].column, cases[i].part);
    }
}

static void reading_goes_on_with_the_next_setting(void **state)
{
    static const char *const broken[] = {
        "a = [1, 2\n",
        "a = [\n1,\n",
        "a = { b = 1\n",
        "a = {\nb = 1\nc = 2\n}\n",
        "a = [\n'x'\n'y]',\n[ # ]\n],\n]\n",
        "a b = [\n1,\n]\n",
        "a = [ 'x' {\n} ]\n",
        "a = [ 'x' \"\"\"]\n]\n\"\"\" ]\n",
        "a = \"x\n",
    };
    struct arena *arena = *state;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct str text = arena_printf(arena, "%snext = 1\n[t]\nlast = 2\n", broken[i]);
        struct document document = parse(arena, text);
        if (document.error_count != 1 || document.root->count != 2 || !at(&document, "next") ||
            !at(&document, "t.last")) {
            fail_msg("%zu errors, %zu keys after: %s", document.error_count, document.root->count,
                     broken[i]);
        }
    }
}

static void long_strings_keep_quotes_and_drop_the_first_line_end(void **state)
{
    struct document document = parse(*state, STR("a = \"\"\"\r\n\"x\"\" \\\"\"\"\"\"\nb = "
                                                 "'''\n\n'y'''''\nc = \"\"\"p \\ \n\n  q\"\"\"\n"));
    assert_int_equal(document.error_count, 0);
    assert_str(at(&document, "a")->string, "\"x\"\" \"\"");
    assert_str(at(&document, "b")->string, "\n'y''");
    assert_str(at(&document, "c")->string, "p q");
}

static void calendar_knows_leap_years(void **state)
{
    struct arena *arena = *state;
    assert_int_equal(parse(arena, STR("a = 2000-02-29\nb = 2024-02-29\n")).error_count, 0);
    assert_int_equal(parse(arena, STR("a = 1900-02-29\nb = 2023-02-29\n")).error_count, 2);
}

static void array_in_an_array_is_no_header(void **state)
{
    struct arena *arena = *state;
    struct document document =
        parse(arena, STR("a = [\n[true],\n[nan]\n,[\"b\"],\n[1],\n[-1],\n[1979-05-27]\n]\n"));
    assert_int_equal(document.error_count, 0);
    assert_int_equal(at(&document, "a")->count, 6);
}

static void no_message_quotes_a_value(void **state)
{
    struct arena *arena = *state;
    struct document document =
        parse(arena, STR("key = sk-secret1\nb = \"sk-secret2\nc = 'a' sk-secret3\n"
                         "d = sk-secret4\"\ne = [sk-secret5 'x']\n"));
    assert_int_equal(document.error_count, 5);
    for (size_t i = 0; i < document.error_count; i++) {
        assert_int_equal(str_find(document.errors[i].message, STR("secret")), -1);
    }
}

static void duplicate_names_the_first_line(void **state)
{
    struct arena *arena = *state;
    struct {
        const char *text;
        unsigned line, column;
        const char *part;
    } cases[] = {
        {"a = 1\n\na = 2\n", 3, 1, "\"a\", first defined on line 1"},
        {"a.b = 1\n[a]\n", 2, 2, "[a] is already defined on line 1"},
        {"[a]\nx = 1\n[b]\n[a]\ny = 1\n", 4, 2, "already defined on line 1"},
        {"[a.b.c]\n[a]\nb.c.d = 1\n", 3, 3, "\"c\" is already defined on line 1"},
        {"[a]\n[[a]]\n", 2, 3, "line 1 as table"},
        {"[a.b.c]\n[a]\nb.x = 1\n[a.b]\n", 4, 4, "[a.b] is already defined on line 1"},
        {"[[a]]\n[a]\n", 2, 2, "line 1"},
        {"a = { b = 1, b = 2 }\n", 1, 14, "\"b\", first defined on line 1"},
        {"a = [1]\n[[a]]\n", 2, 3, "line 1 as array"},
        {"a = 1\n\"\\u0061\" = 2\n", 2, 1, "line 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        only_error(arena, str_from(cases[i].text), cases[i].line, cases[i].column, cases[i].part);
        assert_true(parse(arena, str_from(cases[i].text)).errors[0].is_duplicate_key);
    }
    struct document document = parse(arena, STR("a = 1\na = 2\n"));
    assert_int_equal(at(&document, "a")->integer, 1);
    document = parse(arena, STR("a = 1\n[a.b]\nx = 1\na.b = x\n"));
    assert_false(document.errors[0].is_duplicate_key);
}

static void what_only_toml_1_1_takes(void **state)
{
    struct arena *arena = *state;
    struct {
        const char *text;
        unsigned line, column;
    } cases[] = {
        {"a = {\n b = 1, # c\n\n c = 2 }\n", 1, 6},
        {"a = { b = 1, }\n", 1, 12},
        {"a = \"\\e[0m\"\n", 1, 6},
        {"a = \"\\x41\"\n", 1, 6},
        {"a = 07:30\n", 1, 5},
        {"a = 1979-05-27T07:32Z\n", 1, 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct document document;
        assert_int_equal(parse(arena, str_from(cases[i].text)).error_count, 0);
        assert_false(toml_parse(arena, str_from(cases[i].text), TOML_1_0, &document));
        assert_int_equal(document.error_count, 1);
        error_is(&document, 0, cases[i].line, cases[i].column, "TOML 1.1");
    }
    struct document document =
        parse(arena, STR("a = \"\\e\\x41\"\nb = 07:30\nc = 1979-05-27 07:32z\n"));
    assert_str(at(&document, "a")->string, "\x1B"
                                           "A");
    assert_str(at(&document, "b")->string, "07:30:00");
    assert_str(at(&document, "c")->string, "1979-05-27T07:32:00Z");
}

static void numbers_keep_their_digits(void **state)
{
    struct arena *arena = *state;
    struct document document = parse(
        arena, STR("a = 9_223_372_036_854_775_807\nb = -9223372036854775808\nc = 0xdead_BEEF\n"
                   "d = 3.14159265358979323846264338327950288419716939937510582097494459230781640\n"
                   "e = -inf\nf = 0o17\ng = 0b101\nh = 1e3\n"));
    assert_int_equal(document.error_count, 0);
    assert_true(at(&document, "a")->integer == INT64_MAX);
    assert_true(at(&document, "b")->integer == INT64_MIN);
    assert_int_equal(at(&document, "c")->integer, 0xDEADBEEF);
    assert_true(fabs(at(&document, "d")->number - 3.141592653589793) < 1e-15);
    assert_true(isinf(at(&document, "e")->number) && at(&document, "e")->number < 0);
    assert_int_equal(at(&document, "f")->integer, 15);
    assert_int_equal(at(&document, "g")->integer, 5);
    assert_int_equal(at(&document, "h")->kind, NODE_FLOAT);
}

static void text_that_is_no_text_is_rejected_with_the_place(void **state)
{
    struct arena *arena = *state;
    struct document document = parse(arena, STR("a = 1\nb = '\xE9'\nc = 2\n"));
    assert_int_equal(document.reject, SYNTAX_NOT_UTF8);
    assert_int_equal(document.error_count, 1);
    error_is(&document, 0, 2, 6, "0xE9");
    document = parse(arena, STR("a = 1\n# \0\nb = '\xE9'\n"));
    assert_int_equal(document.reject, SYNTAX_HAS_NUL);
    assert_int_equal(document.error_count, 1);
    error_is(&document, 0, 2, 3, "NUL");
    document = parse(arena, STR("\xFF\xFE"
                                "a\0"));
    assert_int_equal(document.reject, SYNTAX_NOT_UTF8);
    error_is(&document, 0, 1, 1, "UTF-16");
    document = parse(arena, STR("a = 'x'"));
    assert_int_equal(document.reject, SYNTAX_READ);
}

static void over_four_mebibytes_is_rejected(void **state)
{
    struct arena *arena = *state;
    char *bytes = arena_alloc(arena, SYNTAX_BYTES_MAX + 1);
    memset(bytes, '\n', SYNTAX_BYTES_MAX + 1);
    struct document document = parse(arena, (struct str){bytes, SYNTAX_BYTES_MAX + 1});
    assert_int_equal(document.reject, SYNTAX_TOO_BIG);
    assert_int_equal(document.error_count, 1);
    error_is(&document, 0, 1, 1, "4 MiB");
    assert_int_equal(document.root->count, 0);
    document = parse(arena, (struct str){bytes, SYNTAX_BYTES_MAX});
    assert_int_equal(document.error_count, 0);
}

/* `count` times `piece` behind `before`. */
static struct str repeat(struct arena *arena, const char *before, const char *piece, size_t count,
                         const char *after)
{
    size_t length = strlen(piece);
    char *text = arena_alloc(arena, strlen(before) + length * count + strlen(after) + 1);
    size_t used = strlen(before);
    memcpy(text, before, used);
    for (size_t i = 0; i < count; i++, used += length) {
        memcpy(text + used, piece, length);
    }
    memcpy(text + used, after, strlen(after));
    return (struct str){text, used + strlen(after)};
}

static void depth_is_bounded(void **state)
{
    struct arena *arena = *state;
    const char *closing = repeat(arena, "", "]", SYNTAX_DEPTH_MAX, "\n").ptr;
    struct str deep = repeat(arena, "x = ", "[", SYNTAX_DEPTH_MAX, closing);
    assert_int_equal(parse(arena, deep).error_count, 0);
    only_error(arena, repeat(arena, "x = ", "[", 100000, ""), 1, 5 + SYNTAX_DEPTH_MAX,
               "128 levels");
    only_error(arena, repeat(arena, "x = ", "{a=", 100000, ""), 1, 5 + 3 * SYNTAX_DEPTH_MAX, "128");
    only_error(arena, repeat(arena, "a", ".a", 20000, " = 1\nb = 1\n"), 1, 2 * SYNTAX_DEPTH_MAX + 1,
               "128 parts");
    only_error(arena, repeat(arena, "[a", ".a", 20000, "]\nb = 1\n"), 1, 2 * SYNTAX_DEPTH_MAX + 2,
               "128 parts");
    assert_int_equal(
        parse(arena, repeat(arena, "[a", ".a", SYNTAX_DEPTH_MAX - 1, "]\n")).error_count, 0);
    struct document document =
        parse(arena, repeat(arena, "[a", ".a", SYNTAX_DEPTH_MAX - 1, "]\nb = 1\nc = { d = [] }\n"));
    assert_int_equal(document.error_count, 1);
    error_is(&document, 0, 3, 5, "128 levels");
    /* Each element of [[tables]] is one level deeper than its array. */
    only_error(arena, repeat(arena, "[[a", ".a", SYNTAX_DEPTH_MAX - 1, "]]\nb = 1\n"), 1,
               2 * SYNTAX_DEPTH_MAX + 1, "128 levels");
    only_error(arena, repeat(arena, "[[a]]\n[a", ".a", SYNTAX_DEPTH_MAX - 1, "]\n"), 2,
               2 * SYNTAX_DEPTH_MAX, "128 levels");
}

static void errors_are_bounded(void **state)
{
    struct arena *arena = *state;
    struct document document = parse(arena, repeat(arena, "", "a = x\n", 100000, ""));
    assert_int_equal(document.error_count, SYNTAX_ERRORS_MAX);
    assert_int_equal(document.errors[SYNTAX_ERRORS_MAX - 1].pos.line, SYNTAX_ERRORS_MAX);
    document = parse(arena, repeat(arena, "a = [", "x,", 100000, "]\n"));
    assert_int_equal(document.error_count, SYNTAX_ERRORS_MAX);
}

/* Would take hours if each key were compared with all before it, or each place counted from the
 * start of the line. */
static void many_keys_and_long_lines_take_no_quadratic_time(void **state)
{
    struct arena *arena = *state;
    size_t used = 0, max = (size_t)100000 * 20;
    char *text = arena_alloc(arena, max);
    for (unsigned i = 0; i < 100000; i++) {
        used += (size_t)snprintf(text + used, max - used, "key%u = %u\n", i, i);
    }
    struct document document = parse(arena, (struct str){text, used});
    assert_int_equal(document.error_count, 0);
    assert_int_equal(document.root->count, 100000);
    assert_int_equal(at(&document, "key99999")->integer, 99999);
    document = parse(arena, repeat(arena, "a = [", "1,", 1000000, "]\n"));
    assert_int_equal(at(&document, "a")->count, 1000000);
    pos_is(at(&document, "a")->items[999999]->pos, 1, 2000004);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(keys_and_values_have_places),
        TEST(table_made_in_passing_gets_the_place_of_its_own_header),
        TEST(crlf_and_byte_order_mark_do_not_move_places),
        TEST(bare_cr_is_an_error),
        TEST(one_text_tells_all_its_errors_and_keeps_the_rest),
        TEST(one_fault_makes_one_error),
        TEST(reading_goes_on_with_the_next_setting),
        TEST(long_strings_keep_quotes_and_drop_the_first_line_end),
        TEST(calendar_knows_leap_years),
        TEST(array_in_an_array_is_no_header),
        TEST(no_message_quotes_a_value),
        TEST(duplicate_names_the_first_line),
        TEST(what_only_toml_1_1_takes),
        TEST(numbers_keep_their_digits),
        TEST(text_that_is_no_text_is_rejected_with_the_place),
        TEST(over_four_mebibytes_is_rejected),
        TEST(depth_is_bounded),
        TEST(errors_are_bounded),
        TEST(many_keys_and_long_lines_take_no_quadratic_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
