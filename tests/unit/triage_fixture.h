#ifndef TESTS_TRIAGE_FIXTURE_H
#define TESTS_TRIAGE_FIXTURE_H

/* A small table of diagnoses and a run of a few targets, for the tests of triage and report. Texts
 * are short and only as many as the tests look at. */
#include "base/buf.h"
#include "triage/triage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Some tests use only part of this. */
#define MAYBE __attribute__((unused)) static

static const struct {
    const char *id, *layer, *blame, *step, *flags, *title, *actions[4];
} fixture_rows[] = {
    {"ok", "none", "none", "answer", "healthy = true", "answers", {0}},
    {"capacity",
     "capacity",
     "theirs",
     "answer",
     "capacity = true\nretryable = true",
     "is at capacity",
     {"{switch}", "wait {wait}", "pick"}},
    {"rate_limit",
     "account",
     "theirs",
     "answer",
     "retryable = true",
     "is rate limited",
     {"limit {limit}"}},
    {"server_error", "server", "theirs", "http", "retryable = true", "fails inside", {0}},
    {"timeout",
     "network",
     "network",
     "connect",
     "timeout = true\nretryable = true",
     "did not answer in time",
     {0}},
    {"dns_failure", "network", "network", "dns", "retryable = true", "does not resolve", {0}},
    {"connection_refused", "network", "network", "connect", "", "is not listening", {0}},
    {"tls_certificate", "tls", "network", "tls", "", "has a bad certificate", {0}},
    {"captive_portal_or_filter", "network", "network", "http", "", "is hidden", {0}},
    {"auth_invalid_key",
     "auth",
     "ours",
     "auth",
     "",
     "refuses the key",
     {"export {key_name}=...", "printf ${key_name}"}},
    {"auth_missing_key", "auth", "ours", "key", "", "has no key", {"set {key_name}"}},
    {"quota_exhausted", "account", "ours", "auth", "", "is out of quota", {"reset {reset}"}},
    {"model_not_found",
     "model",
     "ours",
     "model",
     "key_open = true",
     "is not known",
     {"no {model} at {host}"}},
    {"config_unknown_key", "config", "ours", "config", "", "has an unknown key", {0}},
    {"config_parse_error", "config", "ours", "config", "", "cannot be read", {"run app fix"}},
    {"unknown", "client", "unknown", "http", "", "fails for an unknown reason", {0}},
};

static const struct {
    const char *id, *title;
} fixture_verdicts[] = {
    {"capacity-occasional", "is at capacity (occasional)"},
    {"capacity-after-switch", "still refuse after a switch"},
    {"failure-with-timeout", "fails together with timeouts"},
};

