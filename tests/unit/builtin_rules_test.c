/* The table that is embedded in the binary: it opens without a problem, does what its examples say,
 * and its keywords hide nothing. */
#include "rules/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "classify/classify.h"
#include "rules/check.h"

#include <stdio.h>

struct world {
    struct arena *arena;
    struct problems problems;
    struct rules *rules, *brief;
    struct classifier *classifier, *brief_classifier;
};

static int set_up(void **state)
{
    static struct world world;
    struct err err = {0};
    world = (struct world){.arena = arena_create()};
    if (rules_open((struct str){NULL, 0}, &world.problems, world.arena, &world.rules, &err) !=
        ERR_OK) {
        print_error("%s\n", err.text);
        return -1;
    }
    if (rules_open_brief((struct str){NULL, 0}, &world.problems, world.arena, &world.brief, &err)) {
        return -1;
    }
    world.classifier = classifier_open(world.rules);
    world.brief_classifier = classifier_open(world.brief);
    *state = &world;
    return 0;
}

static int tear_down(void **state)
{
    struct world *world = *state;
    classifier_close(world->classifier);
    classifier_close(world->brief_classifier);
    rules_close(world->rules);
    rules_close(world->brief);
    arena_free(world->arena);
    return 0;
}

static void no_problems(const struct world *world)
{
    for (size_t i = 0; i < world->problems.count; i++) {
        const struct problem *problem = &world->problems.items[i];
        print_error("%.*s: %.*s\n", STR_ARG(origin_text(world->arena, problem->origin)),
                    STR_ARG(problem->message));
    }
    assert_int_equal(world->problems.count, 0);
}

static void it_opens_without_a_problem(void **state)
{
    struct world *world = *state;
    no_problems(world);
    assert_true(rules_count(world->rules) > 100);
    assert_true(rules_diagnosis_count(world->rules) > 30);
    assert_true(rules_provider_count(world->rules) > 2);
}

static void every_pattern_compiles(void **state)
{
    struct world *world = *state;
    classifier_check_patterns(world->classifier, false, world->arena, &world->problems);
    no_problems(world);
}

static struct finding judge(void *context, struct arena *arena, const struct observation *evidence)
{
    return classify(context, arena, evidence);
}

static void every_rule_does_what_its_examples_say(void **state)
{
    struct world *world = *state;
    rules_check(world->rules, judge, world->classifier, world->arena, &world->problems);
    no_problems(world);
}

static bool is_same_finding(const struct finding *a, const struct finding *b)
{
    return str_eq(a->diagnosis->id, b->diagnosis->id) && str_eq(a->rule_id, b->rule_id) &&
           str_eq(a->runner_up_rule, b->runner_up_rule);
}

/* With the keywords of the files, with the literals that were built in, and with neither. */
static void agree(struct world *world, const struct example *example)
{
    const struct observation *evidence = &example->evidence;
    struct finding quick = classify(world->classifier, world->arena, evidence);
    struct finding quickest = classify(world->brief_classifier, world->arena, evidence);
    struct finding slow = classify_unfiltered(world->classifier, world->arena, evidence);
    bool is_same = is_same_finding(&quick, &slow) && is_same_finding(&quickest, &slow);
    if (!is_same || str_is_set(quick.skipped_rule) || str_is_set(slow.skipped_rule)) {
        fail_msg("%.*s: \"%.*s\" then \"%.*s\" with keywords, \"%.*s\" then \"%.*s\" with "
                 "literals, \"%.*s\" then \"%.*s\" without; skipped \"%.*s\"",
                 STR_ARG(origin_text(world->arena, example->origin)), STR_ARG(quick.rule_id),
                 STR_ARG(quick.runner_up_rule), STR_ARG(quickest.rule_id),
                 STR_ARG(quickest.runner_up_rule), STR_ARG(slow.rule_id),
                 STR_ARG(slow.runner_up_rule), STR_ARG(slow.skipped_rule));
    }
}

static void keywords_change_no_finding(void **state)
{
    struct world *world = *state;
    for (size_t i = 0; i < rules_count(world->rules); i++) {
        const struct rule *rule = rules_at(world->rules, i);
        for (size_t k = 0; k < rule->yes_count; k++) {
            agree(world, &rule->yes[k]);
        }
        for (size_t k = 0; k < rule->no_count; k++) {
            agree(world, &rule->no[k]);
        }
    }
}

static void every_code_of_a_problem_has_a_diagnosis(void **state)
{
    struct world *world = *state;
    for (size_t i = 0; i < problem_code_count(); i++) {
        struct problem problem = {.code = problem_code_at(i)};
        struct observation evidence = {
            .kind = OBSERVATION_CONFIG, .problem = &problem, .retry_after_ms = -1};
        struct finding finding = classify(world->classifier, world->arena, &evidence);
        if (!str_is_set(finding.rule_id) || finding.diagnosis == rules_unknown(world->rules)) {
            fail_msg("no rule judges a problem of code %.*s", STR_ARG(problem.code));
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(it_opens_without_a_problem),
        TEST(every_pattern_compiles),
        TEST(every_rule_does_what_its_examples_say),
        TEST(keywords_change_no_finding),
        TEST(every_code_of_a_problem_has_a_diagnosis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
