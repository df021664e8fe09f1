/* The lint of rules: each seeded fault is found, at its place, and the rule beside it that is right
 * is left alone. */
#include "rules/lint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rules_world.h"

#include "base/text.h"
#include "classify/classify.h"
#include "rules/sample.h"

static enum trial try_pattern(void *context, size_t rule, size_t condition, struct str text)
{
    enum match_end end = classifier_try(context, rule, condition, text);
    return end == MATCH_YES ? TRIAL_YES : end == MATCH_NO ? TRIAL_NO : TRIAL_LIMIT;
}

/* All that lint says about a table, one line each. */
static struct str complaints_of(struct arena *arena, const char *built_in)
{
    struct problems problems = {0};
    struct rules *rules = open_table(arena, &problems, built_in, NULL);
    struct str all = STR("");
    assert_non_null(rules);
    assert_int_equal(problems.count, 0);
    struct classifier *classifier = classifier_open(rules);
    rules_lint(rules, try_pattern, classifier, arena, &problems);
    for (size_t i = 0; i < problems.count; i++) {
        struct str place = origin_text(arena, problems.items[i].origin);
        all = arena_printf(arena, "%.*s%.*s %.*s\n", STR_ARG(all), STR_ARG(place),
                           STR_ARG(problems.items[i].message));
    }
    classifier_close(classifier);
    rules_close(rules);
    return all;
}

static void says(struct arena *arena, const char *rules, const char *wanted)
{
    struct str all = complaints_of(arena, rules);
    if (wanted[0] == '\0' ? all.len != 0 : str_find(all, str_from(wanted)) < 0) {
        fail_msg("lint says:\n%swhere \"%s\" was wanted, of:\n%s", all.ptr, wanted, rules);
    }
}

static void a_match_without_any_keyword_is_shown(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    says(arena, RULE("a", "capacity", "keywords = ['overloaded']\nmatch = { text = 'overloaded' }"),
         "");
    says(arena,
         RULE("a", "capacity",
              "keywords = ['overloaded']\nmatch = { text = 'is overloaded|no capacity' }"),
         "rules/10-test.toml:7:18 rule \"a\": the pattern also matches \"no capacity\"");
    says(arena,
         RULE("a", "capacity",
              "keywords = ['no capacity']\nmatch = { text = 'no (?:free )?capacity' }"),
         "also matches \"no free capacity\"");
    says(arena,
         RULE("a", "capacity",
              "keywords = ['overloaded(?:_error)?']\nmatch = { text = 'overloaded(?:_error)?' }"),
         "also matches \"overloaded");
    says(arena,
         RULE("a", "capacity",
              "keywords = ['model is full']\nmatch = { text = 'model (?:\"|)is full' }"),
         "also matches");
    /* Patterns ignore case in every script, keywords in ASCII alone. */
    says(arena, RULE("a", "capacity", "keywords = ['überlastet']\nmatch = { text = 'überlastet' }"),
         "also matches \"Überlastet\"");
    says(arena,
         RULE("a", "capacity", "keywords = ['перегружен']\nmatch = { text = '(?-i)перегружен' }"),
         "");
    /* Another condition brings the keyword along. */
    says(arena,
         RULE("a", "capacity",
              "keywords = ['overloaded']\n"
              "match = { text = 'busy|full', \"error.code\" = '^overloaded' }"),
         "");
    /* What the pattern refuses after all is no way to match. */
    says(arena,
         RULE("a", "capacity",
              "keywords = ['overloaded']\nmatch = { text = '(?:busy(?=overloaded)|overloaded)' }"),
         "");
    arena_free(arena);
}

