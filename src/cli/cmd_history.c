/* diagnose history: the record of past requests shown, counted by the hour, handed on, taken over
 * from others, and cleared. */
#include "base/mask.h"
#include "base/moment.h"
#include "base/text.h"
#include "cli/action.h"
#include "cli/deliver.h"
#include "cli/history_part.h"
#include "cli/importer.h"
#include "cli/json.h"
#include "cli/memory.h"
#include "cli/say.h"
#include "cli/street.h"
#include "cli/suggest.h"
#include "report/layout.h"

#include <cJSON.h>

#define SHOWN_ROWS 50
#define MODEL_COLUMNS 28
#define DIAGNOSIS_COLUMNS 22

static const struct opt rows[] = {
    {.name = "since",
     .argument = "WHEN",
     .kind = OPT_TEXT,
     .member = offsetof(struct options, since),
     .help = "only requests since WHEN: 2h, 7d, 2026-11-29 or 2026-11-29T13:00:00Z"},
    {.name = "model",
     .argument = "MODEL",
     .kind = OPT_TEXT,
     .member = offsetof(struct options, model),
     .help = "only requests to this model"},
    {.name = "diagnosis",
     .argument = "ID",
     .kind = OPT_TEXT,
     .member = offsetof(struct options, diagnosis),
     .help = "only requests with this diagnosis"},
    {.name = "who",
     .argument = "LABEL",
     .kind = OPT_TEXT,
     .member = offsetof(struct options, who),
     .help = "only requests of this person; with import, whose record it is"},
};

/* "2h" and "7d" ago, or a moment. */
static bool read_since(const struct cli *cli, struct str text, int64_t *since_ms)
{
    int64_t now_ms = cli->env->wall_ms(cli->env->clock), ago_ms, days;
    if (str_ends(text, STR("d")) && str_to_i64(str_slice(text, 0, text.len - 1), &days) &&
        days >= 0 && days < 36500) {
        *since_ms = now_ms - days * DAY_MS;
        return true;
    }
    if (str_to_duration_ms(text, &ago_ms)) {
        *since_ms = now_ms - ago_ms;
        return true;
    }
    return moment_parse(text, env_utc_offset_s(cli->env, now_ms), since_ms);
}

/* ERR_USAGE when --diagnosis names none. */
static enum err_code check_diagnosis(struct cli *cli, struct err *err)
{
    struct street street = {0};
    struct names known = {0};
    struct str wanted = cli->options.diagnosis;
    enum err_code code = street_open(&street, cli, err);
    if (!code && !rules_diagnosis(street.rules, wanted)) {
        for (size_t i = 0; i < rules_diagnosis_count(street.rules); i++) {
            names_add(cli->arena, &known, rules_diagnosis_at(street.rules, i)->id);
        }
        struct str hint = suggest_nearest(cli->arena, &known, wanted);
        hint = hint.len ? hint : STR("; diagnose explain lists the ids");
        code =
            err_set(err, ERR_USAGE, "--diagnosis takes the id of a diagnosis; \"%.*s\" is none%.*s",
                    STR_ARG(wanted), STR_ARG(hint));
    }
    street_close(&street);
    return code;
}

static enum err_code filter_of(struct cli *cli, struct history_filter *filter, struct err *err)
{
    const struct options *options = &cli->options;
    *filter = history_filter_all();
    filter->model = options->model;
    filter->diagnosis = options->diagnosis;
    filter->who = options->who;
    if (str_is_set(options->since) && !read_since(cli, options->since, &filter->since_ms)) {
        return err_set(err, ERR_USAGE,
                       "--since takes a time span such as 2h or 7d, a date such as 2026-11-29, or "
                       "a moment such as 2026-11-29T13:00:00Z, not \"%.*s\"",
                       STR_ARG(options->since));
    }
    return str_is_set(options->diagnosis) ? check_diagnosis(cli, err) : ERR_OK;
}

typedef int history_action(struct cli *cli, struct history *history,
                           const struct history_filter *filter);

/* Opens the store for an action; without any store the action gets NULL. */
static int with_store(struct cli *cli, enum history_mode mode, history_action *act)
{
    struct err err = {0};
    struct history *history = NULL;
    struct history_filter filter;
    if (filter_of(cli, &filter, &err) || memory_open(cli, mode, &history, &err)) {
        return say_error(cli, &err);
    }
    int code = act(cli, history, &filter);
    history_close(history);
    return code;
}

