/* Readers of the variables that the vendors' own SDKs read. One table a vendor says which variable
 * does what; a target is made only where a key or an address is set. Which variables: the README
 * and client.py of openai-python, anthropic-sdk-python. */
#include "config/add.h"
#include "config/header.h"
#include "config/key.h"
#include "config/layer.h"
#include "config/note.h"
#include "config/reader.h"
#include "config/settings.h"
#include "config/suggest.h"

#include <curl/curl.h>

enum role_of_variable {
    SDK_KEY,      /* sent as the provider wants keys */
    SDK_TOKEN,    /* sent as "Authorization: Bearer" */
    SDK_BASE_URL, /* makes a target even without a key */
    SDK_MODEL,
    SDK_HEADER,  /* its value goes into a header */
    SDK_HEADERS, /* lines "Name: value" */
    SDK_VERSION, /* api-version of the query */
};

struct sdk_variable {
    const char *name;
    enum role_of_variable role;
    struct str header; /* for SDK_HEADER */
};

#define VARIABLES_MAX 8
struct sdk {
    struct str client, provider;
    struct sdk_variable variables[VARIABLES_MAX]; /* of keys and tokens the first that is set wins;
                                                     ends with a NULL name */
    struct str wires[2];                          /* that the SDK speaks, best first */
    size_t wire_count;
    struct str deployment_path; /* put before the model to make the URL's path, or unset */
    bool sends_token_too;       /* a token is sent beside the key, not in its place */
};

static const struct sdk openai = {
    .client = STR_INIT("openai-sdk"),
    .provider = STR_INIT("openai"),
    .variables = {{"OPENAI_API_KEY", SDK_KEY, {NULL, 0}},
                  {"OPENAI_BASE_URL", SDK_BASE_URL, {NULL, 0}},
                  {"OPENAI_ORG_ID", SDK_HEADER, STR_INIT("OpenAI-Organization")},
                  {"OPENAI_PROJECT_ID", SDK_HEADER, STR_INIT("OpenAI-Project")},
                  {"OPENAI_CUSTOM_HEADERS", SDK_HEADERS, {NULL, 0}}},
    .wires = {STR_INIT("responses"), STR_INIT("chat")},
    .wire_count = 2,
};
static const struct sdk anthropic = {
    .client = STR_INIT("anthropic-sdk"),
    .provider = STR_INIT("anthropic"),
    .variables = {{"ANTHROPIC_API_KEY", SDK_KEY, {NULL, 0}},
                  {"ANTHROPIC_AUTH_TOKEN", SDK_TOKEN, {NULL, 0}},
                  {"ANTHROPIC_BASE_URL", SDK_BASE_URL, {NULL, 0}},
                  {"ANTHROPIC_MODEL", SDK_MODEL, {NULL, 0}},
                  {"ANTHROPIC_CUSTOM_HEADERS", SDK_HEADERS, {NULL, 0}}},
    .wires = {STR_INIT("messages")},
    .wire_count = 1,
    .sends_token_too = true,
};
static const struct sdk azure_openai = {
    .client = STR_INIT("azure-openai-sdk"),
    .provider = STR_INIT("azure-openai"),
    .variables = {{"AZURE_OPENAI_AD_TOKEN", SDK_TOKEN, {NULL, 0}},
                  {"AZURE_OPENAI_API_KEY", SDK_KEY, {NULL, 0}},
                  {"AZURE_OPENAI_ENDPOINT", SDK_BASE_URL, {NULL, 0}},
                  {"OPENAI_API_VERSION", SDK_VERSION, {NULL, 0}}},
    .wires = {STR_INIT("chat")},
    .wire_count = 1,
    .deployment_path = STR_INIT("/openai/deployments/"),
};

/* One reading of one SDK's variables. */
struct reading {
    struct arena *arena;
    const struct env *env;
    const struct rules *rules;
    const struct config_request *request;
    struct config *config;
    const struct sdk *sdk;
    const struct provider *provider; /* the SDK's own */
    struct draft draft;
    struct header *headers;
    struct origin *header_origins;
    size_t header_capacity, origin_capacity;
};

