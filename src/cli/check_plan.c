/* --dry-run of `diagnose check`: what would be sent, for people and as JSON. Keys appear as
 * fingerprints, URLs without credentials. */
#include "base/text.h"
#include "cli/check.h"
#include "cli/json.h"
#include "cli/say.h"
#include "probe/url.h"

/* One request of the plan. */
struct line {
    struct str method, url, model;
    const struct target *target;
    bool may_follow; /* sent only where the proof was accepted */
    bool is_anonymous;
    unsigned token_bound;
};

struct lines {
    struct line *items;
    size_t count, sure, following, generations, token_bound;
};

static void add_free(const struct check *check, const struct key_check *one,
                     const struct free_request *form, bool is_anonymous, struct lines *lines)
{
    struct arena *arena = check->street->cli->arena;
    bool may_follow = form != one->proof || is_anonymous;
    lines->items[lines->count++] =
        (struct line){.method = STR("GET"),
                      .url = probe_free_url(arena, one->targets[0], form),
                      .target = one->targets[0],
                      .may_follow = may_follow,
                      .is_anonymous = is_anonymous};
    lines->following += may_follow ? 1 : 0;
    lines->sure += may_follow ? 0 : 1;
}

static void add_generations(const struct check *check, struct lines *lines)
{
    struct plan plan = {0};
    size_t count;
    const struct target **targets = check_live_targets(check, &count);
    probe_plan(check->street->cli->arena, targets, count, &plan);
    for (size_t i = 0; i < plan.request_count; i++) {
        const struct planned_request *request = &plan.requests[i];
        lines->items[lines->count++] = (struct line){.method = STR("POST"),
                                                     .url = request->url,
                                                     .model = request->target->model.text,
                                                     .target = request->target,
                                                     .token_bound = request->token_bound};
        lines->token_bound += request->token_bound;
    }
    lines->generations = plan.request_count;
}

static struct lines make_lines(const struct check *check)
{
    size_t most = check->count * (KEY_EXTRAS_MAX + 2) + check->street->target_count;
    struct lines lines = {.items = ARENA_ARRAY(check->street->cli->arena, most + 1, struct line)};
    for (int is_following = 0; is_following < 2; is_following++) {
        for (size_t i = 0; i < check->count; i++) {
            const struct key_check *one = &check->checks[i];
            if (one->is_askable && !is_following) {
                add_free(check, one, one->proof, false, &lines);
            }
            if (one->is_askable && is_following && one->needs_control &&
                !str_is_empty(one->targets[0]->key.value)) {
                add_free(check, one, one->proof, true, &lines);
            }
            for (size_t e = 0; one->is_askable && is_following && e < KEY_EXTRAS_MAX; e++) {
                const struct free_request *extra = check_extra(one, e);
                if (extra) {
                    add_free(check, one, extra, false, &lines);
                }
            }
        }
    }
    if (check->street->cli->options.is_live) {
        add_generations(check, &lines);
    }
    return lines;
}

static struct str shown(const struct check *check, struct str text)
{
    struct arena *arena = check->street->cli->arena;
    return text_show(arena, mask_text(arena, &check->street->mask, text), 0);
}

static struct str sentence_of(const struct check *check, const struct lines *lines)
{
    struct cli *cli = check->street->cli;
    struct arena *arena = cli->arena;
    bool is_zh = cli->lang == LANG_ZH;
    struct str text =
        is_zh ? arena_printf(arena, "%zu 个免费请求", lines->sure)
              : arena_printf(arena, "%zu free request%s", lines->sure, lines->sure == 1 ? "" : "s");
    if (lines->following) {
        text =
            is_zh
                ? arena_printf(arena, "%.*s，其后最多另有 %zu 个", STR_ARG(text), lines->following)
                : arena_printf(arena, "%.*s, %zu more may follow", STR_ARG(text), lines->following);
    }
    if (lines->generations) {
        text = is_zh ? arena_printf(arena, "%.*s；--live 另加 %zu 个请求，最多 %zu 个输出 token",
                                    STR_ARG(text), lines->generations, lines->token_bound)
                     : arena_printf(arena, "%.*s; --live adds %zu, at most %zu output tokens",
                                    STR_ARG(text), lines->generations, lines->token_bound);
    }
    if (cli->options.budget >= 0) {
        long long budget = (long long)cli->options.budget;
        text = is_zh ? arena_printf(arena, "%.*s；总数不超过 %lld", STR_ARG(text), budget)
                     : arena_printf(arena, "%.*s; no more than %lld in all", STR_ARG(text), budget);
    }
    return text;
}

const char *check_plan_sentence(struct check *check)
{
    struct lines lines = make_lines(check);
    return arena_cstr(check->street->cli->arena, sentence_of(check, &lines));
}

/* Why nothing is sent for a key; unset where something is. */
static struct str reason_of_skip(const struct check *check, const struct key_check *one)
{
    const struct target *target = one->targets[0];
    const struct cli *cli = check->street->cli;
    for (size_t i = 0; target->is_unsendable && i < target->problems.count; i++) {
        if (!target->problems.items[i].is_warning) {
            return target->problems.items[i].message;
        }
    }
    if (!one->is_askable && str_is_set(target->skip_reason) && !target->lacks_only_model) {
        return target->skip_reason;
    }
    return one->is_askable
               ? (struct str){NULL, 0}
               : str_from(say(cli, "no free request proves it", "没有能验证它的免费请求"));
}

