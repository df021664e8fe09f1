/* The list that machine-readable formats are made of, and what each format does at its bounds. */
#include "triage_fixture.h"

#include "report/markdown.h"
#include "report/rows.h"

static struct str render(struct run *run, const char *format)
{
    struct buf out = buf_create(REPORT_BYTES_MAX);
    struct report_style style = {.columns = 80};
    report_format_find(str_from(format))->render(run->arena, &run->report, &style, &out);
    struct str text = arena_dup(run->arena, buf_str(&out));
    buf_free(&out);
    return text;
}

static struct report_rows rows_of(struct run *run)
{
    run_triage(run);
    return report_rows_of(run->arena, &run->report);
}

static void each_target_is_a_row_with_its_status(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "a", 200, "ok");
    run_add_answer(run, "b", 503, "capacity");
    run_add_answer(run, "c", 418, "unknown");
    struct result *skipped = run_add_answer(run, "d", 200, "ok");
    skipped->finding = NULL;
    skipped->observation = NULL;
    run->targets[3].skip_reason = STR("no model named");
    struct report_rows rows = rows_of(run);
    static const enum row_status wanted[] = {ROW_OK, ROW_FAILED, ROW_UNTOLD, ROW_SKIPPED};
    assert_int_equal(rows.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(rows.items[i].status, wanted[i]);
        assert_int_equal(rows.items[i].kind, ROW_TARGET);
        assert_str(rows.items[i].suite, "app");
        assert_int_equal(rows.by_status[wanted[i]], 1);
    }
    assert_str(rows.items[1].title, "b at 1 is at capacity");
    assert_str(rows.items[0].seen, "HTTP 200");
    assert_int_equal(rows.items[1].duration_ms, 500);
    run_close(run);
}

static void a_failure_points_at_the_setting_that_is_at_fault(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "a", 401, "auth_invalid_key");
    run_add(run, "b", "https://b.example/v1", "k", 0, STEP_DNS, "dns_failure");
    run->targets[0].key_origin = (struct origin){ORIGIN_FILE, STR("keys"), 7, 2};
    struct report_rows rows = rows_of(run);
    assert_str(rows.items[0].place, "keys:7:2");
    assert_str(rows.items[1].place, "c.toml:2:9");
    run_close(run);
}

static void what_fail_on_lets_pass_is_a_warning(void **state)
{
    (void)state;
    struct run *run = run_open();
    static const struct str only[] = {STR_INIT("auth")};
    run_add_answer(run, "a", 503, "capacity");
    run_add_answer(run, "b", 401, "auth_invalid_key");
    run->input.fail_on = run->report.fail_on = only;
    run->input.fail_on_count = run->report.fail_on_count = 1;
    struct report_rows rows = rows_of(run);
    assert_int_equal(rows.items[0].status, ROW_WARNING);
    assert_int_equal(rows.items[1].status, ROW_FAILED);
    run_close(run);
}

static void a_failing_run_without_a_failing_row_is_one_itself(void **state)
{
    (void)state;
    struct run *run = run_open();
    struct report_rows rows = rows_of(run); /* nothing to probe: 5 */
    assert_int_equal(rows.count, 1);
    assert_int_equal(rows.items[0].kind, ROW_RUN);
    assert_int_equal(rows.items[0].status, ROW_UNTOLD);
    run->report.exit_code = 0;
    assert_int_equal(report_rows_of(run->arena, &run->report).count, 0);
    assert_str(render(run, "tap"), "TAP version 13\n1..0 # SKIP there is nothing to tell\n");
    run_close(run);
}

static void problems_of_a_file_are_told_once(void **state)
{
    (void)state;
    struct run *run = run_open();
    const struct finding *found = run_problem(run, "config_unknown_key", "unknown_key", 2, true);
    for (size_t i = 0; i < 3; i++) {
        struct result *result = run_add_answer(run, "m", 200, "ok");
        result->config_findings = found;
        result->config_finding_count = 1;
    }
    static const struct config_file files[] = {{STR_INIT("c.toml"), CONFIG_LOADED, {NULL, 0}},
                                               {STR_INIT("d.toml"), CONFIG_LOADED, {NULL, 0}},
                                               {STR_INIT("e.toml"), CONFIG_MISSING, {NULL, 0}}};
    run->report.files = files;
    run->report.file_count = 3;
    struct report_rows rows = rows_of(run);
    assert_int_equal(rows.count, 5); /* three targets, the problem, the file without one */
    assert_str(rows.items[3].name, "config_unknown_key at c.toml:2:1");
    assert_int_equal(rows.items[3].status, ROW_WARNING);
    assert_str(rows.items[4].name, "d.toml");
    assert_int_equal(rows.suite_count, 2);
    run_close(run);
}

static void names_are_unique_whatever_they_were(void **state)
{
    (void)state;
    struct run *run = run_open();
    static const char *const names[] = {"x", "x", "x (2)", "x"};
    for (size_t i = 0; i < 4; i++) {
        run_add_answer(run, "m", 200, "ok");
        run->targets[i].name = str_from(names[i]);
    }
    struct report_rows rows = rows_of(run);
    for (size_t i = 0; i < rows.count; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_false(str_eq(rows.items[i].name, rows.items[j].name));
        }
    }
    run_close(run);
}