static void a_pattern_that_runs_into_the_limit_is_shown(void **state)
{
    static const char *const bad[] = {
        "^(a|aa|aaa)+$", "(a+)+$",
        "(x+x+)+y",      "(?:a|b|ab)*c",

        "(\\w|\\d)+z$",  "^(([a-z])+.)+[A-Z]([a-z])+$",
    };
    static const char *const good[] = {
        "overloaded", "a.*b", "a.{0,80}b", "(?:a|b)+c", "[a-z ]+ is busy", "\\d+(?:\\.\\d+)? ?s",
    };
    struct arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0] + sizeof good / sizeof good[0]; i++) {
        size_t count = sizeof bad / sizeof bad[0];
        struct str rule = arena_printf(arena,
                                       "[[rule]]\nid = 'a'\ndiagnosis = 'capacity'\nreason = 'r'\n"
                                       "source = 's'\nmatch = { \"error.code\" = '%s' }\n",
                                       i < count ? bad[i] : good[i - count]);
        says(arena, rule.ptr,
             i < count ? "rules/10-test.toml:6:26 rule \"a\": the pattern runs into the match limit"
                       : "");
    }
    arena_free(arena);
}

static void a_rule_that_can_never_win_is_named_with_the_one_before_it(void **state)
{
    static const struct {
        const char *first, *second;
        bool is_shadowed;
    } cases[] = {
        {"status = [503]", "status = [503]", true},
        {"status = [500, 503]", "status = [503]", true},
        {"status = [503]", "status = [500, 503]", false},
        {"match = { \"error.code\" = 'x' }", "match = { \"error.code\" = 'x' }\nstatus = [503]",
         true},
        {"match = { \"error.code\" = 'x' }\nstatus = [503]", "match = { \"error.code\" = 'x' }",
         false},
        {"match = { \"error.code\" = 'x' }",
         "match = { \"error.code\" = 'x', \"error.type\" = 'y' }", true},
        {"match = { \"error.code\" = 'x', \"error.type\" = 'y' }",
         "match = { \"error.code\" = 'x' }", false},
        {"match = { \"error.code\" = 'x' }", "match = { \"error.type\" = 'x' }", false},
        {"match = { \"header.a\" = 'x' }", "match = { \"header.b\" = 'x' }", false},
        {"keywords = ['one word', 'two words']", "keywords = ['two words']", true},
        {"keywords = ['two words']", "keywords = ['one word', 'two words']", false},
        {"status = [503]", "status = [503]\nkeywords = ['one word']", false},
    };
    struct arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct str rules = arena_printf(arena,
                                        "[[rule]]\nid='a'\ndiagnosis='capacity'\nreason='r'\n"
                                        "source='s'\n%s\n[[rule]]\nid='b'\ndiagnosis='rate_limit'\n"
                                        "reason='r'\nsource='s'\n%s\n",
                                        cases[i].first, cases[i].second);
        says(arena, rules.ptr,
             cases[i].is_shadowed
                 ? "rule \"b\": it can never win: \"a\" (rules/10-test.toml:1:1) is tried before it"
                 : "");
    }
    arena_free(arena);
}

/* Whatever a pattern looks like, a text for it is made in bounded time and room. */
static void texts_are_made_of_any_pattern(void **state)
{
    static const char *const patterns[] = {
        "",
        ")",
        "(",
        "[",
        "[^",
        "\\",
        "a{",
        "a{2",
        "a{,3}",
        "(?",
        "(?<n",
        "(*x",
        "|",
        "||",
        "*",
        "+?",
        "[]a]",
        "[a-]",
        "[\\]-a]",
        "[[:x:]",
        "\\x{",
        "\\p{L",
        "é+",
        "\xff",
        "(?<!x)y",
        "(?#c)d",
        "(?i)e",
        "(?|a|b)",
        "((((((a))))))",
        "(((a{99}){99}){99}){99}",
        "((((((a?){99999}){99999}){99999})))",
    };
    struct arena *arena = arena_create();
    struct str texts[SAMPLE_WORST_MAX];
    (void)state;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        const struct sampler *sampler = sampler_create(arena, str_from(patterns[i]));
        for (uint32_t seed = 0; seed < 9; seed++) {
            const struct sampler *fresh = sampler_create(arena, str_from(patterns[i]));
            struct str text = sample_match(arena, sampler, seed);
            assert_true(text.len <= 512);
            assert_true(str_eq(text, sample_match(arena, fresh, seed)));
            size_t count = sample_worst(arena, sampler, seed, 256, texts);
            for (size_t k = 0; k < count; k++) {
                assert_true(texts[k].len <= 256 + 1024);
            }
        }
    }
    arena_free(arena);
}

