/* Puts values into the texts of rules/diagnoses.toml. A table maps the name of a placeholder to the
 * function that knows its value; a new placeholder is one row. Values come from configs and from
 * servers, so each is masked, made showable and rid of what a shell would act upon. */
#include "triage/fill.h"

#include "base/buf.h"
#include "base/text.h"
#include "triage/place.h"
#include "triage/words.h"

#define VALUE_COLUMNS_MAX 160
#define NAME_BYTES_MAX 32
#define LINES_MAX 32 /* of one verdict; more is no help */

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
    return target ? place_authority(target->base_url.text) : captured(fill, STR("host"));
}

static struct str base_url_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    return target_of(fill) ? target_of(fill)->base_url.text : none;
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

static const struct client *client_of(const struct fill *fill)
{
    const struct target *target = target_of(fill);
    return target && fill->rules ? rules_client(fill->rules, target->client) : NULL;
}

static struct str client_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct client *client = client_of(fill);
    if (client && !str_is_empty(client->name.in[fill->lang])) {
        return client->name.in[fill->lang];
    }
    return target_of(fill) ? target_of(fill)->client : none;
}

static struct str key_name_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    return target_of(fill) ? target_of(fill)->key_name : none;
}

static struct str key_fingerprint_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    return target_of(fill) ? str_from(target_of(fill)->key.fingerprint) : none;
}

static struct str key_proof_url_value(struct arena *arena, const struct fill *fill)
{
    const struct target *target = target_of(fill);
    const struct provider *provider =
        target && fill->rules ? rules_provider(fill->rules, target->provider) : NULL;
    if (provider == NULL || str_is_empty(provider->key_proof.path) ||
        str_is_empty(target->base_url.text)) {
        return none;
    }
    return arena_printf(arena, "%.*s%.*s", STR_ARG(target->base_url.text),
                        STR_ARG(provider->key_proof.path));
}

static struct str proxy_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    const struct target *target = target_of(fill);
    return target && !str_is_empty(target->proxy.text) ? target->proxy.text
                                                       : captured(fill, STR("proxy"));
}

static struct str wait_value(struct arena *arena, const struct fill *fill)
{
    if (fill->finding == NULL || fill->finding->wait_ms <= 0) {
        return none;
    }
    return fill_duration(arena, fill->lang, fill->finding->wait_ms);
}

static struct str address_value(struct arena *arena, const struct fill *fill)
{
    (void)arena;
    return observation_of(fill) ? observation_of(fill)->address : none;
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
    {STR_INIT("base_url"), base_url_value, false},
    {STR_INIT("provider"), provider_value, false},
    {STR_INIT("client"), client_value, true},
    {STR_INIT("key_name"), key_name_value, false},
    {STR_INIT("key_fingerprint"), key_fingerprint_value, false},
    {STR_INIT("key_proof_url"), key_proof_url_value, false},
    {STR_INIT("proxy"), proxy_value, false},
    {STR_INIT("wait"), wait_value, false},
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

static struct str value_named(struct arena *arena, const struct fill *fill, struct str name)
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
    if (str_is_empty(value)) {
        return none;
    }
    struct mask mask = {0};
    value = text_show(arena, mask_text(arena, &mask, value), VALUE_COLUMNS_MAX);
    return is_prose ? value : without_shell_signs(arena, value);
}

/* Length of the placeholder at s[at] with its braces, or 0. */
static size_t placeholder_length(struct str s, size_t at)
{
    if (s.ptr[at] != '{') {
        return 0;
    }
    size_t i = at + 1;
    while (i < s.len && i - at <= NAME_BYTES_MAX &&
           ((s.ptr[i] >= 'a' && s.ptr[i] <= 'z') || s.ptr[i] == '_')) {
        i++;
    }
    return i < s.len && i > at + 1 && s.ptr[i] == '}' ? i - at + 1 : 0;
}

bool fill_text(struct arena *arena, const struct fill *fill, struct str text, struct str *out)
{
    struct buf filled = buf_create(16 * 1024);
    bool is_whole = str_is_set(text);
    *out = none;
    for (size_t at = 0; at < text.len && is_whole;) {
        size_t length = placeholder_length(text, at);
        if (length == 0) {
            buf_add_char(&filled, text.ptr[at++]);
            continue;
        }
        struct str value = value_named(arena, fill, str_slice(text, at + 1, at + length - 1));
        is_whole = str_is_set(value);
        buf_add(&filled, value);
        at += length;
    }
    if (is_whole) {
        *out = text_show(arena, buf_str(&filled), 0);
    }
    buf_free(&filled);
    return is_whole;
}

