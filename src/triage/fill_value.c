/* The values of placeholders. A table maps the name to the function that knows the value; a new
 * placeholder is one row. Values come from configs and from servers, so each is masked, made
 * showable and rid of what a shell would act upon. */
#include "triage/fill_value.h"

#include "base/text.h"
#include "probe/probe.h"
#include "triage/place.h"
#include "triage/words.h"

#define VALUE_COLUMNS_MAX 160

typedef struct str value_of(struct arena *arena, const struct fill *fill);

static const struct str none = {NULL, 0};

static const struct target *target_of(const struct fill *fill)
{
    return fill->result ? fill->result->target : NULL;
}

static const struct observation *observation_of(const struct fill *fill)
{
    return fill->finding ? fill->finding->observation : NULL;
}

static struct str captured(const struct fill *fill, struct str name)
{
    const struct finding *finding = fill->finding;
    for (size_t i = 0; finding && i < finding->capture_count; i++) {
        if (str_eq(finding->captures[i].name, name)) {
            return finding->captures[i].text;
        }
    }
    for (size_t i = 0; i < fill->fact_count; i++) {
        if (str_eq(fill->facts[i].name, name)) {
            return fill->facts[i].text;
        }
    }
    return none;
}

static struct str model_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct target *target = target_of(fill);
    return target && !str_is_empty(target->model.text) ? target->model.text
                                                       : captured(fill, STR("model"));
}

static struct str name_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    return target_of(fill) ? target_of(fill)->name : none;
}

static struct str host_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct target *target = target_of(fill);
    return target ? place_host(target->base_url.text) : captured(fill, STR("host"));
}

static struct str port_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct target *target = target_of(fill);
    return target ? place_port(target->base_url.text) : captured(fill, STR("port"));
}

static struct str root_url_value(struct arena *arena, const struct fill *fill)
{
    const struct target *target = target_of(fill);
    if (!target) {
        return none;
    }
    struct str authority = place_authority(target->base_url.text);
    return str_is_empty(authority)
               ? none
               : arena_printf(arena, "%s://%.*s",
                              place_is_plain_http(target->base_url.text) ? "http" : "https",
                              STR_ARG(authority));
}

static struct str base_url_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    return target_of(fill) ? target_of(fill)->base_url.text : none;
}

/* Where the user set it; what is built in cannot be changed there. */
static struct str users_origin(struct arena *arena, const struct value *value)
{
    return value->origin.kind == ORIGIN_DEFAULT ? none : origin_text(arena, value->origin);
}

static struct str model_origin_value(struct arena *arena, const struct fill *fill)
{
    return target_of(fill) ? users_origin(arena, &target_of(fill)->model) : none;
}

static struct str base_url_origin_value(struct arena *arena, const struct fill *fill)
{
    return target_of(fill) ? users_origin(arena, &target_of(fill)->base_url) : none;
}

static struct str provider_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct target *target = target_of(fill);
    const struct observation *observation = observation_of(fill);
    struct str id = target && !str_is_empty(target->provider) ? target->provider
                    : observation                             ? observation->provider
                                                              : none;
    if (str_is_empty(id)) {
        return none;
    }
    const struct provider *provider = fill->rules ? rules_provider(fill->rules, id) : NULL;
    return provider && !str_is_empty(provider->name) ? provider->name : id;
}

struct str fill_client_id(const struct fill *fill)
{
    const struct observation *observation = observation_of(fill);
    return target_of(fill) ? target_of(fill)->client : observation ? observation->client : none;
}

struct str fill_client_version(const struct fill *fill)
{
    const struct observation *observation = observation_of(fill);
    return target_of(fill) ? target_of(fill)->client_version
           : observation   ? observation->client_version
                           : none;
}

const struct client *fill_client(const struct fill *fill)
{
    struct str id = fill_client_id(fill);
    return str_is_set(id) && fill->rules ? rules_client(fill->rules, id) : NULL;
}

bool fill_is_pasted(const struct fill *fill)
{
    return !target_of(fill) && fill_client(fill);
}

static struct str client_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct client *client = fill_client(fill);
    if (client && !str_is_empty(client->name.in[fill->lang])) {
        return client->name.in[fill->lang];
    }
    return fill_client_id(fill);
}

static struct str key_name_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    return target_of(fill) ? target_of(fill)->key_name : none;
}

