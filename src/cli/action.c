/* Choice among the actions of a command by its first operand. */
#include "cli/action.h"

#include "cli/say.h"
#include "cli/suggest.h"

static void refuse_word(struct cli *cli, const struct action *actions, size_t count)
{
    struct err err = {0};
    struct names names = {0};
    for (size_t i = 0; i < count; i++) {
        names_add(cli->arena, &names, str_from(actions[i].name));
    }
    struct str list = names_list(cli->arena, &names);
    err_set(&err, ERR_USAGE, "%s takes one of %.*s, not \"%.*s\"%.*s", cli->command->name,
            STR_ARG(list), STR_ARG(cli->operands[0]),
            STR_ARG(suggest_nearest(cli->arena, &names, cli->operands[0])));
    say_error(cli, &err);
}

static void refuse_count(struct cli *cli, const struct action *action)
{
    struct err err = {0};
    bool is_bare = action->operands_max == 0;
    err_set(&err, ERR_USAGE, "%s %s takes %s: diagnose %s %s%s%s", cli->command->name, action->name,
            is_bare                     ? "no operand"
            : action->operands_max == 1 ? "one operand"
                                        : "operands",
            cli->command->name, action->name, is_bare ? "" : " ", action->synopsis);
    say_error(cli, &err);
}

const struct action *action_find(struct cli *cli, const struct action *actions, size_t count)
{
    struct str word = cli->operand_count ? cli->operands[0] : str_from(actions[0].name);
    size_t given = cli->operand_count ? cli->operand_count - 1 : 0;
    for (size_t i = 0; i < count; i++) {
        const struct action *action = &actions[i];
        if (!str_eq(str_from(action->name), word)) {
            continue;
        }
        if (given < action->operands_min || given > action->operands_max) {
            refuse_count(cli, action);
            return NULL;
        }
        return action;
    }
    refuse_word(cli, actions, count);
    return NULL;
}

int action_run(const struct action *action, void *context, const struct cli *cli)
{
    size_t given = cli->operand_count ? cli->operand_count - 1 : 0;
    return action->run(context, given ? cli->operands + 1 : NULL, given);
}
