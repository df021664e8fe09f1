/* From what a reader found to a target: defaults of the provider, the wire, the URL, headers, the
 * key. Takes a draft, gives a target with the problems of each part; knows no client and no
 * provider by name. */
#include "config/draft.h"

#include "config/key.h"
#include "config/layer.h"
#include "config/note.h"
#include "config/remark.h"
#include "config/route.h"
#include "config/suggest.h"

#define PROVIDERS_TOML STR("providers.toml")
#define WIRES_MAX 32

struct maker {
    struct arena *arena;
    const struct env *env;
    const struct rules *rules;
    struct draft *draft;
    struct target target;
    const struct provider *provider;
    const struct wire *wire;
    struct url url;
    struct mask mask;
};

static struct problem *complain(struct maker *m, struct origin origin, struct str code,
                                bool is_warning, struct str message)
{
    if (!is_warning) {
        m->target.is_unsendable = true;
    }
    return note_add(m->arena, &m->target.problems, origin, code, is_warning, message);
}

static void find_provider(struct maker *m)
{
    const struct value *said = &m->draft->provider;
    if (!str_is_set(said->text)) {
        return;
    }
    m->provider = rules_provider(m->rules, said->text);
    m->target.provider_origin = said->origin;
    if (m->provider) {
        return;
    }
    size_t count = rules_provider_count(m->rules);
    struct str *ids = ARENA_ARRAY(m->arena, count, struct str);
    for (size_t i = 0; i < count; i++) {
        ids[i] = rules_provider_at(m->rules, i)->id;
    }
    struct str shown = note_quote(m->arena, &m->mask, said->text);
    struct str near = str_nearest(said->text, ids, count);
    struct str message =
        str_is_set(near)
            ? arena_printf(m->arena, "provider %.*s is not known", STR_ARG(shown))
            : arena_printf(m->arena, "provider %.*s is not known: expected one of %.*s",
                           STR_ARG(shown), STR_ARG(suggest_choices(m->arena, ids, count)));
    bool is_warning = str_is_set(m->draft->base_url.text) && str_is_set(m->draft->wire.text);
    complain(m, said->origin, STR("unknown_provider"), is_warning, message)->suggestion = near;
}

/* Takes the base URL apart; false when no request can be made with it. */
static bool look_into_url(struct maker *m)
{
    const struct draft *draft = m->draft;
    struct looks *looks = draft->looks;
    struct problems *problems = &m->target.problems;
    size_t count = problems->count;
    if (looks && str_is_set(looks->base_url) && str_eq(looks->base_url, draft->base_url.text)) {
        m->url = looks->url;
        return true;
    }
    bool is_usable =
        url_check(m->arena, m->rules, &draft->base_url, draft->base_url_label, problems, &m->url);
    if (looks && is_usable && problems->count == count) {
        looks->base_url = draft->base_url.text;
        looks->url = m->url;
    }
    return is_usable;
}

static void check_url(struct maker *m)
{
    struct draft *draft = m->draft;
    if (m->provider) {
        draft->base_url = layer_under(m->arena, draft->base_url, m->provider->base_url,
                                      (struct origin){ORIGIN_DEFAULT, PROVIDERS_TOML, 0, 0});
    }
    if (!str_is_set(draft->base_url.text)) {
        const char *why = m->provider ? "this provider has no address of its own"
                                      : "there is no provider to take one from";
        struct str message = arena_printf(m->arena, "%.*s is not given, and %s",
                                          STR_ARG(draft->base_url_label), why);
        if (!m->target.is_unsendable && !str_is_set(draft->skip_reason)) {
            complain(m, draft->base_url.origin, STR("bad_value"), false, message);
        }
        return;
    }
    m->target.base_url = draft->base_url;
    if (!look_into_url(m)) {
        m->target.is_unsendable = true;
        return;
    }
    m->target.base_url.text = m->url.text;
    if (!m->provider) {
        m->provider = rules_provider_of_host(m->rules, m->url.host);
        if (m->provider) {
            m->target.provider_origin =
                (struct origin){ORIGIN_DEFAULT, STR("host of base_url"), 0, 0};
        }
    }
}

static bool is_allowed(const struct draft *draft, struct str wire)
{
    for (size_t i = 0; i < draft->wire_count; i++) {
        if (str_eq(draft->wires[i], wire)) {
            return true;
        }
    }
    return draft->wire_count == 0;
}

static void default_wire(struct maker *m)
{
    const struct draft *draft = m->draft;
    struct origin origin = {ORIGIN_DEFAULT, PROVIDERS_TOML, 0, 0};
    for (size_t i = 0; m->provider && !m->wire && i < m->provider->wire_count; i++) {
        struct str name = m->provider->wires[i];
        m->wire = is_allowed(draft, name) ? wire_find(name) : NULL;
    }
    for (size_t i = 0; !m->wire && i < draft->wire_count; i++) {
        m->wire = wire_find(draft->wires[i]);
        origin.name = STR("first API of this client");
    }
    m->target.wire_origin = m->wire ? origin : (struct origin){0};
}

