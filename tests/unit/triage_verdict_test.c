/* Distinct problems, their scope, the quick-reference rows, and who answers instead. */
#include "triage_fixture.h"

#define A "https://a.example/v1"
#define B "https://b.example/v1"

static void one_problem_of_several_targets_is_told_once(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "m", 401, "auth_invalid_key");
    run_add_answer(run, "n", 401, "auth_invalid_key");
    run_add(run, "o", A, "other-key", 401, STEP_ANSWER, "auth_invalid_key");
    run_triage(run);
    assert_int_equal(run->report.verdict_count, 2);
    assert_int_equal(run->report.verdicts[0].result_count, 2);
    assert_str(run->report.verdicts[0].title, "each of m and n refuses the key");
    assert_str(run->report.verdicts[1].title, "o refuses the key");
    run_close(run);
}

static const struct {
    const char *diagnoses[3], *urls[3], *keys[3];
    enum scope scope; /* of the first verdict */
} scopes[] = {
    /* the same key answers for another model */
    {{"capacity", "ok"}, {A, A}, {"k", "k"}, SCOPE_MODEL},
    {{"model_not_found"}, {A}, {"k"}, SCOPE_MODEL},
    /* a failure at the key's rung, and nobody says otherwise */
    {{"auth_invalid_key"}, {A}, {"k"}, SCOPE_KEY},
    {{"auth_invalid_key", "auth_invalid_key", "ok"}, {A, A, A}, {"k", "k", "l"}, SCOPE_KEY},
    /* every key of a host fails alike, and another host answers */
    {{"capacity", "capacity", "ok"}, {A, A, B}, {"k", "l", "m"}, SCOPE_PROVIDER},
    {{"capacity", "capacity", "ok"}, {A, A, B}, {"k", "k", "m"}, SCOPE_PROVIDER},
    {{"connection_refused", "ok"}, {A, B}, {"k", "m"}, SCOPE_PROVIDER},
    /* every host fails on the way */
    {{"dns_failure", "dns_failure"}, {A, B}, {"k", "m"}, SCOPE_NETWORK},
    {{"timeout", "timeout"}, {A, B}, {"k", "m"}, SCOPE_NETWORK},
    /* everything fails alike, but hosts were reached */
    {{"unknown", "unknown"}, {A, B}, {"k", "m"}, SCOPE_EVERYTHING},
};

static void scope_follows_what_else_happened(void **state)
{
    (void)state;
    static const char *const models[] = {"m0", "m1", "m2"};
    for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++) {
        struct run *run = run_open();
        for (size_t j = 0; j < 3 && scopes[i].diagnoses[j]; j++) {
            bool is_network = run_diagnosis(run, scopes[i].diagnoses[j])->blame == BLAME_NETWORK;
            run_add(run, models[j], scopes[i].urls[j], scopes[i].keys[j], is_network ? 0 : 500,
                    is_network ? STEP_CONNECT : STEP_ANSWER, scopes[i].diagnoses[j]);
        }
        run_triage(run);
        assert_int_equal(run->report.verdicts[run->report.verdict_count - 1].scope,
                         scopes[i].scope);
        run_close(run);
    }
}

static void a_network_that_is_down_is_one_problem(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add(run, "m", A, "k", 0, STEP_DNS, "dns_failure");
    run_add(run, "n", B, "l", 0, STEP_DNS, "dns_failure");
    run_triage(run);
    assert_int_equal(run->report.verdict_count, 1);
    assert_holds(run->report.verdicts[0].why, "look for the cause on this side");
    run_close(run);
}

static void a_plain_capacity_failure_is_occasional(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "big", 503, "capacity");
    run_add_answer(run, "mini", 200, "ok");
    run_triage(run);
    assert_int_equal(run->report.verdict_count, 1);
    const struct verdict *verdict = run_verdict(run, "capacity-occasional");
    assert_non_null(verdict);
    assert_str(verdict->title, "big is at capacity (occasional)");
    assert_holds(verdict->why, "mini answered with the same key 0.5 s ago.");
    assert_str(verdict->actions[0], "row action capacity-occasional");
    assert_str(verdict->avoid[0], "not capacity");
    assert_str(verdict->basis[0].name, "capacity_failures");
    assert_int_equal(verdict->basis[0].number, 1);
    run_close(run);
}

