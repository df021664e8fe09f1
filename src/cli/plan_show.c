/* --dry-run: the plan of a probe for people and as JSON. Keys appear as fingerprints, URLs without
 * credentials. */
#include "cli/plan_show.h"

#include "base/text.h"
#include "cli/json.h"
#include "cli/say.h"

#define NAMES_BYTES_MAX ((size_t)1024 * 1024)

const char *plan_sentence(struct cli *cli, const struct plan *plan)
{
    size_t count = plan->request_count;
    struct str text = cli->lang == LANG_ZH
                          ? arena_printf(cli->arena, "%zu 个请求，最多 %zu 个输出 token", count,
                                         plan->token_bound)
                          : arena_printf(cli->arena, "%zu request%s, at most %zu output tokens",
                                         count, count == 1 ? "" : "s", plan->token_bound);
    if (plan->uncapped_count) {
        text = cli->lang == LANG_ZH
                   ? arena_printf(cli->arena, "%.*s，另有 %zu 个请求的输出不设上限", STR_ARG(text),
                                  plan->uncapped_count)
                   : arena_printf(cli->arena, "%.*s, and %zu whose output cannot be capped",
                                  STR_ARG(text), plan->uncapped_count);
    }
    return arena_cstr(cli->arena, text);
}

/* Fit to be shown: no key, no credentials, no control characters. */
static struct str shown(const struct street *street, struct str text)
{
    struct arena *arena = street->cli->arena;
    return text_show(arena, mask_text(arena, &street->mask, text), 0);
}

/* Names of the targets that share a request. */
static struct str names_of(const struct street *street, const struct planned_request *request)
{
    struct buf list = buf_create(NAMES_BYTES_MAX);
    for (size_t i = 0; i < request->target_count; i++) {
        const struct target *target = street->targets[request->target_indices[i]];
        buf_printf(&list, "%s%.*s", i ? ", " : "", STR_ARG(target->name));
    }
    struct str names = shown(street, arena_dup(street->cli->arena, buf_str(&list)));
    buf_free(&list);
    return names;
}

/* Is the request the first of the plan to its host? */
static bool is_new_host(const struct plan *plan, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (str_eq(plan->requests[i].place.host, plan->requests[index].place.host)) {
            return false;
        }
    }
    return true;
}

/* Why a target gets no request; unset when it gets one. */
static struct str reason_of_skip(const struct street *street, const struct target *target)
{
    if (str_is_set(target->skip_reason)) {
        return target->skip_reason;
    }
    for (size_t i = 0; target->is_unsendable && i < target->problems.count; i++) {
        if (!target->problems.items[i].is_warning) {
            return target->problems.items[i].message;
        }
    }
    return target->is_unsendable ? str_from(say(street->cli, "it cannot be sent", "请求无法发送"))
                                 : (struct str){NULL, 0};
}

static void add_requests_json(const struct street *street, const struct plan *plan,
                              struct cJSON *array)
{
    struct arena *arena = street->cli->arena;
    for (size_t i = 0; i < plan->request_count; i++) {
        const struct planned_request *request = &plan->requests[i];
        struct cJSON *item = json_element(array);
        json_text(arena, item, "method", request->free ? STR("GET") : STR("POST"));
        json_text(arena, item, "url", shown(street, request->url));
        json_text(arena, item, "host", shown(street, request->place.host));
        json_text(arena, item, "model",
                  request->free ? (struct str){NULL, 0} : request->target->model.text);
        struct cJSON *targets = json_array(item, "targets");
        for (size_t t = 0; t < request->target_count; t++) {
            const struct target *target = street->targets[request->target_indices[t]];
            json_text_element(arena, targets, shown(street, target->name));
        }
        json_number(item, "token_bound", request->token_bound);
        const struct value *proxy = &request->target->proxy;
        if (!str_is_empty(proxy->text)) {
            json_text(arena, item, "proxy", shown(street, proxy->text));
            json_text(arena, item, "proxy_origin", origin_text(arena, proxy->origin));
        }
        struct cJSON *key = json_object(item, "key");
        const char *fingerprint = request->target->key.fingerprint;
        json_bool(key, "present", *fingerprint != '\0');
        json_text(arena, key, "fingerprint",
                  *fingerprint ? str_from(fingerprint) : (struct str){NULL, 0});
    }
}