static void find_wire(struct maker *m)
{
    struct str names[WIRES_MAX];
    size_t count = 0;
    const struct value *said = &m->draft->wire;
    for (; count < wire_count() && count < WIRES_MAX; count++) {
        names[count] = wire_at(count)->name;
    }
    if (str_is_set(said->text)) {
        m->wire = wire_find(said->text);
        m->target.wire_origin = said->origin;
        if (!m->wire) {
            struct str message = arena_printf(m->arena, "wire %.*s is not known: expected %.*s",
                                              STR_ARG(note_quote(m->arena, &m->mask, said->text)),
                                              STR_ARG(suggest_choices(m->arena, names, count)));
            complain(m, said->origin, STR("bad_value"), false, message)->suggestion =
                str_nearest(said->text, names, count);
        }
        return;
    }
    default_wire(m);
    if (m->wire || m->target.is_unsendable) {
        return;
    }
    if (m->provider && m->provider->wire_count) {
        m->target.lacks_only_model = !str_is_set(m->target.skip_reason);
        m->target.skip_reason = arena_printf(
            m->arena, "the API of %.*s (%.*s) is not one that can be asked yet; set wire",
            STR_ARG(m->provider->name), STR_ARG(m->provider->wires[0]));
        return;
    }
    struct str message = arena_printf(m->arena,
                                      "wire is not given and the provider is not known: expected "
                                      "wire = %.*s",
                                      STR_ARG(suggest_choices(m->arena, names, count)));
    complain(m, m->draft->base_url.origin, STR("bad_value"), false, message);
}

/* Whose header carries the key: the client's own way, the provider's, else that of the API's
 * inventor. */
static const struct provider *auth_of(const struct maker *m)
{
    if (m->draft->auth || m->provider) {
        return m->draft->auth ? m->draft->auth : m->provider;
    }
    return m->wire ? rules_provider_of_wire(m->rules, m->wire->name) : NULL;
}

static void set_header(struct header *headers, size_t *count, struct header header)
{
    for (size_t i = 0; i < *count; i++) {
        if (str_ieq(headers[i].name, header.name)) {
            headers[i] = header;
            return;
        }
    }
    headers[(*count)++] = header;
}

static void remove_header(struct maker *m, struct header *headers, struct str name)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->target.header_count; i++) {
        if (!str_ieq(headers[i].name, name)) {
            headers[kept++] = headers[i];
        }
    }
    m->target.header_count = kept;
}

/* A header of the user's that carries the key itself, as "Authorization", is the key: clients let
 * it stand over any other, and two of one name must not be sent. */
static void adopt_key_header(struct maker *m, struct header *headers)
{
    const struct draft *draft = m->draft;
    struct key_source *key = &m->draft->key;
    for (size_t i = 0; i < draft->header_count; i++) {
        const struct header *header = &draft->headers[i];
        const struct origin origin = draft->header_origins[i];
        if (!str_ieq(header->name, m->target.auth_header)) {
            continue;
        }
        size_t prefix = m->target.auth_prefix.len;
        if (!str_istarts(header->value, m->target.auth_prefix)) {
            prefix = (size_t)(str_find_char(header->value, ' ') + 1); /* another scheme: "Basic " */
        }
        m->target.auth_prefix = str_slice(header->value, 0, prefix);
        struct str value = str_slice(header->value, prefix, header->value.len);
        if (!str_eq(key->text.text, value)) {
            key->text = layer_over(m->arena, key->text, value, origin);
        }
        key->is_wanted = true;
        key->problem = (struct str){NULL, 0};
        key->name = origin.kind == ORIGIN_ENV
                        ? origin.name
                        : arena_printf(m->arena, "headers.%.*s", STR_ARG(header->name));
        remove_header(m, headers, header->name);
    }
}

static void fill_auth(struct maker *m)
{
    const struct draft *draft = m->draft;
    const struct provider *auth = auth_of(m);
    struct target *target = &m->target;
    size_t own = auth && !draft->is_exact ? auth->header_count : 0;
    struct header *headers = ARENA_ARRAY(m->arena, own + draft->header_count + 1, struct header);
    for (size_t i = 0; i < own; i++) {
        set_header(headers, &target->header_count, auth->headers[i]);
    }
    for (size_t i = 0; i < draft->header_count; i++) {
        set_header(headers, &target->header_count, draft->headers[i]);
    }
    target->headers = headers;
    bool has_way = auth && str_is_set(auth->auth_header);
    target->auth_header = has_way ? auth->auth_header : STR("Authorization");
    target->auth_prefix = has_way ? auth->auth_prefix : STR("Bearer ");
    if (str_is_set(draft->auth_header)) {
        target->auth_header = draft->auth_header;
        target->auth_prefix = draft->auth_prefix;
    }
    adopt_key_header(m, headers);
}

