/* The requests of a health check of keys, in rounds: proofs, those again that may pass later, what
 * a good key lets us see besides, and with --live one generation a model. Takes the pairs, leaves
 * the findings in them; judges nothing. */
#include "cli/check.h"

#include "cli/memory.h"
#include "cli/say.h"
#include "triage/fill.h"

#define RETRY_FIRST_MS 2000
#define RETRY_LONGEST_MS ((int64_t)60 * 1000)
/* Who asks for more is not asked again in this run. */
#define WAIT_MAX_MS ((int64_t)5 * 60 * 1000)

void check_gather(struct check *check)
{
    struct street *street = check->street;
    check->checks = key_checks_gather(street->cli->arena, street->rules, street->targets,
                                      street->target_count, &check->count);
}

/* A free request of a check as a wish; anonymous: without its key. */
static struct free_wish check_wish(const struct key_check *check, const struct free_request *form,
                                   bool is_anonymous)
{
    const struct provider *provider = check->provider;
    return (struct free_wish){check->targets[0], form, provider ? provider->limits : NULL,
                              provider ? provider->limit_count : 0, is_anonymous};
}

static bool asks_for_model(const struct key_check *check)
{
    for (size_t i = 0; i < check->target_count; i++) {
        const struct value *model = &check->targets[i]->model;
        if (!str_is_empty(model->text) && model->origin.kind != ORIGIN_DEFAULT) {
            return true;
        }
    }
    return false;
}

const struct free_request *check_extra(const struct key_check *check, size_t index)
{
    const struct provider *provider = check->provider;
    if (!provider || check->needs_control || index + 1 >= provider->free_count) {
        return NULL;
    }
    const struct free_request *form = &provider->free[index + 1];
    if (form == check->proof) {
        return NULL;
    }
    bool is_list = str_is_set(form->places.models);
    bool has_list = check->proof && str_is_set(check->proof->places.models);
    return is_list && (has_list || !asks_for_model(check)) ? NULL : form;
}

/* The wishes of a round, and whose they are. */
struct round {
    struct free_wish *wishes;
    size_t *check_of;
    size_t count;
};

static struct round round_create(const struct check *check, size_t most)
{
    struct arena *arena = check->street->cli->arena;
    return (struct round){.wishes = ARENA_ARRAY(arena, most + 1, struct free_wish),
                          .check_of = ARENA_ARRAY(arena, most + 1, size_t)};
}

/* False when the budget is used up. */
static bool round_add(struct check *check, struct round *round, size_t index, struct free_wish wish)
{
    if (check->budget_left <= 0) {
        return false;
    }
    check->budget_left--;
    round->wishes[round->count] = wish;
    round->check_of[round->count++] = index;
    return true;
}

/* Sends a round; findings[i] gets that of wish i. */
static enum err_code round_send(struct check *check, const struct round *round,
                                const struct finding **findings, struct err *err)
{
    struct street *street = check->street;
    struct plan plan = {0};
    struct observation *observations = NULL;
    probe_plan_free(street->cli->arena, round->wishes, round->count, &plan);
    enum err_code code = street_send(street, &plan, &observations, err);
    for (size_t r = 0; !code && r < plan.request_count; r++) {
        const struct finding *finding = street_classify(street, &observations[r]);
        memory_note(street, plan.requests[r].target, true, &observations[r], finding);
        for (size_t t = 0; t < plan.requests[r].target_count; t++) {
            findings[plan.requests[r].target_indices[t]] = finding;
        }
    }
    return code;
}

static enum err_code send_proofs(struct check *check, struct round *round, struct err *err)
{
    const struct finding **findings =
        ARENA_ARRAY(check->street->cli->arena, round->count + 1, const struct finding *);
    enum err_code code = round_send(check, round, findings, err);
    for (size_t i = 0; !code && i < round->count; i++) {
        struct key_check *one = &check->checks[round->check_of[i]];
        one->answer = findings[i];
        one->tries++;
    }
    return code;
}

static enum err_code prove(struct check *check, struct err *err)
{
    struct round round = round_create(check, check->count);
    for (size_t i = 0; i < check->count; i++) {
        struct key_check *one = &check->checks[i];
        if (one->is_askable) {
            one->is_over_budget = !round_add(check, &round, i, check_wish(one, one->proof, false));
        }
    }
    return send_proofs(check, &round, err);
}