static void two_models_that_refuse_are_after_a_switch(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "big", 503, "capacity");
    run_add_answer(run, "mini", 503, "capacity");
    run_triage(run);
    const struct verdict *verdict = run_verdict(run, "capacity-after-switch");
    assert_non_null(verdict);
    assert_str(verdict->title, "big and mini still refuse after a switch");
    assert_int_equal(verdict->basis[0].number, 2);
    assert_str(run->report.verdicts[0].id, "capacity-after-switch");
    assert_str(run->report.verdicts[1].id, "capacity-occasional");
    assert_null(run_verdict(run, "capacity"));
    run_close(run);

    run = run_open();
    run_add_answer(run, "big", 503, "capacity");
    run_add_answer(run, "big", 503, "capacity");
    run_triage(run);
    assert_null(run_verdict(run, "capacity-after-switch"));
    run_close(run);

    run = run_open();
    run_add_answer(run, "big", 503, "capacity");
    run_add_answer(run, "mini", 503, "capacity");
    run->targets[1].client = STR("other");
    run_triage(run);
    assert_null(run_verdict(run, "capacity-after-switch"));
    run_close(run);
}

static void a_timeout_beside_another_failure_is_a_row(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add(run, "slow", B, "k", 0, STEP_HTTP, "timeout");
    run_add_answer(run, "big", 503, "capacity");
    run_triage(run);
    const struct verdict *verdict = run_verdict(run, "failure-with-timeout");
    assert_non_null(verdict);
    assert_int_equal(verdict->result_count, 2);
    assert_int_equal(verdict->diagnosis->blame, BLAME_NETWORK);
    assert_str(run->report.verdicts[0].id, "failure-with-timeout");
    run_close(run);

    run = run_open();
    run_add(run, "slow", B, "k", 0, STEP_HTTP, "timeout");
    run_add(run, "slower", A, "k", 0, STEP_HTTP, "timeout");
    run_triage(run);
    assert_null(run_verdict(run, "failure-with-timeout"));
    run_close(run);
}

static void same_key_is_only_said_of_the_same_key(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "big", 503, "capacity");
    run_add(run, "mini", B, "another", 200, STEP_ANSWER, "ok");
    run_triage(run);
    const struct verdict *verdict = &run->report.verdicts[0];
    assert_holds(verdict->why, "mini answered 0.5 s ago.");
    assert_int_equal(str_find(verdict->why, STR("same key")), -1);
    run_close(run);
}

static void the_next_of_the_chain_is_preferred(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "stranger", 200, "ok");
    struct result *failed = run_add_answer(run, "big", 503, "capacity");
    run_add_answer(run, "second", 200, "ok");
    run_add_answer(run, "first", 200, "ok");
    run->targets[0].client = STR("other");
    for (size_t i = 2; i < 4; i++) {
        run->targets[i].role = ROLE_FALLBACK;
        run->targets[i].chain = failed->target->chain;
        run->targets[i].fallback_number = i == 2 ? 2 : 1;
    }
    run_triage(run);
    assert_holds(run->report.verdicts[0].why, "first answered");
    run_close(run);
}

static void errors_come_before_warnings_and_ours_before_theirs(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "big", 503, "capacity");
    run_add_answer(run, "gone", 404, "model_not_found");
    run->input.config_findings = run_problem(run, "config_unknown_key", "unknown_key", 2, true);
    run->input.config_finding_count = 1;
    run_triage(run);
    assert_int_equal(run->report.verdict_count, 3);
    assert_str(run->report.verdicts[0].id, "model_not_found");
    assert_str(run->report.verdicts[1].id, "capacity-occasional");
    assert_str(run->report.verdicts[2].id, "config_unknown_key");
    assert_str(run->report.verdicts[2].title, "key number 2 is not known");
    assert_str(run->report.verdicts[2].origin, "c.toml:2:1");
    assert_str(run->report.verdicts[2].actions[0], "Write instead: model");
    assert_str(run->report.verdicts[2].seen, "line 2: modle = \"x\"");
    run_close(run);
}

