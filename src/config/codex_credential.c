/* What a request of Codex is signed with: the variable of env_key, a token in the file, a key of
 * the environment, or the stored login. Takes a view and a provider, fills the key of a draft and
 * says what does not count and why. */
#include "config/codex.h"

#include "config/add.h"
#include "config/key.h"
#include "config/layer.h"

static void take(struct draft *draft, struct value text, struct str name)
{
    draft->key.is_wanted = true;
    draft->key.text = text;
    draft->key.name = name;
    draft->key.named_at = text.origin;
}

static struct str expiry_text(struct codex *codex)
{
    int64_t now_s = codex->env->wall_ms(codex->env->clock) / 1000;
    int64_t hours = (now_s - codex->login.expires_s) / 3600;
    return hours >= 48 ? arena_printf(codex->arena, "%lld days ago", (long long)(hours / 24))
                       : arena_printf(codex->arena, "%lld hours ago", (long long)hours);
}

/* A ChatGPT login. Codex renews a token past its date; we do not, so nothing is proven by sending
 * it. */
static void take_tokens(struct codex *codex, struct draft *draft)
{
    const struct codex_login *login = &codex->login;
    take(draft, login->credential, login->path);
    draft->is_uncapped = true;
    if (!login->has_expiry || login->expires_s > codex->env->wall_ms(codex->env->clock) / 1000) {
        return;
    }
    struct str when = expiry_text(codex);
    struct str message =
        arena_printf(codex->arena, "the ChatGPT login's token expired %.*s%s", STR_ARG(when),
                     login->has_refresh_token ? "; Codex renews it at its next start"
                                              : ", and there is no refresh token to renew it with");
    struct problem *problem = note_add(codex->arena, &draft->problems, login->credential.origin,
                                       STR("token_expired"), login->has_refresh_token, message);
    problem->suggestion = STR("codex login");
    problem->suggestion_kind = SUGGESTION_COMMAND;
    if (login->has_refresh_token) {
        draft->skip_reason =
            STR("the login's token expired; Codex renews it itself, diagnose never does: run "
                "codex once, then try again");
    } else {
        draft->is_unsendable = true;
    }
}

/* A key of the environment that stands over the stored login. */
static bool take_variable(struct codex *codex, struct draft *draft)
{
    struct str name = codex_behaviour_value(codex, STR("key_variable"));
    if (!str_is_set(name)) {
        return false;
    }
    struct value value = overlay_get(codex->arena, &codex->overlay, name);
    if (str_is_empty(str_trim(value.text))) {
        return false;
    }
    if (codex->login.kind == LOGIN_KEY || codex->login.kind == LOGIN_TOKENS) {
        value = layer_under(codex->arena, value, codex->login.credential.text,
                            codex->login.credential.origin);
    }
    take(draft, value, name);
    return true;
}

/* A token of the environment that stands over the stored login as well. */
static bool skip_token(struct codex *codex, struct draft *draft)
{
    struct value token = codex_variable(codex, STR("token_variable"));
    if (str_is_empty(token.text)) {
        return false;
    }
    add_secret(codex->arena, codex->config, token.text);
    draft->skip_reason =
        arena_printf(codex->arena,
                     "%.*s stands over the stored login; Codex trades it for the credential that "
                     "it sends, which diagnose does not",
                     STR_ARG(codex_behaviour_value(codex, STR("token_variable"))));
    return true;
}

/* The variable that people take for a login, when it is set. */
static struct value unread_variable(struct codex *codex)
{
    struct str name = codex_behaviour_value(codex, STR("unread_key_variable"));
    struct value none = {0};
    return str_is_set(name) ? overlay_get(codex->arena, &codex->overlay, name) : none;
}

/* How a key of that variable becomes the login: as a version takes it that has the other variable
 * for keys, or as the ones before did. */
