/* The rungs of single targets: what an answer proves, what it leaves open. */
#include "triage_fixture.h"

/* One letter a rung, in order: o = ok, w = warn, F = fail, - = skip. */
static void assert_ladder(const struct result *result, const char *want)
{
    static const char letters[] = {
        [STEP_SKIP] = '-', [STEP_OK] = 'o', [STEP_WARN] = 'w', [STEP_FAIL] = 'F'};
    char have[STEP_COUNT + 1] = {0};
    for (size_t i = 0; i < STEP_COUNT; i++) {
        have[i] = letters[result->ladder[i].status];
    }
    assert_string_equal(have, want);
}

static const struct {
    const char *url, *key;
    long status;
    enum step phase;
    const char *diagnosis, *ladder; /* config key dns connect tls http auth model answer */
} rows[] = {
    {"https://a.example", "k", 200, STEP_ANSWER, "ok", "ooooooooo"},
    {"http://a.example", "k", 200, STEP_ANSWER, "ok", "oooo-oooo"},
    {"http://127.0.0.1:8080", "", 200, STEP_ANSWER, "ok", "o--o-oooo"},
    {"https://[::1]:8443/v1", "k", 200, STEP_ANSWER, "ok", "oo-oooooo"},
    {"https://a.example", "k", 503, STEP_ANSWER, "capacity", "ooooooooF"},
    {"https://a.example", "k", 401, STEP_ANSWER, "auth_invalid_key", "ooooooF--"},
    {"https://a.example", "k", 404, STEP_ANSWER, "model_not_found", "oooooo-F-"},
    {"https://a.example", "k", 500, STEP_ANSWER, "server_error", "oooooF---"},
    {"https://a.example", "k", 504, STEP_ANSWER, "timeout", "oooooF---"},
    {"https://a.example", "k", 0, STEP_DNS, "dns_failure", "ooF------"},
    {"https://a.example", "k", 0, STEP_CONNECT, "connection_refused", "oooF-----"},
    {"https://a.example", "k", 0, STEP_TLS, "tls_certificate", "ooooF----"},
    {"https://a.example", "k", 0, STEP_HTTP, "timeout", "oooooF---"},
    {"https://a.example", "", 401, STEP_ANSWER, "auth_missing_key", "oFoooo---"},
};

static void rungs_follow_the_evidence(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct run *run = run_open();
        struct result *result = run_add(run, "m", rows[i].url, rows[i].key, rows[i].status,
                                        rows[i].phase, rows[i].diagnosis);
        if (rows[i].key[0] == '\0') {
            run->targets[0].key = (struct secret){0};
        }
        run_triage(run);
        assert_ladder(result, rows[i].ladder);
        run_close(run);
    }
}

static void a_key_proof_decides_the_auth_rung(void **state)
{
    (void)state;
    struct run *run = run_open();
    struct result *result = run_add_answer(run, "m", 404, "model_not_found");
    struct observation seen = {.kind = OBSERVATION_HTTP, .status = 200};
    struct finding good = run_judge(run, &seen, "ok");
    struct finding bad = run_judge(run, &seen, "auth_invalid_key");
    struct finding neither = run_judge(run, &seen, "server_error");
    result->key_proof = &good;
    run_triage(run);
    assert_ladder(result, "ooooooo"
                          "F-");
    assert_holds(run->report.verdicts[0].why, "free request with the same key was accepted");
    result->key_proof = &bad;
    run_triage(run);
    assert_ladder(result, "ooooooF"
                          "F-");
    assert_holds(run->report.verdicts[0].why, "was refused");
    result->key_proof = &neither;
    run_triage(run);
    assert_ladder(result, "oooooo-"
                          "F-");
    assert_str(result->ladder[STEP_AUTH].detail, "not proven");
    run_close(run);
}

static void config_findings_warn_or_fail(void **state)
{
    (void)state;
    struct run *run = run_open();
    struct result *result = run_add_answer(run, "m", 200, "ok");
    result->config_findings = run_problem(run, "auth_invalid_key", "key_shape", 3, true);
    result->config_finding_count = 1;
    run_triage(run);
    assert_ladder(result, "ow"
                          "ooooooo");
    result->config_findings = run_problem(run, "config_unknown_key", "unknown_key", 3, true);
    run_triage(run);
    assert_ladder(result, "wo"
                          "ooooooo");
    assert_holds(result->ladder[STEP_CONFIG].detail, "key number 3");
    run_close(run);
}

static void a_missing_key_stops_before_the_network(void **state)
{
    (void)state;
    struct run *run = run_open();
    struct result *result = run_add_answer(run, "m", 200, "ok");
    run->targets[0].key = (struct secret){0};
    result->config_findings = run_problem(run, "auth_missing_key", "key_missing", 3, false);
    result->config_finding_count = 1;
    result->finding = result->config_findings;
    result->observation = NULL;
    run_triage(run);
    assert_int_equal(result->status, TARGET_FAILED);
    assert_ladder(result, "oF-------");
    assert_int_equal(run->report.verdict_count, 1);
    assert_int_equal(run->report.verdicts[0].result_count, 1);
    run_close(run);
}

static void durations_come_from_the_observation(void **state)
{
    (void)state;
    struct run *run = run_open();
    struct result *result = run_add_answer(run, "m", 200, "ok");
    run->observations[0].step_ms[STEP_TLS] = 37;
    run_triage(run);
    assert_int_equal(result->ladder[STEP_TLS].duration_ms, 37);
    assert_int_equal(result->ladder[STEP_CONFIG].duration_ms, -1);
    assert_str(result->ladder[STEP_CONNECT].detail, "192.0.2.1:443");
    run_close(run);
}

static void the_connect_rung_tells_the_families_apart(void **state)
{
    (void)state;
    static const struct {
        const char *family, *families, *no_route, *detail;
    } shown[] = {
        {"ipv4", "ipv4", "", "IPv4 192.0.2.1:443"},
        {"ipv4", "", "", "IPv4 192.0.2.1:443"},
        {"ipv4", "ipv4 ipv6", "", "IPv4 192.0.2.1:443; IPv6 did not connect"},
        {"ipv4", "ipv4 ipv6", "ipv6", "IPv4 192.0.2.1:443; IPv6 has no route here"},
        {"ipv6", "ipv4 ipv6", "ipv4", "IPv6 192.0.2.1:443; IPv4 has no route here"},
    };
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        struct run *run = run_open();
        struct result *result = run_add_answer(run, "m", 200, "ok");
        run->observations[0].family = str_from(shown[i].family);
        run->observations[0].families = str_from(shown[i].families);
        run->observations[0].no_route = str_from(shown[i].no_route);
        run_triage(run);
        assert_str(result->ladder[STEP_CONNECT].detail, shown[i].detail);
        run_close(run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rungs_follow_the_evidence),
        cmocka_unit_test(a_key_proof_decides_the_auth_rung),
        cmocka_unit_test(config_findings_warn_or_fail),
        cmocka_unit_test(a_missing_key_stops_before_the_network),
        cmocka_unit_test(durations_come_from_the_observation),
        cmocka_unit_test(the_connect_rung_tells_the_families_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