static int64_t backoff_ms(int64_t try)
{
    int64_t wait_ms = RETRY_FIRST_MS;
    while (--try > 0 && wait_ms < RETRY_LONGEST_MS) {
        wait_ms *= 2;
    }
    return wait_ms < RETRY_LONGEST_MS ? wait_ms : RETRY_LONGEST_MS;
}

/* How long to wait before a failure is tried again; -1 = not in this run. */
static int64_t wait_of(const struct finding *finding, int64_t try)
{
    bool may_pass = finding && !finding->diagnosis->is_healthy && finding->is_retryable;
    if (!may_pass || finding->wait_ms > WAIT_MAX_MS) {
        return -1;
    }
    return finding->wait_ms >= 0 ? finding->wait_ms : backoff_ms(try);
}

static void wait_for(const struct check *check, int64_t wait_ms, size_t count)
{
    struct cli *cli = check->street->cli;
    struct str shown = fill_duration(cli->arena, cli->lang, wait_ms);
    say_remark(cli, "%zu %s %.*s", count,
               say(cli, "of the answers may pass later; asking again in",
                   "个应答属于暂时性故障，重试前等待"),
               STR_ARG(shown));
    if (cli->env->pause_ms) {
        cli->env->pause_ms(cli->env->clock, wait_ms);
    }
}

static enum err_code retry_proofs(struct check *check, struct err *err)
{
    for (int64_t try = 1; try <= check->street->cli->options.retry; try++) {
        struct round round = round_create(check, check->count);
        int64_t longest_ms = -1;
        for (size_t i = 0; i < check->count; i++) {
            struct key_check *one = &check->checks[i];
            int64_t wait_ms = wait_of(one->answer, try);
            if (wait_ms >= 0 && round_add(check, &round, i, check_wish(one, one->proof, false))) {
                longest_ms = wait_ms > longest_ms ? wait_ms : longest_ms;
            }
        }
        if (round.count == 0) {
            return ERR_OK;
        }
        wait_for(check, longest_ms, round.count);
        enum err_code code = send_proofs(check, &round, err);
        if (code) {
            return code;
        }
    }
    return ERR_OK;
}

/* Somebody else was refused at the same URL, so the endpoint does look at keys. */
static bool is_guarded(const struct check *check, const struct key_check *of)
{
    for (size_t i = 0; i < check->count; i++) {
        const struct key_check *other = &check->checks[i];
        const struct diagnosis *diagnosis = other->answer ? other->answer->diagnosis : NULL;
        if (other->proof == of->proof && diagnosis && diagnosis->step == STEP_AUTH &&
            !diagnosis->is_healthy && !diagnosis->leaves_key_open &&
            key_check_shares_host(other, of)) {
            of = other;
            return true;
        }
    }
    return false;
}

/* What follows from an accepted key: further pages of the provider's, and whether anybody gets the
 * same answer. */
static enum err_code look_further(struct check *check, struct err *err)
{
    struct arena *arena = check->street->cli->arena;
    size_t most = check->count * (KEY_EXTRAS_MAX + 1);
    struct round round = round_create(check, most);
    const struct finding **findings = ARENA_ARRAY(arena, most + 1, const struct finding *);
    for (size_t i = 0; i < check->count; i++) {
        struct key_check *one = &check->checks[i];
        one->needs_control = one->needs_control && !is_guarded(check, one);
        if (key_check_wants_control(one)) {
            round_add(check, &round, i, check_wish(one, one->proof, true));
        }
        for (size_t e = 0; key_check_is_open(one) && e < KEY_EXTRAS_MAX; e++) {
            const struct free_request *extra = check_extra(one, e);
            if (extra) {
                round_add(check, &round, i, check_wish(one, extra, false));
            }
        }
    }
    enum err_code code = round_send(check, &round, findings, err);
    for (size_t i = 0; !code && i < round.count; i++) {
        struct key_check *one = &check->checks[round.check_of[i]];
        if (round.wishes[i].is_anonymous) {
            one->control = findings[i];
        } else {
            one->extras[one->extra_count++] = (struct key_extra){round.wishes[i].form, findings[i]};
        }
    }
    return code;
}

