/* Why a finding is what it is: the rule, what came second, and the fields that were lifted out of
 * the evidence, for people and as JSON. */
#include "cli/explain.h"

#include "base/text.h"
#include "classify/evidence.h"
#include "cli/json.h"
#include "cli/say.h"

#include <cJSON.h>

#define LIFTED_COLUMNS 160

/* Adds each field of the evidence that has a value, innermost layer first. */
static void explain_fields(struct cli *cli, const struct finding *finding, struct cJSON *fields)
{
    struct evidence *evidence = ARENA_NEW(cli->arena, struct evidence);
    evidence_lift(cli->arena, finding->observation, evidence);
    for (size_t f = 0; f < FIELD_COUNT; f++) {
        struct str name = field_name((enum field)f);
        struct cJSON *array =
            fields && evidence->counts[f] ? json_array(fields, arena_cstr(cli->arena, name)) : NULL;
        for (size_t v = 0; v < evidence->counts[f]; v++) {
            struct str value = text_show(cli->arena, evidence->values[f][v], LIFTED_COLUMNS);
            if (array) {
                json_text_element(cli->arena, array, value);
            } else {
                buf_printf(&cli->out, "    %-15.*s %.*s\n", STR_ARG(name), STR_ARG(value));
            }
        }
    }
}

/* Rules may be the user's: what they say is shown like any text. */
static void add_line(struct cli *cli, const char *name, struct str text)
{
    if (text.len) {
        buf_printf(&cli->out, "    %-15s %.*s\n", name, STR_ARG(text_show(cli->arena, text, 0)));
    }
}

void explain_human(struct cli *cli, const struct finding *finding)
{
    buf_printf(&cli->out, "\n  %s\n", say(cli, "how it was told:", "判断过程："));
    add_line(cli, "rule", finding->rule_id.len ? finding->rule_id : STR("-"));
    add_line(cli, "reason", finding->reason);
    if (finding->runner_up) {
        add_line(cli, "runner-up",
                 arena_printf(cli->arena, "%.*s (%.*s)", STR_ARG(finding->runner_up->id),
                              STR_ARG(finding->runner_up_rule)));
    }
    add_line(cli, "rule skipped", finding->skipped_rule);
    explain_fields(cli, finding, NULL);
}

struct cJSON *explain_json(struct cli *cli, const struct finding *finding)
{
    struct cJSON *object = cJSON_CreateObject();
    json_text(cli->arena, object, "reason", say_without_keys(cli, finding->reason));
    json_text(cli->arena, object, "runner_up",
              finding->runner_up ? finding->runner_up->id : (struct str){NULL, 0});
    json_text(cli->arena, object, "runner_up_rule", finding->runner_up_rule);
    json_text(cli->arena, object, "skipped_rule", finding->skipped_rule);
    explain_fields(cli, finding, json_object(object, "fields"));
    return object;
}
