/* The front door: finds the command word in argv, parses the options with that command's rows, sets
 * language and style by options and environment, runs the command and writes its result out, to
 * standard output and files (deliver.c). Knows no command by name but the default one. */
#include "cli/cli.h"

#include "cli/deliver.h"
#include "cli/help.h"
#include "cli/say.h"
#include "cli/suggest.h"

#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define COLUMNS_MIN 40
#define COLUMNS_MAX 160

#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.def"
#undef COMMAND

static const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.def"
#undef COMMAND
};

size_t command_count(void)
{
    return sizeof commands / sizeof commands[0];
}

const struct command *command_at(size_t i)
{
    return commands[i];
}

const struct command *command_find(struct str name)
{
    for (size_t i = 0; i < command_count(); i++) {
        if (str_eq(str_from(commands[i]->name), name) ||
            (commands[i]->alias && str_eq(str_from(commands[i]->alias), name))) {
            return commands[i];
        }
    }
    return NULL;
}

/* The row of an option of any command, so that the search for the command word can step over the
 * arguments of options before it. */
static const struct opt *find_anywhere(struct str word)
{
    bool is_long = str_starts(word, STR("--"));
    struct str rest = str_slice(word, 2, word.len), name = {NULL, 0};
    str_split(&rest, '=', &name);
    const struct opt *opt = is_long ? opt_find(opt_common(), name)
                                    : opt_find_letter(opt_common(), word.ptr[word.len - 1]);
    for (size_t i = 0; !opt && i < command_count(); i++) {
        opt = is_long ? opt_find(commands[i]->opts, name)
                      : opt_find_letter(commands[i]->opts, word.ptr[word.len - 1]);
    }
    return opt;
}

/* Index in argv of the command word, or 0 when there is none. */
static int find_command_word(int argc, char *const *argv)
{
    for (int i = 1; i < argc; i++) {
        struct str word = str_from(argv[i]);
        if (word.len < 2 || word.ptr[0] != '-') {
            return i;
        }
        const struct opt *opt = str_eq(word, STR("--")) ? NULL : find_anywhere(word);
        if (!opt) {
            return 0;
        }
        if (opt->kind == OPT_REST) {
            return 0; /* what follows is another command's line */
        }
        if (opt_takes_word(opt) && str_find_char(word, '=') < 0) {
            i++;
        }
    }
    return 0;
}

/* A file in the place of a command: the line for the command that reads it, or unset. */
static struct str line_for_file(struct arena *arena, struct str word)
{
    struct stat file;
    const char *path = arena_cstr(arena, word);
    for (size_t i = 0; i < command_count() && stat(path, &file) == 0; i++) {
        if (commands[i]->takes_evidence && !S_ISDIR(file.st_mode)) {
            return arena_printf(arena, "diagnose %s %s", commands[i]->name, path);
        }
    }
    return (struct str){NULL, 0};
}

static enum err_code refuse_command(struct arena *arena, struct str word, struct err *err)
{
    struct names names = {0};
    struct str line = line_for_file(arena, word);
    if (str_is_set(line)) {
        return err_set(err, ERR_USAGE, "%.*s is a file: %.*s", STR_ARG(word), STR_ARG(line));
    }
    for (size_t i = 0; i < command_count(); i++) {
        names_add(arena, &names, str_from(commands[i]->name));
    }
    struct str hint = suggest_nearest(arena, &names, word);
    if (hint.len == 0) {
        hint = arena_printf(arena,
                            "; diagnose --help lists the commands, and diagnose %s %.*s is "
                            "how to name a target",
                            commands[0]->name, STR_ARG(word));
    }
    return err_set(err, ERR_USAGE, "unknown command \"%.*s\"%.*s", STR_ARG(word), STR_ARG(hint));
}

/* An option that exists, but belongs to other commands, deserves a better word than "unknown". */
static enum err_code refuse_misplaced(const struct cli *cli, int argc, char *const *argv,
                                      struct err *err)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        struct str word = str_from(argv[i]), name = {NULL, 0};
        struct str rest = str_slice(word, 2, word.len);
        str_split(&rest, '=', &name);
        if (!str_starts(word, STR("--")) || opt_find(opt_common(), name) ||
            opt_find(cli->command->opts, name)) {
            continue;
        }
        for (size_t j = 0; j < command_count(); j++) {
            const struct opt *opt = opt_find(commands[j]->opts, name);
            if (opt && !opt->is_hidden) {
                return err_set(err, ERR_USAGE, "--%s is an option of diagnose %s, not of %s",
                               opt->name, commands[j]->name, cli->command->name);
            }
        }
    }
    return ERR_OK;
}

static enum err_code check_format(const struct cli *cli, struct err *err)
{
    struct str format = cli->options.format;
    if (cli->command->prints_report) {
        return ERR_OK;
    }
    if (cli->options.outputs.count) {
        return err_set(err, ERR_USAGE,
                       "diagnose %s prints no report, so --format takes no FILE; --output does",
                       cli->command->name);
    }
    if (!str_is_set(format) || str_eq(format, STR("human")) || str_eq(format, STR("json"))) {
        return ERR_OK;
    }
    return err_set(err, ERR_USAGE, "diagnose %s prints human or json, not %.*s", cli->command->name,
                   STR_ARG(format));
}

