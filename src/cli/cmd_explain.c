/* diagnose explain: one diagnosis, quick-reference verdict or rule in full, from the table alone.
 */
#include "cli/client_words.h"
#include "cli/explain_lines.h"
#include "cli/json.h"
#include "cli/rule_show.h"
#include "cli/say.h"
#include "report/layout.h"

static void add_paragraph(struct cli *cli, const char *title, struct str text)
{
    if (text.len) {
        buf_printf(&cli->out, "\n%s\n", title);
        rule_show_wrapped(cli, text, 2);
    }
}

static void add_list(struct cli *cli, const char *title, const struct names *lines)
{
    if (lines->count) {
        buf_printf(&cli->out, "\n%s\n", title);
    }
    for (size_t i = 0; i < lines->count; i++) {
        buf_add(&cli->out, STR("  - "));
        layout_wrap(&cli->out, lines->items[i], 4, layout_columns(&cli->style), STR(""));
    }
}

static void add_json_list(struct cli *cli, struct cJSON *object, const char *name,
                          const struct names *lines)
{
    struct cJSON *array = json_array(object, name);
    for (size_t i = 0; i < lines->count; i++) {
        json_text_element(cli->arena, array, lines->items[i]);
    }
}

/* What is told of one diagnosis, of one client's or in general. */
struct told {
    const struct diagnosis *diagnosis;
    const struct rule *rule; /* NULL, or the one that was asked for */
    const struct client *client;
    struct names actions, avoid;
    struct str meaning;
};

static struct told tell(struct street *street, const struct diagnosis *diagnosis,
                        const struct rule *rule, const struct client *client)
{
    struct cli *cli = street->cli;
    const struct phrase *meaning =
        rule && !str_is_empty(rule->meaning.in[cli->lang]) ? &rule->meaning : &diagnosis->meaning;
    struct told told = {.diagnosis = diagnosis, .rule = rule, .client = client};
    told.meaning = explain_text(cli, meaning->in[cli->lang]);
    explain_actions(street, client, diagnosis,
                    rule && rule->actions.count ? &rule->actions : &diagnosis->actions,
                    &told.actions);
    explain_lines(cli, client, &diagnosis->avoid, &told.avoid);
    return told;
}

/* Where no client was named: what each does in its own way. */
static void add_clients(struct street *street, const struct diagnosis *diagnosis,
                        struct cJSON *array)
{
    struct cli *cli = street->cli;
    for (size_t i = 0; i < rules_client_count(street->rules); i++) {
        const struct client *client = rules_client_at(street->rules, i);
        struct names lines = {0};
        if (!explain_own_actions(street, client, diagnosis, &lines)) {
            continue;
        }
        if (array) {
            struct cJSON *item = json_element(array);
            json_text(cli->arena, item, "client", client->id);
            add_json_list(cli, item, "actions", &lines);
        } else {
            struct str title =
                arena_printf(cli->arena, "%.*s (--client %.*s)",
                             STR_ARG(client->name.in[cli->lang]), STR_ARG(client->id));
            add_list(cli, title.ptr, &lines);
        }
    }
}

static int explain_in_json(struct street *street, const struct told *told)
{
    struct cli *cli = street->cli;
    const struct diagnosis *diagnosis = told->diagnosis;
    struct cJSON *root = json_begin(cli);
    json_text(cli->arena, root, "id", told->rule ? told->rule->id : diagnosis->id);
    json_text(cli->arena, root, "kind", told->rule ? STR("rule") : STR("diagnosis"));
    json_text(cli->arena, root, "diagnosis", diagnosis->id);
    json_text(cli->arena, root, "layer", diagnosis->layer);
    json_text(cli->arena, root, "blame", blame_name(diagnosis->blame));
    json_text(cli->arena, root, "severity", severity_name(diagnosis->severity));
    json_bool(root, "retryable",
              told->rule && told->rule->has_retryable ? told->rule->is_retryable
                                                      : diagnosis->is_retryable);
    json_text(cli->arena, root, "title", diagnosis->title.in[cli->lang]);
    json_text(cli->arena, root, "meaning", told->meaning);
    json_text(cli->arena, root, "differs", diagnosis->differs.in[cli->lang]);
    add_json_list(cli, root, "actions", &told->actions);
    add_json_list(cli, root, "avoid", &told->avoid);
    if (told->client) {
        json_text(cli->arena, root, "client", told->client->id);
    } else {
        add_clients(street, diagnosis, json_array(root, "clients"));
    }
    if (told->rule) {
        rule_show_json(cli, root, told->rule);
    }
    return json_end(cli, root, EXIT_FINE);
}

