/* The street from end to end: rules and configuration in, report out. Each room's value is handed
 * to the next one here; the commands choose how far they go. */
#include "cli/street.h"

#include "base/mask_index.h"
#include "cli/deliver.h"
#include "cli/memory.h"
#include "cli/progress.h"
#include "cli/say.h"
#include "config/path.h"
#include "rules/check.h"
#include "triage/triage.h"

#define TIMEOUT_MS 20000
#define CONNECT_TIMEOUT_MS 10000
#define PER_HOST 8

/* Directory of the user's own rule files; unset when there is no home. */
static struct str user_rules_dir(struct cli *cli)
{
    const struct config_request request = {0};
    return path_user_config(cli->arena, cli->env, path_home(cli->env, &request),
                            STR("diagnose/rules.d"));
}

enum err_code street_open(struct street *street, struct cli *cli, struct err *err)
{
    street->cli = cli;
    street->begun_ms = cli->env->monotonic_ms(cli->env->clock);
    street->report.command = str_from(cli->command->name);
    street->report.version = STR(DIAGNOSE_VERSION);
    street->report.lang = cli->lang;
    street->report.mask = &street->mask;
    street->report.started_ms = cli->env->wall_ms(cli->env->clock);
    enum err_code code = (street->shows_rules ? rules_open : rules_open_brief)(
        user_rules_dir(cli), &street->problems, cli->arena, &street->rules, err);
    if (code) {
        return code;
    }
    street->mask.key_prefixes = rules_key_prefixes(street->rules, &street->mask.prefix_count);
    street->mask.key_shapes = rules_key_shapes(street->rules, &street->mask.shape_count);
    config_add_environment_secrets(cli->arena, cli->env, street->rules, &street->config);
    street_hide_secrets(street);
    say_keep_key_shapes(cli, street->rules);
    street->classifier = classifier_open(street->rules);
    classifier_check_patterns(street->classifier, true, cli->arena, &street->problems);
    if (!street->shows_rules) { /* which tells them by itself */
        rules_check_own(street->rules, cli->arena, &street->problems);
    }
    return ERR_OK;
}

void street_hide_secrets(struct street *street)
{
    street->mask.secrets = street->config.secrets;
    street->mask.secret_count = street->config.secret_count;
    street->mask.index = mask_index_create(street->cli->arena, &street->mask);
}

void street_close(struct street *street)
{
    classifier_close(street->classifier);
    rules_close(street->rules);
    *street = (struct street){0};
}

int street_with(struct cli *cli, street_use *use)
{
    struct err err = {0};
    struct street street = {.is_offline = cli->options.is_offline};
    int code = street_open(&street, cli, &err) ? say_error(cli, &err) : use(&street, &err);
    street_close(&street);
    return code;
}

bool street_is_empty(const struct street *street)
{
    for (size_t i = 0; i < street->problems.count; i++) {
        if (!street->problems.items[i].is_warning) {
            return false;
        }
    }
    return street->target_count == 0;
}

void street_stamp(const struct street *street, struct observation *observation)
{
    const struct env *env = street->cli->env;
    observation->started_ms = env->wall_ms(env->clock);
    observation->utc_offset_s = env_utc_offset_s(env, observation->started_ms);
}

struct finding *street_classify(struct street *street, const struct observation *observation)
{
    struct finding *finding = ARENA_NEW(street->cli->arena, struct finding);
    *finding = classify(street->classifier, street->cli->arena, observation);
    return finding;
}

const struct finding *street_judge_problems(struct street *street, const struct problems *problems,
                                            const struct target *target)
{
    struct arena *arena = street->cli->arena;
    struct finding *findings = ARENA_ARRAY(arena, problems->count + 1, struct finding);
    for (size_t i = 0; i < problems->count; i++) {
        struct observation *observation = ARENA_NEW(arena, struct observation);
        *observation = observation_blank(OBSERVATION_CONFIG);
        observation->target = target;
        observation->problem = &problems->items[i];
        observation->origin = problems->items[i].origin;
        observation->started_ms = street->report.started_ms;
        findings[i] = classify(street->classifier, arena, observation);
    }
    return findings;
}