static void fill_query(struct maker *m)
{
    struct value *query = &m->draft->query;
    *query = layer_under(m->arena, *query, m->url.query, m->draft->base_url.origin);
    if (m->provider && !m->draft->is_exact) {
        *query = layer_under(m->arena, *query, m->provider->query,
                             (struct origin){ORIGIN_DEFAULT, PROVIDERS_TOML, 0, 0});
    }
    if (!str_is_empty(query->text)) {
        m->target.query = query->text;
    }
}

static void complain_missing(struct maker *m)
{
    const struct key_source *source = &m->draft->key;
    struct str near = suggest_key_variable(m->env, source->name);
    struct str message =
        str_is_set(near)
            ? arena_printf(m->arena, "the key's variable %.*s is not set, but %.*s is",
                           STR_ARG(source->name), STR_ARG(near))
            : arena_printf(m->arena, "the key's variable %.*s is not set", STR_ARG(source->name));
    complain(m, source->named_at, STR("key_missing"), false, message)->suggestion = near;
}

static void fill_key(struct maker *m)
{
    const struct key_source *source = &m->draft->key;
    struct target *target = &m->target;
    if (!source->is_wanted) {
        return;
    }
    target->key_name = source->name;
    target->key_origin = source->text.origin;
    if (str_is_set(source->problem)) {
        struct str message = arena_printf(m->arena, "key_file %.*s %.*s", STR_ARG(source->name),
                                          STR_ARG(source->problem));
        complain(m, source->named_at, STR("key_file"), false, message);
        return;
    }
    if (!str_is_set(source->text.text)) {
        complain_missing(m);
        return;
    }
    const struct provider *of_host =
        m->url.host.len ? rules_provider_of_host(m->rules, m->url.host) : NULL;
    const struct key_found found = {
        .text = source->text.text,
        .name = source->name,
        .origin = source->text.origin,
        .provider = m->provider,
        .is_own_host = m->provider && of_host == m->provider,
    };
    if (!key_check(m->arena, m->rules, &found, &target->problems)) {
        target->is_unsendable = true;
    }
    if (!str_is_empty(source->text.text)) {
        target->key = secret_create(m->arena, source->text.text);
    }
}

static struct str default_name(const struct maker *m)
{
    struct str place = m->url.host.len               ? m->url.host
                       : m->provider                 ? m->provider->id
                       : m->draft->provider.text.len ? m->draft->provider.text
                                                     : STR("?");
    struct str model = m->target.model.text;
    if (str_is_empty(model)) {
        return arena_printf(m->arena, "no model at %.*s", STR_ARG(place));
    }
    return arena_printf(m->arena, "%.*s at %.*s", STR_ARG(model), STR_ARG(place));
}

/* A key in the place of a model would be sent to the provider as text, and shown by each report. */
static void check_model(struct maker *m)
{
    struct value *model = &m->target.model;
    m->mask.secrets = &m->target.key;
    m->mask.secret_count = str_is_set(m->target.key.value) ? 1 : 0;
    struct str masked = mask_text(m->arena, &m->mask, model->text);
    if (!str_eq(masked, model->text)) {
        model->text = masked;
        complain(m, model->origin, STR("bad_value"), false,
                 STR("model looks like a key: name a model here; the key goes into the variable "
                     "that key_env names, or into a file"));
    }
}

struct target draft_finish(struct arena *arena, const struct env *env, const struct rules *rules,
                           struct draft *draft)
{
    struct maker m = {.arena = arena, .env = env, .rules = rules, .draft = draft};
    m.mask = note_mask(rules);
    m.target = (struct target){.client = draft->client,
                               .client_version = draft->client_version,
                               .is_uncapped = draft->is_uncapped,
                               .is_unsendable = draft->is_unsendable,
                               .is_refused = draft->is_refused,
                               .skip_reason = draft->skip_reason,
                               .lacks_only_model = draft->lacks_only_model,
                               .note = draft->note,
                               .model = draft->model};
    /* A copy: several targets may be made of one draft. */
    for (size_t i = 0; i < draft->problems.count; i++) {
        problems_add(arena, &m.target.problems, draft->problems.items[i]);
    }
    find_provider(&m);
    check_url(&m);
    find_wire(&m);
    if (m.url.host.len && !draft->is_url_composed) {
        url_check_slips(arena, rules, &draft->base_url, draft->base_url_label, &m.url, m.wire,
                        &m.target.problems);
    }
    m.target.provider = m.provider ? m.provider->id : (struct str){NULL, 0};
    m.target.wire = m.wire ? m.wire->name : (struct str){NULL, 0};
    fill_auth(&m);
    fill_query(&m);
    fill_key(&m);
    route_fill(arena, env, rules, draft, m.url.host, &m.target);
    check_model(&m);
    if (str_is_empty(draft->model.text) && !str_is_set(m.target.skip_reason) &&
        !m.target.is_unsendable) {
        m.target.skip_reason = STR("no model named; give --model");
        m.target.lacks_only_model = true;
    }
    if (draft->wants_remarks) {
        remark_target(arena, rules, draft, &m.target);
    }
    m.target.name =
        str_is_set(draft->name) ? mask_text(arena, &m.mask, draft->name) : default_name(&m);
    return m.target;
}