/* The table as the text of a rule file. The Chinese texts differ, so that tests can tell them. */
static struct str fixture_table(struct arena *arena)
{
    struct buf text = buf_create(64 * 1024);
    for (size_t i = 0; i < sizeof fixture_rows / sizeof fixture_rows[0]; i++) {
        const char *id = fixture_rows[i].id;
        buf_printf(&text,
                   "[[diagnosis]]\nid = \"%s\"\nlayer = \"%s\"\nblame = \"%s\"\nstep = \"%s\"\n"
                   "severity = \"error\"\n%s\ntitle = { en = \"%s\", zh = \"标题 %s\" }\n"
                   "meaning = { en = \"Meaning of %s.\", zh = \"%s 的含义。\" }\n"
                   "differs = { en = \"d\", zh = \"d\" }\n"
                   "avoid = [{ en = \"not %s\", zh = \"不要 %s\" }]\nactions = [",
                   id, fixture_rows[i].layer, fixture_rows[i].blame, fixture_rows[i].step,
                   fixture_rows[i].flags, fixture_rows[i].title, id, id, id, id, id);
        for (size_t j = 0; fixture_rows[i].actions[j]; j++) {
            buf_printf(&text, "{ en = \"%s\", zh = \"%s\" },", fixture_rows[i].actions[j],
                       fixture_rows[i].actions[j]);
        }
        buf_add(&text, STR("]\n"));
    }
    for (size_t i = 0; i < sizeof fixture_verdicts / sizeof fixture_verdicts[0]; i++) {
        const char *id = fixture_verdicts[i].id;
        buf_printf(
            &text,
            "[[verdict]]\nid = \"%s\"\nseverity = \"error\"\n"
            "title = { en = \"%s\", zh = \"标题 %s\" }\nwhy = { en = \"Why.\", zh = \"因。\" }\n"
            "actions = [{ en = \"row action %s\", zh = \"做 %s\" }]\navoid = []\n",
            id, fixture_verdicts[i].title, id, id, id);
    }
    buf_add(
        &text,
        STR("[[client]]\nid = \"app\"\nname = { en = \"App\", zh = \"App\" }\nswitch = ["
            "{ en = \"/model {model}\", zh = \"/model {model}\" },"
            "{ en = \"use {other_model} for {model}\", zh = \"改用 {other_model}\" }]\n"
            "[[client_says]]\nclient = \"app\"\ndiagnoses = [\"auth_missing_key\"]\n"
            "until = \"2.0.0\"\ntext = \"who are you?\"\n"
            "actions = [{ en = \"app login\", zh = \"app login\" }]\n"
            "[[client_says]]\nclient = \"app\"\ndiagnoses = [\"model_not_found\"]\nlast = true\n"
            "actions = [{ en = \"app models\", zh = \"app models\" }]\n"));
    assert_false(text.is_full);
    struct str table = arena_dup(arena, buf_str(&text));
    buf_free(&text);
    return table;
}

#define RUN_MAX 24

/* One run in the making. */
struct run {
    struct arena *arena;
    struct rules *rules;
    struct target targets[RUN_MAX];
    struct observation observations[RUN_MAX];
    struct finding findings[RUN_MAX];
    struct result results[RUN_MAX];
    struct triage_input input;
    struct report report;
};

MAYBE struct run *run_open(void)
{
    struct arena *arena = arena_create();
    struct run *run = ARENA_NEW(arena, struct run);
    struct problems problems = {0};
    struct err err;
    struct rules_text text = {.file = STR("table.toml"), .text = fixture_table(arena)};
    run->arena = arena;
    if (rules_open_texts(&text, 1, &problems, arena, &run->rules, &err) != ERR_OK) {
        fail_msg("%s", err.text);
    }
    for (size_t i = 0; i < problems.count; i++) {
        print_message("%u: %.*s\n", problems.items[i].origin.line,
                      STR_ARG(problems.items[i].message));
    }
    assert_int_equal(problems.count, 0);
    run->input = (struct triage_input){.rules = run->rules, .results = run->results};
    run->report.command = STR("probe");
    run->report.version = STR("1.2.3");
    run->report.started_ms = 1000000;
    run->report.duration_ms = 1000;
    return run;
}

MAYBE void run_close(struct run *run)
{
    rules_close(run->rules);
    arena_free(run->arena);
}

MAYBE const struct diagnosis *run_diagnosis(const struct run *run, const char *id)
{
    const struct diagnosis *diagnosis = rules_diagnosis(run->rules, str_from(id));
    assert_non_null(diagnosis);
    return diagnosis;
}

MAYBE struct finding run_judge(const struct run *run, const struct observation *observation,
                               const char *id)
{
    const struct diagnosis *diagnosis = run_diagnosis(run, id);
    return (struct finding){.observation = observation,
                            .diagnosis = diagnosis,
                            .rule_id = arena_printf(run->arena, "rule-%s", id),
                            .wait_ms = -1,
                            .severity = diagnosis->severity,
                            .is_retryable = diagnosis->is_retryable};
}

