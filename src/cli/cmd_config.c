/* diagnose config: every setting in force, where it was said and what it hides. Sends nothing. */
#include "base/text.h"
#include "cli/deliver.h"
#include "cli/json.h"
#include "cli/say.h"
#include "cli/street.h"

static const struct opt rows[] = {
    {.name = "all",
     .kind = OPT_FLAG,
     .member = offsetof(struct options, wants_all),
     .help = "also what is there and has no effect"},
    {.name = "key",
     .argument = "KEY",
     .kind = OPT_TEXT,
     .member = offsetof(struct options, key),
     .help = "only the setting KEY, or those of the table KEY"},
    {.name = "model",
     .argument = "MODEL",
     .kind = OPT_TEXT,
     .member = offsetof(struct options, model),
     .help = "show the settings as they are with diagnose probe --model MODEL"},
};

/* Fit to be shown: without keys and control characters. */
static struct str shown(const struct street *street, struct str text)
{
    struct arena *arena = street->cli->arena;
    return text_show(arena, mask_text(arena, &street->mask, text), 0);
}

static bool is_listed(const struct problems *all, const struct problem *problem)
{
    const struct origin *place = &problem->origin;
    for (size_t i = 0; i < all->count; i++) {
        const struct problem *other = &all->items[i];
        if (other->origin.kind == place->kind && other->origin.line == place->line &&
            other->origin.column == place->column && str_eq(other->origin.name, place->name) &&
            str_eq(other->code, problem->code) && str_eq(other->message, problem->message)) {
            return true;
        }
    }
    return false;
}

/* The problems of all targets behind those of files, in one list, each once. */
static struct problems all_problems(struct street *street)
{
    struct arena *arena = street->cli->arena;
    struct problems all = {0};
    for (size_t i = 0; i < street->problems.count; i++) {
        problems_add(arena, &all, street->problems.items[i]);
    }
    for (size_t i = 0; i < street->target_count; i++) {
        const struct problems *problems = &street->targets[i]->problems;
        for (size_t j = 0; j < problems->count; j++) {
            if (!is_listed(&all, &problems->items[j])) {
                problems_add(arena, &all, problems->items[j]);
            }
        }
    }
    return all;
}

/* --key names this setting, or a table that it belongs to. */
static bool is_asked_for(const struct street *street, const struct setting *setting)
{
    struct str key = street->cli->options.key;
    bool is_of_table = str_starts(setting->key, key) && setting->key.len > key.len &&
                       setting->key.ptr[key.len] == '.';
    return !str_is_set(key) || str_eq(setting->key, key) || is_of_table;
}

static void add_setting_json(const struct street *street, const struct setting *setting,
                             struct cJSON *item)
{
    struct arena *arena = street->cli->arena;
    json_text(arena, item, "client", setting->client);
    json_text(arena, item, "key", shown(street, setting->key));
    json_text(arena, item, "value", shown(street, setting->value));
    json_text(arena, item, "layer", setting->layer);
    json_text(arena, item, "origin", setting->origin);
    json_bool(item, "in_force", !setting->is_unread);
    struct cJSON *shadows = json_array(item, "shadows");
    for (size_t i = 0; i < setting->shadow_count; i++) {
        json_text_element(arena, shadows, shown(street, setting->shadows[i]));
    }
}

static int show_json(struct street *street, const struct problems *problems, int exit_code)
{
    struct arena *arena = street->cli->arena;
    const struct config *config = &street->config;
    struct cJSON *root = json_begin(street->cli);
    struct cJSON *settings = json_array(root, "settings"), *files = json_array(root, "files");
    for (size_t i = 0; i < config->setting_count; i++) {
        if (is_asked_for(street, &config->settings[i])) {
            add_setting_json(street, &config->settings[i], json_element(settings));
        }
    }
    for (size_t i = 0; i < config->file_count; i++) {
        struct cJSON *item = json_element(files);
        json_text(arena, item, "path", config->files[i].path);
        json_text(arena, item, "status", config_file_status_name(config->files[i].status));
        json_text(arena, item, "reason", config->files[i].reason);
    }
    struct cJSON *array = json_array(root, "problems");
    for (size_t i = 0; i < problems->count; i++) {
        const struct problem *problem = &problems->items[i];
        struct cJSON *item = json_element(array);
        json_text(arena, item, "code", problem->code);
        json_text(arena, item, "severity",
                  severity_name(problem->is_warning ? SEVERITY_WARNING : SEVERITY_ERROR));
        json_text(arena, item, "origin", origin_text(arena, problem->origin));
        json_text(arena, item, "message", shown(street, problem->message));
        json_text(arena, item, "suggestion", problem->suggestion);
    }
    return json_end(street->cli, root, exit_code);
}

static void show_files(struct street *street)
{
    struct buf *out = &street->cli->out;
    for (size_t i = 0; i < street->config.file_count; i++) {
        const struct config_file *file = &street->config.files[i];
        buf_printf(out, "%-8.*s %.*s%s%.*s\n", STR_ARG(config_file_status_name(file->status)),
                   STR_ARG(shown(street, file->path)), file->reason.len ? ": " : "",
                   STR_ARG(shown(street, file->reason)));
    }
}