/* The variable of the key, where it came from one. */
static struct str key_variable_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct target *target = target_of(fill);
    return target && target->key_origin.kind == ORIGIN_ENV ? target->key_name : none;
}

/* The file that is the key and nothing else, where it came from one. */
static struct str key_file_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct target *target = target_of(fill);
    bool is_whole_file =
        target && target->key_origin.kind == ORIGIN_FILE && target->key_origin.line == 0;
    return is_whole_file ? target->key_name : none;
}

static struct str key_fingerprint_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    return target_of(fill) ? str_from(target_of(fill)->key.fingerprint) : none;
}

static const struct provider *provider_of(const struct fill *fill)
{
    const struct target *target = target_of(fill);
    return target && fill->rules ? rules_provider(fill->rules, target->provider) : NULL;
}

static struct str key_proof_url_value(struct arena *arena, const struct fill *fill)
{
    const struct free_request *proof = provider_proof(provider_of(fill));
    if (proof == NULL || str_is_empty(target_of(fill)->base_url.text)) {
        return none;
    }
    return probe_free_url(arena, target_of(fill), proof);
}

static struct str key_page_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct provider *provider = provider_of(fill);
    return provider && str_is_set(provider->key_page)
               ? provider->key_page
               : str_from(words_text(WORD_CONSOLE, fill->lang));
}

static struct str status_page_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct provider *provider = provider_of(fill);
    return provider && str_is_set(provider->status_page)
               ? provider->status_page
               : str_from(words_text(WORD_STATUS_PAGE, fill->lang));
}

static struct str proxy_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct observation *observation = observation_of(fill);
    if (observation && !str_is_empty(observation->proxy.text)) {
        return observation->proxy.text;
    }
    const struct target *target = target_of(fill);
    return target && !str_is_empty(target->proxy.text) ? target->proxy.text
                                                       : captured(fill, STR("proxy"));
}

static struct str proxy_origin_value(struct arena *arena, const struct fill *fill)
{
    const struct observation *observation = observation_of(fill);
    bool is_known = observation && !str_is_empty(observation->proxy.text);
    return is_known ? origin_text(arena, observation->proxy.origin) : none;
}

static struct str ca_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct target *target = target_of(fill);
    return target && !str_is_empty(target->ca_file.text) ? target->ca_file.text : none;
}

static struct str ca_origin_value(struct arena *arena, const struct fill *fill)
{
    const struct target *target = target_of(fill);
    return target && !str_is_empty(target->ca_file.text)
               ? origin_text(arena, target->ca_file.origin)
               : none;
}

/* What TLS showed of the other side. */
static struct str issuer_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct observation *observation = observation_of(fill);
    return observation && !str_is_empty(observation->tls.issuer) ? observation->tls.issuer
                                                                 : captured(fill, STR("issuer"));
}

static struct str names_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct observation *observation = observation_of(fill);
    return observation && !str_is_empty(observation->tls.names) ? observation->tls.names
                                                                : captured(fill, STR("names"));
}

static struct str not_before_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    return observation_of(fill) ? observation_of(fill)->tls.not_before : none;
}

static struct str not_after_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    return observation_of(fill) ? observation_of(fill)->tls.not_after : none;
}

static struct str tls_version_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    return observation_of(fill) ? observation_of(fill)->tls.version : none;
}

static struct str wait_value(struct arena *arena, const struct fill *fill)
{
    if (fill->finding == NULL || fill->finding->wait_ms <= 0) {
        return none;
    }
    return fill_duration(arena, fill->lang, fill->finding->wait_ms);
}

/* When an allowance comes back: the moment, else what the text calls it. */
static struct str reset_value(struct arena *arena, const struct fill *fill)
{
    if (fill->finding == NULL || fill->finding->retry_at_ms <= 0) {
        return captured(fill, STR("reset"));
    }
    return fill_is_over(fill->finding) ? none : fill_reset(arena, fill->lang, fill->finding);
}

static struct str reset_over_value(struct arena *arena, const struct fill *fill)
{
    bool is_over = fill->finding && fill_is_over(fill->finding);
    return is_over ? fill_reset(arena, fill->lang, fill->finding) : none;
}

static struct str address_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct observation *observation = observation_of(fill);
    return observation && !str_is_empty(observation->address) ? observation->address
                                                              : captured(fill, STR("address"));
}

static struct str request_id_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct observation *observation = observation_of(fill);
    return observation && !str_is_empty(observation->request_id)
               ? observation->request_id
               : captured(fill, STR("request_id"));
}

