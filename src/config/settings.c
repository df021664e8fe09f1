/* The list of effective settings. Takes drafts and finished targets, gives rows fit to be shown:
 * keys by their fingerprint, header values masked, URLs without credentials. */
#include "config/settings.h"

#include "base/text.h"
#include "config/add.h"
#include "config/layer.h"
#include "config/note.h"

#define VALUE_COLUMNS 200

static struct str shown(struct arena *arena, const struct mask *mask, struct str text)
{
    return text_show(arena, mask_text(arena, mask, text), VALUE_COLUMNS);
}

void settings_add(struct arena *arena, const struct rules *rules, struct config *config,
                  struct str client, struct str key, const struct value *value)
{
    const struct mask mask = note_mask(rules);
    if (!str_is_set(value->text)) {
        return;
    }
    struct setting setting = {.client = client,
                              .key = key,
                              .value = shown(arena, &mask, value->text),
                              .layer = layer_name(value->origin),
                              .origin = origin_text(arena, value->origin)};
    size_t count = 0;
    for (const struct value *v = value->shadowed; v; v = v->shadowed) {
        count++;
    }
    struct str *shadows = ARENA_ARRAY(arena, count, struct str);
    for (const struct value *v = value->shadowed; v; v = v->shadowed) {
        struct str text = shown(arena, &mask, v->text);
        struct str origin = origin_text(arena, v->origin);
        shadows[setting.shadow_count++] =
            arena_printf(arena, "%.*s (%.*s)", STR_ARG(text), STR_ARG(origin));
    }
    setting.shadows = shadows;
    config->settings = arena_grow(arena, config->settings, config->setting_count,
                                  &config->setting_capacity, sizeof *config->settings);
    config->settings[config->setting_count++] = setting;
}

static struct str fingerprint_of(struct arena *arena, struct str key)
{
    if (str_is_empty(key)) {
        return STR("(empty)");
    }
    struct secret secret = secret_create(arena, key);
    return arena_printf(arena, "[key %s]", secret.fingerprint);
}

/* A chain of values with each text in it made fit to be shown. */
static struct value hidden(struct arena *arena, const struct value *value,
                           struct str (*hide)(struct arena *arena, struct str text))
{
    struct value result = *value;
    if (str_is_set(value->text)) {
        result.text = hide(arena, value->text);
    }
    if (value->shadowed) {
        struct value *below = ARENA_NEW(arena, struct value);
        *below = hidden(arena, value->shadowed, hide);
        result.shadowed = below;
    }
    return result;
}

/* Headers whose value lets somebody in, by what their names are made of. */
static bool is_secret_header(struct str name)
{
    static const struct str parts[] = {
        STR_INIT("auth"),   STR_INIT("key"),    STR_INIT("token"),   STR_INIT("secret"),
        STR_INIT("cookie"), STR_INIT("passwo"), STR_INIT("credent"), STR_INIT("session"),
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (str_ifind(name, parts[i]) >= 0) {
            return true;
        }
    }
    return false;
}

static void add_headers(struct arena *arena, const struct rules *rules, struct config *config,
                        struct str prefix, const struct draft *draft)
{
    for (size_t i = 0; i < draft->header_count; i++) {
        const struct header *header = &draft->headers[i];
        struct value value = {.text = STR("[masked]"), .origin = draft->header_origins[i]};
        struct str key =
            arena_printf(arena, "%.*sheaders.%.*s", STR_ARG(prefix), STR_ARG(header->name));
        settings_add(arena, rules, config, draft->client, key, &value);
    }
}

static void keep_header_secrets(struct arena *arena, struct config *config,
                                const struct draft *draft)
{
    for (size_t i = 0; i < draft->header_count; i++) {
        struct str bare = draft->headers[i].value;
        if (is_secret_header(draft->headers[i].name)) {
            if (str_istarts(bare, STR("bearer ")) || str_istarts(bare, STR("basic "))) {
                bare = str_trim(str_slice(bare, 6, bare.len));
            }
            add_secret(arena, config, bare);
        }
    }
}

/* "user:password", and the password, which may be repeated alone. */
static void add_credentials(struct arena *arena, struct config *config, struct str url)
{
    struct str credentials = url_credentials(url);
    ptrdiff_t colon = str_find_char(credentials, ':');
    add_secret(arena, config, credentials);
    if (colon >= 0) {
        add_secret(arena, config, str_slice(credentials, (size_t)colon + 1, credentials.len));
    }
}

void settings_keep_secrets(struct arena *arena, struct config *config, const struct draft *draft)
{
    keep_header_secrets(arena, config, draft);
    for (const struct value *v = &draft->key.text; v; v = v->shadowed) {
        add_secret(arena, config, v->text);
    }
    add_credentials(arena, config, draft->base_url.text);
    add_credentials(arena, config, draft->proxy.text);
}

void settings_add_target(struct arena *arena, const struct rules *rules, struct config *config,
                         struct str prefix, const struct draft *draft, const struct target *target)
{
    const struct value key = hidden(arena, &draft->key.text, fingerprint_of);
    const struct value base_url = hidden(arena, &draft->base_url, url_without_credentials);
    const struct value proxy = hidden(arena, &draft->proxy, url_without_credentials);
    struct value provider = draft->provider, wire = draft->wire;
    if (!str_is_set(provider.text)) {
        provider = (struct value){.text = target->provider, .origin = target->provider_origin};
    }
    if (!str_is_set(wire.text)) {
        wire = (struct value){.text = target->wire, .origin = target->wire_origin};
    }
    const struct {
        struct str name;
        const struct value *value;
    } rows[] = {
        {STR("provider"), &provider},
        {STR("base_url"), &base_url},
        {STR("wire"), &wire},
        {STR("model"), &draft->model},
        {STR("key"), &key},
        {STR("query"), &draft->query},
        {STR("ca_file"), &draft->ca_file},
        {STR("ca_dir"), &draft->ca_dir},
        {STR("proxy"), &proxy},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str name = arena_printf(arena, "%.*s%.*s", STR_ARG(prefix), STR_ARG(rows[i].name));
        settings_add(arena, rules, config, draft->client, name, rows[i].value);
    }
    add_headers(arena, rules, config, prefix, draft);
    settings_keep_secrets(arena, config, draft);
}