static struct str login_with(struct codex *codex, struct str variable)
{
    return str_is_set(codex_behaviour_value(codex, STR("key_variable")))
               ? arena_printf(codex->arena, "printenv %.*s | codex login --with-api-key",
                              STR_ARG(variable))
               : arena_printf(codex->arena, "codex login --api-key \"$%.*s\"", STR_ARG(variable));
}

/* Logged in, with a key in a variable that is not read: somebody else's perhaps, but people take
 * it for the one that pays. */
static void note_unread_beside(struct codex *codex, struct draft *draft)
{
    struct value unread = unread_variable(codex);
    const struct value *sent = &codex->login.credential;
    if (!draft->wants_remarks || str_is_empty(str_trim(unread.text)) ||
        str_eq(unread.text, sent->text)) {
        return;
    }
    note_add(codex->arena, &draft->problems, sent->origin, STR("two_credentials"), true,
             arena_printf(codex->arena,
                          "two credentials: the %s of %.*s is sent and its account billed; %.*s is "
                          "set, but Codex %.*s does not read it",
                          codex->login.kind == LOGIN_TOKENS ? "ChatGPT login" : "key",
                          STR_ARG(codex->login.path), STR_ARG(unread.origin.name),
                          STR_ARG(codex->version.text)));
}

static void note_missing(struct codex *codex, struct draft *draft, bool is_needed)
{
    struct value unread = unread_variable(codex);
    struct str hint = {NULL, 0};
    if (!str_is_empty(str_trim(unread.text))) {
        hint = arena_printf(codex->arena, "; %.*s is set, but Codex %.*s does not read it",
                            STR_ARG(codex_behaviour_value(codex, STR("unread_key_variable"))),
                            STR_ARG(codex->version.text));
    }
    const char *why = codex->login.is_ephemeral ? "is not read (cli_auth_credentials_store is "
                                                  "\"ephemeral\")"
                      : codex->login.kind == LOGIN_NONE ? "is not there"
                                                        : "holds no credential that it can read";
    struct str message =
        arena_printf(codex->arena, "Codex is not logged in: %.*s %s, so no key is sent%.*s",
                     STR_ARG(codex->login.path), why, STR_ARG(hint));
    struct origin origin = {.kind = ORIGIN_FILE, .name = codex->login.path};
    struct problem *problem =
        note_add(codex->arena, &draft->problems, origin, STR("key_missing"), !is_needed, message);
    problem->suggestion = str_is_empty(str_trim(unread.text))
                              ? STR("codex login")
                              : login_with(codex, unread.origin.name);
    problem->suggestion_kind = SUGGESTION_COMMAND;
    draft->is_unsendable = draft->is_unsendable || is_needed;
}

/* The stored login, or what stands over it. is_needed: the provider answers to no one without. */
static void take_login(struct codex *codex, struct draft *draft, bool is_needed)
{
    if (take_variable(codex, draft) || skip_token(codex, draft)) {
        return;
    }
    switch (codex->login.kind) {
    case LOGIN_KEY:
        take(draft, codex->login.credential, codex->login.path);
        note_unread_beside(codex, draft);
        break;
    case LOGIN_TOKENS:
        take_tokens(codex, draft);
        note_unread_beside(codex, draft);
        break;
    case LOGIN_UNREADABLE:
        draft->skip_reason =
            STR("the credentials are in the system's keyring, which is not readable from here");
        break;
    case LOGIN_EXCHANGED:
        draft->skip_reason =
            arena_printf(codex->arena,
                         "%.*s holds a token that Codex trades for the credential that it sends, "
                         "which diagnose does not",
                         STR_ARG(codex->login.path));
        break;
    case LOGIN_EMPTY:
        draft->is_uncapped = true;
        note_missing(codex, draft, true);
        break;
    case LOGIN_BROKEN:
    case LOGIN_NONE:
        note_missing(codex, draft, is_needed);
        break;
    }
}

