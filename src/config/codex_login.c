/* Codex's stored login: auth.json. Takes the file, gives a key or the tokens of a ChatGPT login
 * with their expiry. Nothing is refreshed and nothing is written: a token that Codex would renew is
 * only looked at. */
#include "config/codex.h"

#include "config/add.h"
#include "config/open.h"
#include "config/path.h"
#include "syntax/jsonc.h"
#include "syntax/token.h"

#include <unistd.h>

#define CLAIMS STR("https://api.openai.com/auth")

/* Layers of settings that this account's plan brings along, and that only Codex can fetch. */
static void name_cloud_settings(struct codex *codex, const struct node *identity)
{
    const struct client_behaviour *behaviour = codex_behaviour(codex, STR("cloud_settings"));
    struct str plan = node_string(node_get(node_get(identity, CLAIMS), STR("chatgpt_plan_type")));
    for (size_t i = 0; behaviour && i < behaviour->value_count; i++) {
        if (str_eq(behaviour->values[i], plan)) {
            add_file(codex->arena, codex->config, behaviour->value, CONFIG_IGNORED)->reason =
                arena_printf(codex->arena,
                             "not readable from here: Codex fetches them for the plan \"%.*s\"",
                             STR_ARG(behaviour->values[i]));
        }
    }
}

static void read_tokens(struct codex *codex, const struct source *source, const struct node *tokens)
{
    struct codex_login *login = &codex->login;
    const struct node *access = node_get(tokens, STR("access_token"));
    const struct node *claims = token_claims(codex->arena, node_string(access));
    const struct node *identity =
        token_claims(codex->arena, node_string(node_get(tokens, STR("id_token"))));
    const struct node *expiry = node_get(claims, STR("exp"));
    if (str_is_empty(node_string(access))) {
        return;
    }
    login->kind = LOGIN_TOKENS;
    login->credential =
        (struct value){.text = access->string, .origin = note_origin(source, access->pos)};
    login->has_refresh_token = !str_is_empty(node_string(node_get(tokens, STR("refresh_token"))));
    login->has_expiry = expiry && expiry->kind == NODE_INTEGER;
    login->expires_s = login->has_expiry && expiry->integer > 0 ? expiry->integer : 0;
    login->account_id = node_string(node_get(tokens, STR("account_id")));
    if (str_is_empty(login->account_id)) {
        login->account_id =
            node_string(node_get(node_get(identity, CLAIMS), STR("chatgpt_account_id")));
    }
    name_cloud_settings(codex, identity);
    add_secret(codex->arena, codex->config, node_string(node_get(tokens, STR("refresh_token"))));
    add_secret(codex->arena, codex->config, node_string(node_get(tokens, STR("id_token"))));
}

/* Tokens that are of no use to anybody who does not trade them as Codex does. */
static void read_exchanged(struct codex *codex, const struct node *root)
{
    const struct client_behaviour *behaviour = codex_behaviour(codex, STR("login_exchanged"));
    for (size_t i = 0; behaviour && i < behaviour->value_count; i++) {
        const struct node *token = node_get(root, behaviour->values[i]);
        if (!str_is_empty(node_string(token)) || (token && token->kind == NODE_TABLE)) {
            codex->login.kind = LOGIN_EXCHANGED;
            add_secret(codex->arena, codex->config, node_string(token));
        }
    }
}

static void read_file(struct codex *codex, const struct source *source,
                      const struct document *document)
{
    struct codex_login *login = &codex->login;
    const struct node *key = node_get(document->root, STR("OPENAI_API_KEY"));
    struct str mode = node_string(node_get(document->root, STR("auth_mode")));
    bool wants_tokens = str_is_set(mode) && !str_eq(mode, STR("apikey"));
    login->kind = str_eq(mode, STR("apikey")) ? LOGIN_BROKEN : LOGIN_EMPTY;
    if (!wants_tokens && !str_is_empty(node_string(key))) {
        login->kind = LOGIN_KEY;
        login->credential =
            (struct value){.text = key->string, .origin = note_origin(source, key->pos)};
        return;
    }
    read_tokens(codex, source, node_get(document->root, STR("tokens")));
    if (login->kind == LOGIN_EMPTY) {
        read_exchanged(codex, document->root);
    }
}

/* Where this version keeps logins, as far as the files say: "file", "keyring" ... */
static struct str store_of(struct codex *codex)
{
    const struct key_path path = KEY_PATH(STR("cli_auth_credentials_store"));
    struct codex_view view = codex_view_of(codex, NULL, (struct str){NULL, 0});
    bool is_of_version;
    const struct client_key *key = key_table_find(&codex->check, &path, &is_of_version);
    return key && is_of_version ? codex_string(codex, &view, path.parts[0]).text
                                : (struct str){NULL, 0};
}

void codex_read_login(struct codex *codex)
{
    struct str store = store_of(codex);
    struct str path = arena_printf(codex->arena, "%.*s/auth.json", STR_ARG(codex->home));
    struct source source = {.mask = codex->mask};
    struct document document = {0};
    struct problems problems = {0};
    struct opening opening = {.arena = codex->arena,
                              .config = codex->config,
                              .home = codex->user_home,
                              .problems = &problems};
    codex->login.path = codex_path(codex, path);
    bool is_there = access(arena_cstr(codex->arena, path), F_OK) == 0;
    if (str_eq(store, STR("keyring")) || (str_eq(store, STR("auto")) && !is_there)) {
        codex->login.kind = LOGIN_UNREADABLE;
        return;
    }
    codex->login.is_ephemeral = str_eq(store, STR("ephemeral"));
    if (!is_there || codex->login.is_ephemeral) {
        return;
    }
    codex->has_files = true;
    codex->login.kind = LOGIN_BROKEN;
    if (open_file(&opening, path, false, &source)) {
        json_parse(codex->arena, source.text, JSON_STRICT, &document);
        if (open_check_syntax(&opening, &source, &document, "JSON")) {
            read_file(codex, &source, &document);
        }
    }
    bool is_refused = codex_behaviour(codex, STR("broken_login_refused")) != NULL;
    for (size_t i = 0; i < problems.count; i++) {
        problems.items[i].is_warning = !is_refused;
        problems.items[i].line_text = (struct str){NULL, 0};
        problems_add(codex->arena, &codex->config->problems, problems.items[i]);
    }
}