static struct origin env_origin(const char *name)
{
    return (struct origin){ORIGIN_ENV, str_from(name), 0, 0};
}

static bool is_configured(const struct reading *r)
{
    for (const struct sdk_variable *v = r->sdk->variables; v->name; v++) {
        bool makes_target = v->role == SDK_KEY || v->role == SDK_TOKEN || v->role == SDK_BASE_URL;
        struct str value = env_get(r->env, v->name);
        /* An empty key is what a CI job gets whose secret is missing: that is worth a target. An
         * empty address alone is nothing. */
        if (makes_target && (v->role == SDK_BASE_URL ? value.len > 0 : str_is_set(value))) {
            return true;
        }
    }
    return false;
}

static void add_header(struct reading *r, struct str name, struct str value, const char *variable)
{
    const size_t at = r->draft.header_count;
    r->headers = arena_grow(r->arena, r->headers, at, &r->header_capacity, sizeof *r->headers);
    r->header_origins =
        arena_grow(r->arena, r->header_origins, at, &r->origin_capacity, sizeof *r->header_origins);
    r->headers[at] = (struct header){name, value};
    r->header_origins[at] = env_origin(variable);
    r->draft.header_count++;
    r->draft.headers = r->headers;
    r->draft.header_origins = r->header_origins;
}

static void take_key(struct reading *r, const struct sdk_variable *v, struct str value)
{
    struct key_source *key = &r->draft.key;
    if (str_is_set(key->text.text)) {
        if (r->sdk->sends_token_too && v->role == SDK_TOKEN && value.len) {
            add_header(r, STR("Authorization"),
                       arena_printf(r->arena, "Bearer %.*s", STR_ARG(value)), v->name);
        }
        key->text = layer_under(r->arena, key->text, value, env_origin(v->name));
        return;
    }
    key->text = (struct value){.text = value, .origin = env_origin(v->name)};
    key->name = str_from(v->name);
    key->named_at = key->text.origin;
    if (v->role == SDK_TOKEN) {
        r->draft.auth_header = STR("Authorization");
        r->draft.auth_prefix = STR("Bearer ");
    }
}

/* Keys are judged by key.c, empty ones as well. */
static bool is_empty_otherwise(struct reading *r, const struct sdk_variable *v, struct str value)
{
    if (v->role == SDK_KEY || v->role == SDK_TOKEN || !str_is_set(value) ||
        str_trim(value).len > 0) {
        return false;
    }
    note_add(
        r->arena, &r->draft.problems, env_origin(v->name), STR("bad_value"), true,
        arena_printf(r->arena, "%s is set, but to nothing: give it a value or unset it", v->name));
    return true;
}

static void refuse_header(struct reading *r, const char *variable, const char *wrong)
{
    note_add(r->arena, &r->draft.problems, env_origin(variable), STR("bad_value"), false,
             arena_printf(r->arena, "%s %s", variable, wrong));
    r->draft.is_unsendable = true;
}

static void take_header(struct reading *r, const struct sdk_variable *v, struct str value)
{
    if (header_is_value(value)) {
        add_header(r, v->header, str_trim(value), v->name);
    } else {
        refuse_header(r, v->name, "has a line end or control character in it: remove it");
    }
}

/* As the SDKs do it: lines without a colon are passed over. */
static void take_headers(struct reading *r, const struct sdk_variable *v, struct str lines)
{
    struct str line;
    while (str_split(&lines, '\n', &line)) {
        ptrdiff_t colon = str_find_char(line, ':');
        if (colon < 0) {
            continue;
        }
        struct str name = str_trim(str_slice(line, 0, (size_t)colon));
        struct str value = str_trim(str_slice(line, (size_t)colon + 1, line.len));
        if (!header_is_name(name) || !header_is_value(value)) {
            refuse_header(r, v->name, "has a line that is no header: expected \"Name: value\"");
            return;
        }
        add_header(r, name, value, v->name);
    }
}

