#ifndef CLI_RULE_SHOW_H
#define CLI_RULE_SHOW_H

#include "cli/cli.h"
#include "rules/rules.h"

struct cJSON;

/* How one rule is shown, by explain and by rules show. */
void rule_show(struct cli *cli, const struct rule *rule);
/* Adds "rules", with the one rule in it. */
void rule_show_json(struct cli *cli, struct cJSON *root, const struct rule *rule);

/* Adds text to cli->out, wrapped to the width of the run and indented. */
void rule_show_wrapped(struct cli *cli, struct str text, size_t indent);

#endif