static int explain_diagnosis(struct street *street, const struct diagnosis *diagnosis,
                             const struct rule *rule, const struct client *client)
{
    struct cli *cli = street->cli;
    struct told told = tell(street, diagnosis, rule, client);
    bool is_retryable = rule && rule->has_retryable ? rule->is_retryable : diagnosis->is_retryable;
    if (cli->is_json) {
        return explain_in_json(street, &told);
    }
    if (rule) {
        rule_show(cli, rule);
        buf_add(&cli->out, STR("\n"));
    }
    buf_printf(&cli->out, "%.*s: %.*s\n", STR_ARG(diagnosis->id),
               STR_ARG(diagnosis->title.in[cli->lang]));
    buf_printf(
        &cli->out, "%s %.*s, %s %.*s, %s\n", say(cli, "layer", "层面"), STR_ARG(diagnosis->layer),
        say(cli, "blame", "责任"), STR_ARG(blame_name(diagnosis->blame)),
        is_retryable ? say(cli, "retryable", "可重试") : say(cli, "not retryable", "重试无效"));
    buf_add_char(&cli->out, '\n');
    rule_show_wrapped(cli, told.meaning, 0);
    add_paragraph(cli, say(cli, "How it differs", "与相近诊断的区别"),
                  diagnosis->differs.in[cli->lang]);
    add_list(cli, say(cli, "What to do", "怎么办"), &told.actions);
    if (!client) {
        add_clients(street, diagnosis, NULL);
    }
    add_list(cli, say(cli, "What will not help", "无济于事的做法"), &told.avoid);
    return EXIT_FINE;
}

static int explain_verdict(struct street *street, const struct verdict_row *row,
                           const struct client *client)
{
    struct cli *cli = street->cli;
    struct names actions = {0}, avoid = {0};
    explain_lines(cli, client, &row->actions, &actions);
    explain_lines(cli, client, &row->avoid, &avoid);
    if (cli->is_json) {
        struct cJSON *root = json_begin(cli);
        json_text(cli->arena, root, "id", row->id);
        json_text(cli->arena, root, "kind", STR("verdict"));
        json_text(cli->arena, root, "severity", severity_name(row->severity));
        json_text(cli->arena, root, "title", explain_text(cli, row->title.in[cli->lang]));
        json_text(cli->arena, root, "meaning", explain_text(cli, row->why.in[cli->lang]));
        add_json_list(cli, root, "actions", &actions);
        add_json_list(cli, root, "avoid", &avoid);
        return json_end(cli, root, EXIT_FINE);
    }
    buf_printf(&cli->out, "%.*s: %.*s\n\n", STR_ARG(row->id),
               STR_ARG(explain_text(cli, row->title.in[cli->lang])));
    rule_show_wrapped(cli, explain_text(cli, row->why.in[cli->lang]), 0);
    add_list(cli, say(cli, "What to do", "怎么办"), &actions);
    add_list(cli, say(cli, "What will not help", "无济于事的做法"), &avoid);
    return EXIT_FINE;
}

static void add_listed(struct cli *cli, struct cJSON *array, struct str id, struct str title)
{
    struct str shown = explain_text(cli, title);
    if (array) {
        struct cJSON *item = json_element(array);
        json_text(cli->arena, item, "id", id);
        json_text(cli->arena, item, "title", shown);
        return;
    }
    buf_printf(&cli->out, "  %-26.*s ", STR_ARG(id));
    layout_wrap(&cli->out, shown, 29, layout_columns(&cli->style), STR(""));
}