static void take_variable(struct reading *r, const struct sdk_variable *v)
{
    struct str value = env_get(r->env, v->name);
    struct draft *draft = &r->draft;
    if (v->role == SDK_BASE_URL) {
        draft->base_url_label = str_from(v->name);
        draft->base_url.origin = env_origin(v->name);
    }
    if (!str_is_set(value) || is_empty_otherwise(r, v, value)) {
        return;
    }
    switch (v->role) {
    case SDK_KEY:
    case SDK_TOKEN:
        take_key(r, v, value);
        break;
    case SDK_BASE_URL:
        draft->base_url = layer_over(r->arena, draft->base_url, value, env_origin(v->name));
        break;
    case SDK_MODEL:
        draft->model = layer_over(r->arena, draft->model, value, env_origin(v->name));
        break;
    case SDK_HEADER:
        take_header(r, v, value);
        break;
    case SDK_HEADERS:
        take_headers(r, v, value);
        break;
    case SDK_VERSION:
        draft->query = layer_over(r->arena, draft->query,
                                  arena_printf(r->arena, "api-version=%.*s", STR_ARG(value)),
                                  env_origin(v->name));
        break;
    }
}

static const char *key_variable(const struct sdk *sdk)
{
    const struct sdk_variable *v = sdk->variables;
    while (v->role != SDK_KEY) {
        v++;
    }
    return v->name;
}

/* Without any variable of a key it is this one that is missing. */
static void name_missing_key(struct reading *r)
{
    const char *name = key_variable(r->sdk);
    r->draft.key.name = str_from(name);
    r->draft.key.text.origin = r->draft.key.named_at = env_origin(name);
}

/* Where nothing at all is configured a variable of nearly the right name is worth a word. */
static void hint_at_neighbour(struct reading *r)
{
    const char *name = key_variable(r->sdk);
    struct str near = suggest_key_variable(r->env, str_from(name));
    if (r->config->target_count > 0 || !str_is_set(near)) {
        return;
    }
    note_add(r->arena, &r->config->problems, env_origin(name), STR("key_missing"), true,
             arena_printf(r->arena, "%.*s is set, but the SDK reads %s, which is not",
                          STR_ARG(near), name))
        ->suggestion = near;
}

/* The address's owner where it is known: OPENAI_BASE_URL may lead to another vendor. */
static const struct provider *owner_of_url(struct reading *r)
{
    struct problems ignored = {0};
    struct url url;
    const struct value *base_url = &r->draft.base_url;
    if (!str_is_set(base_url->text) ||
        !url_check(r->arena, r->rules, base_url, STR(""), &ignored, &url)) {
        return r->provider;
    }
    const struct provider *owner = rules_provider_of_host(r->rules, url.host);
    return owner ? owner : r->provider;
}

static void choose_model(struct reading *r, const struct provider *owner)
{
    struct draft *draft = &r->draft;
    const struct provider *cheap = owner && str_is_set(owner->cheap_model) ? owner : r->provider;
    if (cheap && str_is_set(cheap->cheap_model) && !str_is_set(r->sdk->deployment_path)) {
        struct str where = arena_printf(r->arena, "documented small model, %.*s",
                                        STR_ARG(cheap->cheap_model_source));
        draft->model = layer_under(r->arena, draft->model, cheap->cheap_model,
                                   (struct origin){ORIGIN_DEFAULT, where, 0, 0});
    }
    draft->model = layer_over(r->arena, draft->model, r->request->model,
                              (struct origin){ORIGIN_OPTION, STR("--model"), 0, 0});
}

