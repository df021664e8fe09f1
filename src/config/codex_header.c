/* Headers of Codex's requests: those of the provider's table, of variables that the table names, of
 * variables of a built-in provider, and the account of a ChatGPT login. Takes a view, fills a draft
 * whose key is known already. */
#include "config/codex.h"

#include "config/add.h"
#include "config/header.h"

#define HEADERS_MAX 64

/* Headers while they are gathered. */
struct gathered {
    struct header items[HEADERS_MAX];
    struct origin origins[HEADERS_MAX];
    size_t count;
};

static void add_header(struct gathered *headers, struct str name, struct str value,
                       struct origin origin)
{
    size_t at = 0;
    while (at < headers->count && !str_ieq(headers->items[at].name, name)) {
        at++;
    }
    if (at < HEADERS_MAX) {
        headers->items[at] = (struct header){name, value};
        headers->origins[at] = origin;
        headers->count += at == headers->count;
    }
}

/* Codex leaves out what no header can carry, without a word. */
static void take_header(struct codex *codex, struct draft *draft, struct gathered *headers,
                        struct str name, const struct value *value, struct origin said_at)
{
    if (header_is_name(name) && header_is_value(value->text)) {
        add_header(headers, name, value->text, value->origin);
        return;
    }
    note_add(codex->arena, &draft->problems, said_at, STR("bad_value"), true,
             arena_printf(codex->arena, "header %.*s cannot be sent, so Codex leaves it out",
                          STR_ARG(note_quote(codex->arena, &codex->mask, name))));
}

static void find_headers(struct codex *codex, const struct codex_view *view, struct str id,
                         struct draft *draft, struct gathered *headers)
{
    const struct {
        struct str key;
        bool is_variable;
    } tables[] = {{STR("http_headers"), false}, {STR("env_http_headers"), true}};
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        size_t count;
        struct str *names =
            stack_names(codex->arena, &view->stack, KEY_PATH(PROVIDERS, id, tables[t].key), &count);
        for (size_t i = 0; i < count; i++) {
            struct value said = {0};
            said = stack_string(codex->arena, &view->stack, said,
                                KEY_PATH(PROVIDERS, id, tables[t].key, names[i]));
            struct value value = tables[t].is_variable && str_is_set(said.text)
                                     ? overlay_get(codex->arena, &codex->overlay, said.text)
                                     : said;
            bool is_there = tables[t].is_variable ? !str_is_empty(str_trim(value.text))
                                                  : str_is_set(value.text);
            if (is_there) {
                take_header(codex, draft, headers, names[i], &value, said.origin);
            }
        }
    }
}

static void find_builtin_headers(struct codex *codex, const struct client_provider *builtin,
                                 struct draft *draft, struct gathered *headers)
{
    for (size_t i = 0; i < builtin->env_header_count; i++) {
        struct value value =
            overlay_get(codex->arena, &codex->overlay, builtin->env_headers[i].value);
        if (!str_is_empty(str_trim(value.text))) {
            take_header(codex, draft, headers, builtin->env_headers[i].name, &value, value.origin);
        }
    }
}

static struct str bare_value(struct str value)
{
    return str_istarts(value, STR("bearer ")) ? str_trim(str_slice(value, 7, value.len)) : value;
}

/* Authorization among the headers gives way to a key; old versions sent both, which is one header
 * with two values. */
static void drop_second_authorization(struct codex *codex, struct gathered *headers,
                                      struct draft *draft)
{
    size_t at = 0;
    while (at < headers->count && !str_ieq(headers->items[at].name, STR("Authorization"))) {
        at++;
    }
    if (at == headers->count || str_is_empty(str_trim(draft->key.text.text))) {
        return;
    }
    bool are_both_sent = codex_behaviour(codex, STR("two_authorizations")) != NULL;
    note_add(codex->arena, &draft->problems, headers->origins[at],
             are_both_sent ? STR("unused_key") : STR("two_credentials"), true,
             arena_printf(codex->arena, "Authorization of http_headers %s the key of %.*s",
                          are_both_sent ? "is sent beside" : "gives way to",
                          STR_ARG(draft->key.name)));
    if (are_both_sent) {
        add_secret(codex->arena, codex->config, draft->key.text.text);
        add_secret(codex->arena, codex->config, bare_value(headers->items[at].value));
        draft->key.text.text =
            arena_printf(codex->arena, "%.*s, %.*s", STR_ARG(draft->key.text.text),
                         STR_ARG(headers->items[at].value));
    }
    headers->count--;
    headers->items[at] = headers->items[headers->count];
    headers->origins[at] = headers->origins[headers->count];
}

void codex_find_headers(struct codex *codex, const struct codex_view *view, struct str id,
                        const struct client_provider *builtin, struct draft *draft)
{
    struct gathered *headers = ARENA_NEW(codex->arena, struct gathered);
    if (builtin) {
        find_builtin_headers(codex, builtin, draft, headers);
    } else {
        find_headers(codex, view, id, draft, headers);
    }
    drop_second_authorization(codex, headers, draft);
    if (draft->is_uncapped && str_is_set(codex->login.account_id)) {
        add_header(headers, STR("ChatGPT-Account-ID"), codex->login.account_id,
                   codex->login.credential.origin);
    }
    draft->headers = headers->items;
    draft->header_origins = headers->origins;
    draft->header_count = headers->count;
}
