/* One rule in full: what it takes to match, what it then says, and where its wording was seen. */
#include "cli/rule_show.h"

#include "base/text.h"
#include "cli/json.h"
#include "cli/say.h"
#include "report/layout.h"

#define EXAMPLE_COLUMNS 300

void rule_show_wrapped(struct cli *cli, struct str text, size_t indent)
{
    struct str shown = text_show(cli->arena, text, 0);
    layout_blanks(&cli->out, indent);
    layout_wrap(&cli->out, shown, indent, layout_columns(&cli->style), STR(""));
}

static struct str condition_name(struct arena *arena, const struct condition *condition)
{
    return condition->field == FIELD_COUNT
               ? arena_printf(arena, "header.%.*s", STR_ARG(condition->header_name))
               : field_name(condition->field);
}

static struct str list_of_statuses(struct arena *arena, const struct rule *rule)
{
    struct str list = {NULL, 0};
    for (size_t i = 0; i < rule->status_count; i++) {
        list = arena_printf(arena, "%.*s%s%ld", STR_ARG(list), i ? ", " : "", rule->statuses[i]);
    }
    return list;
}

static void add_line(struct cli *cli, const char *name, struct str text)
{
    if (text.len) {
        buf_printf(&cli->out, "  %-18s", name);
        layout_wrap(&cli->out, text_show(cli->arena, text, 0), 20, layout_columns(&cli->style),
                    STR(""));
    }
}

static void add_examples(struct cli *cli, const char *name, const struct example *examples,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct observation *evidence = &examples[i].evidence;
        struct str body = text_show(cli->arena, evidence->body, EXAMPLE_COLUMNS);
        struct str text = evidence->status ? arena_printf(cli->arena, "HTTP %ld %.*s",
                                                          evidence->status, STR_ARG(body))
                                           : body;
        if (str_is_set(examples[i].as)) {
            text = arena_printf(cli->arena, "%.*s -> %.*s", STR_ARG(text), STR_ARG(examples[i].as));
        }
        add_line(cli, name, text);
    }
}

void rule_show(struct cli *cli, const struct rule *rule)
{
    struct arena *arena = cli->arena;
    buf_printf(&cli->out, "%.*s\n", STR_ARG(text_show(arena, rule->id, 0)));
    add_line(cli, "diagnosis", rule->diagnosis->id);
    add_line(cli, "defined in", origin_text(arena, rule->origin));
    add_line(cli, "status", list_of_statuses(arena, rule));
    for (size_t i = 0; i < rule->keyword_count; i++) {
        add_line(cli, i ? "" : "keywords", rule->keywords[i]);
    }
    for (size_t i = 0; i < rule->condition_count; i++) {
        struct str name = condition_name(arena, &rule->conditions[i]);
        add_line(cli, arena_cstr(arena, name), rule->conditions[i].pattern);
    }
    add_line(cli, "reason", rule->reason);
    add_line(cli, "source", rule->source);
    add_examples(cli, "matches", rule->yes, rule->yes_count);
    add_examples(cli, "does not match", rule->no, rule->no_count);
}

void rule_show_json(struct cli *cli, struct cJSON *root, const struct rule *rule)
{
    struct arena *arena = cli->arena;
    struct cJSON *item = json_element(json_array(root, "rules"));
    json_text(arena, item, "id", rule->id);
    json_text(arena, item, "diagnosis", rule->diagnosis->id);
    json_text(arena, item, "origin", origin_text(arena, rule->origin));
    struct cJSON *statuses = json_array(item, "status");
    for (size_t i = 0; i < rule->status_count; i++) {
        json_number_element(statuses, rule->statuses[i]);
    }
    struct cJSON *keywords = json_array(item, "keywords"), *match = json_object(item, "match");
    for (size_t i = 0; i < rule->keyword_count; i++) {
        json_text_element(arena, keywords, rule->keywords[i]);
    }
    for (size_t i = 0; i < rule->condition_count; i++) {
        struct str name = condition_name(arena, &rule->conditions[i]);
        json_text(arena, match, arena_cstr(arena, name), rule->conditions[i].pattern);
    }
    json_text(arena, item, "reason", rule->reason);
    json_text(arena, item, "source", rule->source);
    json_number(item, "yes", (int64_t)rule->yes_count);
    json_number(item, "no", (int64_t)rule->no_count);
}