static void show_setting(struct street *street, const struct setting *setting)
{
    struct buf *out = &street->cli->out;
    buf_printf(out, "  %.*s = %.*s\n", STR_ARG(shown(street, setting->key)),
               STR_ARG(shown(street, setting->value)));
    buf_printf(out, "      %.*s%s(%.*s)%s\n", STR_ARG(shown(street, setting->origin)),
               setting->origin.len ? " " : "", STR_ARG(setting->layer),
               setting->is_unread ? say(street->cli, ", has no effect", "，不生效") : "");
    for (size_t j = 0; j < setting->shadow_count; j++) {
        buf_printf(out, "      %s %.*s\n", say(street->cli, "hides", "遮蔽了"),
                   STR_ARG(shown(street, setting->shadows[j])));
    }
}

static void show_settings(struct street *street)
{
    struct buf *out = &street->cli->out;
    struct str client = {NULL, 0};
    bool is_any = false;
    for (size_t i = 0; i < street->config.setting_count; i++) {
        const struct setting *setting = &street->config.settings[i];
        if (!is_asked_for(street, setting)) {
            continue;
        }
        is_any = true;
        if (!str_eq(client, setting->client)) {
            client = setting->client;
            buf_printf(out, "\n%.*s\n", STR_ARG(client));
        }
        show_setting(street, setting);
    }
    if (!is_any) {
        buf_printf(out, "%s\n", say(street->cli, "No setting is in force.", "没有生效的设置。"));
    }
}

static void show_problems(struct street *street, const struct problems *problems)
{
    struct buf *out = &street->cli->out;
    if (problems->count) {
        buf_add_char(out, '\n');
    }
    for (size_t i = 0; i < problems->count; i++) {
        const struct problem *problem = &problems->items[i];
        struct str place = origin_text(street->cli->arena, problem->origin);
        buf_printf(out, "%s: %.*s%s%.*s\n", problem->is_warning ? "warning" : "error",
                   STR_ARG(shown(street, place)), place.len ? ": " : "",
                   STR_ARG(shown(street, problem->message)));
        if (problem->suggestion.len) {
            buf_printf(out, "    %.*s\n", STR_ARG(shown(street, problem->suggestion)));
        }
    }
}

/* What one call of show works on. */
struct shown {
    struct street *street;
    const struct problems *problems;
    int exit_code;
};

static int show(void *context)
{
    const struct shown *shown = context;
    struct street *street = shown->street;
    if (street->cli->is_json) {
        return show_json(street, shown->problems, shown->exit_code);
    }
    if (!street->cli->is_human) {
        return street_print(street);
    }
    bool is_one_key = str_is_set(street->cli->options.key);
    if (!is_one_key) {
        show_files(street);
    }
    show_settings(street);
    if (!is_one_key) {
        show_problems(street, shown->problems);
    }
    return shown->exit_code;
}

/* For formats that take reports: the problems, and no target. */
static void judge(struct street *street, int exit_code)
{
    struct cli *cli = street->cli;
    struct report *report = &street->report;
    street_judge(street, NULL, 0);
    report->exit_code = exit_code;
    report->blame = exit_code == EXIT_FINE ? BLAME_NONE : BLAME_OURS;
    size_t settings = street->config.setting_count, problems = report->config_finding_count;
    report->summary =
        cli->lang == LANG_ZH
            ? arena_printf(cli->arena, "%zu 项设置生效，%zu 个问题。", settings, problems)
            : arena_printf(cli->arena, "%zu settings in force, %zu problem%s.", settings, problems,
                           problems == 1 ? "" : "s");
}

static int judge_and_show(struct street *street)
{
    struct problems problems = all_problems(street);
    int exit_code = EXIT_FINE;
    for (size_t i = 0; i < problems.count; i++) {
        exit_code = problems.items[i].is_warning ? exit_code : EXIT_OURS;
    }
    street->problems = problems;
    judge(street, exit_code);
    struct shown shown = {street, &problems, exit_code};
    return deliver_all(street->cli, show, &shown);
}

static int run(struct cli *cli)
{
    struct err err = {0};
    struct street street = {.is_offline = true};
    int code = EXIT_FINE;
    if (street_open(&street, cli, &err)) {
        code = say_error(cli, &err);
    } else if (street_configure(&street, &err)) {
        code = say_error_of_file(cli, &err, &street.config.problems);
    } else {
        code = judge_and_show(&street);
    }
    street_close(&street);
    return code;
}

const struct command command_config = {
    .name = "config",
    .summary = "print every setting in force, where it was said and what it hides",
    .synopsis = "[-- codex ARGUMENT...]",
    .details = "Prints the files that were looked for, every setting with its value and origin, "
               "the values that it hides, and what is wrong with them. Keys appear as fingerprints "
               "only. Nothing is sent. Of Codex every key of its files is listed; with --all also "
               "those that "
               "have no effect.\n\n"
               "Behind -- stands a command line of the client, as in diagnose config -- codex exec "
               "-m MODEL: the settings are then those of exactly that line.\n\n"
               "The exit code is 1 when something is wrong that prevents a probe, else 0.",
    .opts = {rows, sizeof rows / sizeof *rows},
    .prints_report = true,
    .takes_command_line = true,
    .lists_settings = true,
    .run = run,
};
