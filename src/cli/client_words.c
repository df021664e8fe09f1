/* The client that an error is of. Takes --client and what was pasted, gives a row of
 * rules/clients/; what that client says and does is the table's. */
#include "cli/client_words.h"

#include "cli/suggest.h"

enum err_code client_asked(const struct street *street, const struct client **client,
                           struct err *err)
{
    struct cli *cli = street->cli;
    struct names names = {0};
    struct str id = cli->options.client;
    *client = str_is_set(id) ? rules_client(street->rules, id) : NULL;
    if (*client || !str_is_set(id)) {
        return ERR_OK;
    }
    for (size_t i = 0; i < rules_client_count(street->rules); i++) {
        names_add(cli->arena, &names, rules_client_at(street->rules, i)->id);
    }
    struct str list = names_list(cli->arena, &names);
    return err_set(err, ERR_USAGE, "--client takes one of %.*s, not \"%.*s\"%.*s", STR_ARG(list),
                   STR_ARG(id), STR_ARG(suggest_nearest(cli->arena, &names, id)));
}

void client_recognise(const struct street *street, struct str text, struct observation *observation)
{
    const struct options *options = &street->cli->options;
    const struct client *client = str_is_set(options->client)
                                      ? rules_client(street->rules, options->client)
                                      : rules_client_of_text(street->rules, text);
    if (client) {
        observation->client = client->id;
        observation->client_version = options->client_version;
    }
}
