/* What follows from the runs, in sentences. Takes what was sent and how the client ended, gives
 * conclusions; each rests on requests that were counted. */
#include "cli/observe.h"

#include "cli/say.h"
#include "cli/suggest.h"

static void conclude(struct observation_of_client *seen, struct str sentence)
{
    struct arena *arena = seen->plan->street->cli->arena;
    seen->conclusions = arena_grow(arena, seen->conclusions, seen->conclusion_count,
                                   &seen->conclusion_capacity, sizeof *seen->conclusions);
    seen->conclusions[seen->conclusion_count++] = sentence;
}

#define CONCLUDE(seen, english, chinese, ...)                                                      \
    conclude((seen), (seen)->plan->street->cli->lang == LANG_ZH                                    \
                         ? arena_printf((seen)->plan->street->cli->arena, chinese, __VA_ARGS__)    \
                         : arena_printf((seen)->plan->street->cli->arena, english, __VA_ARGS__))

static bool is_named(const struct names *names, struct str name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (str_eq(names->items[i], name)) {
            return true;
        }
    }
    return false;
}

/* Every model that was asked for, in order. */
static struct names models_tried(const struct observation_of_client *seen)
{
    struct names models = {0};
    for (size_t r = 0; r < seen->run_count; r++) {
        const struct recording *recording = &seen->runs[r].recording;
        for (size_t i = 0; i < recording->count; i++) {
            const struct recorded *request = &recording->items[i];
            if (request->kind == RECORDED_TRY && !str_is_empty(request->model) &&
                !is_named(&models, request->model)) {
                names_add(seen->plan->street->cli->arena, &models, request->model);
            }
        }
    }
    return models;
}

static struct str list_of(const struct observation_of_client *seen, const struct names *names)
{
    return names_list(seen->plan->street->cli->arena, names);
}

/* Models of a chain that the user wrote down and the client was never seen to ask. */
static struct names models_never_tried(const struct observation_of_client *seen,
                                       const struct names *tried)
{
    const struct observe_plan *plan = seen->plan;
    const struct config *config = &plan->street->config;
    struct names never = {0};
    for (size_t i = 0; plan->row && i < config->target_count; i++) {
        const struct target *target = &config->targets[i];
        if (target->role == ROLE_FALLBACK && str_eq(target->client, plan->client) &&
            !is_named(tried, target->model.text) && !is_named(&never, target->model.text)) {
            names_add(plan->street->cli->arena, &never, target->model.text);
        }
    }
    return never;
}

/* Was the client refused at least once, so that it could have asked another model? */
static bool has_failed_try(const struct observation_of_client *seen)
{
    for (size_t r = 0; r < seen->run_count; r++) {
        if (seen->runs[r].answer->is_failing && observe_try_count(&seen->runs[r])) {
            return true;
        }
    }
    return false;
}

static void conclude_models(struct observation_of_client *seen)
{
    struct names tried = models_tried(seen);
    struct names never = models_never_tried(seen, &tried);
    struct str title = seen->plan->title;
    if (has_failed_try(seen) && never.count) {
        struct str key = seen->plan->fallback_key;
        if (str_is_set(key)) {
            CONCLUDE(seen, "%.*s never tries %.*s: %.*s has no effect",
                     "%.*s 从不尝试 %.*s：%.*s 不起作用", STR_ARG(title),
                     STR_ARG(list_of(seen, &never)), STR_ARG(key));
        } else {
            CONCLUDE(seen, "%.*s never tries %.*s", "%.*s 从不尝试 %.*s", STR_ARG(title),
                     STR_ARG(list_of(seen, &never)));
        }
    } else if (has_failed_try(seen) && tried.count == 1) {
        CONCLUDE(seen, "%.*s asks for %.*s only: it tries no other model",
                 "%.*s 只请求 %.*s，不会尝试其他模型", STR_ARG(title), STR_ARG(tried.items[0]));
    }
    if (tried.count > 1) {
        CONCLUDE(seen, "%.*s asks for more than one model: %.*s", "%.*s 请求了不止一个模型：%.*s",
                 STR_ARG(title), STR_ARG(list_of(seen, &tried)));
    }
    const struct target *target = seen->plan->target;
    bool is_asked = target && is_named(&tried, target->model.text);
    if (target && tried.count && !is_asked && seen->plan->is_usual) {
        CONCLUDE(seen, "the configuration names %.*s, but %.*s is asked for",
                 "配置中是 %.*s，实际请求的是 %.*s", STR_ARG(target->model.text),
                 STR_ARG(tried.items[0]));
    }
}

static int64_t span_ms(const struct observe_run *run)
{
    int64_t first = -1, last = -1;
    for (size_t i = 0; i < run->recording.count; i++) {
        if (run->recording.items[i].kind == RECORDED_TRY) {
            last = run->recording.items[i].at_ms;
            first = first < 0 ? last : first;
        }
    }
    return last - first;
}

static int64_t shortest_gap_ms(const struct observe_run *run)
{
    int64_t before = -1, shortest = INT64_MAX;
    for (size_t i = 0; i < run->recording.count; i++) {
        const struct recorded *request = &run->recording.items[i];
        if (request->kind == RECORDED_TRY) {
            int64_t gap = before < 0 ? INT64_MAX : request->at_ms - before;
            shortest = gap < shortest ? gap : shortest;
            before = request->at_ms;
        }
    }
    return shortest;
}