/* The free request that proves this target's key, if there is one. */
static struct free_wish proof_of(const struct street *street, const struct target *target)
{
    const struct provider *provider = rules_provider(street->rules, target->provider);
    const struct free_request *proof = provider_proof(provider);
    bool is_possible = proof && target->key.value.len && !target->is_unsendable &&
                       !str_is_set(target->skip_reason);
    return is_possible
               ? (struct free_wish){target, proof, provider->limits, provider->limit_count, false}
               : (struct free_wish){0};
}

static void plan_key_proofs(struct street *street, const struct target *const *targets,
                            size_t count, struct plan *plan)
{
    struct arena *arena = street->cli->arena;
    struct free_wish *wishes = ARENA_ARRAY(arena, count + 1, struct free_wish);
    for (size_t i = 0; i < count; i++) {
        wishes[i] = proof_of(street, targets[i]);
    }
    probe_plan_free(arena, wishes, count, plan);
}

void street_plan(struct street *street, struct plan *plan, struct plan *key_proofs)
{
    probe_plan(street->cli->arena, street->targets, street->target_count, plan);
    plan_key_proofs(street, street->targets, street->target_count, key_proofs);
}

static struct probe_options probe_options_of(const struct street *street)
{
    const struct options *options = &street->cli->options;
    struct probe_options chosen = {
        .timeout_ms = TIMEOUT_MS,
        .connect_timeout_ms = CONNECT_TIMEOUT_MS,
        .per_host = options->per_host >= 0 ? (unsigned)options->per_host : PER_HOST,
    };
    if (street->config.timeout_ms > 0) {
        chosen.timeout_ms = street->config.timeout_ms;
    }
    if (options->timeout_ms > 0) {
        chosen.timeout_ms = options->timeout_ms;
    }
    if (chosen.connect_timeout_ms > chosen.timeout_ms) {
        chosen.connect_timeout_ms = chosen.timeout_ms;
    }
    return chosen;
}

enum err_code street_send(struct street *street, const struct plan *plan,
                          struct observation **observations, struct err *err)
{
    struct cli *cli = street->cli;
    struct probe_options options = probe_options_of(street);
    struct progress progress = progress_start(cli);
    *observations = ARENA_ARRAY(cli->arena, plan->request_count + 1, struct observation);
    if (plan->request_count == 0) {
        return ERR_OK;
    }
    enum err_code code = probe_run(cli->arena, cli->env, &street->mask, plan, &options,
                                   progress_show, &progress, *observations, err);
    progress_end(&progress);
    street->report.request_count += plan->request_count;
    street->report.token_bound += plan->token_bound;
    return code;
}

/* What decides for a target that got no request: its first problem that is no mere warning. */
static const struct finding *preventing(const struct result *result)
{
    for (size_t i = 0; i < result->config_finding_count; i++) {
        const struct problem *problem = result->config_findings[i].observation->problem;
        if (problem && !problem->is_warning) {
            return &result->config_findings[i];
        }
    }
    bool has_fault =
        result->config_finding_count && !result->config_findings[0].diagnosis->is_healthy;
    return has_fault ? &result->config_findings[0] : NULL;
}

/* The free request that follows for targets whose answer leaves their key open. */
static enum err_code prove_keys(struct street *street, struct result *results, struct err *err)
{
    struct arena *arena = street->cli->arena;
    struct plan plan = {0};
    struct observation *observations = NULL;
    const struct target **open =
        ARENA_ARRAY(arena, street->target_count + 1, const struct target *);
    size_t *index = ARENA_ARRAY(arena, street->target_count + 1, size_t), count = 0;
    for (size_t i = 0; i < street->target_count; i++) {
        const struct finding *finding = results[i].finding;
        if (results[i].observation && finding && finding->diagnosis->leaves_key_open) {
            index[count] = i;
            open[count++] = results[i].target;
        }
    }
    plan_key_proofs(street, open, count, &plan);
    enum err_code code = street_send(street, &plan, &observations, err);
    for (size_t r = 0; !code && r < plan.request_count; r++) {
        const struct finding *finding = street_classify(street, &observations[r]);
        memory_note(street, plan.requests[r].target, true, &observations[r], finding);
        for (size_t t = 0; t < plan.requests[r].target_count; t++) {
            results[index[plan.requests[r].target_indices[t]]].key_proof = finding;
        }
    }
    return code;
}