struct lines {
    struct str *items;
    size_t count, capacity;
};

static void lines_add(struct arena *arena, struct lines *lines, struct str line)
{
    for (size_t i = 0; i < lines->count; i++) {
        if (str_eq(lines->items[i], line)) {
            return;
        }
    }
    if (lines->count < LINES_MAX) {
        lines->items = arena_grow(arena, lines->items, lines->count, &lines->capacity, sizeof line);
        lines->items[lines->count++] = line;
    }
}

/* One way to switch. In the client's words {model} is the one to switch to, unless they tell it
 * apart as {other_model}. */
static bool fill_switch(struct arena *arena, const struct fill *fill, struct str way,
                        struct str *out)
{
    struct fill of_other = *fill;
    of_other.result = fill->other;
    bool tells_apart = str_find(way, STR("{other_model}")) >= 0;
    return fill_text(arena, tells_apart ? fill : &of_other, way, out);
}

/* A switch is only offered between targets of one client: only there is the other one's key at
 * hand. */
static void add_switch_lines(struct arena *arena, const struct fill *fill, struct str line,
                             size_t at, struct lines *lines)
{
    const struct client *client = client_of(fill);
    if (client == NULL || fill->other == NULL || fill->other->target == NULL ||
        !str_eq(fill->other->target->client, fill->result->target->client)) {
        return;
    }
    size_t behind = at + sizeof "{switch}" - 1;
    const char *gap = at > 0 && line.ptr[at - 1] == ' ' ? " " : "";
    const char *next_gap = behind < line.len && line.ptr[behind] == ' ' ? " " : "";
    for (size_t i = 0; i < client->switch_actions.count; i++) {
        struct str way, before, after;
        if (fill_switch(arena, fill, client->switch_actions.items[i].in[fill->lang], &way) &&
            fill_text(arena, fill, str_slice(line, 0, at), &before) &&
            fill_text(arena, fill, str_slice(line, behind, line.len), &after)) {
            lines_add(arena, lines,
                      arena_printf(arena, "%.*s%s%.*s%s%.*s", STR_ARG(before), gap, STR_ARG(way),
                                   next_gap, STR_ARG(after)));
        }
    }
}

const struct str *fill_lines(struct arena *arena, const struct fill *fill,
                             const struct phrases *phrases, size_t *count)
{
    struct lines lines = {0};
    for (size_t i = 0; i < phrases->count; i++) {
        struct str line = phrases->items[i].in[fill->lang], filled;
        ptrdiff_t at = str_find(line, STR("{switch}"));
        if (at >= 0) {
            add_switch_lines(arena, fill, line, (size_t)at, &lines);
        } else if (fill_text(arena, fill, line, &filled)) {
            lines_add(arena, &lines, filled);
        }
    }
    *count = lines.count;
    return lines.items;
}

struct str fill_duration(struct arena *arena, enum lang lang, int64_t duration_ms)
{
    static const struct {
        int64_t from_ms, unit_ms;
        enum word word;
    } units[] = {
        {48 * 3600000LL, 24 * 3600000LL, WORD_DAYS},
        {2 * 3600000LL, 3600000LL, WORD_HOURS},
        {2 * 60000LL, 60000LL, WORD_MINUTES},
        {0, 1000LL, WORD_SECONDS},
    };
    size_t i = 0;
    while (duration_ms < units[i].from_ms && i + 1 < sizeof units / sizeof units[0]) {
        i++;
    }
    int64_t tenths = (duration_ms * 10 + units[i].unit_ms / 2) / units[i].unit_ms;
    struct str number =
        tenths % 10 == 0 || tenths >= 100
            ? arena_printf(arena, "%lld", (long long)((tenths + 5) / 10))
            : arena_printf(arena, "%lld.%lld", (long long)(tenths / 10), (long long)(tenths % 10));
    return words_say(arena, lang, units[i].word, arena_cstr(arena, number));
}
