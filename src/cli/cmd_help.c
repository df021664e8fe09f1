/* diagnose help: the overview, or the help of one command. */
#include "cli/help.h"
#include "cli/say.h"
#include "cli/suggest.h"

static const struct opt rows[] = {
    {.name = "mdoc",
     .kind = OPT_FLAG,
     .member = offsetof(struct options, wants_mdoc),
     .is_hidden = true,
     .help = "print the generated part of the manual page"},
};

static int run(struct cli *cli)
{
    struct err err = {0};
    struct names names = {0};
    if (cli->options.wants_mdoc) {
        help_write_mdoc(cli->arena, &cli->out);
        return EXIT_FINE;
    }
    if (cli->operand_count == 0) {
        help_write_overview(&cli->out);
        return EXIT_FINE;
    }
    const struct command *command = command_find(cli->operands[0]);
    if (command && cli->operand_count == 1) {
        help_write_command(command, &cli->out);
        return EXIT_FINE;
    }
    for (size_t i = 0; i < command_count(); i++) {
        names_add(cli->arena, &names, str_from(command_at(i)->name));
    }
    struct str hint = suggest_nearest(cli->arena, &names, cli->operands[0]);
    err_set(&err, ERR_USAGE, "help takes one command of %.*s, not \"%.*s\"%.*s",
            STR_ARG(names_list(cli->arena, &names)), STR_ARG(cli->operands[0]), STR_ARG(hint));
    return say_error(cli, &err);
}

static void write_words(const struct rules *rules, struct buf *out)
{
    (void)rules;
    for (size_t i = 0; i < command_count(); i++) {
        buf_printf(out, "%s ", command_at(i)->name);
    }
}

const struct command command_help = {
    .name = "help",
    .summary = "show help on all, or on one command",
    .synopsis = "[COMMAND]",
    .details = "Prints what diagnose --help or diagnose COMMAND --help prints.",
    .opts = {rows, sizeof rows / sizeof *rows},
    .write_words = write_words,
    .run = run,
};
