/* Documents written back: what is read again is the same, without the keys that were left out. */
#include "syntax/jsonc.h"
#include "syntax/toml.h"
#include "syntax/write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct str rewrite(struct arena *arena, struct str text, enum write_dialect dialect,
                          const struct write_edit *edit)
{
    struct document document;
    struct buf out = buf_create(65536);
    bool is_read = dialect == WRITE_TOML ? toml_parse(arena, text, TOML_1_1, &document)
                                         : json_parse(arena, text, JSON_STRICT, &document);
    assert_true(is_read);
    syntax_write(document.root, dialect, edit, &out);
    struct str written = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return written;
}

static void assert_text(struct str have, const char *want)
{
    if (!str_eq(have, str_from(want))) {
        fail_msg("wanted %s, have %.*s", want, STR_ARG(have));
    }
}

static void values_of_all_kinds_are_kept(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const struct write_edit nothing = {0};
    struct str once =
        rewrite(arena,
                STR("a = 'q\"\\x'\nb = \"\\u0001\\t\u00e9\"\nc = [1, -2.5, 1e3, inf, true]\n"
                    "d = 1979-05-27T07:32:00Z\n[t.\"x.y\"]\nz = []\n[[u]]\nk = 5.0\n[[u]]\n"),
                WRITE_TOML, &nothing);
    assert_text(once, "\"a\" = \"q\\\"\\\\x\"\n\"b\" = \"\\u0001\\u0009\u00e9\"\n"
                      "\"c\" = [1, -2.5, 1000.0, inf, true]\n\"d\" = 1979-05-27T07:32:00Z\n"
                      "\"t\" = { \"x.y\" = { \"z\" = [] } }\n\"u\" = [{ \"k\" = 5.0 }, { }]\n");
    assert_text(rewrite(arena, once, WRITE_TOML, &nothing), arena_cstr(arena, once));
    assert_text(rewrite(arena, STR("{\"a\":null,\"b\":{\"c\":[{}]}}"), WRITE_JSON, &nothing),
                "{ \"a\": null, \"b\": { \"c\": [{ }] } }\n");
    arena_free(arena);
}

static void keys_are_left_out_and_paths_put_right(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const struct str drops[] = {STR("hooks"), STR("t.b")}, paths[] = {STR("file"), STR("t.file")};
    const struct write_edit edit = {.drops = drops,
                                    .drop_count = 2,
                                    .paths = paths,
                                    .path_count = 2,
                                    .directory = STR("/d"),
                                    .home = STR("/h")};
    assert_text(rewrite(arena,
                        STR("file = 'x'\n[hooks]\na = 1\n[t]\nb = 1\nc = 2\nfile = '~/y'\n"
                            "[t.d]\nhooks = '/z'\n"),
                        WRITE_TOML, &edit),
                "\"file\" = \"/d/x\"\n"
                "\"t\" = { \"c\" = 2, \"file\" = \"/h/y\", \"d\" = { \"hooks\" = \"/z\" } }\n");
    assert_text(rewrite(arena, STR("{\"hooks\":{},\"t\":{\"b\":1}}"), WRITE_JSON, &edit),
                "{ \"t\": { } }\n");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_all_kinds_are_kept),
        cmocka_unit_test(keys_are_left_out_and_paths_put_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