static int show_json(const struct street *street, const struct plan *plan,
                     const struct plan *key_proofs)
{
    struct arena *arena = street->cli->arena;
    struct cJSON *root = json_begin(street->cli);
    json_bool(root, "dry_run", true);
    struct cJSON *body = json_object(root, "plan");
    json_number(body, "request_count", (int64_t)plan->request_count);
    json_number(body, "token_bound", (int64_t)plan->token_bound);
    json_number(body, "uncapped_count", (int64_t)plan->uncapped_count);
    add_requests_json(street, plan, json_array(body, "requests"));
    add_requests_json(street, key_proofs, json_array(body, "key_proofs"));
    struct cJSON *hosts = json_array(body, "hosts");
    for (size_t i = 0; i < plan->request_count; i++) {
        if (is_new_host(plan, i)) {
            json_text_element(arena, hosts, shown(street, plan->requests[i].place.host));
        }
    }
    struct cJSON *skipped = json_array(body, "skipped");
    for (size_t i = 0; i < street->target_count; i++) {
        struct str reason = reason_of_skip(street, street->targets[i]);
        if (str_is_set(reason)) {
            struct cJSON *item = json_element(skipped);
            json_text(arena, item, "target", shown(street, street->targets[i]->name));
            json_text(arena, item, "reason", shown(street, reason));
        }
    }
    return json_end(street->cli, root, EXIT_FINE);
}

/* Through which proxy, and by which certificates. */
static void add_way(const struct street *street, const struct target *target)
{
    struct cli *cli = street->cli;
    const struct {
        const char *en, *zh;
        const struct value *value;
    } rows[] = {
        {"through proxy", "经过代理", &target->proxy},
        {"certificates of", "证书来自", &target->ca_file},
        {"certificates of", "证书来自", &target->ca_dir},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!str_is_empty(rows[i].value->text)) {
            struct str origin = origin_text(cli->arena, rows[i].value->origin);
            buf_printf(&cli->out, "       %s %.*s (%.*s)\n", say(cli, rows[i].en, rows[i].zh),
                       STR_ARG(shown(street, rows[i].value->text)), STR_ARG(shown(street, origin)));
        }
    }
}

static void add_requests(const struct street *street, const struct plan *plan, const char *method)
{
    struct cli *cli = street->cli;
    for (size_t i = 0; i < plan->request_count; i++) {
        const struct planned_request *request = &plan->requests[i];
        const char *fingerprint = request->target->key.fingerprint;
        buf_printf(&cli->out, "  %-4s %.*s\n       ", method, STR_ARG(shown(street, request->url)));
        if (!request->free) {
            buf_printf(&cli->out, "%.*s, ", STR_ARG(shown(street, request->target->model.text)));
        }
        buf_printf(&cli->out, "%s%s, %s: %.*s\n",
                   *fingerprint ? say(cli, "key ", "密钥 ") : say(cli, "no key", "无密钥"),
                   fingerprint, say(cli, "for", "用于"), STR_ARG(names_of(street, request)));
        add_way(street, request->target);
    }
}

int plan_show(struct street *street, const struct plan *plan, const struct plan *key_proofs)
{
    struct cli *cli = street->cli;
    struct buf *out = &cli->out;
    if (cli->is_json) {
        return show_json(street, plan, key_proofs);
    }
    buf_printf(out, "%s %s%s\n\n", say(cli, "Plan:", "计划："), plan_sentence(cli, plan),
               say(cli, "; nothing was sent.", "；未发送任何内容。"));
    add_requests(street, plan, "POST");
    if (key_proofs->request_count) {
        buf_printf(out, "\n%s\n",
                   say(cli, "Free, and only where an answer leaves the key open:",
                       "免费请求，仅当无法从回答判断密钥是否有效时发送："));
        add_requests(street, key_proofs, "GET");
    }
    if (plan->request_count) {
        buf_printf(out, "\n%s", say(cli, "Hosts:", "主机："));
    }
    for (size_t i = 0; i < plan->request_count; i++) {
        if (is_new_host(plan, i)) {
            buf_printf(out, " %.*s", STR_ARG(shown(street, plan->requests[i].place.host)));
        }
    }
    buf_add(out, plan->request_count ? STR("\n") : STR(""));
    for (size_t i = 0; i < street->target_count; i++) {
        struct str reason = reason_of_skip(street, street->targets[i]);
        if (str_is_set(reason)) {
            buf_printf(out, "%s %.*s: %.*s\n", say(cli, "Not probed:", "不探测："),
                       STR_ARG(shown(street, street->targets[i]->name)),
                       STR_ARG(shown(street, reason)));
        }
    }
    return EXIT_FINE;
}