/* Masks what has a key's shape: other programs can write into the store, too. */
static void hide_keys(struct cli *cli, struct arena *arena, struct record *record)
{
    for (size_t i = 0; i < record_member_count(); i++) {
        const struct record_member *member = record_member_at(i);
        if (member->kind == RECORD_TEXT) {
            struct str *text = record_text(record, member);
            *text = mask_text(arena, say_mask(cli), *text);
        }
    }
}

struct cJSON *history_record_json(struct cli *cli, struct arena *arena, const struct record *record)
{
    struct cJSON *object = cJSON_CreateObject();
    struct record copy = *record;
    hide_keys(cli, arena, &copy);
    json_text(arena, object, "at", moment_rfc3339(arena, record->at_ms));
    for (size_t i = 0; i < record_member_count(); i++) {
        const struct record_member *member = record_member_at(i);
        const char *name = member->name.ptr;
        if (str_eq(member->name, STR("at_ms"))) {
            continue;
        }
        if (member->kind == RECORD_TEXT && str_is_set(*record_text(&copy, member))) {
            json_text(arena, object, name, *record_text(&copy, member));
        } else if (member->kind == RECORD_NUMBER && *record_number(&copy, member) != -1) {
            json_number(object, name, *record_number(&copy, member));
        }
    }
    return object;
}

static void add_cell(struct cli *cli, struct str text, size_t columns)
{
    struct str shown = text_show(cli->arena, text.len ? text : STR("-"), columns);
    layout_pad(&cli->out, shown, columns + 2);
}

static void add_line(struct cli *cli, const struct record *record)
{
    int64_t offset_s = env_utc_offset_s(cli->env, record->at_ms);
    add_cell(cli, moment_text(cli->arena, record->at_ms, offset_s), 19);
    add_cell(cli, record->model, MODEL_COLUMNS);
    add_cell(cli, record->diagnosis, DIAGNOSIS_COLUMNS);
    if (record->status > 0) {
        buf_printf(&cli->out, "HTTP %lld  ", (long long)record->status);
    }
    buf_printf(&cli->out, "%.*s%s%.*s\n", STR_ARG(text_show(cli->arena, record->source, 40)),
               record->who.len ? " " : "", STR_ARG(text_show(cli->arena, record->who, 40)));
}

int history_say_none(struct cli *cli, const struct history_filter *filter)
{
    struct history_filter all = history_filter_all();
    bool is_filtered = filter->since_ms != all.since_ms || str_is_set(filter->model) ||
                       str_is_set(filter->diagnosis) || str_is_set(filter->who);
    buf_printf(&cli->out, "%s\n",
               is_filtered
                   ? say(cli, "No request on record is of that kind.", "没有符合条件的请求记录。")
                   : say(cli, "No request is on record.", "没有请求记录。"));
    return EXIT_FINE;
}

/* All rows as one document, written as they come: there may be any number of them. */
static int show_json(struct cli *cli, struct history *history, const struct history_filter *filter)
{
    struct err err = {0};
    struct history_rows *walk = NULL;
    struct record record;
    int exit_code = EXIT_FINE;
    if (history && history_rows_open(history, filter, 0, &walk, &err)) {
        return say_error(cli, &err);
    }
    struct arena *arena = arena_create(); /* of one row */
    struct json_writer writer = json_open(cli);
    json_write_open(&writer, "rows", '[');
    while (history && history_rows_next(walk, &record, &err)) {
        struct cJSON *row = history_record_json(cli, arena, &record);
        json_write_tree(&writer, NULL, row);
        cJSON_Delete(row);
        arena_reset(arena);
        deliver_part(cli);
    }
    json_write_close(&writer, ']');
    history_rows_close(walk);
    arena_free(arena);
    if (err.code) {
        cli->is_json = false; /* the document is under way: it has the exit code */
        exit_code = say_error(cli, &err);
    }
    return json_close(cli, &writer, exit_code);
}

