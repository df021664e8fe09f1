/* --help: made of the records of commands and options, so that it cannot disagree with what is
 * parsed. Fits 80 columns. */
#include "cli/help.h"

#define WIDTH 80
#define TEXT_AT 26 /* column where the explanation of an option begins */
#define COMMAND_TEXT_AT 14

static const struct exit_row exit_rows[] = {
    {EXIT_FINE, "everything asked for works (there may be warnings)"},
    {EXIT_OURS, "ours: configuration, key, account, quota or request; a person must act"},
    {EXIT_THEIRS, "theirs: capacity, rate limit, server or gateway error; retryable"},
    {EXIT_NETWORK, "the network between: DNS, TCP, TLS, proxy, timeout, filter"},
    {EXIT_USAGE, "wrong usage, or a file named on the command line cannot be read"},
    {EXIT_UNKNOWN, "could not tell, or nothing is configured to probe"},
};

const struct exit_row *help_exit_rows(size_t *count)
{
    *count = sizeof exit_rows / sizeof *exit_rows;
    return exit_rows;
}

/* Adds text word by word from column `at` on; further lines begin at `indent`. */
static void add_wrapped(struct buf *out, struct str text, size_t at, size_t indent)
{
    struct str word;
    bool is_first = true;
    while (str_split(&text, ' ', &word)) {
        if (!is_first && at + 1 + word.len > WIDTH) {
            buf_printf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (!is_first) {
            buf_add_char(out, ' ');
            at++;
        }
        buf_add(out, word);
        at += word.len;
        is_first = false;
    }
    buf_add_char(out, '\n');
}

/* "  left      text" with the text at a column; below, when left is too long. */
static void add_row(struct buf *out, struct str left, size_t text_at, struct str text)
{
    buf_printf(out, "  %.*s", STR_ARG(left));
    size_t at = left.len + 2;
    if (at + 2 > text_at) {
        buf_add_char(out, '\n');
        at = 0;
    }
    buf_printf(out, "%*s", (int)(text_at - at), "");
    add_wrapped(out, text, text_at, text_at);
}

/* "--output FILE" of a row. */
static struct str help_option_form(struct arena *arena, const struct opt *opt)
{
    if (!opt_has_argument(opt)) {
        return arena_printf(arena, "--%s", opt->name);
    }
    return opt->otherwise ? arena_printf(arena, "--%s[=%s]", opt->name, opt->argument)
                          : arena_printf(arena, "--%s %s", opt->name, opt->argument);
}

struct str help_choices(struct arena *arena, const struct opt *opt)
{
    struct str list = {NULL, 0}, choice;
    if (opt->kind != OPT_CHOICE || opt->stands_for) {
        return list;
    }
    for (size_t i = 0; str_is_set(choice = opt_choice_at(opt, i)); i++) {
        bool is_last = !str_is_set(opt_choice_at(opt, i + 1));
        list = arena_printf(arena, "%.*s%s%.*s", STR_ARG(list),
                            i == 0    ? ""
                            : is_last ? " or "
                                      : ", ",
                            STR_ARG(choice));
    }
    return list;
}

static void add_options(struct buf *out, const char *title, struct opt_table opts)
{
    struct arena *arena = arena_create();
    bool is_titled = false;
    for (size_t i = 0; i < opts.count; i++) {
        const struct opt *opt = &opts.rows[i];
        if (opt->is_hidden) {
            continue;
        }
        if (!is_titled) {
            buf_printf(out, "\n%s:\n", title);
            is_titled = true;
        }
        struct str form = help_option_form(arena, opt), choices = help_choices(arena, opt);
        struct str left = opt->letter ? arena_printf(arena, "-%c, %.*s", opt->letter, STR_ARG(form))
                                      : arena_printf(arena, "    %.*s", STR_ARG(form));
        struct str text = choices.len
                              ? arena_printf(arena, "%s (%.*s)", opt->help, STR_ARG(choices))
                              : str_from(opt->help);
        add_row(out, left, TEXT_AT, text);
    }
    arena_free(arena);
}

static void add_exit_codes(struct buf *out)
{
    buf_add(out, STR("\nExit codes:\n"));
    for (size_t i = 0; i < sizeof exit_rows / sizeof *exit_rows; i++) {
        buf_printf(out, "  %d  ", (int)exit_rows[i].code);
        add_wrapped(out, str_from(exit_rows[i].text), 5, 5);
    }
}

/* Paragraphs, parted by \n\n, each wrapped. */
static void add_details(struct buf *out, struct str text)
{
    ptrdiff_t end;
    do {
        end = str_find(text, STR("\n\n"));
        struct str paragraph = end < 0 ? text : str_slice(text, 0, (size_t)end);
        buf_add_char(out, '\n');
        add_wrapped(out, paragraph, 0, 0);
        text = str_slice(text, (size_t)end + 2, text.len);
    } while (end >= 0);
}

void help_write_command(const struct command *command, struct buf *out)
{
    const char *gap = *command->synopsis ? " " : "";
    buf_printf(out, "Usage: diagnose %s%s%s [OPTION]...\n", command->name, gap, command->synopsis);
    if (command->alias) {
        buf_printf(out, "       diagnose %s [OPTION]...\n", command->alias);
    }
    add_details(out, str_from(command->details));
    add_options(out, "Options", command->opts);
    add_options(out, "Options of every command", opt_common());
    add_exit_codes(out);
}

void help_write_overview(struct buf *out)
{
    buf_add(out, STR("Usage: diagnose [COMMAND] [OPTION]...\n\n"));
    add_wrapped(out,
                STR("Finds out why calls of LLM APIs fail: what is broken, whose fault it is, what "
                    "to do now and what is a waste of time."),
                0, 0);
    buf_add(out, STR("\nCommands:\n"));
    for (size_t i = 0; i < command_count(); i++) {
        add_row(out, str_from(command_at(i)->name), COMMAND_TEXT_AT,
                str_from(command_at(i)->summary));
    }
    buf_printf(out, "\nWithout a command it is diagnose %s; diagnose COMMAND --help tells more.\n",
               command_at(0)->name);
    add_options(out, "Options", command_at(0)->opts);
    add_options(out, "Options of every command", opt_common());
    add_exit_codes(out);
}

void help_write(struct cli *cli)
{
    if (cli->is_default) {
        help_write_overview(&cli->out);
    } else {
        help_write_command(cli->command, &cli->out);
    }
}
