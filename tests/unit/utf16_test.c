/* UTF-16 of a descriptor: however its bytes are cut, the same UTF-8 comes of it. */
#include "base/utf16.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PART_BYTES_MAX ((size_t)9)

/* What a reader gets of bytes that somebody writes in parts of `part` bytes. */
static size_t read_parts(struct str bytes, size_t part, char *out, size_t room)
{
    struct utf16 state = {0};
    size_t have = 0;
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0); /* keeps the parts apart */
    for (size_t at = 0; at < bytes.len; at += part) {
        assert_true(file_write_all(ends[1], str_slice(bytes, at, at + part)));
    }
    close(ends[1]);
    for (ssize_t got = 1; got > 0; have += (size_t)got) {
        got = utf16_read(&state, ends[0], out + have, room - have);
        assert_true(got >= 0);
    }
    close(ends[0]);
    return have;
}

static void utf16_comes_as_utf8_however_it_is_cut(void **state)
{
    static const struct {
        struct str bytes, text;
    } rows[] = {
        {STR_INIT("\xFF\xFE"
                  "a\0\n\0\xE9\0\x24\x6C\x3D\xD8\x00\xDE"
                  "b\0"),
         STR_INIT("a\n\xC3\xA9\xE6\xB0\xA4\xF0\x9F\x98\x80"
                  "b")},
        {STR_INIT("\xFF\xFE\x3D\xD8"
                  "a\0\x00\xDE"
                  "b\0"),
         STR_INIT("\xEF\xBF\xBD"
                  "a\xEF\xBF\xBD"
                  "b")}, /* halves of pairs */
        {STR_INIT("plain \xFF\xFE\xE6\xB0\xA4\n"), STR_INIT("plain \xFF\xFE\xE6\xB0\xA4\n")},
        {STR_INIT("x"), STR_INIT("x")},
        {STR_INIT(""), STR_INIT("")},
        {STR_INIT("\xFF\xFE"), STR_INIT("")},
    };
    struct arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str whole = utf16_text(arena, rows[i].bytes);
        assert_int_equal(whole.len, rows[i].text.len);
        assert_memory_equal(whole.ptr, rows[i].text.ptr, whole.len);
        for (size_t part = 1; part <= PART_BYTES_MAX; part++) {
            char out[128];
            size_t length = read_parts(rows[i].bytes, part, out, sizeof out);
            assert_int_equal(length, rows[i].text.len);
            assert_memory_equal(out, rows[i].text.ptr, length);
        }
    }
    arena_free(arena);
}

static void what_cannot_be_read_is_an_error(void **state)
{
    char out[UTF16_ROOM_MIN];
    struct utf16 none = {0};
    (void)state;
    assert_int_equal(utf16_read(&none, -1, out, sizeof out), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf16_comes_as_utf8_however_it_is_cut),
        cmocka_unit_test(what_cannot_be_read_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
