/* Completion scripts for bash, zsh and fish, written from the rows of commands and options. The
 * operand of a command that lists words, in its synopsis ("[list|show ID|...]") or by write_words,
 * is completed too. */
#include "cli/completion.h"
#include "rules/rules.h"

#include <ctype.h>

typedef void write_option(struct buf *out, const struct opt *opt, const char *command);

static void each_option(struct buf *out, struct opt_table opts, const char *command,
                        write_option *write)
{
    for (size_t i = 0; i < opts.count; i++) {
        if (!opts.rows[i].is_hidden) {
            write(out, &opts.rows[i], command);
        }
    }
}

/* Adds words of the table. */
static void add_known(struct buf *out, void (*write)(const struct rules *rules, struct buf *out))
{
    struct arena *arena = arena_create();
    struct rules *rules = NULL;
    struct problems ignored = {0};
    if (rules_open_brief((struct str){NULL, 0}, &ignored, arena, &rules, NULL) == ERR_OK) {
        write(rules, out);
        rules_close(rules);
    }
    arena_free(arena);
}

/* The lower-case words at the start of each alternative in the synopsis, "list show test match",
 * and those that the command writes. */
static void add_words(struct buf *out, const struct command *command)
{
    const char *synopsis = command->synopsis;
    bool is_start = true;
    for (const char *c = synopsis; *c; c++) {
        if (*c == '[' || *c == '|') {
            is_start = true;
            continue;
        }
        if (is_start && islower((unsigned char)*c)) {
            buf_add_char(out, *c);
            bool ends = !islower((unsigned char)c[1]);
            if (ends) {
                buf_add_char(out, ' ');
            }
            is_start = !ends;
        } else {
            is_start = false;
        }
    }
    if (command->write_words) {
        add_known(out, command->write_words);
    }
}

/* Are there words to choose from? */
static bool has_words(const struct command *command)
{
    const char *synopsis = command->synopsis;
    return command->write_words || islower((unsigned char)synopsis[*synopsis == '[' ? 1 : 0]);
}

/* Are its operands files or programs, too? */
static bool takes_paths(const struct command *command)
{
    struct str synopsis = str_from(command->synopsis);
    return str_find(synopsis, STR("FILE")) >= 0 || str_find(synopsis, STR("COMMAND...")) >= 0;
}

static bool takes_file(const struct opt *opt)
{
    return opt->kind == OPT_FILE;
}

static bool has_choices(const struct opt *opt)
{
    return opt->kind == OPT_CHOICE || opt->takes_client;
}

static void add_clients(const struct rules *rules, struct buf *out)
{
    for (size_t i = 0; i < rules_client_count(rules); i++) {
        buf_printf(out, "%s%.*s", i ? " " : "", STR_ARG(rules_client_at(rules, i)->id));
    }
}

/* The choices of an option, each behind a blank but the first. */
static void add_choices(struct buf *out, const struct opt *opt)
{
    struct str choice;
    if (opt->takes_client) {
        add_known(out, add_clients);
        return;
    }
    for (size_t i = 0; str_is_set(choice = opt_choice_at(opt, i)); i++) {
        buf_printf(out, "%s%.*s", i ? " " : "", STR_ARG(choice));
    }
}

/* ---- bash ---- */

static void bash_word(struct buf *out, const struct opt *opt, const char *command)
{
    (void)command;
    buf_printf(out, "--%s ", opt->name);
    if (opt->letter) {
        buf_printf(out, "-%c ", opt->letter);
    }
}

static void bash_argument(struct buf *out, const struct opt *opt, const char *command)
{
    (void)command;
    if (!opt_takes_word(opt)) {
        return;
    }
    buf_printf(out, "        --%s", opt->name);
    if (opt->letter) {
        buf_printf(out, "|-%c", opt->letter);
    }
    if (has_choices(opt)) {
        buf_add(out, STR(") COMPREPLY=($(compgen -W '"));
        add_choices(out, opt);
        buf_add(out, STR("' -- \"$cur\")); return ;;\n"));
    } else {
        buf_add(out, takes_file(opt) ? STR(") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n")
                                     : STR(") return ;;\n"));
    }
}

static void write_bash(struct buf *out)
{
    buf_add(out, STR("# bash completion for diagnose, printed by diagnose completion bash\n"
                     "_diagnose() {\n"
                     "    local cur prev word command=\n"
                     "    cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
                     "    COMPREPLY=()\n"
                     "    if [[ $cur == = ]]; then cur=; fi\n"
                     "    if [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
                     "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
                     "        case $word in\n        "));
    for (size_t i = 0; i < command_count(); i++) {
        buf_printf(out, "%s%s", i ? "|" : "", command_at(i)->name);
    }
    buf_add(out, STR(") command=$word; break ;;\n        esac\n    done\n    case $prev in\n"));
    each_option(out, opt_common(), NULL, bash_argument);
    for (size_t i = 0; i < command_count(); i++) {
        each_option(out, command_at(i)->opts, command_at(i)->name, bash_argument);
    }
    buf_add(out, STR("    esac\n    local words='"));
    each_option(out, opt_common(), NULL, bash_word);
    buf_add(out, STR("'\n    case $command in\n"));
    for (size_t i = 0; i < command_count(); i++) {
        buf_printf(out, "        %s) words+='", command_at(i)->name);
        each_option(out, command_at(i)->opts, command_at(i)->name, bash_word);
        add_words(out, command_at(i));
        buf_add(out, STR("' ;;\n"));
    }
    buf_add(out, STR("        '') words+='"));
    each_option(out, command_at(0)->opts, NULL, bash_word);
    for (size_t i = 0; i < command_count(); i++) {
        buf_printf(out, "%s ", command_at(i)->name);
    }
    buf_add(out, STR("' ;;\n    esac\n"
                     "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                     "}\n"
                     "complete -o default -F _diagnose diagnose\n"));
}

