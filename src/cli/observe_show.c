/* The human form of diagnose observe: what the client sends, a line for each kind of answer, and
 * what follows. */
#include "base/text.h"
#include "cli/observe.h"
#include "cli/rule_show.h"
#include "cli/say.h"
#include "report/layout.h"

#define SPACES_SHOWN 5
#define NAME_COLUMNS_MIN 8
#define HEADER_INDENT 6

/* "0.2 0.4 0.9 1.6": seconds between tries. */
static struct str spacing_of(struct arena *arena, const struct observe_run *run)
{
    struct str list = STR("");
    int64_t before = -1;
    size_t count = 0;
    for (size_t i = 0; i < run->recording.count; i++) {
        const struct recorded *request = &run->recording.items[i];
        if (request->kind != RECORDED_TRY) {
            continue;
        }
        if (before >= 0 && count < SPACES_SHOWN) {
            list = arena_printf(arena, "%.*s%s%.1f", STR_ARG(list), count ? " " : "",
                                (double)(request->at_ms - before) / 1000);
        }
        count += before >= 0;
        before = request->at_ms;
    }
    return count > SPACES_SHOWN ? arena_printf(arena, "%.*s ...", STR_ARG(list)) : list;
}

static struct str end_of(struct cli *cli, const struct observe_run *run)
{
    const struct child_result *child = &run->child;
    if (child->is_cut) {
        return str_from(say(cli, "cut", "中止"));
    }
    return child->exit_code >= 0 ? arena_printf(cli->arena, "%d", child->exit_code)
                                 : arena_printf(cli->arena, "%s %d", say(cli, "signal", "信号"),
                                                child->signal_number);
}

static const struct recorded *first_request(const struct observation_of_client *seen)
{
    const struct recorded *request = NULL;
    for (size_t i = 0; i < seen->run_count && !request; i++) {
        request = observe_first_try(&seen->runs[i]);
    }
    return request;
}

/* What the client sent first. */
static void show_request(const struct observation_of_client *seen)
{
    struct cli *cli = seen->plan->street->cli;
    const struct recorded *request = first_request(seen);
    if (!request) {
        return;
    }
    buf_printf(&cli->out, "  %s  %.*s %.*s%s%.*s\n", say(cli, "sends", "发送"),
               STR_ARG(request->method), STR_ARG(request->path),
               str_is_set(request->query) ? "?" : "", STR_ARG(request->query));
    struct str model =
        str_is_empty(request->model) ? str_from(say(cli, "none", "无")) : request->model;
    buf_printf(
        &cli->out, "         %s %.*s, %s\n", say(cli, "model", "模型"), STR_ARG(model),
        request->key.fingerprint[0]
            ? arena_printf(cli->arena, "%s %s", say(cli, "key", "密钥"), request->key.fingerprint)
                  .ptr
            : say(cli, "no key", "无密钥"));
    buf_add_char(&cli->out, '\n');
}

/* Its headers, last, since they are many and seldom the news. */
static void show_headers(const struct observation_of_client *seen)
{
    struct cli *cli = seen->plan->street->cli;
    const struct recorded *request = first_request(seen);
    if (!request) {
        return;
    }
    buf_printf(&cli->out, "\n  %s\n", say(cli, "headers of the first try", "首次请求的头"));
    for (size_t i = 0; i < request->header_count; i++) {
        struct str line = arena_printf(cli->arena, "%.*s: %.*s", STR_ARG(request->headers[i].name),
                                       STR_ARG(request->headers[i].value));
        line = text_cut_end(cli->arena, line, layout_columns(&cli->style) - HEADER_INDENT);
        layout_blanks(&cli->out, HEADER_INDENT);
        layout_tinted(&cli->out, &cli->style, TINT_DIM, line);
        buf_add_char(&cli->out, '\n');
    }
}

struct columns {
    size_t answer, tries, spacing, end;
};

static void show_row(struct cli *cli, const struct columns *columns, struct str answer,
                     struct str tries, struct str spacing, struct str end)
{
    layout_blanks(&cli->out, 2);
    layout_pad(&cli->out, answer, columns->answer + 2);
    layout_pad(&cli->out, tries, columns->tries + 2);
    layout_pad(&cli->out, spacing, columns->spacing + 2);
    buf_add(&cli->out, end);
    buf_add_char(&cli->out, '\n');
}

static size_t wider(size_t columns, struct str text)
{
    size_t needed = text_columns(text);
    return needed > columns ? needed : columns;
}

static void show_runs(const struct observation_of_client *seen)
{
    struct cli *cli = seen->plan->street->cli;
    struct str heads[] = {str_from(say(cli, "answer", "应答")), str_from(say(cli, "tries", "次数")),
                          str_from(say(cli, "seconds between", "间隔（秒）")),
                          str_from(say(cli, "exit", "退出码"))};
    struct columns columns = {NAME_COLUMNS_MIN, text_columns(heads[1]), text_columns(heads[2]), 0};
    for (size_t i = 0; i < seen->run_count; i++) {
        columns.answer = wider(columns.answer, seen->runs[i].answer->name);
        columns.spacing = wider(columns.spacing, spacing_of(cli->arena, &seen->runs[i]));
    }
    show_row(cli, &columns, heads[0], heads[1], heads[2], heads[3]);
    for (size_t i = 0; i < seen->run_count; i++) {
        const struct observe_run *run = &seen->runs[i];
        show_row(cli, &columns, run->answer->name,
                 arena_printf(cli->arena, "%zu", observe_try_count(run)),
                 spacing_of(cli->arena, run), end_of(cli, run));
        if (str_is_set(run->text)) {
            rule_show_wrapped(cli, run->text, 6);
        }
    }
    buf_add_char(&cli->out, '\n');
}

void observe_show(const struct observation_of_client *seen)
{
    struct cli *cli = seen->plan->street->cli;
    const struct observe_plan *plan = seen->plan;
    if (str_is_set(plan->refusal)) {
        struct str reason =
            text_show(cli->arena, mask_text(cli->arena, &plan->street->mask, plan->refusal), 0);
        rule_show_wrapped(cli,
                          arena_printf(cli->arena, "%.*s: %s: %.*s", STR_ARG(plan->title),
                                       say(cli, "not observable", "无法观察"), STR_ARG(reason)),
                          0);
        return;
    }
    buf_printf(&cli->out, "%.*s · %s\n\n", STR_ARG(plan->title),
               plan->is_isolated
                   ? say(cli, "watched on loopback, in a network of its own",
                         "在本机回环上观察，处于独立的网络中")
                   : say(cli, "watched on loopback, other hosts refused by proxy variables",
                         "在本机回环上观察，其他主机由代理变量拒绝"));
    show_request(seen);
    show_runs(seen);
    for (size_t i = 0; i < seen->conclusion_count; i++) {
        rule_show_wrapped(cli, seen->conclusions[i], 2);
    }
    show_headers(seen);
}