static struct str origin_value(struct arena *arena, const struct fill *fill)
{
    const struct observation *observation = observation_of(fill);
    if (observation && observation->problem) {
        return origin_text(arena, observation->problem->origin);
    }
    return observation ? origin_text(arena, observation->origin) : none;
}

static struct str suggestion_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct observation *observation = observation_of(fill);
    return observation && observation->problem ? observation->problem->suggestion : none;
}

static struct str other_model_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    return fill->other && fill->other->target ? fill->other->target->model.text : none;
}

static struct str other_name_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    return fill->other && fill->other->target ? fill->other->target->name : none;
}

/* {switch} is not here: it makes lines, see fill_lines. */
static const struct {
    struct str name;
    value_of *value;
    bool is_prose; /* quotes and brackets belong to it: nobody pastes it into a shell */
} placeholders[] = {
    {STR_INIT("model"), model_value, false},
    {STR_INIT("name"), name_value, false},
    {STR_INIT("host"), host_value, false},
    {STR_INIT("port"), port_value, false},
    {STR_INIT("root_url"), root_url_value, false},
    {STR_INIT("base_url"), base_url_value, false},
    {STR_INIT("model_origin"), model_origin_value, true},
    {STR_INIT("base_url_origin"), base_url_origin_value, true},
    {STR_INIT("provider"), provider_value, false},
    {STR_INIT("client"), client_value, true},
    {STR_INIT("key_name"), key_name_value, false},
    {STR_INIT("key_variable"), key_variable_value, false},
    {STR_INIT("key_file"), key_file_value, false},
    {STR_INIT("key_fingerprint"), key_fingerprint_value, false},
    {STR_INIT("key_proof_url"), key_proof_url_value, false},
    {STR_INIT("key_page"), key_page_value, true},
    {STR_INIT("status_page"), status_page_value, true},
    {STR_INIT("proxy"), proxy_value, false},
    {STR_INIT("proxy_origin"), proxy_origin_value, true},
    {STR_INIT("ca_file"), ca_value, false},
    {STR_INIT("ca_origin"), ca_origin_value, true},
    {STR_INIT("issuer"), issuer_value, true},
    {STR_INIT("names"), names_value, true},
    {STR_INIT("not_before"), not_before_value, true},
    {STR_INIT("not_after"), not_after_value, true},
    {STR_INIT("tls_version"), tls_version_value, true},
    {STR_INIT("wait"), wait_value, false},
    {STR_INIT("reset"), reset_value, true},
    {STR_INIT("reset_over"), reset_over_value, true},
    {STR_INIT("address"), address_value, false},
    {STR_INIT("request_id"), request_id_value, false},
    {STR_INIT("origin"), origin_value, true},
    {STR_INIT("suggestion"), suggestion_value, true},
    {STR_INIT("other_model"), other_model_value, false},
    {STR_INIT("other_name"), other_name_value, false},
};

/* A hostile model name or error text must not become a command when its line is pasted. */
static struct str without_shell_signs(struct arena *arena, struct str s)
{
    static const char signs[] = "$`;|&<>\\\"'!*";
    char *safe = arena_alloc(arena, s.len + 1);
    for (size_t i = 0; i < s.len; i++) {
        ptrdiff_t found = str_find_char(STR(signs), s.ptr[i]);
        safe[i] = found >= 0 && found < (ptrdiff_t)sizeof signs - 1 ? '_' : s.ptr[i];
    }
    return (struct str){safe, s.len};
}

struct str fill_value(struct arena *arena, const struct fill *fill, struct str name)
{
    struct str value = none;
    bool is_prose = false, is_known = false;
    for (size_t i = 0; i < sizeof placeholders / sizeof placeholders[0]; i++) {
        if (str_eq(placeholders[i].name, name)) {
            value = placeholders[i].value(arena, fill);
            is_prose = placeholders[i].is_prose;
            is_known = true;
        }
    }
    if (!is_known) {
        value = captured(fill, name);
    }
    if (str_is_empty(value) && fill_is_pasted(fill) && str_eq(name, STR("other_model"))) {
        return STR("<other model>");
    }
    if (str_is_empty(value)) {
        return none;
    }
    struct mask mask = {0};
    value = text_show(arena, mask_text(arena, &mask, value), VALUE_COLUMNS_MAX);
    return is_prose ? value : without_shell_signs(arena, value);
}
