/* The JSON of diagnose observe: every request in order, and what follows from them. */
#include "cli/json.h"
#include "cli/observe.h"

static void add_request(struct arena *arena, struct cJSON *item, const struct recorded *request)
{
    json_number(item, "at_ms", request->at_ms);
    json_text(arena, item, "method", request->method);
    json_text(arena, item, "model", request->model);
    json_text(arena, item, "path", request->path);
    json_text(arena, item, "query", request->query);
    struct str fingerprint = str_from(request->key.fingerprint);
    json_text(arena, item, "key_fingerprint",
              fingerprint.len ? fingerprint : (struct str){NULL, 0});
    json_number(item, "status", request->status);
}

static void add_headers(struct arena *arena, struct cJSON *item, const struct recorded *request)
{
    struct cJSON *headers = json_object(item, "headers");
    for (size_t i = 0; request && i < request->header_count; i++) {
        json_text(arena, headers, arena_cstr(arena, request->headers[i].name),
                  request->headers[i].value);
    }
}

/* Requests of one kind, each once. */
static void add_requests(struct arena *arena, struct cJSON *run, const char *name,
                         const struct recording *recording, enum recorded_kind kind)
{
    struct cJSON *array = json_array(run, name);
    for (size_t i = 0; i < recording->count; i++) {
        if (recording->items[i].kind == kind) {
            struct cJSON *item = json_element(array);
            add_request(arena, item, &recording->items[i]);
            if (kind == RECORDED_FOREIGN) {
                json_text(arena, item, "host", recording->items[i].host);
            }
        }
    }
}

static void add_run(const struct observation_of_client *seen, struct cJSON *item,
                    const struct observe_run *run)
{
    struct arena *arena = seen->plan->street->cli->arena;
    json_text(arena, item, "answer", run->answer->name);
    json_number(item, "tries", (int64_t)observe_try_count(run));
    add_requests(arena, item, "requests", &run->recording, RECORDED_TRY);
    add_headers(arena, item, observe_first_try(run));
    add_requests(arena, item, "upgrades", &run->recording, RECORDED_UPGRADE);
    add_requests(arena, item, "others", &run->recording, RECORDED_OTHER);
    add_requests(arena, item, "refused", &run->recording, RECORDED_FOREIGN);
    json_bool(item, "cut", run->child.is_cut);
    json_number(item, "duration_ms", run->child.duration_ms);
    if (run->child.exit_code >= 0) {
        json_number(item, "exit_code", run->child.exit_code);
    } else {
        json_text(arena, item, "exit_code", (struct str){NULL, 0});
    }
    if (run->child.signal_number) {
        json_number(item, "signal", run->child.signal_number);
    }
    json_text(arena, item, "text", run->text);
    json_number(item, "stdout_bytes", (int64_t)run->child.out_bytes);
    json_number(item, "stderr_bytes", (int64_t)run->child.errors_bytes);
    json_number(item, "left_over", (int64_t)run->child.left_over);
}

int observe_show_json(const struct observation_of_client *seen, int exit_code)
{
    struct cli *cli = seen->plan->street->cli;
    struct cJSON *root = json_begin(cli);
    json_text(cli->arena, root, "client", seen->plan->client);
    json_text(cli->arena, root, "version", seen->plan->version);
    json_bool(root, "observable", !str_is_set(seen->plan->refusal));
    json_text(cli->arena, root, "reason",
              mask_text(cli->arena, &seen->plan->street->mask, seen->plan->refusal));
    json_bool(root, "isolated", seen->plan->is_isolated);
    struct cJSON *runs = json_array(root, "runs");
    for (size_t i = 0; i < seen->run_count; i++) {
        add_run(seen, json_element(runs), &seen->runs[i]);
    }
    struct cJSON *conclusions = json_array(root, "conclusions");
    for (size_t i = 0; i < seen->conclusion_count; i++) {
        json_text_element(cli->arena, conclusions, seen->conclusions[i]);
    }
    return json_end(cli, root, exit_code);
}