enum err_code street_probe(struct street *street, struct result **given, struct err *err)
{
    struct arena *arena = street->cli->arena;
    struct result *results = ARENA_ARRAY(arena, street->target_count + 1, struct result);
    struct plan plan = {0};
    struct observation *observations = NULL;
    *given = results;
    if (!street->is_offline) {
        probe_plan(arena, street->targets, street->target_count, &plan);
    }
    enum err_code code = street_send(street, &plan, &observations, err);
    if (code) {
        return code;
    }
    for (size_t i = 0; i < street->target_count; i++) {
        const struct target *target = street->targets[i];
        results[i].target = target;
        results[i].config_findings = street_judge_problems(street, &target->problems, target);
        results[i].config_finding_count = target->problems.count;
        results[i].finding = target->is_unsendable ? preventing(&results[i]) : NULL;
    }
    for (size_t r = 0; r < plan.request_count; r++) {
        const struct finding *finding = street_classify(street, &observations[r]);
        memory_note(street, plan.requests[r].target, false, &observations[r], finding);
        for (size_t t = 0; t < plan.requests[r].target_count; t++) {
            struct result *result = &results[plan.requests[r].target_indices[t]];
            result->observation = &observations[r];
            result->finding = finding;
        }
    }
    return prove_keys(street, results, err);
}

enum err_code street_run(struct street *street, struct err *err)
{
    struct result *results = NULL;
    enum err_code code = street_probe(street, &results, err);
    if (!code) {
        memory_recall(street);
        street_judge(street, results, street->target_count);
        memory_keep(street);
    }
    return code;
}

void street_judge(struct street *street, struct result *results, size_t count)
{
    struct cli *cli = street->cli;
    struct report *report = &street->report;
    report->config_findings = street_judge_problems(street, &street->problems, NULL);
    report->config_finding_count = street->problems.count;
    report->results = results;
    report->result_count = count;
    struct triage_input input = {
        .rules = street->rules,
        .lang = cli->lang,
        .results = results,
        .result_count = count,
        .config_findings = report->config_findings,
        .config_finding_count = report->config_finding_count,
        .fail_on = street->fail_on,
        .fail_on_count = street->fail_on_count,
        .past = &street->past,
        .are_warnings_errors = street->are_warnings_errors,
        .is_offline = street->is_offline,
    };
    report->past = &street->past;
    triage(cli->arena, &input, report);
    report->duration_ms = cli->env->monotonic_ms(cli->env->clock) - street->begun_ms;
}

/* What a format adds to a file of the environment's. */
static void append_report(struct street *street, const struct report_format *format)
{
    struct cli *cli = street->cli;
    struct str path = env_get(cli->env, arena_cstr(cli->arena, format->append_variable));
    for (size_t i = 0; i < cli->written_count; i++) {
        if (cli->written[i].is_appended && str_eq(cli->written[i].path, path)) {
            return; /* asked for twice, told once */
        }
    }
    if (str_is_empty(path)) {
        return;
    }
    struct buf content = buf_create(REPORT_BYTES_MAX);
    format->append(cli->arena, &street->report, &cli->style, &content);
    deliver_later(cli, path, content, true);
}

int street_print(struct street *street)
{
    struct cli *cli = street->cli;
    const struct report_format *format = report_format_find(cli->options.format);
    format->render(cli->arena, &street->report, &cli->style, &cli->out);
    if (format->append) {
        append_report(street, format);
    }
    return format->exit_code && deliver_is_on_stdout(cli) ? format->exit_code(&street->report)
                                                          : street->report.exit_code;
}

static int print_report(void *context)
{
    return street_print(context);
}

int street_deliver(struct street *street)
{
    return deliver_all(street->cli, print_report, street);
}