/* A probed target; status 0 = no HTTP answer came while `phase` was under way. */
MAYBE struct result *run_add(struct run *run, const char *model, const char *url, const char *key,
                             long status, enum step phase, const char *diagnosis)
{
    size_t i = run->input.result_count++;
    assert_true(i < RUN_MAX);
    struct target *target = &run->targets[i];
    struct observation *observation = &run->observations[i];
    *target = (struct target){
        .name = arena_printf(run->arena, "%s at %zu", model, i),
        .client = STR("app"),
        .wire = STR("chat"),
        .base_url = {.text = str_from(url),
                     .origin = {ORIGIN_FILE, STR_INIT("c.toml"), (unsigned)i + 1, 9}},
        .model = {.text = str_from(model)},
        .key = secret_create(run->arena, str_from(key)),
        .key_name = STR("APP_KEY"),
    };
    target->chain = target->name;
    *observation = (struct observation){.kind = status ? OBSERVATION_HTTP : OBSERVATION_TRANSPORT,
                                        .target = target,
                                        .phase = phase,
                                        .status = status,
                                        .curl_code = status ? 0 : 7,
                                        .started_ms = 1000000,
                                        .total_ms = 500,
                                        .retry_after_ms = -1,
                                        .address = STR("192.0.2.1:443")};
    for (size_t step = 0; step < STEP_COUNT; step++) {
        observation->step_ms[step] = step >= STEP_DNS && step <= phase ? 10 : -1;
    }
    run->findings[i] = run_judge(run, observation, diagnosis);
    run->results[i] =
        (struct result){.target = target, .observation = observation, .finding = &run->findings[i]};
    return &run->results[i];
}

/* An answer over HTTPS from one host with one key. */
MAYBE struct result *run_add_answer(struct run *run, const char *model, long status,
                                    const char *diagnosis)
{
    return run_add(run, model, "https://a.example/v1", "key-of-a", status, STEP_ANSWER, diagnosis);
}

MAYBE struct finding *run_problem(struct run *run, const char *diagnosis, const char *code,
                                  unsigned line, bool is_warning)
{
    struct problem *problem = ARENA_NEW(run->arena, struct problem);
    struct observation *observation = ARENA_NEW(run->arena, struct observation);
    struct finding *finding = ARENA_NEW(run->arena, struct finding);
    *problem = (struct problem){
        .code = str_from(code),
        .origin = {ORIGIN_FILE, STR_INIT("c.toml"), line, 1},
        .message = arena_printf(run->arena, "key number %u is not known.", line),
        .suggestion = STR("model"),
        .line_text = STR("modle = \"x\""),
        .is_warning = is_warning,
    };
    *observation = (struct observation){.kind = OBSERVATION_CONFIG, .problem = problem};
    *finding = run_judge(run, observation, diagnosis);
    finding->severity = is_warning ? SEVERITY_WARNING : SEVERITY_ERROR;
    return finding;
}

MAYBE void run_triage(struct run *run)
{
    run->report.config_findings = run->input.config_findings;
    run->report.config_finding_count = run->input.config_finding_count;
    triage(run->arena, &run->input, &run->report);
    run->report.results = run->results;
    run->report.result_count = run->input.result_count;
    run->report.lang = run->input.lang;
}

MAYBE const struct verdict *run_verdict(const struct run *run, const char *id)
{
    for (size_t i = 0; i < run->report.verdict_count; i++) {
        if (str_eq(run->report.verdicts[i].id, str_from(id))) {
            return &run->report.verdicts[i];
        }
    }
    return NULL;
}

MAYBE void assert_str(struct str have, const char *want)
{
    if (!str_eq(have, str_from(want))) {
        fail_msg("have \"%.*s\", want \"%s\"", STR_ARG(have), want);
    }
}

MAYBE void assert_holds(struct str have, const char *want)
{
    if (str_find(have, str_from(want)) < 0) {
        fail_msg("\"%.*s\" does not hold \"%s\"", STR_ARG(have), want);
    }
}

#endif
