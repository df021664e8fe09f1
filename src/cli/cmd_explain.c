/* diagnose explain: one diagnosis, quick-reference verdict or rule in full, from the table alone.
 */
#include "cli/json.h"
#include "cli/rule_show.h"
#include "cli/say.h"
#include "cli/street.h"
#include "cli/suggest.h"
#include "report/layout.h"

static void add_paragraph(struct cli *cli, const char *title, struct str text)
{
    if (text.len) {
        buf_printf(&cli->out, "\n%s\n", title);
        rule_show_wrapped(cli, text, 2);
    }
}

/* A line of the table without a case at hand: {key_name} is shown as <key name>. */
static struct str in_general(struct cli *cli, struct str text)
{
    struct str switching = STR("{switch}");
    struct buf out = buf_create(text.len * 2 + 256);
    bool is_inside = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (str_starts(str_slice(text, i, text.len), switching)) {
            buf_add(&out, str_from(say(cli, "switch to a model that answers now",
                                       "切换到此刻能应答的模型")));
            i += switching.len - 1;
            continue;
        }
        is_inside = c == '{' || (is_inside && c != '}');
        buf_add_char(&out, c == '{' ? '<' : c == '}' ? '>' : is_inside && c == '_' ? ' ' : c);
    }
    struct str shown = arena_dup(cli->arena, buf_str(&out));
    buf_free(&out);
    return shown;
}

static void add_list(struct cli *cli, const char *title, struct phrases phrases)
{
    if (phrases.count) {
        buf_printf(&cli->out, "\n%s\n", title);
    }
    for (size_t i = 0; i < phrases.count; i++) {
        struct str line = in_general(cli, phrases.items[i].in[cli->lang]);
        buf_add(&cli->out, STR("  - "));
        layout_wrap(&cli->out, line, 4, layout_columns(&cli->style), STR(""));
    }
}

static void add_json_list(struct cli *cli, struct cJSON *root, const char *name,
                          struct phrases phrases)
{
    struct cJSON *array = json_array(root, name);
    for (size_t i = 0; i < phrases.count; i++) {
        json_text_element(cli->arena, array, in_general(cli, phrases.items[i].in[cli->lang]));
    }
}

static int explain_diagnosis(struct street *street, const struct diagnosis *diagnosis)
{
    struct cli *cli = street->cli;
    if (cli->is_json) {
        struct cJSON *root = json_begin(cli);
        json_text(cli->arena, root, "id", diagnosis->id);
        json_text(cli->arena, root, "kind", STR("diagnosis"));
        json_text(cli->arena, root, "layer", diagnosis->layer);
        json_text(cli->arena, root, "blame", blame_name(diagnosis->blame));
        json_text(cli->arena, root, "severity", severity_name(diagnosis->severity));
        json_bool(root, "retryable", diagnosis->is_retryable);
        json_text(cli->arena, root, "title", diagnosis->title.in[cli->lang]);
        json_text(cli->arena, root, "meaning", in_general(cli, diagnosis->meaning.in[cli->lang]));
        json_text(cli->arena, root, "differs", diagnosis->differs.in[cli->lang]);
        add_json_list(cli, root, "actions", diagnosis->actions);
        add_json_list(cli, root, "avoid", diagnosis->avoid);
        return json_end(cli, root, EXIT_FINE);
    }
    buf_printf(&cli->out, "%.*s: %.*s\n", STR_ARG(diagnosis->id),
               STR_ARG(diagnosis->title.in[cli->lang]));
    buf_printf(&cli->out, "%s %.*s, %s %.*s, %s\n", say(cli, "layer", "层面"),
               STR_ARG(diagnosis->layer), say(cli, "blame", "责任"),
               STR_ARG(blame_name(diagnosis->blame)),
               diagnosis->is_retryable ? say(cli, "retryable", "可重试")
                                       : say(cli, "not retryable", "重试无效"));
    buf_add_char(&cli->out, '\n');
    rule_show_wrapped(cli, in_general(cli, diagnosis->meaning.in[cli->lang]), 0);
    add_paragraph(cli, say(cli, "How it differs", "与相近诊断的区别"),
                  diagnosis->differs.in[cli->lang]);
    add_list(cli, say(cli, "What to do", "怎么办"), diagnosis->actions);
    add_list(cli, say(cli, "What will not help", "无济于事的做法"), diagnosis->avoid);
    return EXIT_FINE;
}

static int explain_verdict(struct street *street, const struct verdict_row *row)
{
    struct cli *cli = street->cli;
    if (cli->is_json) {
        struct cJSON *root = json_begin(cli);
        json_text(cli->arena, root, "id", row->id);
        json_text(cli->arena, root, "kind", STR("verdict"));
        json_text(cli->arena, root, "severity", severity_name(row->severity));
        json_text(cli->arena, root, "title", in_general(cli, row->title.in[cli->lang]));
        json_text(cli->arena, root, "meaning", in_general(cli, row->why.in[cli->lang]));
        add_json_list(cli, root, "actions", row->actions);
        add_json_list(cli, root, "avoid", row->avoid);
        return json_end(cli, root, EXIT_FINE);
    }
    buf_printf(&cli->out, "%.*s: %.*s\n\n", STR_ARG(row->id),
               STR_ARG(in_general(cli, row->title.in[cli->lang])));
    rule_show_wrapped(cli, in_general(cli, row->why.in[cli->lang]), 0);
    add_list(cli, say(cli, "What to do", "怎么办"), row->actions);
    add_list(cli, say(cli, "What will not help", "无济于事的做法"), row->avoid);
    return EXIT_FINE;
}

static void add_listed(struct cli *cli, struct cJSON *array, struct str id, struct str title)
{
    struct str shown = in_general(cli, title);
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

static int explain(struct street *street, struct str id)
{
    const struct diagnosis *diagnosis = rules_diagnosis(street->rules, id);
    const struct verdict_row *row = rules_verdict_row(street->rules, id);
    const struct rule *rule = rules_find(street->rules, id);
    if (diagnosis) {
        return explain_diagnosis(street, diagnosis);
    }
    if (row) {
        return explain_verdict(street, row);
    }
    if (!rule) {
        return refuse(street, id);
    }
    if (street->cli->is_json) {
        return rule_show_json(street->cli, rule);
    }
    rule_show(street->cli, rule);
    buf_add(&street->cli->out, STR("\n"));
    return explain_diagnosis(street, rule->diagnosis);
}

static int run(struct cli *cli)
{
    struct err err = {0};
    struct street street = {0};
    if (cli->operand_count > 1) {
        err_set(&err, ERR_USAGE, "explain takes one id: diagnose explain capacity");
        return say_error(cli, &err);
    }
    int code = EXIT_FINE;
    if (street_open(&street, cli, &err)) {
        code = say_error(cli, &err);
    } else {
        street_say_problems(&street);
        code = cli->operand_count ? explain(&street, cli->operands[0]) : list_all(&street);
    }
    street_close(&street);
    return code;
}

const struct command command_explain = {
    .name = "explain",
    .summary = "tell all about a diagnosis, a verdict or a rule",
    .synopsis = "[ID]",
    .details =
        "Prints what the diagnosis, quick-reference verdict or rule ID means, how it is told "
        "from its neighbours, what to do and what will not help. An unknown ID is answered "
        "with the nearest ones; without ID all are listed. No network.",
    .run = run,
};
