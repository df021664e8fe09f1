/* Lines of the table in general words. Takes texts with placeholders, gives lines that can be read
 * without a case: for a client in its own words. */
#include "cli/explain_lines.h"

#include "base/text.h"
#include "cli/say.h"
#include "rules/client.h"

static const struct str switching = STR_INIT("{switch}");

struct str explain_text(struct cli *cli, struct str text)
{
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
    struct str shown = text_show(cli->arena, buf_str(&out), 0);
    buf_free(&out);
    return shown;
}

/* One line for each way of the client's. */
static void add_ways(struct cli *cli, const struct client *client, struct str line, size_t at,
                     struct names *lines)
{
    for (size_t i = 0; i < client->switch_actions.count; i++) {
        struct str way = client->switch_actions.items[i].in[cli->lang];
        struct str whole =
            arena_printf(cli->arena, "%.*s%.*s%.*s", STR_ARG(str_slice(line, 0, at)), STR_ARG(way),
                         STR_ARG(str_slice(line, at + switching.len, line.len)));
        names_add(cli->arena, lines, explain_text(cli, whole));
    }
}

void explain_lines(struct cli *cli, const struct client *client, const struct phrases *phrases,
                   struct names *lines)
{
    for (size_t i = 0; i < phrases->count; i++) {
        struct str line = phrases->items[i].in[cli->lang];
        ptrdiff_t at = str_find(line, switching);
        if (at >= 0 && client && client->switch_actions.count) {
            add_ways(cli, client, line, (size_t)at, lines);
        } else {
            names_add(cli->arena, lines, explain_text(cli, line));
        }
    }
}

static const struct client_says *own_actions(const struct street *street,
                                             const struct client *client,
                                             const struct diagnosis *diagnosis)
{
    struct str version = street->cli->options.client_version;
    return client ? rules_client_actions(street->rules, client->id, diagnosis->id, version) : NULL;
}

void explain_actions(const struct street *street, const struct client *client,
                     const struct diagnosis *diagnosis, const struct phrases *general,
                     struct names *lines)
{
    const struct client_says *own = own_actions(street, client, diagnosis);
    if (own && !own->is_last) {
        explain_lines(street->cli, client, &own->actions, lines);
    }
    explain_lines(street->cli, client, general, lines);
    if (own && own->is_last) {
        explain_lines(street->cli, client, &own->actions, lines);
    }
}

bool explain_own_actions(const struct street *street, const struct client *client,
                         const struct diagnosis *diagnosis, struct names *lines)
{
    const struct client_says *own = own_actions(street, client, diagnosis);
    for (size_t i = 0; i < diagnosis->actions.count; i++) {
        const struct phrase *phrase = &diagnosis->actions.items[i];
        const struct phrases one = {.items = phrase, .count = 1};
        if (str_find(phrase->in[street->cli->lang], switching) >= 0 &&
            client->switch_actions.count) {
            explain_lines(street->cli, client, &one, lines);
        }
    }
    if (own) {
        explain_lines(street->cli, client, &own->actions, lines);
    }
    return lines->count > 0;
}
