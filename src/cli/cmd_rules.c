/* diagnose rules: the rule table listed, shown, tested, and tried on a file. No network. */
#include "base/text.h"
#include "cli/action.h"
#include "cli/json.h"
#include "cli/rule_show.h"
#include "cli/say.h"
#include "cli/source.h"
#include "cli/street.h"
#include "cli/suggest.h"
#include "input/input.h"
#include "rules/check.h"
#include "rules/lint.h"

static void add_rule_json(struct cli *cli, struct cJSON *array, const struct rule *rule)
{
    struct cJSON *item = json_element(array);
    json_text(cli->arena, item, "id", rule->id);
    json_text(cli->arena, item, "diagnosis", rule->diagnosis->id);
    json_text(cli->arena, item, "origin", origin_text(cli->arena, rule->origin));
}

/* Files are called as they are called. */
static struct str place_of(struct cli *cli, struct origin origin)
{
    return text_show(cli->arena, origin_text(cli->arena, origin), 0);
}

static void add_rule_line(struct cli *cli, const struct rule *rule)
{
    struct str id = text_show(cli->arena, rule->id, 0), origin = place_of(cli, rule->origin);
    buf_printf(&cli->out, "%-44.*s %-26.*s %.*s\n", STR_ARG(id), STR_ARG(rule->diagnosis->id),
               STR_ARG(origin));
}

static int list(void *context, const struct str *operands, size_t count)
{
    struct street *street = context;
    (void)operands, (void)count;
    struct cli *cli = street->cli;
    struct cJSON *root = cli->is_json ? json_begin(cli) : NULL;
    struct cJSON *array = root ? json_array(root, "rules") : NULL;
    for (size_t i = 0; i < rules_count(street->rules); i++) {
        if (array) {
            add_rule_json(cli, array, rules_at(street->rules, i));
        } else {
            add_rule_line(cli, rules_at(street->rules, i));
        }
    }
    return root ? json_end(cli, root, EXIT_FINE) : EXIT_FINE;
}

static int show(void *context, const struct str *operands, size_t count)
{
    struct street *street = context;
    struct str operand = operands[0];
    (void)count;
    struct cli *cli = street->cli;
    const struct rule *rule = rules_find(street->rules, operand);
    if (rule && cli->is_json) {
        struct cJSON *root = json_begin(cli);
        rule_show_json(cli, root, rule);
        return json_end(cli, root, EXIT_FINE);
    }
    if (rule) {
        rule_show(cli, rule);
        return EXIT_FINE;
    }
    struct err err = {0};
    struct names names = {0};
    for (size_t i = 0; i < rules_count(street->rules); i++) {
        names_add(cli->arena, &names, rules_at(street->rules, i)->id);
    }
    struct str hint = suggest_nearest(cli->arena, &names, operand);
    err_set(&err, ERR_USAGE, "no rule is called \"%.*s\"%.*s", STR_ARG(operand), STR_ARG(hint));
    return say_error(cli, &err);
}

static struct finding judge(void *context, struct arena *arena, const struct observation *evidence)
{
    return classify(context, arena, evidence);
}

static enum trial try_pattern(void *context, size_t rule, size_t condition, struct str text)
{
    static const enum trial trials[] = {
        [MATCH_NO] = TRIAL_NO, [MATCH_YES] = TRIAL_YES, [MATCH_LIMIT] = TRIAL_LIMIT};
    return trials[classifier_try(context, rule, condition, text)];
}

static int show_problems_json(struct street *street, const struct problems *problems)
{
    struct cli *cli = street->cli;
    struct cJSON *root = json_begin(cli), *array = json_array(root, "problems");
    for (size_t i = 0; i < problems->count; i++) {
        struct cJSON *item = json_element(array);
        json_text(cli->arena, item, "origin", origin_text(cli->arena, problems->items[i].origin));
        json_text(cli->arena, item, "message", problems->items[i].message);
        json_text(cli->arena, item, "suggestion", problems->items[i].suggestion);
    }
    return json_end(cli, root, problems->count ? EXIT_OURS : EXIT_FINE);
}

/* street->problems already holds what was wrong when the files were read. */
static void check_table(struct street *street)
{
    struct arena *arena = street->cli->arena;
    classifier_check_patterns(street->classifier, false, arena, &street->problems);
    rules_check(street->rules, judge, street->classifier, arena, &street->problems);
}