/* What a key that gets no request is called. */
static struct str name_of_skipped(const struct key_check *one)
{
    const struct target *target = one->targets[0];
    return str_is_empty(target->key_name) ? target->name : target->key_name;
}

static void add_json(const struct check *check, const struct line *line, struct cJSON *array)
{
    struct arena *arena = check->street->cli->arena;
    struct cJSON *item = json_element(array);
    const char *fingerprint = line->is_anonymous ? "" : line->target->key.fingerprint;
    json_text(arena, item, "method", line->method);
    json_text(arena, item, "url", shown(check, line->url));
    json_text(arena, item, "host", shown(check, url_host(arena, line->url)));
    json_text(arena, item, "model", line->model);
    json_number(item, "token_bound", line->token_bound);
    struct cJSON *key = json_object(item, "key");
    json_bool(key, "present", *fingerprint != '\0');
    json_text(arena, key, "fingerprint",
              *fingerprint ? str_from(fingerprint) : (struct str){NULL, 0});
    json_text(arena, key, "name",
              line->is_anonymous ? (struct str){NULL, 0} : shown(check, line->target->key_name));
}

static int show_json(struct check *check, const struct lines *lines)
{
    struct cli *cli = check->street->cli;
    struct cJSON *root = json_begin(cli);
    json_bool(root, "dry_run", true);
    struct cJSON *body = json_object(root, "plan");
    json_number(body, "request_count", (int64_t)(lines->sure + lines->generations));
    json_number(body, "may_follow_count", (int64_t)lines->following);
    json_number(body, "token_bound", (int64_t)lines->token_bound);
    struct cJSON *requests = json_array(body, "requests");
    struct cJSON *following = json_array(body, "may_follow");
    for (size_t i = 0; i < lines->count; i++) {
        add_json(check, &lines->items[i], lines->items[i].may_follow ? following : requests);
    }
    struct cJSON *skipped = json_array(body, "skipped");
    for (size_t i = 0; i < check->count; i++) {
        struct str reason = reason_of_skip(check, &check->checks[i]);
        if (str_is_set(reason)) {
            struct cJSON *item = json_element(skipped);
            json_text(cli->arena, item, "key", shown(check, name_of_skipped(&check->checks[i])));
            json_text(cli->arena, item, "reason", shown(check, reason));
        }
    }
    struct cJSON *hosts = json_array(body, "hosts");
    for (size_t i = 0; i < lines->count; i++) {
        struct str host = url_host(cli->arena, lines->items[i].url);
        bool is_new = true;
        for (size_t j = 0; j < i && is_new; j++) {
            is_new = !str_eq(url_host(cli->arena, lines->items[j].url), host);
        }
        if (is_new) {
            json_text_element(cli->arena, hosts, shown(check, host));
        }
    }
    return json_end(cli, root, EXIT_FINE);
}

static void write_line(const struct check *check, const struct line *line)
{
    struct cli *cli = check->street->cli;
    const char *fingerprint = line->target->key.fingerprint;
    buf_printf(&cli->out, "  %-4s %.*s\n       ", line->method.ptr,
               STR_ARG(shown(check, line->url)));
    if (line->model.len) {
        buf_printf(&cli->out, "%.*s, ", STR_ARG(shown(check, line->model)));
    }
    if (line->is_anonymous || !*fingerprint) {
        buf_printf(&cli->out, "%s\n", say(cli, "no key", "无密钥"));
        return;
    }
    struct str origin = shown(check, origin_text(cli->arena, line->target->key_origin));
    buf_printf(&cli->out, "%s %s (%.*s)\n", say(cli, "key", "密钥"), fingerprint, STR_ARG(origin));
}

int check_show_plan(struct check *check)
{
    struct cli *cli = check->street->cli;
    struct lines lines = make_lines(check);
    if (cli->is_json) {
        return show_json(check, &lines);
    }
    buf_printf(&cli->out, "%s %.*s%s\n\n", say(cli, "Plan:", "计划："),
               STR_ARG(sentence_of(check, &lines)),
               say(cli, "; nothing was sent.", "；未发送任何内容。"));
    for (int is_following = 0; is_following < 2; is_following++) {
        if (is_following && lines.following) {
            buf_printf(&cli->out, "\n%s\n",
                       say(cli, "Free, and only where the key was accepted:",
                           "免费请求，仅当密钥被接受时发送："));
        }
        for (size_t i = 0; i < lines.count; i++) {
            if (lines.items[i].may_follow == (is_following == 1)) {
                write_line(check, &lines.items[i]);
            }
        }
    }
    for (size_t i = 0; i < check->count; i++) {
        struct str reason = reason_of_skip(check, &check->checks[i]);
        if (str_is_set(reason)) {
            buf_printf(&cli->out, "%s %.*s: %.*s\n", say(cli, "Nothing for", "不发送："),
                       STR_ARG(shown(check, name_of_skipped(&check->checks[i]))),
                       STR_ARG(shown(check, reason)));
        }
    }
    return EXIT_FINE;
}
