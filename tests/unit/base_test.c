/* Strings, arenas, buffers, files and showing of untrusted text. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/env.h"
#include "base/err.h"
#include "base/file.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void assert_str(struct str have, const char *want)
{
    assert_int_equal(have.len, strlen(want));
    assert_memory_equal(have.ptr, want, have.len);
}

/* At every place of texts of all lengths up to several vectors, near misses before it. */
static void finds_at_every_place(void **state)
{
    (void)state;
    static const struct str needles[] = {STR_INIT("@"), STR_INIT("Ab"), STR_INIT("q[Q"),
                                         STR_INIT("longer, with \xE5\x8F\xB7 in it")};
    char bytes[140];
    for (size_t n = 0; n < sizeof needles / sizeof needles[0]; n++) {
        struct str needle = needles[n];
        for (size_t length = needle.len; length <= sizeof bytes; length++) {
            for (size_t at = 0; at + needle.len <= length; at++) {
                memset(bytes, needle.ptr[0], at);
                memset(bytes + at, '`', length - at);
                struct str hay = {bytes, length};
                ptrdiff_t none = needle.len == 1 && at > 0 ? 0 : -1;
                assert_int_equal(str_find(hay, needle), none);
                memcpy(bytes + at, needle.ptr, needle.len);
                ptrdiff_t want = none < 0 ? (ptrdiff_t)at : none;
                assert_int_equal(str_find(hay, needle), want);
                bytes[at] = needle.len > 1 ? (char)(needle.ptr[0] ^ 0x20) : bytes[at];
                assert_int_equal(str_ifind(hay, needle), want);
                assert_int_equal(str_find(hay, needle), needle.len > 1 ? -1 : want);
            }
        }
    }
}

static void finds_the_first_of_four(void **state)
{
    (void)state;
    char bytes[100];
    for (size_t length = 0; length <= sizeof bytes; length++) {
        for (size_t at = 0; at <= length; at++) {
            memset(bytes, 'x', length);
            memset(bytes + at, 'd', length - at);
            bytes[at < length ? at : 0] = at < length ? "abcd"[at % 4] : 'x';
            struct str hay = {bytes, length};
            assert_int_equal(str_next_of(hay, 0, "abcd"), at);
            assert_int_equal(str_next_of(hay, length / 2, "abcd"),
                             at > length / 2 ? at : length / 2);
        }
    }
}

static void finds_and_cuts(void **state)
{
    (void)state;
    struct str rest = STR("a,,b"), part;
    assert_int_equal(str_find(STR("aab"), STR("ab")), 1);
    assert_int_equal(str_find(STR("ab"), STR("abc")), -1);
    assert_int_equal(str_count_char(STR("\nab\n\n"), '\n'), 3);
    assert_int_equal(str_count_char((struct str){0}, '\n'), 0);
    assert_int_equal(str_ifind(STR("xHTTP"), STR("http")), 1);
    assert_int_equal(str_find(STR("x"), STR("")), 0);
    assert_str(str_trim(STR(" \t a b\r\n")), "a b");
    assert_str(str_slice(STR("abc"), 2, 99), "c");
    assert_int_equal(str_slice(STR("abc"), 9, 1).len, 0);
    assert_true(str_split(&rest, ',', &part));
    assert_str(part, "a");
    assert_true(str_split(&rest, ',', &part));
    assert_str(part, "");
    assert_true(str_split(&rest, ',', &part));
    assert_str(part, "b");
    assert_false(str_split(&rest, ',', &part));
    assert_true(str_ieq(STR("Retry-After"), STR("retry-after")));
    assert_false(str_ieq(STR("a"), STR("ab")));
    assert_true(str_ends(STR("x.toml"), STR(".toml")));
    assert_true(str_cmp(STR("a"), STR("ab")) < 0);
}

static void reads_numbers_whole_or_not_at_all(void **state)
{
    (void)state;
    int64_t number = 7;
    double real;
    assert_true(str_to_i64(STR("-9223372036854775808"), &number));
    assert_true(number == INT64_MIN);
    number = 7;
    assert_false(str_to_i64(STR("9223372036854775808"), &number));
    assert_false(str_to_i64(STR(""), &number));
    assert_false(str_to_i64(STR(" 1"), &number));
    assert_false(str_to_i64(STR("1x"), &number));
    assert_false(str_to_i64(((struct str){"1\0002", 3}), &number));
    assert_int_equal(number, 7);
    assert_true(str_to_double(STR("34.07"), &real));
    assert_true(real > 34.06 && real < 34.08);
    assert_false(str_to_double(STR("nan"), &real));
    assert_false(str_to_double(STR("1e999"), &real));
}