static void texts_hide_keys_and_stay_on_one_line(void **state)
{
    (void)state;
    struct run *run = run_open();
    run_add_answer(run, "m", 503, "capacity");
    struct secret secret = secret_create(run->arena, STR("a-secret-of-ours"));
    struct mask mask = {.secrets = &secret, .secret_count = 1};
    run->report.mask = &mask;
    run->targets[0].name = STR("t a-secret-of-ours\n\x1b[31m|");
    struct report_rows rows = rows_of(run);
    assert_int_equal(str_find(rows.items[0].name, STR("a-secret-of-ours")), -1);
    assert_int_equal(str_find_char(rows.items[0].name, '\n'), -1);
    assert_int_equal(str_find_char(rows.items[0].name, '\x1b'), -1);
    run_close(run);
}

/* A run with a key that is fine, a model that its list lacks, and one that answered. */
static struct run *run_keys(struct key_row *key, struct key_model *models)
{
    struct run *run = run_open();
    struct result *live = run_add_answer(run, "live", 503, "capacity");
    run_add_answer(run, "listed", 200, "ok");
    run_add_answer(run, "lost", 200, "ok");
    run_triage(run);
    static const struct target *targets[1];
    targets[0] = &run->targets[0];
    models[0] = (struct key_model){.target = &run->targets[0], .live = live};
    models[1] =
        (struct key_model){.target = &run->targets[1], .is_listing_known = true, .is_listed = true};
    models[2] = (struct key_model){.target = &run->targets[2], .is_listing_known = true};
    *key = (struct key_row){.endpoint = STR("https://u:p@a.example/v1?key=k"),
                            .name = STR("APP_KEY"),
                            .fingerprint = STR("0a1b2c3d"),
                            .targets = targets,
                            .target_count = 1,
                            .status = KEY_OK,
                            .models = models,
                            .configured_count = 3,
                            .model_count = 2,
                            .headroom_permille = 45,
                            .key_expires_ms = 1500,
                            .certificate_expires_ms = -1};
    run->report.result_count = 0;
    run->report.keys = key;
    run->report.key_count = 1;
    run->report.exit_code = 0;
    return run;
}

static void a_key_and_its_models_are_rows(void **state)
{
    (void)state;
    struct key_row key;
    struct key_model models[3];
    struct run *run = run_keys(&key, models);
    struct report_rows rows = report_rows_of(run->arena, &run->report);
    assert_int_equal(rows.count, 3);
    assert_str(rows.items[0].name, "APP_KEY at a.example/v1");
    assert_str(rows.items[0].title, "APP_KEY at a.example/v1 is accepted");
    assert_str(rows.items[0].seen, "2 models, 4 % left");
    assert_str(rows.items[1].name, "live with APP_KEY at a.example/v1");
    assert_int_equal(rows.items[1].status, ROW_FAILED);
    assert_int_equal(rows.items[2].status, ROW_OK); /* listed; a warning speaks of the lost one */
    struct str text = render(run, "prometheus");
    static const char *const lines[] = {
        "diagnose_key_success{command=\"probe\",key=\"APP_KEY at a.example/v1\"} 1\n",
        "diagnose_key_headroom_ratio{command=\"probe\",key=\"APP_KEY at a.example/v1\"} 0.045\n",
        "key=\"APP_KEY at a.example/v1\",host=\"a.example\",fingerprint=\"0a1b2c3d\"} 1\n",
        "diagnose_key_expiry_timestamp_seconds{command=\"probe\",key=\"APP_KEY at a.example/v1\"} "
        "1.500\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_true(str_find(text, str_from(lines[i])) >= 0);
    }
    assert_int_equal(str_find(text, STR("diagnose_certificate")), -1); /* not known: no family */
    run_close(run);
}

static void an_unproven_key_is_skipped_and_never_a_failure(void **state)
{
    (void)state;
    struct key_row key;
    struct key_model models[3];
    struct run *run = run_keys(&key, models);
    key.status = KEY_UNPROVEN;
    key.unproven_why = STR("There is no free request.");
    key.configured_count = 0;
    struct report_rows rows = report_rows_of(run->arena, &run->report);
    assert_int_equal(rows.count, 1);
    assert_int_equal(rows.items[0].status, ROW_SKIPPED);
    assert_str(rows.items[0].why, "There is no free request.");
    assert_int_equal(str_find(render(run, "prometheus"), STR("diagnose_key_success")), -1);
    run_close(run);
}

static void markdown_keeps_to_its_bound(void **state)
{
    (void)state;
    struct run *run = run_open();
    for (size_t i = 0; i < RUN_MAX; i++) {
        run_add_answer(run, "m", 503, "capacity");
    }
    run_triage(run);
    for (size_t bound = 1024; bound < 16384; bound += 1000) {
        struct buf out = buf_create(REPORT_BYTES_MAX);
        buf_add(&out, STR("before\n"));
        report_markdown(run->arena, &run->report, bound, &out);
        assert_true(out.len <= bound + 7);
        assert_true(str_ends(buf_str(&out), STR("\n")));
        buf_free(&out);
    }
    run_close(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_target_is_a_row_with_its_status),
        cmocka_unit_test(a_failure_points_at_the_setting_that_is_at_fault),
        cmocka_unit_test(what_fail_on_lets_pass_is_a_warning),
        cmocka_unit_test(a_failing_run_without_a_failing_row_is_one_itself),
        cmocka_unit_test(problems_of_a_file_are_told_once),
        cmocka_unit_test(names_are_unique_whatever_they_were),
        cmocka_unit_test(texts_hide_keys_and_stay_on_one_line),
        cmocka_unit_test(a_key_and_its_models_are_rows),
        cmocka_unit_test(an_unproven_key_is_skipped_and_never_a_failure),
        cmocka_unit_test(markdown_keeps_to_its_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
