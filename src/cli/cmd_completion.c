/* diagnose completion: the completion script of a shell, made of the records of commands and
 * options (completion.c). */
#include "cli/completion.h"
#include "cli/say.h"
#include "cli/suggest.h"

static int run(struct cli *cli)
{
    struct err err = {0};
    struct names names = {0};
    struct str word = cli->operand_count ? cli->operands[0] : (struct str){NULL, 0};
    for (size_t i = 0; i < completion_shell_count(); i++) {
        const struct completion_shell *shell = completion_shell_at(i);
        if (cli->operand_count == 1 && str_eq(str_from(shell->name), word)) {
            shell->write(&cli->out);
            return EXIT_FINE;
        }
        names_add(cli->arena, &names, str_from(shell->name));
    }
    struct str list = names_list(cli->arena, &names);
    if (cli->operand_count == 1) {
        struct str hint = suggest_nearest(cli->arena, &names, word);
        err_set(&err, ERR_USAGE, "completion takes one shell of %.*s, not \"%.*s\"%.*s",
                STR_ARG(list), STR_ARG(word), STR_ARG(hint));
    } else {
        err_set(&err, ERR_USAGE, "completion takes one shell of %.*s", STR_ARG(list));
    }
    return say_error(cli, &err);
}

const struct command command_completion = {
    .name = "completion",
    .summary = "print the completion script for a shell",
    .synopsis = "bash|zsh|fish",
    .details = "Prints a script that completes commands, options and their choices. For one "
               "session of bash: source <(diagnose completion bash). For zsh, put it as _diagnose "
               "into a directory of $fpath; for fish, as diagnose.fish into "
               "~/.config/fish/completions.",
    .run = run,
};
