/* Texts that are one piece over and over: what reads them goes through them once, not once a piece.
 * Each of these took time by the square of its length. */
#include "classify/clean.h"
#include "classify/lift.h"
#include "classify/marks.h"
#include "classify/mention.h"
#include "classify/respell.h"
#include "input/log_about.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define TEXT_BYTES ((size_t)1024 * 1024)
#define ENTRIES 2000

static struct str repeated(struct arena *arena, const char *front, const char *piece)
{
    struct str first = str_from(front), next = str_from(piece);
    char *bytes = arena_alloc(arena, TEXT_BYTES);
    size_t used = first.len;
    memcpy(bytes, first.ptr, first.len);
    for (; used + next.len <= TEXT_BYTES; used += next.len) {
        memcpy(bytes + used, next.ptr, next.len);
    }
    return (struct str){bytes, used};
}

static void words_of_failures_are_judged_by_what_is_near(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    assert_false(failure_is_told(repeated(arena, "https://a/", "error.")));
    assert_false(failure_is_told(repeated(arena, "unfailed", "failed")));
    arena_free(arena);
}

static void commas_end_no_sentence(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    struct str text = repeated(arena, "", "，");
    assert_int_equal(mention_sentence_end(text, 0), text.len);
    arena_free(arena);
}

static void margins_are_taken_line_by_line(void **state)
{
    static const char *const pieces[] = {"> ", ">\n", "<p>", "1\t", "1 | "};
    struct arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        assert_true(clean_margin(arena, repeated(arena, "", pieces[i])).len <= 2 * TEXT_BYTES);
    }
    arena_free(arena);
}

static void a_mark_reads_no_further_than_a_value(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    assert_false(marks_find(marks_create(arena), repeated(arena, "", "[gin] 20")));
    arena_free(arena);
}

static void addresses_in_one_another_have_one_end(void **state)
{
    struct arena *arena = arena_create();
    const struct log_words *words = log_words_create(arena);
    struct str text = repeated(arena, "", "url=/?");
    (void)state;
    for (size_t i = 0; i < ENTRIES; i++) {
        assert_false(str_is_set(log_about(words, text)));
    }
    arena_free(arena);
}

static void an_escape_has_few_slashes(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    struct str text = repeated(arena, "\\xe4", "\\"), plain = respell_plain(arena, text, false);
    assert_int_equal(plain.len, text.len);
    text = repeated(arena, "", "\\xe4\\xbd\\x99");
    assert_int_equal(respell_plain(arena, text, true).len, text.len / 4);
    arena_free(arena);
}

static void statuses_are_judged_by_what_is_near(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    assert_false(prose_tells_status(repeated(arena, "", "429/")));
    struct str text = repeated(arena, "", "状态401（");
    assert_int_equal(mention_explained_statuses(text), 0);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_failures_are_judged_by_what_is_near),
        cmocka_unit_test(commas_end_no_sentence),
        cmocka_unit_test(a_mark_reads_no_further_than_a_value),
        cmocka_unit_test(margins_are_taken_line_by_line),
        cmocka_unit_test(addresses_in_one_another_have_one_end),
        cmocka_unit_test(an_escape_has_few_slashes),
        cmocka_unit_test(statuses_are_judged_by_what_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
