/* Scripts of the scripted provider: what is read, and how wrong ones are named. */
#include "serve/script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct script *parsed(struct arena *arena, const char *text)
{
    const struct script *script = NULL;
    struct err err = {0};
    enum err_code code = script_parse(arena, STR("s.toml"), str_from(text), &script, &err);
    if (code != ERR_OK) {
        print_error("%s:%u:%u: %s\n", err.file, err.line, err.column, err.text);
    }
    assert_int_equal(code, ERR_OK);
    return script;
}

static void assert_refused(const char *text, const char *wanted)
{
    struct arena *arena = arena_create();
    const struct script *script = NULL;
    struct err err = {0};
    char have[1200];
    assert_int_equal(script_parse(arena, STR("s.toml"), str_from(text), &script, &err), ERR_PARSE);
    assert_null(script);
    snprintf(have, sizeof have, "%s:%u:%u: %s", err.file, err.line, err.column, err.text);
    if (!strstr(have, wanted)) {
        fail_msg("have: %s\nwant: %s", have, wanted);
    }
    arena_free(arena);
}

static void reads_every_key(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const struct script *script = parsed(
        arena, "[[reply]]\nwire = 'chat'\npath = '/v1/x'\nmethod = 'POST'\nmodel = 'm'\nkey = ''\n"
               "request_headers = { x-a = 'b' }\nquery = { api-version = '1' }\nbody_has = 'cap'\n"
               "times = 2\nstatus = 503\nheaders = { retry-after = '30', x-b = 'c' }\n"
               "body = '{}'\ndelay_ms = 5\ndrip = { bytes = 3, every_ms = 7 }\ntruncate = 1\n"
               "reset = true\nhang = false\ndiagnosis = 'capacity'\n"
               "[[reply]]\nsse = ['a', { event = 'e', data = \"b\\nc\", delay_ms = 9 }]\n");
    assert_int_equal(script->reply_count, 2);
    const struct reply *reply = &script->replies[0];
    assert_true(str_eq(reply->wire, STR("chat")) && str_eq(reply->path, STR("/v1/x")));
    assert_true(str_eq(reply->method, STR("POST")) && str_eq(reply->body_has, STR("cap")));
    assert_true(str_is_set(reply->key) && reply->key.len == 0);
    assert_string_equal(reply->request_headers.items[0].value.ptr, "b");
    assert_string_equal(reply->query.items[0].name.ptr, "api-version");
    assert_int_equal(reply->times, 2);
    assert_int_equal(reply->status, 503);
    assert_int_equal(reply->headers.count, 2);
    assert_string_equal(reply->headers.items[1].name.ptr, "x-b");
    assert_int_equal(reply->delay_ms, 5);
    assert_int_equal(reply->drip_bytes, 3);
    assert_int_equal(reply->drip_every_ms, 7);
    assert_int_equal(reply->truncate, 1);
    assert_true(reply->is_reset && !reply->is_hanging);
    reply = &script->replies[1];
    assert_int_equal(reply->status, 200);
    assert_int_equal(reply->truncate, -1);
    assert_false(str_is_set(reply->key));
    assert_string_equal(reply->events.items[0].bytes.ptr, "data: a\n\n");
    assert_string_equal(reply->events.items[1].bytes.ptr, "event: e\ndata: b\ndata: c\n\n");
    assert_int_equal(reply->events.items[1].delay_ms, 9);
    size_t count;
    const struct demo_row *rows = script_rows(script, &count);
    assert_int_equal(count, 1);
    assert_true(str_eq(rows[0].model, STR("m")) && str_eq(rows[0].wire, STR("chat")) &&
                str_eq(rows[0].diagnosis, STR("capacity")));
    arena_free(arena);
}

static void names_what_is_wrong_and_where(void **state)
{
    (void)state;
    assert_refused("[[reply]]\nstatus = 200\nmodle = 'x'\n",
                   "s.toml:3:1: unknown key modle, did you mean model?");
    assert_refused("[[reply]]\nzzzzzz = 1\n", "s.toml:2:1: unknown key zzzzzz");
    assert_refused("[[replys]]\n", "unknown key replys, did you mean reply?");
    assert_refused("[[reply]]\nstatus = '503'\n",
                   "s.toml:2:10: status must be an integer, not string");
    assert_refused("[[reply]]\nstatus = 99\n", "2:10: status must be from 200 to 599");
    assert_refused("[[reply]]\nbody = 5\n", "body must be a string");
    assert_refused("[[reply]]\nhang = 1\n", "hang must be true or false");
    assert_refused("[[reply]]\nwire = 'telex'\nstatus = 200\n", "s.toml:1:1: wire must be");
    assert_refused("[[reply]]\nhealthy = 'telex'\n", "healthy must be any");
    assert_refused("[[reply]]\nbody = 'a'\nhealthy = 'any'\n", "only one of body");
    assert_refused("[[reply]]\nmodel = 'a'\n", "no answer");
    assert_refused("[[reply]]\nstatus = 200\ntruncate = 1\n", "truncate needs a body");
    assert_refused("[[reply]]\nbody = 'abc'\ntruncate = 3\n", "less than the body's 3 bytes");
    assert_refused("[[reply]]\nhang = true\ndiagnosis = 'timeout'\n", "needs model and wire");
    assert_refused("[[reply]]\nstatus = 200\nheaders = { content-length = '5' }\n",
                   "3:13: content-length is set by the server itself");
    assert_refused("[[reply]]\nstatus = 200\nheaders = { x = \"a\\r\\nb: c\" }\n", "line ends");
    assert_refused("[[reply]]\nsse = [1]\n", "sse must be made of strings and tables");
    assert_refused("[[reply]]\nsse = [{ dat = 'x' }]\n", "unknown key dat, did you mean data?");
    assert_refused("[[reply]]\nbody = 'x'\ndrip = { bytes = 1 }\n", "drip must be a table");
    assert_refused("", "at least one [[reply]]");
    assert_refused("reply = 5\n", "reply must be");
    assert_refused("reply = [5]\n", "blocks [[reply]]");
    assert_refused("[[reply]]\nbody = 'open\n", "s.toml:2:");
}

/* The demo promises at least 16 kinds of failure, one model each, and every wire healthy. */
static void demo_script_shows_every_kind(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const struct script *script = NULL;
    struct err err = {0};
    assert_true(str_is_set(script_embedded(SCRIPT_OF_DEMO)));
    assert_int_equal(
        script_parse(arena, STR("demo"), script_embedded(SCRIPT_OF_DEMO), &script, &err), ERR_OK);
    size_t count, kinds = 0, healthy = 0;
    const struct demo_row *rows = script_rows(script, &count);
    for (size_t i = 0; i < count; i++) {
        bool is_new = !str_eq(rows[i].diagnosis, STR("ok"));
        healthy += !is_new;
        for (size_t j = 0; j < i; j++) {
            assert_false(str_eq(rows[i].model, rows[j].model));
            is_new = is_new && !str_eq(rows[i].diagnosis, rows[j].diagnosis);
        }
        kinds += is_new;
    }
    assert_true(kinds >= 16);
    assert_int_equal(healthy, 3);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_key),
        cmocka_unit_test(names_what_is_wrong_and_where),
        cmocka_unit_test(demo_script_shows_every_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
