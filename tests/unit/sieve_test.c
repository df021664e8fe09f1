/* What the filter of logs rests on: literals of patterns, marks of machines, bytes that hide. */
#include "classify/classify.h"
#include "classify/hiding.h"
#include "classify/literals.h"
#include "classify/marks.h"
#include "classify/screen.h"
#include "classify/sieve_forms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void patterns_give_the_literals_that_they_need(void **state)
{
    static const struct {
        const char *pattern, *literals;
    } rows[] = {
        {"insufficient_quota", "insufficient_quota"},
        {"\\bmodel is at capacity\\b", "model is at capacity"},
        {"rate[ _-]?limit reached",
         "rate limit reached|rate_limit reached|rate-limit reached|ratelimit reached"},
        {"(?:overloaded|exhausted) now", "overloaded now|exhausted now"},
        {"Limit .{0,20}per organisation", "per organisation"},
        {"(?<model>\\S+) does not exist", " does not exist"},
        {"请求(?:过于频繁|频率过高)", "请求过于频繁|请求频率过高"},
        {"^(?:server_busy|slow_down)$", "server_busy|slow_down"},
        {"overload(?:ed)*", "overload"},
        {"overloaded(?s:.{0,40}?)exhausted", "overloaded"},
        {"first line\\r?\\nsecond line", "second line"},
        {"can[\\x27’]t be reached|don\\x27t know", "can't be reached|can’t be reached|don't know"},
        {"과부하 상태", "과부하 상태"},
        {"регион не", " "}, /* the engine knows the cases of its letters */
        {"(?-i)[Рр]егион не", "Регион не|регион не"},
        {".*", ""},
        {"(?i)anything", "anything"},
        {"any(?i)thing", ""},   /* not followed */
        {"(a)\\1anything", ""}, /* not followed */
        {"x?", ""},
    };
    struct arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct literals got = literals_of_pattern(arena, str_from(rows[i].pattern));
        struct str shown = STR("");
        for (size_t k = 0; k < got.count; k++) {
            shown = arena_printf(arena, "%.*s%s%.*s", STR_ARG(shown), k ? "|" : "",
                                 STR_ARG(got.items[k]));
        }
        if (!str_eq(shown, str_from(rows[i].literals))) {
            fail_msg("%s gave %.*s", rows[i].pattern, STR_ARG(shown));
        }
    }
    arena_free(arena);
}

/* A line of more than 160 bytes. */
#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
#define LONG_LINE(front) front FIFTY FIFTY FIFTY FIFTY

static void marks_are_failures_of_machines(void **state)
{
    static const char *const marked[] = {
        "{\"error\":{\"message\":\"x\"}}",
        "{\"error\": \"x\"}",
        "{'error': {'code': 1}}",
        "body={\\\"error\\\":{\\\"code\\\":1}}",
        "{\"code\":\"InvalidApiKey\"}",
        "{\"code\":1302,\"msg\":\"x\"}",
        "HTTP 503 now",
        "\"POST / HTTP/1.1\" 429 12",
        "status=529",
        "Error code: 401 - x",
        "curl: (28) x",
        "[GIN] 2026/01/01 - 10:00:00 | 429 | 1ms",
        "429 Too Many Requests",
        "base_resp",
        "状态码：503",
    };
    static const char *const ordinary[] = {
        "{\"error\":null}",
        "{\"error\":\"\"}",
        "{\"error\":{}}",
        "{\"errors\":[]}",
        "{'error': None}",
        "{\\\"error\\\":\\\"\\\"}",
        "{\"code\":0}",
        "{\"code\":200}",
        "{\"code\":\"ok\"}",
        "HTTP 200",
        "\"GET / HTTP/1.1\" 304 0",
        "status=4000",
        "[GIN] 2026/01/01 - 10:00:00 | 200 | 1ms",
        LONG_LINE("[GIN] 2026/01/01 - 10:00:00 | 200 | ") "\nother | 429 | 1ms",
        LONG_LINE("GET https://a/") "\nother 429",
        "server busy, error warning timeout",
    };
    struct arena *arena = arena_create();
    const struct marks *marks = marks_create(arena);
    (void)state;
    for (size_t i = 0; i < sizeof marked / sizeof marked[0]; i++) {
        if (!marks_find(marks, str_from(marked[i]))) {
            fail_msg("no mark in %s", marked[i]);
        }
    }
    for (size_t i = 0; i < sizeof ordinary / sizeof ordinary[0]; i++) {
        if (marks_find(marks, str_from(ordinary[i]))) {
            fail_msg("a mark in %s", ordinary[i]);
        }
    }
    arena_free(arena);
}