static void reads_durations_with_units_only(void **state)
{
    (void)state;
    static const struct {
        struct str text;
        int64_t ms;
    } good[] = {{STR_INIT("500ms"), 500},
                {STR_INIT("20s"), 20000},
                {STR_INIT("1.5m"), 90000},
                {STR_INIT("2h"), 7200000}};
    static const struct str bad[] = {STR_INIT("5"), STR_INIT(""), STR_INIT("-1s"), STR_INIT("s"),
                                     STR_INIT("1e99h")};
    int64_t ms;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(str_to_duration_ms(good[i].text, &ms));
        assert_int_equal(ms, good[i].ms);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(str_to_duration_ms(bad[i], &ms));
    }
}

static void suggests_what_is_near(void **state)
{
    (void)state;
    assert_int_equal(str_distance(STR("modle"), STR("model")), 1);
    assert_int_equal(str_distance(STR(""), STR("abc")), 3);
    assert_true(str_is_near(STR("base_ulr"), STR("base_url")));
    assert_false(str_is_near(STR("proxy"), STR("model")));
    assert_false(str_is_near(
        STR("a-very-long-name-that-goes-on-and-on-for-more-than-sixty-four-bytes"), STR("a")));
}

static void arena_keeps_what_it_gave(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct str first = arena_printf(arena, "%d-%s", 7, "x");
    char *big = arena_alloc(arena, 100000);
    struct str *list = NULL;
    size_t capacity = 0;
    for (size_t i = 0; i < 1000; i++) {
        list = arena_grow(arena, list, i, &capacity, sizeof *list);
        list[i] = arena_printf(arena, "%zu", i);
    }
    memset(big, 1, 100000);
    assert_str(first, "7-x");
    assert_str(list[0], "0");
    assert_str(list[999], "999");
    assert_null(arena_dup(arena, (struct str){NULL, 0}).ptr);
    assert_string_equal(arena_cstr(arena, STR("abc")), "abc");
    arena_free(arena);
}

/* Room that was announced is zeroed, also after the arena was emptied; what it cannot hold is given
 * all the same. */
static void arena_expects(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const size_t each = 1000, count = 5000;
    for (int round = 0; round < 2; round++) {
        char *before = arena_alloc(arena, each), *first = NULL;
        memset(before, 'b', each);
        arena_expect(arena, count * each / 2);
        arena_expect(arena, each);
        arena_expect(arena, SIZE_MAX);
        for (size_t i = 0; i < count; i++) {
            char *piece = arena_alloc(arena, each);
            assert_int_equal(piece[0] | piece[each / 2] | piece[each - 1], 0);
            memset(piece, 'x', each);
            first = first ? first : piece;
        }
        assert_int_equal(first[each - 1], 'x');
        assert_int_equal(before[each - 1], 'b');
        arena_reset(arena);
    }
    arena_free(arena);
}

static void buffer_stops_at_its_maximum(void **state)
{
    (void)state;
    struct buf buf = buf_create(10);
    assert_true(buf_add(&buf, STR("12345")));
    assert_false(buf_printf(&buf, "%s", "6789012"));
    assert_str(buf_str(&buf), "1234567890");
    assert_true(buf.is_full);
    assert_int_equal(buf.ptr[10], '\0');
    buf_free(&buf);
    assert_str(buf_str(&buf), "");
}

static void decodes_only_valid_utf8(void **state)
{
    (void)state;
    static const struct str bad[] = {STR_INIT("\xC0\x80"), STR_INIT("\xED\xA0\x80"),
                                     STR_INIT("\xF4\x90\x80\x80"), STR_INIT("\x80"),
                                     STR_INIT("\xE4\xBD")};
    uint32_t c;
    char out[4];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(utf8_decode(bad[i], 0, &c), 0);
        assert_int_equal(utf8_find_invalid(bad[i]), 0);
    }
    assert_int_equal(utf8_decode(STR("\xE4\xBD\xA0"), 0, &c), 3);
    assert_int_equal(c, 0x4F60);
    assert_int_equal(utf8_encode(0x1F600, out), 4);
    assert_memory_equal(out, "\xF0\x9F\x98\x80", 4);
    assert_int_equal(utf8_encode(0xD800, out), 0);
    assert_int_equal(utf8_find_invalid(STR("ok\xFF")), 2);
    assert_int_equal(text_columns(STR("a你é")), 4);
}

static void shows_untrusted_text_harmlessly(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    assert_str(text_show(arena, STR("  a\r\n\tb  "), 0), "a b");
    assert_str(text_show(arena, STR("\x1b[31mred"), 0), "\\x1B[31mred");
    assert_str(text_show(arena, ((struct str){"a\0b", 3}), 0), "a\\x00b");
    assert_str(text_show(arena,
                         STR("a\xE2\x80\xAE"
                             "b"),
                         0),
               "a\\u{202E}b");
    assert_str(text_show(arena,
                         STR("\xC2\x9B"
                             "1m"),
                         0),
               "\\x9B1m");
    assert_str(text_show(arena, STR("a\xFF"), 0), "a\\xFF");
    assert_str(text_show(arena, STR("abcdefgh"), 6), "abc...");
    assert_str(text_show(arena, STR("abcdef"), 6), "abcdef");
    assert_str(text_show(arena, STR("你好你好你好"), 9), "你好你...");
    arena_free(arena);
}