static int show(struct cli *cli, struct history *history, const struct history_filter *filter)
{
    struct err err = {0};
    struct history_rows *walk = NULL;
    struct record record;
    size_t count = 0;
    if (!cli->is_human) {
        return show_json(cli, history, filter);
    }
    if (history && history_rows_open(history, filter, SHOWN_ROWS, &walk, &err)) {
        return say_error(cli, &err);
    }
    while (history && history_rows_next(walk, &record, &err)) {
        count++;
        hide_keys(cli, cli->arena, &record);
        add_line(cli, &record);
    }
    history_rows_close(walk);
    if (err.code) {
        return say_error(cli, &err);
    }
    if (count == SHOWN_ROWS) {
        say_remark(cli, "%s",
                   say(cli, "the newest 50; --since shows less, history export all",
                       "仅显示最新 50 条；用 --since 缩小范围，history export 导出全部"));
    }
    return count ? EXIT_FINE : history_say_none(cli, filter);
}

static int clear(struct cli *cli, struct history *history, const struct history_filter *filter)
{
    struct err err = {0};
    size_t removed = 0;
    if (history && history_clear(history, filter, &removed, &err)) {
        return say_error(cli, &err);
    }
    if (cli->is_human) {
        buf_add(&cli->out,
                say_with(cli, "requests removed: %zu\n", "已删除请求记录：%zu 条\n", removed));
        return EXIT_FINE;
    }
    struct cJSON *root = json_begin(cli);
    json_number(root, "removed", (int64_t)removed);
    return json_end(cli, root, EXIT_FINE);
}

static int run_show(void *context, const struct str *operands, size_t count)
{
    (void)operands, (void)count;
    return with_store(context, HISTORY_READ, show);
}

static int run_hours(void *context, const struct str *operands, size_t count)
{
    (void)operands, (void)count;
    return with_store(context, HISTORY_READ, history_show_hours);
}

static int run_export(void *context, const struct str *operands, size_t count)
{
    (void)operands, (void)count;
    return with_store(context, HISTORY_READ, history_write_lines);
}

static int run_clear(void *context, const struct str *operands, size_t count)
{
    (void)operands, (void)count;
    return with_store(context, HISTORY_READ, clear);
}

static int run_import(void *context, const struct str *operands, size_t count)
{
    return history_read_lines(context, operands, count);
}

static const struct action actions[] = {
    {.name = "show", .synopsis = "", .run = run_show},
    {.name = "hours", .synopsis = "", .run = run_hours},
    {.name = "export", .synopsis = "", .run = run_export},
    {.name = "import",
     .synopsis = "FILE...",
     .operands_min = 1,
     .operands_max = SIZE_MAX,
     .run = run_import},
    {.name = "clear", .synopsis = "", .run = run_clear},
};

static int run(struct cli *cli)
{
    const struct action *action = action_find(cli, actions, sizeof actions / sizeof actions[0]);
    return action ? action_run(action, cli, cli) : EXIT_USAGE;
}

/* Behind import. */
static void write_words(const struct rules *rules, struct buf *out)
{
    (void)rules;
    for (size_t i = 0; i < importer_count(); i++) {
        buf_printf(out, "%s ", importer_at(i)->client);
    }
}

const struct command command_history = {
    .name = "history",
    .summary = "show what past requests met, and when",
    .synopsis = "[show|hours|export|import FILE...|clear]",
    .details =
        "Every probe, verify, check and pick adds one row for each of its requests: time, model, "
        "diagnosis and "
        "how long it took, never a key, a header or a body. Rows are kept for 90 days, or "
        "keep_days under [history] of the own configuration, in "
        "$XDG_STATE_HOME/diagnose/history.db, readable by their owner only.\n\n"
        "show prints the newest rows. hours prints how many requests failed at each hour of each "
        "weekday. export writes all rows as JSON lines, and import adds those of such a FILE, or "
        "of - for standard input: rows that are there already are left out, and --who names whose "
        "they are. Of any other FILE import takes the failures as classify finds them in a log, "
        "each at its own time or, without one, at that of the entry before it. import codex takes "
        "what Codex recorded itself below CODEX_HOME: "
        "every turn that "
        "ended, with its model, its error and the size of its context. clear removes all rows, or "
        "those that --since, --model, --diagnosis and --who choose.",
    .opts = {rows, sizeof rows / sizeof *rows},
    .write_words = write_words,
    .run = run,
};