static void marks_are_long_enough_to_look_for(void **state)
{
    struct arena *arena = arena_create();
    const struct marks *marks = marks_create(arena);
    (void)state;
    for (size_t i = 0; i < marks_count(marks); i++) {
        assert_true(marks_at(marks, i)->literal.len >= MARK_BYTES_MIN);
    }
    arena_free(arena);
}

static void escapes_of_letters_hide_and_those_of_quotes_do_not(void **state)
{
    static const char *const hiding[] = {"\\u0065rror", "\\x65",  "capac\\ity",  "\x1b[31m",
                                         "a\rb",        "<HTML>", "\\ud83d x",   "\\u212a",
                                         "余\\u989d",   "\x7f",   "\\\\\\\\\"a", "\\\\\\u4f59"};
    static const char *const plain[] = {"\\\"error\\\"",  "a\\nb", "a\r\nb", "\\u4f59\\u989d",
                                        "\\ud83d\\ude00", "a\tb",  "<b>",    "\\u003c",
                                        "C:\\\\new",      "\\/"};
    (void)state;
    for (size_t i = 0; i < sizeof hiding / sizeof hiding[0]; i++) {
        if (!hiding_in(str_from(hiding[i]))) {
            fail_msg("nothing hidden in %s", hiding[i]);
        }
    }
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        if (hiding_in(str_from(plain[i]))) {
            fail_msg("something hidden in %s", plain[i]);
        }
    }
}

static void literals_are_looked_for_as_encoders_write_them(void **state)
{
    static const struct {
        const char *literal, *written;
    } rows[] = {
        {" http/1.1\" 405", " http/1.1\\\" 405"},           /* JSON, logfmt */
        {" http/1.1\" 405", " http\\/1.1\\\" 405"},         /* PHP */
        {" http/1.1\" 405", " http/1.1\\u0022 405"},        /* .NET */
        {" http/1.1\" 405", " http/1.1\\\\\" 405"},         /* a repr of JSON */
        {" http/1.1\" 405", " http\\\\/1.1\\\\\\\" 405"},   /* PHP in JSON */
        {" http/1.1” 405", " http\\/1.1\\u201d 405"},       /* PHP that keeps to ASCII */
        {"plan's <limit>", "plan\\'s \\u003climit\\u003e"}, /* a repr of Go's JSON */
        {"余额𠮷", "\\\\u4f59\\\\u989d\\\\ud842\\\\udfb7"},
        {"insufficient_quota", "insufficient_quota"},
    };
    struct arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str literal = str_from(rows[i].literal), written = str_from(rows[i].written);
        size_t count = sieve_forms_count(literal), found = 0;
        assert_true(str_eq(sieve_form_of(arena, literal, 0), literal));
        for (size_t n = 0; n < count; n++) {
            found += str_eq(sieve_form_of(arena, literal, n), written);
        }
        if (found != 1) {
            fail_msg("%s is %zu of %zu forms of %s", rows[i].written, found, count,
                     rows[i].literal);
        }
    }
    arena_free(arena);
}

/* The sieve asks with the end of the line, the judge without. */
static void the_end_of_a_line_makes_no_talk(void **state)
{
    static const char *const lines[] = {
        "2026-11-29 13:00:01,123 - app - WARNING - write EPROTO 45:error:1408F10B:SSL "
        "routines:ssl3_get_record:wrong version number:../record/ssl3_record.c:332:\n",
        "2026-11-29 13:00:01 INFO deploy ran into trouble with quota -\n",
        "2026-11-29 13:00:01 INFO\n",
        "2026-11-29 13:00:01 INFO loaded 3 prompts\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct str line = str_from(lines[i]);
        struct str bare = str_slice(line, 0, line.len - 1);
        struct log_front front = log_front_read(line, 0), bare_front = log_front_read(bare, 0);
        assert_int_equal(classifier_is_talk(line, &front), classifier_is_talk(bare, &bare_front));
    }
}

