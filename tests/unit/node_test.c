/* Looking things up in value trees, and places in texts. */
#include "base/text.h"
#include "syntax/place.h"
#include "syntax/tree.h"
#include "syntax/tree_link.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define assert_str(have, want) assert_true(str_eq((have), STR(want)))

static void place_is(struct str text, size_t offset, unsigned line, unsigned column)
{
    struct pos pos = pos_of_offset(text, offset);
    assert_int_equal(pos.line, line);
    assert_int_equal(pos.column, column);
}

static void columns_count_characters_and_lines_end_at_lf(void **state)
{
    (void)state;
    struct str text = STR("a\tb\r\n\xC3\xA9\xF0\x9F\x98\x80x\n\xFF\xFFy");
    place_is(text, 0, 1, 1);
    place_is(text, 2, 1, 3);
    place_is(text, 4, 1, 5);
    place_is(text, 5, 2, 1);
    place_is(text, 7, 2, 2);
    place_is(text, 9, 2, 2); /* inside a character: where it begins */
    place_is(text, 11, 2, 3);
    place_is(text, 15, 3, 3);   /* invalid bytes are one each */
    place_is(text, 1000, 3, 4); /* past the end: the end */
    place_is(STR(""), 0, 1, 1);
}

static void byte_order_mark_has_no_column(void **state)
{
    (void)state;
    place_is(STR("\xEF\xBB\xBFx=1"), 0, 1, 1);
    place_is(STR("\xEF\xBB\xBFx=1"), 3, 1, 1);
    place_is(STR("\xEF\xBB\xBFx=1"), 4, 1, 2);
}

static void cursor_goes_back_without_losing_its_way(void **state)
{
    (void)state;
    struct place_cursor cursor = place_start(STR("ab\ncd\nef"));
    assert_int_equal(place_of(&cursor, 7).column, 2);
    assert_int_equal(place_of(&cursor, 1).line, 1);
    assert_int_equal(place_of(&cursor, 1).column, 2);
    assert_int_equal(cursor.offset, 7);
    assert_int_equal(place_of(&cursor, 7).line, 3);
}

static void line_text_is_the_line_without_its_end(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    unsigned ignored;
    struct str text = STR("\xEF\xBB\xBFone\r\ntwo\n\nfour");
    assert_str(pos_line_text(arena, text, (struct pos){1, 1}, &ignored), "one");
    assert_str(pos_line_text(arena, text, (struct pos){2, 9}, &ignored), "two");
    assert_str(pos_line_text(arena, text, (struct pos){3, 1}, &ignored), "");
    assert_str(pos_line_text(arena, text, (struct pos){4, 1}, &ignored), "four");
    assert_str(pos_line_text(arena, text, (struct pos){9, 1}, &ignored), "");
    arena_free(arena);
}

/* A line of `count` words "wNNNN " of six bytes. */
static struct str words(struct arena *arena, unsigned count)
{
    char *line = arena_alloc(arena, count * 6 + 1);
    for (unsigned i = 0; i < count; i++) {
        snprintf(line + i * 6, 7, "w%04u ", i % 10000);
    }
    return (struct str){line, count * 6};
}

static void long_line_is_cut_around_the_place_at_words(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    unsigned column;
    struct str text = words(arena, 500);
    struct str cut = pos_line_text(arena, text, (struct pos){1, 1501}, &column);
    assert_true(cut.len <= 200 && cut.len > 180);
    assert_true(column > 1401 && column < 1501);
    assert_true(str_find(cut, STR("w0250")) == (ptrdiff_t)(1501 - column));
    struct str rest = str_trim(cut), word;
    while (str_split(&rest, ' ', &word)) {
        assert_int_equal(word.len, 5);
    }
    cut = pos_line_text(arena, text, (struct pos){1, 1}, &column);
    assert_int_equal(column, 1);
    assert_true(str_starts(cut, STR("w0000 ")));
    arena_free(arena);
}

static void cut_line_never_shows_part_of_a_word(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    char line[1000];
    memset(line, 'k', sizeof line);
    memcpy(line, "key = \"", 7);
    struct str text = {line, sizeof line};
    for (unsigned column = 1; column <= sizeof line; column += 13) {
        unsigned first;
        struct str cut = pos_line_text(arena, text, (struct pos){1, column}, &first);
        assert_int_equal(str_find(cut, STR("kk")), -1);
        assert_true(first <= column);
    }
    arena_free(arena);
}

