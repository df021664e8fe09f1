/* Where a request of Codex goes. Takes a view and a provider's id, fills address, wire and query
 * of a draft; the built-in providers are data. */
#include "config/codex.h"

#include "base/buf.h"
#include "config/layer.h"

#define QUERY_BYTES_MAX 4096

struct problem *codex_refuse(struct codex *codex, struct draft *draft, struct origin origin,
                             struct str code, struct str message)
{
    draft->is_unsendable = draft->is_refused = true;
    return note_add(codex->arena, &draft->problems, origin, code, false, message);
}

/* Tables of providers and built-in ones, for "did you mean". */
static struct str nearest_provider(struct codex *codex, const struct codex_view *view,
                                   struct str id)
{
    size_t count, most = rules_client_provider_count(codex->rules);
    struct str *named = stack_names(codex->arena, &view->stack, KEY_PATH(PROVIDERS), &count);
    struct str *all = ARENA_ARRAY(codex->arena, count + most + 1, struct str);
    for (size_t i = 0; i < count; i++) {
        all[i] = named[i];
    }
    for (size_t i = 0; i < most; i++) {
        const struct client_provider *provider = rules_client_provider_at(codex->rules, i);
        if (str_eq(provider->client, CODEX) &&
            version_is_in(codex->version.text, provider->range)) {
            all[count++] = provider->id;
        }
    }
    return str_nearest(id, all, count);
}

static void refuse_unknown(struct codex *codex, const struct codex_view *view,
                           const struct value *id, struct draft *draft)
{
    struct str message = arena_printf(
        codex->arena, "model_provider %.*s is not defined: there is no [model_providers.%.*s]",
        STR_ARG(note_quote(codex->arena, &codex->mask, id->text)),
        STR_ARG(codex_name(codex, id->text)));
    codex_refuse(codex, draft, id->origin, STR("unknown_provider"), message)->suggestion =
        nearest_provider(codex, view, id->text);
}

/* The address of a built-in provider: settings over variables over what is built in. */
static void find_builtin_url(struct codex *codex, const struct codex_view *view,
                             const struct client_provider *builtin, struct draft *draft)
{
    struct value url = {.text = builtin->base_url, .origin = codex_default_origin(codex)};
    draft->base_url_label = STR("base_url");
    if (draft->is_uncapped) {
        url.text = codex_behaviour_value(codex, STR("login_base_url"));
    }
    if (str_is_set(builtin->port_env)) {
        struct value port = overlay_get(codex->arena, &codex->overlay, builtin->port_env);
        if (!str_is_empty(str_trim(port.text))) {
            url = layer_over(codex->arena, url,
                             arena_printf(codex->arena, "http://localhost:%.*s/v1",
                                          STR_ARG(str_trim(port.text))),
                             port.origin);
        }
    }
    if (str_is_set(builtin->url_env)) {
        struct value said = overlay_get(codex->arena, &codex->overlay, builtin->url_env);
        if (!str_is_empty(str_trim(said.text))) {
            url = layer_over(codex->arena, url, str_trim(said.text), said.origin);
            draft->base_url_label = builtin->url_env;
        }
    }
    if (str_is_set(builtin->url_key)) {
        struct value said = codex_string(codex, view, builtin->url_key);
        if (str_is_set(said.text)) {
            draft->base_url_label = builtin->url_key;
            url = layer_over(codex->arena, url, said.text, said.origin);
        }
    }
    draft->base_url = url;
}

/* A variable that older versions read, and that others still do. */
static void note_unread_url(struct codex *codex, const struct client_provider *builtin,
                            struct draft *draft)
{
    struct str name = codex_behaviour_value(codex, STR("unread_url_variable"));
    struct value said = {0};
    if (builtin->has_login && str_is_set(name)) {
        said = overlay_get(codex->arena, &codex->overlay, name);
    }
    if (str_is_empty(str_trim(said.text))) {
        return;
    }
    note_add(codex->arena, &draft->problems, said.origin, STR("unused_key"), true,
             arena_printf(codex->arena, "%.*s is set, but Codex %.*s does not read it",
                          STR_ARG(name), STR_ARG(codex->version.text)))
        ->suggestion =
        arena_printf(codex->arena, "%.*s = \"...\" in config.toml", STR_ARG(builtin->url_key));
}

/* An address stands in the provider's table under a name that Codex does not read, as "baseurl". */
static bool has_lost_url(struct codex *codex, const struct codex_view *view, struct str id)
{
    size_t count;
    struct str *names = stack_names(codex->arena, &view->stack, KEY_PATH(PROVIDERS, id), &count);
    for (size_t i = 0; i < count; i++) {
        bool is_of_version;
        const struct key_path path = KEY_PATH(PROVIDERS, id, names[i]);
        const struct client_key *key = key_table_find(&codex->check, &path, &is_of_version);
        const struct node *said = stack_node(&view->stack, path, NULL);
        if ((key == NULL || key->is_unread || !is_of_version) && said->kind == NODE_STRING &&
            str_find(said->string, STR("://")) >= 0) {
            return true;
        }
    }
    return false;
}

/* Without base_url Codex sends the provider's key to the default address. Where another address was
 * meant, that is no host for the key to be tried at. */