/* Does it wait as long as it was told to? Clocks and timers may differ by a twentieth. */
static void conclude_wait(struct observation_of_client *seen, const struct observe_run *run)
{
    int64_t wait_ms = run->answer->wait_ms;
    if (wait_ms == 0 || observe_try_count(run) < 2) {
        return;
    }
    if (shortest_gap_ms(run) >= wait_ms - wait_ms / 20) {
        CONCLUDE(seen, "%.*s: it waits at least the %lld s that Retry-After asks for",
                 "%.*s：每次至少等待 Retry-After 要求的 %lld 秒", STR_ARG(run->answer->name),
                 (long long)(wait_ms / 1000));
    } else {
        CONCLUDE(seen, "%.*s: it tries again sooner than the %lld s that Retry-After asks for",
                 "%.*s：没有等满 Retry-After 要求的 %lld 秒就重试", STR_ARG(run->answer->name),
                 (long long)(wait_ms / 1000));
    }
}

static void conclude_tries(struct observation_of_client *seen, const struct observe_run *run)
{
    size_t tries = observe_try_count(run);
    struct str answer = run->answer->name;
    double seconds = (double)span_ms(run) / 1000;
    if (run->child.is_cut) {
        CONCLUDE(seen, "%.*s: still running after %lld s, with %zu tries; cut there",
                 "%.*s：%lld 秒后仍未结束，已尝试 %zu 次；到此被中止", STR_ARG(answer),
                 (long long)(seen->plan->timeout_ms / 1000), tries);
    } else if (run->answer->is_failing && tries == 1) {
        CONCLUDE(seen, "%.*s: one try, no retry", "%.*s：只尝试一次，不重试", STR_ARG(answer));
    } else if (run->answer->is_failing && tries) {
        CONCLUDE(seen, "%.*s: %zu tries within %.1f s, then it gives up",
                 "%.*s：共尝试 %zu 次，历时 %.1f 秒，然后放弃", STR_ARG(answer), tries, seconds);
    }
    if (run->answer->is_failing && tries && !run->child.is_cut && run->child.exit_code == 0) {
        CONCLUDE(seen, "%.*s: it exits with 0 although nothing was answered: scripts cannot tell",
                 "%.*s：没有得到任何回答却以 0 退出，脚本无法察觉", STR_ARG(answer));
    }
    if (run->child.left_over) {
        CONCLUDE(seen, "%.*s: processes that it left running were ended: %zu",
                 "%.*s：它留下的仍在运行的进程已被结束：%zu 个", STR_ARG(answer),
                 run->child.left_over);
    }
}

static void conclude_hosts(struct observation_of_client *seen)
{
    struct names hosts = {0};
    for (size_t r = 0; r < seen->run_count; r++) {
        const struct recording *recording = &seen->runs[r].recording;
        for (size_t i = 0; i < recording->count; i++) {
            const struct recorded *request = &recording->items[i];
            if (request->kind == RECORDED_FOREIGN && !is_named(&hosts, request->host)) {
                names_add(seen->plan->street->cli->arena, &hosts, request->host);
            }
        }
    }
    if (hosts.count) {
        CONCLUDE(seen, "it also wanted to reach %.*s; the recorder refused",
                 "它还想连接 %.*s；记录器已拒绝", STR_ARG(list_of(seen, &hosts)));
    }
}

static void conclude_key(struct observation_of_client *seen)
{
    struct names keys = {0};
    size_t unsigned_count = 0, tries = 0;
    for (size_t r = 0; r < seen->run_count; r++) {
        const struct recording *recording = &seen->runs[r].recording;
        for (size_t i = 0; i < recording->count; i++) {
            const struct recorded *request = &recording->items[i];
            struct str fingerprint = str_from(request->key.fingerprint);
            tries += request->kind == RECORDED_TRY;
            unsigned_count += request->kind == RECORDED_TRY && !fingerprint.len;
            if (request->kind == RECORDED_TRY && fingerprint.len && !is_named(&keys, fingerprint)) {
                names_add(seen->plan->street->cli->arena, &keys, fingerprint);
            }
        }
    }
    if (tries && unsigned_count == tries) {
        CONCLUDE(seen, "%.*s sends no key", "%.*s 不发送密钥", STR_ARG(seen->plan->title));
    } else if (keys.count > 1) {
        CONCLUDE(seen, "%.*s sends more than one key: %.*s", "%.*s 发送了不止一个密钥：%.*s",
                 STR_ARG(seen->plan->title), STR_ARG(list_of(seen, &keys)));
    }
}

void observe_conclude(struct observation_of_client *seen)
{
    size_t tries = 0;
    bool is_started = false;
    for (size_t r = 0; r < seen->run_count; r++) {
        tries += observe_try_count(&seen->runs[r]);
        is_started = is_started || seen->runs[r].child.is_started;
    }
    conclude_models(seen);
    for (size_t r = 0; r < seen->run_count; r++) {
        conclude_tries(seen, &seen->runs[r]);
        conclude_wait(seen, &seen->runs[r]);
    }
    conclude_key(seen);
    if (seen->plan->has_login && tries) {
        conclude(seen, seen->plan->row->login_note.in[seen->plan->street->cli->lang]);
    }
    conclude_hosts(seen);
    if (is_started && !tries) {
        CONCLUDE(seen, "%.*s sent the recorder no request for an answer: nothing can be said",
                 "%.*s 没有向记录器发出任何请求：无法得出结论", STR_ARG(seen->plan->title));
    }
}