static void take_env_key(struct codex *codex, struct value named, struct draft *draft)
{
    if (!key_is_variable_name(codex->arena, &codex->mask, named.text)) {
        /* Without the text: whatever stands there may be a key of any shape. */
        codex_refuse(codex, draft, named.origin, STR("bad_value"),
                     STR("env_key takes the name of a variable, such as OPENAI_API_KEY, not the "
                         "key itself nor \"$NAME\""));
        return;
    }
    struct value value = overlay_get(codex->arena, &codex->overlay, named.text);
    if (!str_is_set(value.text)) {
        value.origin = (struct origin){ORIGIN_ENV, named.text, 0, 0};
    }
    take(draft, value, named.text);
    draft->key.named_at = named.origin;
}

static void note_unsent_login(struct codex *codex, const struct codex_view *view, struct str id,
                              struct draft *draft)
{
    const struct layer *layer = NULL;
    const struct node *table = stack_node(&view->stack, KEY_PATH(PROVIDERS, id), &layer);
    if (codex->login.kind != LOGIN_KEY && codex->login.kind != LOGIN_TOKENS) {
        return;
    }
    note_add(codex->arena, &draft->problems, note_origin(&layer->source, table->pos),
             STR("unused_key"), true,
             arena_printf(codex->arena,
                          "no key is sent to model_providers.%.*s: it has no env_key, and Codex "
                          "%.*s sends its login only where requires_openai_auth is true",
                          STR_ARG(id), STR_ARG(codex->version.text)))
        ->suggestion = STR("requires_openai_auth = true");
}

/* A way of signing that only Codex itself can go. */
static bool is_out_of_reach(struct codex *codex, const struct codex_view *view, struct str id,
                            struct draft *draft)
{
    size_t count;
    struct str *names = stack_names(codex->arena, &view->stack, KEY_PATH(PROVIDERS, id), &count);
    for (size_t i = 0; i < count; i++) {
        bool is_of_version;
        const struct key_path path = KEY_PATH(PROVIDERS, id, names[i]);
        const struct client_key *key = key_table_find(&codex->check, &path, &is_of_version);
        if (key && is_of_version && str_is_set(key->skip)) {
            draft->skip_reason = key->skip;
            return true;
        }
    }
    return false;
}

void codex_find_credential(struct codex *codex, const struct codex_view *view, struct str id,
                           const struct client_provider *builtin, struct draft *draft)
{
    struct value none = {0};
    if (builtin) {
        if (builtin->has_login) {
            take_login(codex, draft, true);
        }
        return;
    }
    if (is_out_of_reach(codex, view, id, draft)) {
        return;
    }
    struct value env_key = codex_provider_string(codex, view, id, STR("env_key"));
    struct value bearer = codex_provider_string(codex, view, id, STR("experimental_bearer_token"));
    bool is_unsigned = str_eq(draft->wire.text, codex_behaviour_value(codex, STR("unsigned_wire")));
    if (str_is_set(env_key.text)) {
        take_env_key(codex, env_key, draft);
        draft->key.text =
            layer_under(codex->arena, draft->key.text,
                        str_is_set(draft->key.text.text) ? bearer.text : none.text, bearer.origin);
    } else if (str_is_set(bearer.text)) {
        take(draft, bearer, STR("experimental_bearer_token"));
    } else if (is_unsigned) {
        return;
    } else if (stack_bool(&view->stack, KEY_PATH(PROVIDERS, id, STR("requires_openai_auth")),
                          false)) {
        take_login(codex, draft, false);
    } else if (codex_behaviour(codex, STR("login_goes_anywhere"))) {
        bool has_login = codex->login.kind == LOGIN_KEY || codex->login.kind == LOGIN_TOKENS ||
                         codex->login.kind == LOGIN_UNREADABLE;
        if (has_login || str_is_set(codex_behaviour_value(codex, STR("key_variable")))) {
            take_login(codex, draft, false);
        }
    } else {
        note_unsent_login(codex, view, id, draft);
    }
}
