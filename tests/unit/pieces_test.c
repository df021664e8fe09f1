/* Where a paste is cut: at what begins a thing of its own, and not before what leads on. */
#include "base/buf.h"
#include "input/pieces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct {
    const char *text;
    size_t count;
    unsigned lines[3]; /* where the pieces begin */
} pastes[] = {
    {"", 0, {0}},
    {" \n\t\n", 0, {0}},
    {"one line", 1, {1}},
    {"one\ntwo\nthree", 1, {1}},
    {"one\n\n\ntwo", 2, {1, 4}},
    {"\n\none\n", 1, {3}},
    {"$ a\nb\n$ c\nd", 2, {1, 3}},
    {"1. a\n2) b\n12: c", 3, {1, 2, 3}},
    {"Error 1: a\nError 2: b", 2, {1, 2}},
    {"Error 401: a\nError 429: b", 1, {1}},
    {"a\n----\nb", 2, {1, 3}},
    {"a\n\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\nb", 2, {1, 3}},
    {"HTTP/1.1 401 X\na: b\n\n{}\nHTTP/2 429\n\n{}", 2, {1, 5}},
    {"{\"a\":1}\n{\"b\":2}", 2, {1, 2}},
    {"{\n  \"a\": {\n  }\n}", 1, {1}},
    {"a:\n\nb", 1, {1}},
    {"**a:**\n\n```\nb\n```", 1, {1}},
    {"a\n\nCaused by: b", 1, {1}},
    {"a\n\n**Root Cause:** b", 1, {1}},
    {"a\n\n  b", 1, {1}},
    {"a\n\nThe above exception was the direct cause of the following exception:\n\nb", 1, {1}},
    {"\xE9\x94\x99\xE8\xAF\xAF\xEF\xBC\x9A\n\nb", 1, {1}},
};

static void cuts_where_things_begin(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof pastes / sizeof pastes[0]; i++) {
        size_t count;
        const struct piece *pieces = input_pieces(arena, str_from(pastes[i].text), &count);
        if (count != pastes[i].count) {
            fail_msg("%zu pieces of: %s", count, pastes[i].text);
        }
        for (size_t k = 0; k < count && k < 3; k++) {
            assert_int_equal(pieces[k].line, pastes[i].lines[k]);
            assert_true(pieces[k].line_to >= pieces[k].line);
            assert_true(pieces[k].text.len > 0);
        }
    }
    arena_free(arena);
}

static void what_has_too_many_is_no_paste_of_several(void **state)
{
    struct arena *arena = arena_create();
    struct buf text = buf_create(4096);
    size_t count;
    (void)state;
    for (int i = 0; i <= PIECES_MAX; i++) {
        buf_add(&text, STR("a\n\n"));
    }
    assert_null(input_pieces(arena, buf_str(&text), &count));
    assert_int_equal(count, 0);
    buf_free(&text);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_where_things_begin),
        cmocka_unit_test(what_has_too_many_is_no_paste_of_several),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