/* Every id but those of rules, which rules list prints. */
static int list_all(struct street *street)
{
    struct cli *cli = street->cli;
    struct cJSON *root = cli->is_json ? json_begin(cli) : NULL;
    struct cJSON *array = root ? json_array(root, "diagnoses") : NULL;
    if (!root) {
        buf_printf(&cli->out, "%s\n", say(cli, "Diagnoses", "诊断"));
    }
    for (size_t i = 0; i < rules_diagnosis_count(street->rules); i++) {
        const struct diagnosis *diagnosis = rules_diagnosis_at(street->rules, i);
        add_listed(cli, array, diagnosis->id, diagnosis->title.in[cli->lang]);
    }
    array = root ? json_array(root, "verdicts") : NULL;
    if (!root) {
        buf_printf(&cli->out, "\n%s\n", say(cli, "Verdicts across targets", "跨目标的结论"));
    }
    for (size_t i = 0; i < rules_verdict_row_count(street->rules); i++) {
        const struct verdict_row *row = rules_verdict_row_at(street->rules, i);
        add_listed(cli, array, row->id, row->title.in[cli->lang]);
    }
    return root ? json_end(cli, root, EXIT_FINE) : EXIT_FINE;
}

static int refuse(struct street *street, struct str id)
{
    struct cli *cli = street->cli;
    struct err err = {0};
    struct names names = {0};
    for (size_t i = 0; i < rules_diagnosis_count(street->rules); i++) {
        names_add(cli->arena, &names, rules_diagnosis_at(street->rules, i)->id);
    }
    for (size_t i = 0; i < rules_verdict_row_count(street->rules); i++) {
        names_add(cli->arena, &names, rules_verdict_row_at(street->rules, i)->id);
    }
    for (size_t i = 0; i < rules_count(street->rules); i++) {
        names_add(cli->arena, &names, rules_at(street->rules, i)->id);
    }
    struct str hint = suggest_nearest(cli->arena, &names, id);
    hint = hint.len ? hint : STR("; diagnose explain and diagnose rules list print the ids");
    err_set(&err, ERR_USAGE, "no diagnosis, verdict or rule is called \"%.*s\"%.*s", STR_ARG(id),
            STR_ARG(hint));
    return say_error(cli, &err);
}

static int explain(struct street *street, struct str id, const struct client *client)
{
    const struct diagnosis *diagnosis = rules_diagnosis(street->rules, id);
    const struct verdict_row *row = rules_verdict_row(street->rules, id);
    const struct rule *rule = rules_find(street->rules, id);
    if (diagnosis) {
        return explain_diagnosis(street, diagnosis, NULL, client);
    }
    if (row) {
        return explain_verdict(street, row, client);
    }
    return rule ? explain_diagnosis(street, rule->diagnosis, rule, client) : refuse(street, id);
}

static int run(struct cli *cli)
{
    struct err err = {0};
    struct street street = {0};
    const struct client *client = NULL;
    if (cli->operand_count > 1) {
        err_set(&err, ERR_USAGE, "explain takes one id: diagnose explain capacity");
        return say_error(cli, &err);
    }
    int code = EXIT_FINE;
    if (street_open(&street, cli, &err) || client_asked(&street, &client, &err)) {
        code = say_error(cli, &err);
    } else {
        street_say_problems(&street);
        code = cli->operand_count ? explain(&street, cli->operands[0], client) : list_all(&street);
    }
    say_hide_keys(cli, &street.mask);
    street_close(&street);
    return code;
}

static void write_words(const struct rules *rules, struct buf *out)
{
    for (size_t i = 0; i < rules_diagnosis_count(rules); i++) {
        buf_printf(out, "%.*s ", STR_ARG(rules_diagnosis_at(rules, i)->id));
    }
    for (size_t i = 0; i < rules_verdict_row_count(rules); i++) {
        buf_printf(out, "%.*s ", STR_ARG(rules_verdict_row_at(rules, i)->id));
    }
}

const struct command command_explain = {
    .name = "explain",
    .summary = "tell all about a diagnosis, a verdict or a rule",
    .synopsis = "[ID]",
    .details =
        "Prints what the diagnosis, quick-reference verdict or rule ID means, how it is told "
        "from its neighbours, what to do and what will not help; with --client in that client's "
        "words, as codex, claude-code, openai-sdk or litellm. An unknown ID is answered with the "
        "nearest ones; without ID all are listed. No network.",
    .write_words = write_words,
    .run = run,
};
