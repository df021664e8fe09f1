/* The test of the rule table, and the reading of a pattern's cost. */
#include "rules/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rules_world.h"

#include "classify/classify.h"
#include "rules/pattern.h"

static void patterns_show_their_cost(void **state)
{
    static const struct {
        const char *pattern;
        bool is_nested;
        unsigned gaps;
    } cases[] = {
        {"^a.*b$", false, 1},
        {"(a+)+", true, 0},
        {"(?:a*b)*", true, 0},
        {"(a|b)+c+", false, 0},
        {"(?:\\s+x)?", false, 0},
        {"a.*b.*c", false, 2},
        {"a.{0,80}b.{0,80}c", false, 0},
        {"a.{0,500}b.+", false, 2},
        {"a.*|b.*", false, 1},
        {"[^x]*y[^z]+", false, 2},
        {"\\S+ \\S*", false, 2},
        {"\\(a+\\)+", false, 0},
        {"[(a+)]+", false, 0},
        {"(?<wait>\\d+(?:\\.\\d+)?s)", false, 0},
        {"((a+)b)+", true, 0},
        {"(a+){0,50}", true, 0},
        {"(a+){0,3}", false, 0},
        {"[\\s\\S]*", false, 1},
        {"(?i)x", false, 0},
        {"[]a+]*", false, 0},
        {"(a.*|b.*)c", false, 1},
        {"(a.*|b.*)c.*", false, 2},
        {"a{", false, 0},
        {"(", false, 0},
        {"[", false, 0},
        {"\\", false, 0},
        {")", false, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pattern_cost cost = pattern_scan(str_from(cases[i].pattern));
        assert_int_equal(cost.has_nested_quantifier, cases[i].is_nested);
        assert_int_equal(cost.wide_gaps, cases[i].gaps);
    }
}

static struct finding judge(void *context, struct arena *arena, const struct observation *evidence)
{
    return classify(context, arena, evidence);
}

/* Checks a table; gives all its complaints in one text. */
static struct str complaints_of(struct arena *arena, const char *built_in)
{
    struct problems problems = {0};
    struct rules *rules = open_table(arena, &problems, built_in, NULL);
    struct str all = STR("");
    assert_non_null(rules);
    assert_int_equal(problems.count, 0);
    struct classifier *classifier = classifier_open(rules);
    rules_check(rules, judge, classifier, arena, &problems);
    for (size_t i = 0; i < problems.count; i++) {
        struct str place = origin_text(arena, problems.items[i].origin);
        all = arena_printf(arena, "%.*s%.*s %.*s\n", STR_ARG(all), STR_ARG(place),
                           STR_ARG(problems.items[i].message));
    }
    classifier_close(classifier);
    rules_close(rules);
    return all;
}

#define GOOD_CAPACITY                                                                              \
    RULE("cap", "capacity",                                                                        \
         "match = { \"error.code\" = '^overloaded$' }\n"                                           \
         "yes = [{ status = 503, body = '{\"error\":{\"code\":\"overloaded\"}}' }]\n"              \
         "no = [{ status = 429, body = '{\"error\":{\"code\":\"slow\"}}', as = 'rate_limit' }]")
#define GOOD_RATE                                                                                  \
    RULE("rate", "rate_limit",                                                                     \
         "keywords = ['too many requests']\nmatch = { \"error.message\" = 'too many requests' }\n" \
         "yes = [{ status = 429, body = '{\"error\":{\"message\":\"Too many requests\"}}' }]\n"    \
         "no = [{ body = 'hello', as = 'ok' }]")                                                   \
    RULE("rate-status", "rate_limit",                                                              \
         "status = [429]\nyes = [{ status = 429 }]\n"                                              \
         "no = [{ status = 500 }]")
#define GOOD_QUOTA                                                                                 \
    RULE("quota", "quota_exhausted",                                                               \
         "status = [402]\nyes = [{ status = 402 }]\nno = [{ status = 401 }]")

static void a_good_table_has_no_complaints(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    assert_string_equal(complaints_of(arena, GOOD_CAPACITY GOOD_RATE GOOD_QUOTA).ptr, "");
    arena_free(arena);
}

static void has(struct str complaints, const char *part)
{
    if (str_find(complaints, str_from(part)) < 0) {
        fail_msg("\"%s\" is not in:\n%s", part, complaints.ptr);
    }
}

static void wrong_examples_name_the_winner(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    struct str all = complaints_of(
        arena, GOOD_CAPACITY GOOD_RATE RULE(
                   "late", "quota_exhausted",
                   "status = [429]\nyes = [{ status = 429 }, { status = 200, body = 'x' }]\n"
                   "no = [{ status = 429, as = 'capacity' }]"));
    has(all, "rules/10-test.toml:");
    has(all, "rule \"late\": this yes example is won by rule \"rate-status\" (rate_limit)");
    has(all, "rule \"late\": this yes example is won by no rule (ok)");
    has(all,
        "rule \"late\": this no example should be capacity, but is won by rule \"rate-status\"");
    has(all, "no example of any rule reaches \"quota_exhausted\"");
    arena_free(arena);
}

static void weak_rules_are_refused(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    struct str all = complaints_of(
        arena, GOOD_CAPACITY GOOD_RATE GOOD_QUOTA RULE("none", "capacity", "status = [599]")
                   RULE("prose", "capacity",
                        "match = { text = 'busy' }\nyes = [{ body = 'x' }]\nno = [{ body = 'y' }]")
                       RULE("short", "capacity",
                            "keywords = ['Busy', '忙']\nmatch = { text = '(a+)+.*b.*c' }\n"
                            "yes = [{ body = 'x' }]\nno = [{ status = 402, as = 'ok' }]"));
    has(all, "rule \"none\": it has no example under \"yes\"");
    has(all, "rule \"prose\": a pattern on prose needs keywords");
    has(all, "the keyword \"Busy\" must be in lower case");
    has(all, "the keyword \"Busy\" is shorter than 8 bytes");
    has(all, "the keyword \"忙\" is shorter than 4 bytes");
    has(all, "a repetition without bound stands inside a repeated group");
    has(all, "more than one wide gap");
    has(all, "none of the keywords stands in its body");
    arena_free(arena);
}

static void a_rule_that_wins_its_own_no_example_is_told(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    has(complaints_of(arena, RULE("r", "capacity",
                                  "status = [503]\nyes = [{ status = 503 }]\n"
                                  "no = [{ status = 503 }]")),
        "rule \"r\": this no example is won by the rule itself");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_show_their_cost),
        cmocka_unit_test(a_good_table_has_no_complaints),
        cmocka_unit_test(wrong_examples_name_the_winner),
        cmocka_unit_test(weak_rules_are_refused),
        cmocka_unit_test(a_rule_that_wins_its_own_no_example_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
