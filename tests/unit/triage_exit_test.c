/* Exit code, blame and summary of runs: which of several failures decides, and what never does. */
#include "triage_fixture.h"

static const struct {
    const char *diagnoses[4]; /* NULL = no more */
    int exit_code;
    enum blame blame;
} runs[] = {
    {{"ok"}, 0, BLAME_NONE},
    {{"ok", "capacity"}, 2, BLAME_THEIRS},
    {{"capacity", "timeout"}, 3, BLAME_NETWORK},
    {{"timeout", "capacity", "auth_invalid_key"}, 1, BLAME_OURS},
    {{"unknown", "ok"}, 5, BLAME_UNKNOWN},
    {{"unknown", "rate_limit"}, 2, BLAME_THEIRS},
    {{"unknown", "tls_certificate", "capacity"}, 3, BLAME_NETWORK},
    {{"model_not_found", "unknown"}, 1, BLAME_OURS},
};

static void the_first_in_order_wins(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        struct run *run = run_open();
        for (size_t j = 0; j < 4 && runs[i].diagnoses[j]; j++) {
            run_add_answer(run, "m", 500, runs[i].diagnoses[j]);
        }
        run_triage(run);
        assert_int_equal(run->report.exit_code, runs[i].exit_code);
        assert_int_equal(run->report.blame, runs[i].blame);
        run_close(run);
    }
}

static void nothing_configured_or_only_skipped_is_five(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_triage(run);
    assert_int_equal(run->report.exit_code, 5);
    assert_holds(run->report.summary, "Nothing is configured");
    run_close(run);

    run = run_open();
    struct result *skipped = run_add_answer(run, "m", 200, "ok");
    run->targets[0].skip_reason = STR("no model named");
    skipped->finding = NULL;
    skipped->observation = NULL;
    run_triage(run);
    assert_int_equal(run->report.exit_code, 5);
    assert_int_equal(skipped->status, TARGET_SKIPPED);
    assert_holds(run->report.summary, "no model named");
    run_add_answer(run, "n", 200, "ok");
    run_triage(run);
    assert_int_equal(run->report.exit_code, 0);
    run_close(run);
}

static void fail_on_lets_the_rest_pass(void **state)
{
    (void)state;
    static const struct {
        const char *fail_on;
        int exit_code;
    } rows[] = {{"auth", 0},    {"capacity", 2}, {"theirs", 2},
                {"network", 3}, {"timeout", 3},  {"ours", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct run *run = run_open();
        struct str fail_on = str_from(rows[i].fail_on);
        run_add_answer(run, "m", 503, "capacity");
        run_add(run, "n", "https://b.example", "", 0, STEP_CONNECT, "timeout");
        run->input.fail_on = &fail_on;
        run->input.fail_on_count = 1;
        run_triage(run);
        assert_int_equal(run->report.exit_code, rows[i].exit_code);
        run_close(run);
    }
}

static void warnings_count_only_when_they_are_errors(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "m", 200, "ok");
    run->input.config_findings = run_problem(run, "config_unknown_key", "unknown_key", 2, true);
    run->input.config_finding_count = 1;
    run_triage(run);
    assert_int_equal(run->report.exit_code, 0);
    assert_int_equal(run_verdict(run, "config_unknown_key")->severity, SEVERITY_WARNING);
    run->input.are_warnings_errors = true;
    run_triage(run);
    assert_int_equal(run->report.exit_code, 1);
    assert_int_equal(run_verdict(run, "config_unknown_key")->severity, SEVERITY_ERROR);
    assert_int_equal(run->report.config_findings[0].severity, SEVERITY_ERROR);
    run_close(run);
}

static void an_error_in_a_config_file_counts_beside_healthy_targets(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "m", 200, "ok");
    run->input.config_findings = run_problem(run, "config_parse_error", "syntax", 2, false);
    run->input.config_finding_count = 1;
    run_triage(run);
    assert_int_equal(run->report.exit_code, 1);
    run_close(run);
}

static void the_summary_names_the_failure_and_who_answers(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "big", 503, "capacity");
    run_add_answer(run, "mini", 200, "ok");
    run_triage(run);
    assert_str(run->report.summary, "big is at capacity (occasional); mini answers.");
    run->input.lang = LANG_ZH;
    run_triage(run);
    assert_holds(run->report.summary, "mini 正常应答。");
    run_close(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_in_order_wins),
        cmocka_unit_test(nothing_configured_or_only_skipped_is_five),
        cmocka_unit_test(fail_on_lets_the_rest_pass),
        cmocka_unit_test(warnings_count_only_when_they_are_errors),
        cmocka_unit_test(an_error_in_a_config_file_counts_beside_healthy_targets),
        cmocka_unit_test(the_summary_names_the_failure_and_who_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