/* ---- zsh ---- */

/* Text inside single quotes and brackets of _arguments. */
static void zsh_text(struct buf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '[' || *text == ']' || *text == ':') {
            buf_add_char(out, '\\');
        }
        if (*text == '\'') {
            buf_add(out, STR("'\\'"));
        }
        buf_add_char(out, *text);
    }
}

static void zsh_spec(struct buf *out, const struct opt *opt, const char *command)
{
    (void)command;
    const char *gap = opt_has_argument(opt) ? "=" : "";
    if (opt->letter) {
        buf_printf(out, "        '(-%c --%s)'{-%c,--%s%s}'[", opt->letter, opt->name, opt->letter,
                   opt->name, gap);
    } else {
        buf_printf(out, "        '--%s%s[", opt->name, gap);
    }
    zsh_text(out, opt->help);
    buf_add_char(out, ']');
    if (opt_has_argument(opt)) {
        /* two colons: the argument may be left out */
        buf_printf(out, "%s:%s:", opt->otherwise ? ":" : "", opt->argument);
        if (has_choices(opt)) {
            buf_add_char(out, '(');
            add_choices(out, opt);
            buf_add_char(out, ')');
        } else if (takes_file(opt)) {
            buf_add(out, STR("_files"));
        }
    }
    buf_add(out, STR("'\n"));
}

static void write_zsh(struct buf *out)
{
    buf_add(out, STR("#compdef diagnose\n"
                     "# zsh completion for diagnose, printed by diagnose completion zsh\n"
                     "_diagnose() {\n    local word command=\n    local -a commands specs\n"
                     "    commands=(\n"));
    for (size_t i = 0; i < command_count(); i++) {
        buf_printf(out, "        '%s:", command_at(i)->name);
        zsh_text(out, command_at(i)->summary);
        buf_add(out, STR("'\n"));
    }
    buf_add(out, STR("    )\n    specs=(\n"));
    each_option(out, opt_common(), NULL, zsh_spec);
    buf_add(out, STR("    )\n"
                     "    for word in ${words[2,CURRENT-1]}; do\n"
                     "        if (( ${commands[(I)${word}:*]} )); then command=$word; break; fi\n"
                     "    done\n    case $command in\n"));
    for (size_t i = 0; i < command_count(); i++) {
        buf_printf(out, "    %s%s) specs+=(\n", command_at(i)->name, i == 0 ? "|''" : "");
        each_option(out, command_at(i)->opts, command_at(i)->name, zsh_spec);
        if (has_words(command_at(i))) {
            bool has_paths = takes_paths(command_at(i));
            buf_add(out, has_paths ? STR("        '*:word: _alternative \"words:word:(")
                                   : STR("        '*:word:("));
            add_words(out, command_at(i));
            buf_add(out, has_paths ? STR(")\" \"files:file:_files\"'\n    ) ;;\n")
                                   : STR(")'\n    ) ;;\n"));
        } else {
            buf_add(out, STR("        '*:file:_files'\n    ) ;;\n"));
        }
    }
    buf_add(out, STR("    esac\n"
                     "    [[ -z $command ]] && specs+=('1:command:{_describe command commands}')\n"
                     "    _arguments -s $specs\n"
                     "}\n"
                     "if [[ $funcstack[1] == _diagnose ]]; then _diagnose \"$@\"; "
                     "else compdef _diagnose diagnose; fi\n"));
}

/* ---- fish ---- */

static void fish_text(struct buf *out, const char *text)
{
    buf_add_char(out, '\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') {
            buf_add_char(out, '\\');
        }
        buf_add_char(out, *text);
    }
    buf_add_char(out, '\'');
}

static void fish_spec(struct buf *out, const struct opt *opt, const char *command)
{
    buf_add(out, STR("complete -c diagnose"));
    if (command) {
        buf_printf(out, " -n '__fish_seen_subcommand_from %s'", command);
    }
    buf_printf(out, " -l %s", opt->name);
    if (opt->letter) {
        buf_printf(out, " -s %c", opt->letter);
    }
    if (opt_takes_word(opt)) {
        buf_add(out, takes_file(opt) ? STR(" -r -F") : STR(" -x"));
    }
    if (opt_has_argument(opt) && has_choices(opt)) {
        buf_add(out, STR(" -a '"));
        add_choices(out, opt);
        buf_add_char(out, '\'');
    }
    buf_add(out, STR(" -d "));
    fish_text(out, opt->help);
    buf_add_char(out, '\n');
}

static void write_fish(struct buf *out)
{
    buf_add(out, STR("# fish completion for diagnose, printed by diagnose completion fish\n"));
    each_option(out, opt_common(), NULL, fish_spec);
    for (size_t i = 0; i < command_count(); i++) {
        const struct command *command = command_at(i);
        buf_printf(out, "complete -c diagnose -n __fish_use_subcommand -f -a %s -d ",
                   command->name);
        fish_text(out, command->summary);
        buf_add_char(out, '\n');
        each_option(out, command->opts, command->name, fish_spec);
        if (has_words(command)) {
            buf_printf(out, "complete -c diagnose -n '__fish_seen_subcommand_from %s'%s -a '",
                       command->name, takes_paths(command) ? "" : " -f");
            add_words(out, command);
            buf_add(out, STR("'\n"));
        }
    }
}

static const struct completion_shell shells[] = {
    {"bash", write_bash},
    {"zsh", write_zsh},
    {"fish", write_fish},
};

size_t completion_shell_count(void)
{
    return sizeof shells / sizeof *shells;
}

const struct completion_shell *completion_shell_at(size_t i)
{
    return &shells[i];
}