static int show_problems(struct street *street)
{
    struct cli *cli = street->cli;
    const struct problems *problems = &street->problems;
    size_t examples = 0;
    if (cli->is_json) {
        return show_problems_json(street, problems);
    }
    for (size_t i = 0; i < problems->count; i++) {
        struct str place = place_of(cli, problems->items[i].origin);
        struct str message = text_show(cli->arena, problems->items[i].message, 0);
        buf_printf(&cli->out, "%.*s%s%.*s\n", STR_ARG(place), place.len ? ": " : "",
                   STR_ARG(message));
    }
    for (size_t i = 0; i < rules_count(street->rules); i++) {
        const struct rule *rule = rules_at(street->rules, i);
        examples += rule->yes_count + rule->no_count;
    }
    buf_printf(&cli->out, "%zu rules, %zu examples, %zu problem%s\n", rules_count(street->rules),
               examples, problems->count, problems->count == 1 ? "" : "s");
    return problems->count ? EXIT_OURS : EXIT_FINE;
}

static int test(void *context, const struct str *operands, size_t count)
{
    struct street *street = context;
    (void)operands, (void)count;
    check_table(street);
    return show_problems(street);
}

static int lint(void *context, const struct str *operands, size_t count)
{
    struct street *street = context;
    (void)operands, (void)count;
    check_table(street);
    rules_lint(street->rules, try_pattern, street->classifier, street->cli->arena,
               &street->problems);
    return show_problems(street);
}

static enum err_code read_evidence(struct cli *cli, struct str name, struct str *text,
                                   struct err *err)
{
    struct source source;
    enum err_code code = source_open(cli, name, &source, err);
    code = code ? code : source_read(cli, &source, INPUT_BYTES_MAX + 1, err);
    if (!code && source.text.len > INPUT_BYTES_MAX) {
        code = err_set(err, ERR_FILE, "%.*s is over 1 MiB", STR_ARG(source.shown));
    }
    *text = source.text;
    source_close(&source);
    return code;
}

/* Which rules match a file, in the order in which they are tried; the first one wins. */
static int match(void *context, const struct str *operands, size_t operand_count)
{
    struct street *street = context;
    struct str operand = operands[0];
    (void)operand_count;
    struct cli *cli = street->cli;
    struct err err = {0};
    struct str text = {NULL, 0};
    size_t count = 0;
    if (read_evidence(cli, operand, &text, &err)) {
        return say_error(cli, &err);
    }
    struct observation evidence = input_paste(cli->arena, &street->mask, text, INPUT_AUTO);
    const struct rule *const *found =
        classifier_matching(street->classifier, cli->arena, &evidence, &count);
    struct cJSON *root = cli->is_json ? json_begin(cli) : NULL;
    struct cJSON *array = root ? json_array(root, "rules") : NULL;
    for (size_t i = 0; i < count; i++) {
        if (array) {
            add_rule_json(cli, array, found[i]);
        } else {
            add_rule_line(cli, found[i]);
        }
    }
    if (!root && count == 0) {
        buf_printf(&cli->out, "%s\n", say(cli, "No rule matches.", "没有规则匹配。"));
    }
    int exit_code = count ? EXIT_FINE : EXIT_UNKNOWN;
    return root ? json_end(cli, root, exit_code) : exit_code;
}

static const struct action actions[] = {
    {.name = "list", .synopsis = "", .run = list},
    {.name = "show", .synopsis = "ID", .operands_min = 1, .operands_max = 1, .run = show},
    {.name = "test", .synopsis = "", .run = test},
    {.name = "lint", .synopsis = "", .run = lint},
    {.name = "match", .synopsis = "FILE", .operands_min = 1, .operands_max = 1, .run = match},
};

static int run(struct cli *cli)
{
    struct err err = {0};
    struct street street = {.shows_rules = true};
    const struct action *action = action_find(cli, actions, sizeof actions / sizeof actions[0]);
    if (!action) {
        return EXIT_USAGE;
    }
    int code =
        street_open(&street, cli, &err) ? say_error(cli, &err) : action_run(action, &street, cli);
    say_hide_keys(cli, &street.mask);
    street_close(&street);
    return code;
}

const struct command command_rules = {
    .name = "rules",
    .summary = "list, show and test the rules that judge evidence",
    .synopsis = "[list|show ID|test|lint|match FILE]",
    .details =
        "list prints the rules in the order in which they are tried, with the diagnosis and the "
        "place of each; show prints one in full. test tries every rule on its own examples and "
        "prints each problem with its place; the exit code is 1 when there is one. lint does so, "
        "too, "
        "and makes texts from each pattern to find what no example shows: a rule that can never "
        "win, a match without any keyword, a pattern that runs into the match limit. match prints "
        "which rules match the evidence in FILE, or in - for standard input, in the order in which "
        "they are tried: the first "
        "one wins. The exit code is 5 when there is none.\n\n"
        "Own rules go into $XDG_CONFIG_HOME/diagnose/rules.d/*.toml and come before the built-in "
        "ones; diagnose-rules(5) describes them.",
    .run = run,
};