static void a_command_is_introduced_as_one_and_told_once(void **state)
{
    (void)state;
    struct str known = STR("app fix");
    for (int is_known = 0; is_known < 2; is_known++) {
        struct run *run = run_open();
        struct finding *finding = run_problem(run, "config_parse_error", "syntax", 1, false);
        struct problem problem = *finding->observation->problem;
        struct observation observation = *finding->observation;
        problem.suggestion = is_known ? known : STR("some login");
        problem.suggestion_kind = SUGGESTION_COMMAND;
        problem.line_text = (struct str){NULL, 0};
        observation.problem = &problem;
        finding->observation = &observation;
        run->input.config_findings = finding;
        run->input.config_finding_count = 1;
        run_triage(run);
        const struct verdict *verdict = &run->report.verdicts[0];
        assert_str(verdict->id, "config_parse_error");
        if (is_known) {
            assert_str(verdict->actions[0], "run app fix");
        } else {
            assert_str(verdict->actions[0], "Run: some login");
        }
        assert_false(str_is_set(verdict->seen));
        run_close(run);
    }
}

static void many_problems_of_one_kind_in_a_file_are_merged(void **state)
{
    (void)state;
    for (unsigned count = 3; count <= 6; count += 3) {
        struct run *run = run_open();
        struct finding *findings = ARENA_ARRAY(run->arena, count, struct finding);
        for (unsigned i = 0; i < count; i++) {
            findings[i] = *run_problem(run, "config_unknown_key", "unknown_key", i + 1, true);
        }
        run->input.config_findings = findings;
        run->input.config_finding_count = count;
        run_triage(run);
        assert_int_equal(run->report.verdict_count, count == 3 ? 3 : 1);
        if (count == 6) {
            assert_str(run->report.verdicts[0].title,
                       "key number 1 is not known (and 5 more of this kind)");
            assert_str(run->report.verdicts[0].seen,
                       "c.toml:1:1, c.toml:2:1, c.toml:3:1 and 3 more places");
        }
        run_close(run);
    }
}

static void the_same_problem_of_two_targets_is_one(void **state)
{
    (void)state;
    struct run *run = run_open();
    struct finding *shared = run_problem(run, "config_unknown_key", "unknown_key", 2, true);
    for (size_t i = 0; i < 2; i++) {
        struct result *result = run_add_answer(run, i ? "m" : "n", 200, "ok");
        result->config_findings = shared;
        result->config_finding_count = 1;
    }
    run_triage(run);
    assert_int_equal(run->report.verdict_count, 1);
    assert_int_equal(run->report.verdicts[0].result_count, 2);
    run_close(run);
}

static void unexplained_answers_are_one_only_when_alike(void **state)
{
    (void)state;
    struct run *run = run_open();
    static const char *const bodies[] = {"no idea what this is", "no idea what this is", "else"};
    for (size_t i = 0; i < 3; i++) {
        run_add_answer(run, "m", 418, "unknown");
        run->findings[i].rule_id = (struct str){NULL, 0};
        run->observations[i].body = str_from(bodies[i]);
    }
    run_triage(run);
    assert_int_equal(run->report.verdict_count, 2);
    assert_int_equal(run->report.verdicts[0].result_count, 2);
    assert_str(run->report.verdicts[1].seen, "HTTP 418, body \"else\"");
    run_close(run);
}

static void an_odd_key_and_a_wrong_clock_are_named(void **state)
{
    (void)state;
    struct run *run = run_open();
    struct result *result = run_add_answer(run, "m", 401, "auth_invalid_key");
    struct finding *odd = run_problem(run, "auth_invalid_key", "key_quote", 4, true);
    result->config_findings = odd;
    result->config_finding_count = 1;
    run->observations[0].has_date_skew = true;
    run->observations[0].date_skew_ms = -600000;
    run_triage(run);
    assert_holds(run->report.verdicts[0].why,
                 "The key looked wrong before it was sent: key number 4 is not known. This "
                 "machine's clock is 10 min behind the server's.");
    odd->reason = STR("The key does not look right.");
    run->observations[0].date_skew_ms = 2000;
    run_triage(run);
    assert_str(run->report.verdicts[1].why, "The key does not look right.");
    assert_int_equal(str_find(run->report.verdicts[0].why, STR("clock")), -1);
    run_close(run);
}