static void loosened_patterns_ask_for_no_beginning_or_end(void **state)
{
    static const struct {
        const char *pattern, *loosened;
    } patterns[] = {
        {"^a[^$]\\$b\\z", "a[^$]\\$b(?:)"},
        {"(?m)(?:^|: )\\W{0,4}no (?:chat )?model\\b|^[^\\n]{0,60}err$",
         "(?m)no (?:chat )?model\\b|err(?:)"},
        {"(?:^\\W{0,8}|['\"])b?((?<who>c*|d)e+?|\\bf{1,2})g", "(?:e+?|\\bf{1,2})g"},
        {"[]a-z]*?[^]]?[[:alpha:]]{00,3}\\x{4e00}?\\x22{0}\\p{Han}\xE4\xBD\x99?",
         "\\p{Han}\xE4\xBD\x99?"},
        {"(?:^|a){2}b|(?:c?d){2}", "b|(?:c?d){2}"},
        {"a(?!_model$)(?<!^x(?=y$))b", "a(?:)(?:)b"},
        {"b?(?!)?(?=)(?<=$)c", "(?=)(?<=(?:))c"},
        {"[[:]^a|[a[:^x]]b$", "[[:](?:)a|[a[:^x]]b(?:)"},
        {"{0}a|a{0|{,2}", "{0}a|a{0|{,2}"},
        {"a(?i)b|(?s:c?)d|(?=e?)f", "a(?i)b|(?s:c?)d|(?=e?)f"},
        {"a?|b", "|b"},
        {"\\(?(?:a|b ?5[\\1(?x)])(?-i)c", "(?:a|b ?5[\\1(?x)])(?-i)c"},
        {"(?>^a|ab)c", NULL},
        {"(?:^a|ab)++c", NULL},
        {"a{2}+b", NULL},
        {"(a)\\1", NULL},
        {"(a)(?-1)", NULL},
        {"(?ix:a)", NULL},
        {"(?|(a)|(b))", NULL},
        {"(a)(?1)", NULL},
        {"\\Qa|(\\E", NULL},
        {"(?x) a # (", NULL},
        {"(*UCP)a", NULL},
    };
    struct arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        struct str have = screen_loosened(arena, str_from(patterns[i].pattern));
        assert_int_equal(str_is_set(have), patterns[i].loosened != NULL);
        assert_string_equal(arena_cstr(arena, have),
                            patterns[i].loosened ? patterns[i].loosened : "");
    }
    arena_free(arena);
}

static void loosening_takes_no_depth_that_a_pattern_cannot_have(void **state)
{
    static char groups[1024 * 1024];
    struct arena *arena = arena_create();
    (void)state;
    memset(groups, '(', sizeof groups);
    assert_false(str_is_set(screen_loosened(arena, (struct str){groups, sizeof groups})));
    arena_free(arena);
}

static void plain_text_has_no_escapes(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    assert_true(str_eq(screen_plain(arena, STR("a\\\\\"b\\u4f59\\n")), STR("a\"b余\n")));
    assert_true(
        str_eq(screen_plain(arena, STR("\\\\ud83d\\\\udeab\\ud83dc\\udeab\\u00e9")), STR("🚫cé")));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_give_the_literals_that_they_need),
        cmocka_unit_test(marks_are_failures_of_machines),
        cmocka_unit_test(marks_are_long_enough_to_look_for),
        cmocka_unit_test(escapes_of_letters_hide_and_those_of_quotes_do_not),
        cmocka_unit_test(literals_are_looked_for_as_encoders_write_them),
        cmocka_unit_test(the_end_of_a_line_makes_no_talk),
        cmocka_unit_test(loosened_patterns_ask_for_no_beginning_or_end),
        cmocka_unit_test(loosening_takes_no_depth_that_a_pattern_cannot_have),
        cmocka_unit_test(plain_text_has_no_escapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