/* A key that was refused, or an endpoint that could not be reached, gets no paid request. */
static bool is_worth_asking(const struct check *check, const struct target *target)
{
    for (size_t i = 0; i < check->count; i++) {
        const struct key_check *one = &check->checks[i];
        for (size_t t = 0; t < one->target_count; t++) {
            if (one->targets[t] == target) {
                return !one->answer || key_check_is_open(one) || one->answer->is_retryable ||
                       one->answer->diagnosis->blame == BLAME_UNKNOWN;
            }
        }
    }
    return false;
}

const struct target **check_live_targets(const struct check *check, size_t *count)
{
    const struct street *street = check->street;
    const struct target **targets =
        ARENA_ARRAY(street->cli->arena, street->target_count + 1, const struct target *);
    *count = 0;
    for (size_t i = 0; i < street->target_count; i++) {
        if (is_worth_asking(check, street->targets[i])) {
            targets[(*count)++] = street->targets[i];
        }
    }
    return targets;
}

static void take_live(struct check *check, const struct plan *plan,
                      const struct target *const *targets, const struct observation *observations)
{
    struct street *street = check->street;
    for (size_t r = 0; r < plan->request_count; r++) {
        const struct finding *finding = street_classify(street, &observations[r]);
        memory_note(street, plan->requests[r].target, false, &observations[r], finding);
        for (size_t t = 0; t < plan->requests[r].target_count; t++) {
            const struct target *target = targets[plan->requests[r].target_indices[t]];
            for (size_t i = 0; i < street->target_count; i++) {
                if (street->targets[i] == target) {
                    check->live[i] = (struct result){
                        .target = target, .observation = &observations[r], .finding = finding};
                }
            }
        }
    }
}

static enum err_code ask_models(struct check *check, const struct target *const *targets,
                                size_t count, struct err *err)
{
    struct street *street = check->street;
    struct plan plan = {0};
    struct observation *observations = NULL;
    probe_plan(street->cli->arena, targets, count, &plan);
    if ((int64_t)plan.request_count > check->budget_left) {
        plan.request_count = (size_t)check->budget_left;
    }
    check->budget_left -= (int64_t)plan.request_count;
    enum err_code code = street_send(street, &plan, &observations, err);
    if (!code) {
        take_live(check, &plan, targets, observations);
    }
    return code;
}

/* The targets whose generation may pass later; *wait_ms gets the longest wait among them. */
static const struct target **retryable_models(const struct check *check, int64_t try,
                                              int64_t *wait_ms, size_t *count)
{
    const struct street *street = check->street;
    const struct target **targets =
        ARENA_ARRAY(street->cli->arena, street->target_count + 1, const struct target *);
    *count = 0;
    *wait_ms = -1;
    for (size_t i = 0; i < street->target_count; i++) {
        int64_t wait = wait_of(check->live[i].finding, try);
        if (wait >= 0) {
            targets[(*count)++] = street->targets[i];
            *wait_ms = wait > *wait_ms ? wait : *wait_ms;
        }
    }
    return targets;
}

static enum err_code run_live(struct check *check, struct err *err)
{
    struct street *street = check->street;
    size_t count;
    check->live = ARENA_ARRAY(street->cli->arena, street->target_count + 1, struct result);
    const struct target **targets = check_live_targets(check, &count);
    enum err_code code = ask_models(check, targets, count, err);
    for (int64_t try = 1; !code && try <= street->cli->options.retry; try++) {
        int64_t wait_ms;
        targets = retryable_models(check, try, &wait_ms, &count);
        if (count == 0 || check->budget_left <= 0) {
            break;
        }
        wait_for(check, wait_ms, count);
        code = ask_models(check, targets, count, err);
    }
    return code;
}

enum err_code check_run(struct check *check, struct err *err)
{
    enum err_code code = prove(check, err);
    code = code ? code : retry_proofs(check, err);
    code = code ? code : look_further(check, err);
    return code || !check->street->cli->options.is_live ? code : run_live(check, err);
}