static enum err_code read_words(struct cli *cli, int argc, char *const *argv, struct err *err)
{
    int word = find_command_word(argc, argv);
    cli->is_default = word == 0;
    cli->command = word ? command_find(str_from(argv[word])) : commands[0];
    if (!cli->command) {
        return refuse_command(cli->arena, str_from(argv[word]), err);
    }
    enum err_code code = refuse_misplaced(cli, argc, argv, err);
    if (code) {
        return code;
    }
    struct opt_table tables[] = {cli->command->opts, opt_common()};
    code = opt_parse(cli->arena, tables, 2, argc, argv, word, &cli->options, &cli->operands,
                     &cli->operand_count, err);
    return code ? code : check_format(cli, err);
}

/* The form that a command line which could not be read asks for: its complaint takes it as well. */
static struct str format_asked_for(int argc, char *const *argv)
{
    struct str format = STR("human");
    for (int i = 1; i < argc; i++) {
        struct str word = str_from(argv[i]), next = str_from(i + 1 < argc ? argv[i + 1] : NULL);
        struct str named = str_eq(word, STR("--json"))          ? STR("json")
                           : str_eq(word, STR("--format"))      ? next
                           : str_starts(word, STR("--format=")) ? str_slice(word, 9, word.len)
                                                                : STR("");
        const struct report_format *known = report_format_find(named);
        format = known ? known->name : format;
    }
    return format;
}

/* The first of the three locale variables that decides for a category. */
static struct str locale_of(const struct env *env, const char *category)
{
    const char *const names[] = {"LC_ALL", category, "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str value = env_get(env, names[i]);
        if (value.len) {
            return value;
        }
    }
    return STR("C");
}

static bool is_terminal(FILE *stream)
{
    int fd = fileno(stream);
    return fd >= 0 && isatty(fd);
}

static unsigned width_of(const struct cli *cli)
{
    int64_t columns = 0;
    struct winsize size = {0};
    int fd = fileno(cli->streams.out);
    if (!str_to_i64(env_get(cli->env, "COLUMNS"), &columns) || columns <= 0) {
        bool is_known = fd >= 0 && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
        columns = is_known ? size.ws_col : 80;
    }
    columns = columns < COLUMNS_MIN ? COLUMNS_MIN : columns;
    return (unsigned)(columns > COLUMNS_MAX ? COLUMNS_MAX : columns);
}

static bool wants_color(const struct cli *cli)
{
    struct str when = cli->options.color;
    if (str_eq(when, STR("always")) || str_eq(when, STR("never"))) {
        return str_eq(when, STR("always"));
    }
    return is_terminal(cli->streams.out) && !str_is_set(cli->options.output) &&
           env_get(cli->env, "NO_COLOR").len == 0 &&
           !str_eq(env_get(cli->env, "TERM"), STR("dumb"));
}

/* What options and environment say about the form of the result. */
static void set_style(struct cli *cli)
{
    struct str lang = cli->options.lang, format = cli->options.format;
    if (!lang.len) {
        lang = locale_of(cli->env, "LC_MESSAGES");
    }
    struct str charset = locale_of(cli->env, "LC_CTYPE");
    bool is_utf8 = str_ifind(charset, STR("utf-8")) >= 0 || str_ifind(charset, STR("utf8")) >= 0;
    cli->lang = str_istarts(lang, STR("zh")) ? LANG_ZH : LANG_EN;
    deliver_set_format(cli, format.len ? format : STR("human"));
    cli->style = (struct report_style){
        .has_color = wants_color(cli),
        .is_ascii = cli->options.is_ascii || !is_utf8,
        .columns = width_of(cli),
        .is_verbose = cli->options.is_verbose,
        .is_quiet = cli->options.is_quiet,
    };
}

static int run_command(struct cli *cli, struct err *err)
{
    if (deliver_check(cli, err)) { /* before anything is paid for */
        cli->is_json = cli->is_json && deliver_is_on_stdout(cli);
        return say_error(cli, err);
    }
    if (cli->options.wants_version) {
        help_write_version(&cli->out);
        return EXIT_FINE;
    }
    if (cli->options.wants_help) {
        help_write(cli);
        return EXIT_FINE;
    }
    return cli->command->run(cli);
}

int cli_main(const struct env *env, struct streams streams, int argc, char *const *argv)
{
    struct err err = {0};
    struct cli cli = {
        .arena = arena_create(),
        .env = env,
        .streams = streams,
        .options = options_create(),
        .out = buf_create(REPORT_BYTES_MAX),
    };
    enum err_code code = read_words(&cli, argc, argv, &err);
    if (code) {
        cli.options.format = format_asked_for(argc, argv);
    }
    set_style(&cli);
    int exit_code = code ? say_error(&cli, &err) : run_command(&cli, &err);
    if (deliver(&cli, &err)) {
        cli.is_json = false; /* there is nowhere left to write it to */
        exit_code = say_error(&cli, &err);
    }
    deliver_free(&cli);
    arena_free(cli.arena);
    return exit_code;
}
