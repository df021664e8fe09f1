/* Shapes of keys: how they are written, and what fits them. */
#include "base/shape.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void texts_fit_shapes_as_a_whole(void **state)
{
    (void)state;
    static const struct {
        const char *shape, *text;
        bool fits;
    } rows[] = {
        {"abc", "abc", true},
        {"abc", "abcd", false},
        {"abc", "ab", false},
        {"{4h}", "09af", true},
        {"{4h}", "09ag", false},
        {"{4h}", "09afb", false},
        {"sk-{4l}", "sk-a1b2", true},
        {"sk-{4l}", "sk-A1b2", false},
        {"{2s}", "ab", true},
        {"{2s}", "a1", false},
        {"{2d}", "12", true},
        {"{2d}", "1a", false},
        {"x{2-3a}", "xAb", true},
        {"x{2-3a}", "xAb1", true},
        {"x{2-3a}", "xAb12", false},
        {"{3+w}", "a-_Z9", true},
        {"{3+w}", "a.", false},
        {"{3w}AA", "a-_AA", true},
        {"{3w}AA", "a-_AB", false},
        {"{4h}.{2a}", "0a1b.Zz", true},
        {"{4h}.{2a}", "0a1bZz", false},
        {"{4b}", "a+/=", true},
        {"{0+a}", "", true},
        {"", "", true},
        {"{4x}", "aaaa", false},
        {"{h", "a", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (shape_fits(str_from(rows[i].shape), str_from(rows[i].text)) != rows[i].fits) {
            fail_msg("row %zu: \"%s\" and \"%s\"", i, rows[i].shape, rows[i].text);
        }
    }
}

static void what_is_written_wrong_is_no_shape(void **state)
{
    (void)state;
    static const char *const right[] = {"a", "{1h}", "{1-2h}", "{3+b}", "sk-{48a}.{2d}"};
    static const char *const wrong[] = {"",      "{",        "{}",       "{h}",  "{-h}",
                                        "{3}",   "{2-1h}",   "{3+}",     "{+h}", "{3x}",
                                        "{-1h}", "{1-2-3h}", "{99999h}", "{1 h}"};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        assert_true(shape_is_valid(str_from(right[i])));
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (shape_is_valid(str_from(wrong[i]))) {
            fail_msg("\"%s\" is taken for a shape", wrong[i]);
        }
    }
}

static void shapes_with_letters_of_their_own_tell(void **state)
{
    (void)state;
    assert_true(shape_is_telling(STR("sk-{32h}")));
    assert_true(shape_is_telling(STR("{32h}.{16a}")));
    assert_false(shape_is_telling(STR("{32h}")));
    assert_false(shape_is_telling(STR("{32h")));
    assert_false(shape_is_telling(STR("{32?}")));
    assert_false(shape_is_telling(STR("{8h}-{4h}")));
    assert_false(shape_is_telling(STR("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_fit_shapes_as_a_whole),
        cmocka_unit_test(what_is_written_wrong_is_no_shape),
        cmocka_unit_test(shapes_with_letters_of_their_own_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