static void cut_keeps_characters_whole(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    char line[2000];
    for (size_t i = 0; i < sizeof line; i += 5) {
        memcpy(line + i, i % 50 == 45 ? "\xE4\xBD\xA0  " : "\xE4\xBD\xA0\xC3\xA9", 5);
    }
    struct str text = {line, sizeof line};
    for (unsigned column = 1; column < 700; column++) {
        unsigned ignored;
        struct str cut = pos_line_text(arena, text, (struct pos){1, column}, &ignored);
        assert_int_equal(utf8_find_invalid(cut), -1);
    }
    arena_free(arena);
}

static struct node *numbered_table(struct arena *arena, int64_t count, bool is_backward)
{
    struct node *table = tree_node(arena, NODE_TABLE, (struct pos){1, 1});
    for (int64_t i = 0; i < count; i++) {
        int64_t n = is_backward ? count - i : i;
        struct node *value = tree_node(arena, NODE_INTEGER, (struct pos){1, 1});
        value->integer = n;
        tree_put(arena, table, arena_printf(arena, "key%lld", (long long)n), (struct pos){1, 1},
                 value);
    }
    return table;
}

static void tables_of_every_size_find_their_keys(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (int64_t count = 0; count < 80; count++) {
        for (int backward = 0; backward < 2; backward++) {
            struct node *table = numbered_table(arena, count, backward);
            for (size_t i = 0; i < table->count; i++) {
                assert_ptr_equal(node_entry(table, table->entries[i].key), &table->entries[i]);
                assert_ptr_equal(tree_find(table, table->entries[i].key), &table->entries[i]);
            }
            assert_null(node_get(table, STR("key")));
            assert_null(node_get(table, STR("KEY1")));
            assert_null(node_get(table, STR("key1000")));
        }
    }
    arena_free(arena);
}

/* Height of the search tree: what makes any order of keys cheap. */
static unsigned height(const struct node *table, uint32_t link)
{
    if (link == 0) {
        return 0;
    }
    unsigned left = height(table, table->links[link - 1].left);
    unsigned right = height(table, table->links[link - 1].right);
    return 1 + (left > right ? left : right);
}

static void big_table_keeps_a_low_search_tree_and_the_order_of_the_file(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (int backward = 0; backward < 2; backward++) {
        struct node *table = numbered_table(arena, 100000, backward);
        assert_true(height(table, table->top_link) <= 34);
        assert_int_equal(table->entries[0].value->integer, backward ? 100000 : 0);
        assert_int_equal(node_get(table, STR("key77777"))->integer, 77777);
    }
    arena_free(arena);
}

static void lookups_bear_null_and_other_kinds(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct node *string = tree_node(arena, NODE_STRING, (struct pos){1, 1});
    string->string = STR("x");
    assert_null(node_get(NULL, STR("a")));
    assert_null(node_get(string, STR("a")));
    assert_false(str_is_set(node_string(NULL)));
    assert_str(node_string(string), "x");
    assert_false(str_is_set(node_string(tree_node(arena, NODE_ARRAY, (struct pos){1, 1}))));
    for (int kind = NODE_NULL; kind <= NODE_TABLE; kind++) {
        assert_true(strlen(node_kind_name((enum node_kind)kind)) > 3);
    }
    arena_free(arena);
}

static void errors_are_kept_in_order_and_bounded(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct document document = {.root = NULL};
    for (unsigned i = 0; i < 30; i++) {
        tree_error(arena, STR("x"), &document, (struct pos){1, 100 - i}, "number %u", i);
    }
    assert_int_equal(document.error_count, SYNTAX_ERRORS_MAX);
    for (unsigned i = 0; i < SYNTAX_ERRORS_MAX; i++) {
        assert_int_equal(document.errors[i].pos.column, 81 + i);
    }
    assert_str(document.errors[0].message, "number 19");
    assert_false(document.errors[0].is_duplicate_key);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_count_characters_and_lines_end_at_lf),
        cmocka_unit_test(byte_order_mark_has_no_column),
        cmocka_unit_test(cursor_goes_back_without_losing_its_way),
        cmocka_unit_test(line_text_is_the_line_without_its_end),
        cmocka_unit_test(long_line_is_cut_around_the_place_at_words),
        cmocka_unit_test(cut_line_never_shows_part_of_a_word),
        cmocka_unit_test(cut_keeps_characters_whole),
        cmocka_unit_test(tables_of_every_size_find_their_keys),
        cmocka_unit_test(big_table_keeps_a_low_search_tree_and_the_order_of_the_file),
        cmocka_unit_test(lookups_bear_null_and_other_kinds),
        cmocka_unit_test(errors_are_kept_in_order_and_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