static void pasted_evidence_needs_no_target(void **state)
{
    (void)state;
    struct run *run = run_open();
    struct observation pasted = {.kind = OBSERVATION_TEXT,
                                 .body = STR_INIT("overloaded"),
                                 .origin = {ORIGIN_FILE, STR_INIT("log"), 7, 1}};
    struct finding finding = run_judge(run, &pasted, "capacity");
    finding.field = STR("text");
    finding.evidence = STR("overloaded \033[31m now");
    run->results[0] = (struct result){.observation = &pasted, .finding = &finding};
    run->input.result_count = 1;
    run_triage(run);
    assert_int_equal(run->report.exit_code, 2);
    assert_str(run->report.verdicts[0].id, "capacity-occasional");
    assert_str(run->report.verdicts[0].title, "the called model is at capacity (occasional)");
    assert_str(run->report.verdicts[0].origin, "log:7:1");
    assert_str(run->report.verdicts[0].seen, "text \"overloaded \\x1B[31m now\"");
    run->results[1] = run->results[0];
    run->input.result_count = 2;
    run_triage(run);
    assert_int_equal(run->report.verdict_count, 1);
    assert_str(run->report.verdicts[0].title,
               "the called model is at capacity (occasional) (and 1 more of this kind)");
    run_close(run);
}

static void the_client_s_own_words_and_remedies_are_given(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add(run, "m", A, "k", 401, STEP_ANSWER, "auth_missing_key");
    run->targets[0].key_name = STR("APP_KEY");
    run->targets[0].client_version = STR("1.9.0");
    run_triage(run);
    const struct verdict *verdict = &run->report.verdicts[0];
    assert_true(str_eq(verdict->says, STR("who are you?")));
    assert_true(str_eq(verdict->client, STR("App")));
    assert_int_equal(verdict->action_count, 2);
    assert_true(str_eq(verdict->actions[0], STR("app login")));
    run_close(run);

    run = run_open();
    run_add(run, "m", A, "k", 401, STEP_ANSWER, "auth_missing_key");
    run->targets[0].client_version = STR("2.0.0");
    run_triage(run);
    assert_false(str_is_set(run->report.verdicts[0].says));
    run_close(run);

    run = run_open();
    run_add(run, "m", A, "k", 404, STEP_ANSWER, "model_not_found");
    run_triage(run);
    verdict = &run->report.verdicts[0];
    assert_int_equal(verdict->action_count, 2);
    assert_true(str_eq(verdict->actions[1], STR("app models")));
    run_close(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_client_s_own_words_and_remedies_are_given),
        cmocka_unit_test(one_problem_of_several_targets_is_told_once),
        cmocka_unit_test(scope_follows_what_else_happened),
        cmocka_unit_test(a_network_that_is_down_is_one_problem),
        cmocka_unit_test(a_plain_capacity_failure_is_occasional),
        cmocka_unit_test(two_models_that_refuse_are_after_a_switch),
        cmocka_unit_test(a_timeout_beside_another_failure_is_a_row),
        cmocka_unit_test(same_key_is_only_said_of_the_same_key),
        cmocka_unit_test(the_next_of_the_chain_is_preferred),
        cmocka_unit_test(errors_come_before_warnings_and_ours_before_theirs),
        cmocka_unit_test(a_command_is_introduced_as_one_and_told_once),
        cmocka_unit_test(many_problems_of_one_kind_in_a_file_are_merged),
        cmocka_unit_test(the_same_problem_of_two_targets_is_one),
        cmocka_unit_test(unexplained_answers_are_one_only_when_alike),
        cmocka_unit_test(an_odd_key_and_a_wrong_clock_are_named),
        cmocka_unit_test(pasted_evidence_needs_no_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