/* A table of one rule with that pattern. */
static struct rules *open_pattern(struct arena *arena, const char *pattern)
{
    struct problems problems = {0};
    struct str table = arena_printf(arena,
                                    "[[rule]]\nid = 'a'\ndiagnosis = 'capacity'\nreason = 'r'\n"
                                    "source = 's'\nmatch = { text = '''%s''' }\n",
                                    pattern);
    struct rules *rules = open_table(arena, &problems, table.ptr, NULL);
    assert_int_equal(rules_count(rules), 1);
    return rules;
}

/* Texts match the pattern that they were made from; the kinds of parts that rules are made of. */
static void texts_match_their_pattern(void **state)
{
    static const char *const patterns[] = {
        "^server_is_overloaded$",
        "no (?:free )?backend",
        "[^x]y[a-f0-9]{4,8}",
        "(?<wait>\\d+(?:\\.\\d+)? ?s)",
        "don['’]t",
        "[：:]\\s*\\w+",
        "容量(?:不足|已满)",
        "a|b|c|d|e",
        "\\(x\\)\\[y\\]\\{z\\}",
        "\\S+\\W\\D",
        "(?i:Key) ?=",
    };
    struct arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        struct rules *rules = open_pattern(arena, patterns[i]);
        struct classifier *classifier = classifier_open(rules);
        const struct sampler *sampler = sampler_create(arena, str_from(patterns[i]));
        for (uint32_t seed = 1; seed <= 20; seed++) {
            struct str text = sample_match(arena, sampler, seed);
            if (classifier_try(classifier, 0, 0, text) != MATCH_YES) {
                fail_msg("\"%.*s\" was made from %s", STR_ARG(text), patterns[i]);
            }
        }
        classifier_close(classifier);
        rules_close(rules);
    }
    arena_free(arena);
}

/* The first tries are the interpreter's, the others of machine code. */
static void patterns_match_alike_however_often_they_are_tried(void **state)
{
    static const struct {
        const char *pattern, *text;
    } cases[] = {
        {"4\\W{0,6}x", "4错误码x"},    {"4\\S+x", "4错误码x"},
        {"4\\D*?x", "4错误码x"},       {"4[\\W_]+x", "4错误码x"},
        {"4[^]\\d]+\\Wx", "4错误码x"}, {"4[[:digit:]\\S]+\\Sx", "4错误码x"},
        {"\\Q4\\W\\E\\Wx", "4\\W码x"}, {"\\\\W码", "\\W码"},
    };
    struct arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rules *rules = open_pattern(arena, cases[i].pattern);
        struct classifier *classifier = classifier_open(rules);
        for (unsigned n = 1; n <= 4; n++) {
            if (classifier_try(classifier, 0, 0, str_from(cases[i].text)) != MATCH_YES) {
                fail_msg("try %u of %s on %s", n, cases[i].pattern, cases[i].text);
            }
        }
        classifier_close(classifier);
        rules_close(rules);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_without_any_keyword_is_shown),
        cmocka_unit_test(a_pattern_that_runs_into_the_limit_is_shown),
        cmocka_unit_test(a_rule_that_can_never_win_is_named_with_the_one_before_it),
        cmocka_unit_test(texts_are_made_of_any_pattern),
        cmocka_unit_test(texts_match_their_pattern),
        cmocka_unit_test(patterns_match_alike_however_often_they_are_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
