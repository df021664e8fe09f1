/* What goes to standard error: errors, problems of files with a caret, remarks. Takes text of any
 * origin and makes it fit for a terminal. */
#include "cli/say.h"

#include "base/mask.h"
#include "base/text.h"
#include "cli/deliver.h"
#include "cli/json.h"
#include "rules/rules.h"
#include "triage/words.h"

#include <stdarg.h>

#define REMARK_BYTES_MAX 4096

const char *say(const struct cli *cli, const char *english, const char *chinese)
{
    return cli->lang == LANG_ZH ? chinese : english;
}

struct str say_with(struct cli *cli, const char *english, const char *chinese, ...)
{
    va_list arguments;
    va_start(arguments, chinese);
    struct str text = words_format(cli->arena, say(cli, english, chinese), arguments);
    va_end(arguments);
    return text;
}

static const struct str *copies_of(struct cli *cli, const struct str *texts, size_t count)
{
    struct str *copies = ARENA_ARRAY(cli->arena, count + 1, struct str);
    for (size_t i = 0; i < count; i++) {
        copies[i] = arena_dup(cli->arena, texts[i]);
    }
    return copies;
}

void say_keep_key_shapes(struct cli *cli, const struct rules *rules)
{
    struct mask *kept = ARENA_NEW(cli->arena, struct mask);
    kept->key_prefixes = rules_key_prefixes(rules, &kept->prefix_count);
    kept->key_prefixes = copies_of(cli, kept->key_prefixes, kept->prefix_count);
    kept->key_shapes = rules_key_shapes(rules, &kept->shape_count);
    kept->key_shapes = copies_of(cli, kept->key_shapes, kept->shape_count);
    cli->key_shapes = kept;
}

/* Errors quote the command line, where a key may have been pasted; the first ones come before any
 * table is open, so the shapes of keys are fetched here, once a run. */
const struct mask *say_mask(struct cli *cli)
{
    struct rules *rules = NULL;
    struct problems ignored = {0};
    static const struct mask none = {0};
    if (!cli->key_shapes &&
        rules_open_brief((struct str){NULL, 0}, &ignored, cli->arena, &rules, NULL) == ERR_OK) {
        say_keep_key_shapes(cli, rules);
        rules_close(rules);
    }
    return cli->key_shapes ? cli->key_shapes : &none;
}

struct str say_without_keys(struct cli *cli, struct str text)
{
    return mask_text(cli->arena, say_mask(cli), text);
}

void say_hide_keys(struct cli *cli, const struct mask *mask)
{
    struct str said = buf_str(&cli->out), told = mask_text(cli->arena, mask, said);
    if (told.ptr != said.ptr) {
        cli->out.len = 0;
        buf_add(&cli->out, told);
    }
}

static void add_error_json(struct cli *cli, const struct err *err, int exit_code)
{
    struct cJSON *root = json_begin(cli);
    struct cJSON *error = json_object(root, "error");
    json_text(cli->arena, error, "message", say_without_keys(cli, str_from(err->text)));
    struct str file = err->file[0] ? str_from(err->file) : (struct str){NULL, 0};
    json_text(cli->arena, error, "file", say_without_keys(cli, file));
    json_number(error, "line", err->line);
    json_number(error, "column", err->column);
    buf_free(&cli->out);
    json_end(cli, root, exit_code);
}

static int exit_code_of(struct cli *cli, const struct err *err)
{
    int exit_code = err->code == ERR_SYSTEM ? EXIT_UNKNOWN : EXIT_USAGE;
    const struct report_format *format = report_format_find(cli->options.format);
    if (cli->is_json) {
        add_error_json(cli, err, exit_code);
    } else if (format && format->render_error && deliver_is_on_stdout(cli)) {
        buf_free(&cli->out);
        struct str message = text_show(cli->arena, say_without_keys(cli, str_from(err->text)), 0);
        exit_code = format->render_error(cli->arena, message, &cli->out);
    }
    return exit_code;
}

int say_error(struct cli *cli, const struct err *err)
{
    struct str said = str_from(err->text);
    if (err->file[0] && err->line) {
        said =
            arena_printf(cli->arena, "%s:%u:%u: %s", err->file, err->line, err->column, err->text);
    } else if (err->file[0]) {
        said = arena_printf(cli->arena, "%s: %s", err->file, err->text);
    }
    fprintf(cli->streams.errors, "diagnose: %.*s\n",
            STR_ARG(text_show(cli->arena, say_without_keys(cli, said), 0)));
    return exit_code_of(cli, err);
}

/* The line and "^" below the place, where that lies inside what is shown of the line. */
static void say_line(struct cli *cli, const struct problem *problem)
{
    struct str line = problem->line_text;
    unsigned first = problem->line_text_column, place = problem->origin.column;
    unsigned column = first && place >= first ? place - first + 1 : 0;
    struct str told = say_without_keys(cli, line);
    struct str shown = text_show(cli->arena, told, 0);
    column = told.ptr == line.ptr ? column : 0; /* what was hidden moves the place */
    fprintf(cli->streams.errors, "    %.*s\n", STR_ARG(shown));
    size_t at = 0;
    uint32_t code_point = 0;
    unsigned reached = 1;
    for (; reached < column && at < line.len; reached++) {
        size_t length = utf8_decode(line, at, &code_point);
        at += length ? length : 1;
    }
    if (column == 0 || reached < column) {
        return;
    }
    /* A mark behind the part keeps the blanks at its end, which would else be cut. */
    struct str before = arena_printf(cli->arena, "%.*s|", STR_ARG(str_slice(line, 0, at)));
    size_t columns = text_columns(text_show(cli->arena, before, 0)) - 1;
    fprintf(cli->streams.errors, "    %*s^\n", (int)columns, "");
}

/* Prints "FILE:LINE:COL: message", the line and a caret below the place when they are known. */
static void say_problem(struct cli *cli, const struct problem *problem)
{
    struct str place = origin_text(cli->arena, problem->origin);
    struct str suggestion = say_without_keys(cli, problem->suggestion);
    if (str_starts(problem->message, place)) { /* the message names the file itself */
        place = (struct str){NULL, 0};
    }
    fprintf(cli->streams.errors, "%.*s%s%.*s\n",
            STR_ARG(text_show(cli->arena, say_without_keys(cli, place), 0)), place.len ? ": " : "",
            STR_ARG(text_show(cli->arena, say_without_keys(cli, problem->message), 0)));
    if (problem->line_text.len) {
        say_line(cli, problem);
    }
    if (suggestion.len) {
        fprintf(cli->streams.errors, "    %.*s\n", STR_ARG(text_show(cli->arena, suggestion, 0)));
    }
}

void say_problems(struct cli *cli, const struct problems *problems)
{
    for (size_t i = 0; i < problems->count; i++) {
        fputs("diagnose: ", cli->streams.errors);
        say_problem(cli, &problems->items[i]);
    }
}

int say_error_of_file(struct cli *cli, const struct err *err, const struct problems *problems)
{
    say_problems(cli, problems);
    return problems->count ? exit_code_of(cli, err) : say_error(cli, err);
}

void say_remark(struct cli *cli, const char *format, ...)
{
    if (cli->options.is_quiet) {
        return;
    }
    char text[REMARK_BYTES_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    struct str told = say_without_keys(cli, str_from(text));
    fprintf(cli->streams.errors, "%.*s\n", STR_ARG(text_show(cli->arena, told, 0)));
}