static void tells_why_a_file_cannot_be_read(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct str content;
    int os_errno = 0;
    char folder[] = "/tmp/diagnose-base-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(file_read(arena, folder, 10, &content, &os_errno), FILE_NOT_PLAIN);
    snprintf(path, sizeof path, "%s/loop", folder);
    assert_int_equal(symlink("loop", path), 0);
    assert_int_equal(file_read(arena, path, 10, &content, &os_errno), FILE_LOOP);
    unlink(path);
    snprintf(path, sizeof path, "%s/fifo", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(file_read(arena, path, 10, &content, &os_errno), FILE_NOT_PLAIN);
    unlink(path);
    snprintf(path, sizeof path, "%s/file", folder);
    assert_int_equal(file_read(arena, path, 10, &content, &os_errno), FILE_MISSING);
    assert_int_equal(file_write_whole(path, STR("0123456789"), NULL), ERR_OK);
    assert_int_equal(file_read(arena, path, 10, &content, &os_errno), FILE_OK);
    assert_str(content, "0123456789");
    assert_int_equal(file_read(arena, path, 9, &content, &os_errno), FILE_TOO_BIG);
    assert_null(content.ptr);
    unlink(path);
    rmdir(folder);
    arena_free(arena);
}

static void writing_follows_links_and_keeps_them(void **state)
{
    (void)state;
    static const struct {
        const char *link, *to, *written; /* NULL = refused */
    } rows[] = {
        {"relative", "new", "new"},         {"second", "relative", "new"},
        {"outwards", "sub/new", "sub/new"}, {"sub/inwards", "../other", "other"},
        {"circle", "circle", NULL},         {"nowhere", "none/new", NULL},
    };
    struct arena *arena = arena_create();
    char folder[] = "/tmp/diagnose-base-XXXXXX", path[128], command[80];
    struct err err;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/sub", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str content = {NULL, 0};
        struct stat there;
        int os_errno = 0;
        snprintf(path, sizeof path, "%s/%s", folder, rows[i].link);
        assert_int_equal(symlink(rows[i].to, path), 0);
        enum err_code code = file_write_whole(path, str_from(rows[i].link), &err);
        assert_int_equal(code, rows[i].written ? ERR_OK : ERR_FILE);
        assert_int_equal(lstat(path, &there), 0);
        assert_true(S_ISLNK(there.st_mode));
        if (rows[i].written) {
            snprintf(path, sizeof path, "%s/%s", folder, rows[i].written);
            assert_int_equal(file_read(arena, path, 100, &content, &os_errno), FILE_OK);
            assert_str(content, rows[i].link);
        }
    }
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
    arena_free(arena);
}

static void errors_carry_a_place(void **state)
{
    (void)state;
    struct err err;
    assert_int_equal(err_set_at(&err, ERR_PARSE, STR("a.toml"), 3, 7, "found %s", "x"), ERR_PARSE);
    assert_string_equal(err.file, "a.toml");
    assert_int_equal(err.line, 3);
    assert_int_equal(err.column, 7);
    assert_string_equal(err.text, "found x");
    assert_int_equal(err_set(NULL, ERR_USAGE, "x"), ERR_USAGE);
}

static void environment_tells_unset_from_empty(void **state)
{
    (void)state;
    char one[] = "KEY=value", two[] = "KEY_TWO=", *variables[] = {two, one, NULL};
    struct env env = env_of_process(variables);
    assert_str(env_get(&env, "KEY"), "value");
    assert_true(str_is_set(env_get(&env, "KEY_TWO")));
    assert_false(str_is_set(env_get(&env, "KE")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_at_every_place),
        cmocka_unit_test(finds_the_first_of_four),
        cmocka_unit_test(finds_and_cuts),
        cmocka_unit_test(reads_numbers_whole_or_not_at_all),
        cmocka_unit_test(reads_durations_with_units_only),
        cmocka_unit_test(suggests_what_is_near),
        cmocka_unit_test(arena_keeps_what_it_gave),
        cmocka_unit_test(arena_expects),
        cmocka_unit_test(buffer_stops_at_its_maximum),
        cmocka_unit_test(decodes_only_valid_utf8),
        cmocka_unit_test(shows_untrusted_text_harmlessly),
        cmocka_unit_test(tells_why_a_file_cannot_be_read),
        cmocka_unit_test(writing_follows_links_and_keeps_them),
        cmocka_unit_test(errors_carry_a_place),
        cmocka_unit_test(environment_tells_unset_from_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