/* Azure puts the model, there called deployment, into the path. */
static void compose_url(struct reading *r)
{
    struct draft *draft = &r->draft;
    if (!str_is_set(r->sdk->deployment_path)) {
        return;
    }
    if (str_is_empty(draft->model.text)) {
        draft->skip_reason =
            STR("Azure deployments have names of your own; give --model DEPLOYMENT");
        draft->lacks_only_model = true;
        return;
    }
    struct problems ignored = {0};
    struct url url;
    if (!str_is_set(draft->base_url.text) ||
        !url_check(r->arena, r->rules, &draft->base_url, STR(""), &ignored, &url)) {
        return; /* draft_finish says what is wrong */
    }
    if (url.path.len) {
        struct str root = str_slice(url.text, 0, url.text.len - url.path.len);
        note_add(r->arena, &draft->problems, draft->base_url.origin, STR("bad_value"), true,
                 arena_printf(r->arena,
                              "%.*s has a path: expected the address of the resource alone",
                              STR_ARG(draft->base_url_label)))
            ->suggestion = root;
    }
    char *escaped = curl_easy_escape(NULL, draft->model.text.ptr, (int)draft->model.text.len);
    draft->base_url.text = arena_printf(r->arena, "%.*s%.*s%s", STR_ARG(url.text),
                                        STR_ARG(r->sdk->deployment_path), escaped ? escaped : "");
    draft->is_url_composed = true;
    draft->query = layer_under(r->arena, draft->query, url.query, draft->base_url.origin);
    curl_free(escaped);
}

static void sdk_read(struct reading *r)
{
    for (const struct sdk_variable *v = r->sdk->variables; v->name; v++) {
        add_looked(r->arena, r->config, arena_printf(r->arena, "$%s", v->name));
    }
    if (!is_configured(r)) {
        hint_at_neighbour(r);
        return;
    }
    struct draft *draft = &r->draft;
    r->provider = rules_provider(r->rules, r->sdk->provider);
    *draft = (struct draft){.client = r->sdk->client,
                            .wants_remarks = r->request->wants_remarks,
                            .wires = r->sdk->wires,
                            .wire_count = r->sdk->wire_count,
                            .auth = r->provider,
                            .key = {.is_wanted = true}};
    for (const struct sdk_variable *v = r->sdk->variables; v->name; v++) {
        take_variable(r, v);
    }
    if (!str_is_set(draft->key.text.text)) {
        name_missing_key(r);
    }
    const struct provider *owner = owner_of_url(r);
    if (owner) {
        draft->provider = (struct value){
            .text = owner->id,
            .origin = {ORIGIN_DEFAULT, owner == r->provider ? r->sdk->client : STR("host of URL"),
                       0, 0}};
    }
    choose_model(r, owner);
    compose_url(r);
    draft->proxy = layer_over(r->arena, draft->proxy, r->request->proxy,
                              (struct origin){ORIGIN_OPTION, STR("--proxy"), 0, 0});
    struct target target = draft_finish(r->arena, r->env, r->rules, draft);
    target.role = ROLE_PRIMARY;
    add_target(r->arena, r->config, target);
    settings_add_target(r->arena, r->rules, r->config, STR(""), draft, &target);
}

static void read_openai(struct arena *arena, const struct env *env, const struct rules *rules,
                        const struct config_request *request, struct config *config)
{
    struct reading *r = ARENA_NEW(arena, struct reading);
    *r = (struct reading){arena, env, rules, request, config, &openai, .provider = NULL};
    sdk_read(r);
}

static void read_anthropic(struct arena *arena, const struct env *env, const struct rules *rules,
                           const struct config_request *request, struct config *config)
{
    struct reading *r = ARENA_NEW(arena, struct reading);
    *r = (struct reading){arena, env, rules, request, config, &anthropic, .provider = NULL};
    sdk_read(r);
}

static void read_azure(struct arena *arena, const struct env *env, const struct rules *rules,
                       const struct config_request *request, struct config *config)
{
    struct reading *r = ARENA_NEW(arena, struct reading);
    *r = (struct reading){arena, env, rules, request, config, &azure_openai, .provider = NULL};
    sdk_read(r);
}

const struct reader reader_openai_sdk = {.client = STR_INIT("openai-sdk"), .read = read_openai};
const struct reader reader_anthropic_sdk = {.client = STR_INIT("anthropic-sdk"),
                                            .read = read_anthropic};
const struct reader reader_azure_openai_sdk = {.client = STR_INIT("azure-openai-sdk"),
                                               .read = read_azure};