static void find_own_url(struct codex *codex, const struct codex_view *view, struct value id,
                         struct draft *draft)
{
    draft->base_url_label = STR("base_url");
    draft->base_url = codex_provider_string(codex, view, id.text, STR("base_url"));
    if (str_is_set(draft->base_url.text)) {
        return;
    }
    const struct layer *layer = NULL;
    const struct node *table = stack_node(&view->stack, KEY_PATH(PROVIDERS, id.text), &layer);
    draft->base_url = (struct value){
        .text = codex_behaviour_value(codex, draft->is_uncapped ? STR("login_base_url")
                                                                : STR("default_base_url")),
        .origin = codex_default_origin(codex)};
    bool is_lost = has_lost_url(codex, view, id.text);
    draft->is_unsendable = draft->is_unsendable || is_lost;
    if (!is_lost && stack_bool(&view->stack,
                               KEY_PATH(PROVIDERS, id.text, STR("requires_openai_auth")), false)) {
        return; /* the login belongs to that address */
    }
    note_add(codex->arena, &draft->problems, note_origin(&layer->source, table->pos),
             STR("bad_value"), !is_lost,
             arena_printf(codex->arena,
                          "model_providers.%.*s has no base_url, so its requests and its key go to "
                          "%.*s%s",
                          STR_ARG(id.text), STR_ARG(draft->base_url.text),
                          is_lost ? "; diagnose does not send them there" : ""))
        ->suggestion = STR("base_url = \"https://...\"");
}

/* What a URL's parser escapes in a query; '+', '@' and '%' stay as they are. */
static void add_escaped(struct buf *query, struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c <= 0x20 || c >= 0x7F || str_is_of(c, "\"#<>")) {
            buf_printf(query, "%%%02X", c);
        } else {
            buf_add_char(query, (char)c);
        }
    }
}

static void find_query(struct codex *codex, const struct codex_view *view, struct str id,
                       struct draft *draft)
{
    size_t count;
    struct buf query = buf_create(QUERY_BYTES_MAX);
    struct origin origin = {0};
    struct str *names = stack_names(codex->arena, &view->stack,
                                    KEY_PATH(PROVIDERS, id, STR("query_params")), &count);
    for (size_t i = 0; i < count; i++) {
        struct value said = {0};
        said = stack_string(codex->arena, &view->stack, said,
                            KEY_PATH(PROVIDERS, id, STR("query_params"), names[i]));
        if (str_is_set(said.text)) {
            origin = query.len ? origin : said.origin;
            buf_add(&query, query.len ? STR("&") : STR(""));
            add_escaped(&query, names[i]);
            buf_add_char(&query, '=');
            add_escaped(&query, said.text);
        }
    }
    if (query.len) {
        draft->query =
            (struct value){.text = arena_dup(codex->arena, buf_str(&query)), .origin = origin};
    }
    buf_free(&query);
}

static void find_wire(struct codex *codex, const struct codex_view *view, struct str id,
                      const struct client_provider *builtin, struct draft *draft)
{
    struct str usual = builtin ? builtin->wire : codex_behaviour_value(codex, STR("default_wire"));
    draft->wire = layer_over(codex->arena, draft->wire, usual, codex_default_origin(codex));
    if (!builtin) {
        draft->wire = stack_string(codex->arena, &view->stack, draft->wire,
                                   KEY_PATH(PROVIDERS, id, STR("wire_api")));
    }
}

/* Old versions put another slash behind one at the end. */
static void trim_slash(struct codex *codex, struct draft *draft)
{
    struct value *url = &draft->base_url;
    if (!str_ends(url->text, STR("/"))) {
        return;
    }
    struct str bare = url->text;
    while (str_ends(bare, STR("/"))) {
        bare.len--;
    }
    if (!codex_behaviour(codex, STR("slash_kept"))) {
        url->text = bare;
        return;
    }
    note_add(codex->arena, &draft->problems, url->origin, STR("bad_value"), true,
             arena_printf(codex->arena,
                          "base_url ends in \"/\", behind which Codex %.*s puts another one",
                          STR_ARG(codex->version.text)))
        ->suggestion = bare;
}

/* What a request of ours does not prove: of a built-in provider, or by a switch in the table. */
static struct phrase note_of(struct codex *codex, const struct codex_view *view, struct str id,
                             const struct client_provider *builtin)
{
    size_t count;
    struct phrase note = builtin ? builtin->note : (struct phrase){0};
    struct str *names = stack_names(codex->arena, &view->stack, KEY_PATH(PROVIDERS, id), &count);
    for (size_t i = 0; i < count && !builtin; i++) {
        bool is_of_version;
        const struct key_path path = KEY_PATH(PROVIDERS, id, names[i]);
        const struct client_key *key = key_table_find(&codex->check, &path, &is_of_version);
        if (key && is_of_version && str_is_set(key->note.in[LANG_EN]) &&
            stack_bool(&view->stack, path, false)) {
            note = key->note;
        }
    }
    return note;
}

void codex_find_provider(struct codex *codex, const struct codex_view *view, struct value id,
                         struct draft *draft)
{
    const struct client_provider *builtin =
        rules_client_provider(codex->rules, CODEX, id.text, codex->version.text);
    draft->note = note_of(codex, view, id.text, builtin);
    if (builtin && str_is_set(builtin->skip_reason)) {
        draft->skip_reason = builtin->skip_reason;
        return;
    }
    if (!builtin) {
        const struct node *table = stack_node(&view->stack, KEY_PATH(PROVIDERS, id.text), NULL);
        if (!table) {
            refuse_unknown(codex, view, &id, draft);
            return;
        }
    }
    find_wire(codex, view, id.text, builtin, draft);
    codex_find_credential(codex, view, id.text, builtin, draft);
    if (builtin) {
        find_builtin_url(codex, view, builtin, draft);
        note_unread_url(codex, builtin, draft);
    } else {
        find_own_url(codex, view, id, draft);
        find_query(codex, view, id.text, draft);
    }
    trim_slash(codex, draft);
    codex_find_headers(codex, view, id.text, builtin, draft);
}
