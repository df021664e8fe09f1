/* One row of a check of keys: what the key is called and all that the answers show of it. Whether
 * it is good is key_status.c. */
#include "triage/key_row.h"

#include "base/text.h"
#include "syntax/token.h"
#include "triage/place.h"
#include "triage/words.h"

#define NAME_COLUMNS_MAX 80
#define NOT_TOLD (-1)

static const struct str nothing = {NULL, 0};

static const struct target *target_of(const struct key_check *check)
{
    return check->targets[0];
}

static struct str masked(struct arena *arena, struct str text)
{
    const struct mask mask = {0};
    return mask_text(arena, &mask, text);
}

/* Variable or file of a key, or the place that says it. */
static struct str name_of(const struct key_making *making, const struct target *target)
{
    struct arena *arena = making->arena;
    struct str name = target->key_name;
    name = str_is_empty(name) ? origin_text(arena, target->key_origin) : name;
    return str_is_empty(name) ? STR("no key")
                              : text_show(arena, masked(arena, name), NAME_COLUMNS_MAX);
}

/* "api.openai.com (OPENAI_API_KEY)" */
static struct str label_of(const struct key_making *making, const struct key_check *check)
{
    struct arena *arena = making->arena;
    const struct target *target = target_of(check);
    struct str place = place_authority(target->base_url.text);
    struct str name =
        !str_is_empty(target->key_name) ? target->key_name : origin_text(arena, target->key_origin);
    place = text_show(arena, place.len ? place : target->name, NAME_COLUMNS_MAX);
    return words_say(arena, making->input->lang, WORD_KEY_LABEL, arena_cstr(arena, place),
                     arena_cstr(arena, name));
}

const struct key_sight *key_sight_of(const struct finding *finding)
{
    return finding && finding->observation ? finding->observation->sight : NULL;
}

static void add_sight(const struct key_sight *sight, struct key_row *row)
{
    if (sight == NULL) {
        return;
    }
    if (sight->has_models) {
        row->model_count = (int64_t)sight->model_count;
    }
    if (sight->permission_count) {
        row->permissions = sight->permissions;
        row->permission_count = sight->permission_count;
    }
    if (!str_is_empty(sight->balance)) {
        row->balance = sight->balance;
    }
    if (sight->headroom_permille >= 0 &&
        (row->headroom_permille < 0 || sight->headroom_permille < row->headroom_permille)) {
        row->headroom_permille = sight->headroom_permille;
        row->headroom_of = sight->headroom_of;
    }
    if (sight->expires_ms > 0) {
        row->key_expires_ms = sight->expires_ms;
    }
}

/* When a key that is a JSON Web Token ends, by its own words. */
static int64_t token_expiry(struct arena *arena, struct str key)
{
    const struct node *end = node_get(token_claims(arena, key), STR("exp"));
    bool is_moment =
        end && end->kind == NODE_INTEGER && end->integer > 0 && end->integer < INT64_MAX / 1000;
    return is_moment ? end->integer * 1000 : NOT_TOLD;
}

/* "llama3" is listed as "llama3:latest", and "vendor/model:free" is a way to ask for a listed one.
 */
static bool is_listed(const struct key_sight *sight, struct arena *arena, struct str model)
{
    ptrdiff_t colon = str_find_char(model, ':');
    struct str bare = colon > 0 ? str_slice(model, 0, (size_t)colon) : nothing;
    struct str latest = arena_printf(arena, "%.*s:latest", STR_ARG(model));
    for (size_t i = 0; i < sight->model_count; i++) {
        if (str_eq(sight->models[i], model) || str_eq(sight->models[i], latest) ||
            (bare.len && str_eq(sight->models[i], bare))) {
            return true;
        }
    }
    return false;
}

/* The answer that lists the key's models, or NULL: an empty list says nothing of a model. */
static const struct key_sight *list_of(const struct key_check *check)
{
    const struct key_sight *sight = key_sight_of(check->answer);
    for (size_t i = 0; !(sight && sight->has_models) && i < check->extra_count; i++) {
        sight = key_sight_of(check->extras[i].finding);
    }
    return sight && sight->has_models && sight->model_count ? sight : NULL;
}

static bool asks_before(const struct key_model *models, size_t count, struct str model)
{
    for (size_t i = 0; i < count; i++) {
        if (str_eq(models[i].target->model.text, model)) {
            return true;
        }
    }
    return false;
}

/* The models that somebody configured with the key, each once. */
static void fill_models(const struct key_making *making, const struct key_check *check,
                        struct key_row *row)
{
    const struct key_sight *list = list_of(check);
    struct key_model *models = ARENA_ARRAY(making->arena, check->target_count, struct key_model);
    for (size_t i = 0; i < check->target_count; i++) {
        const struct target *target = check->targets[i];
        struct str model = target->model.text;
        const struct result *live = check->live ? check->live[i] : NULL;
        live = live ? &making->live[live - making->input->results] : NULL;
        bool is_chosen = target->model.origin.kind != ORIGIN_DEFAULT;
        if (str_is_empty(model) || (!is_chosen && !live) ||
            asks_before(models, row->configured_count, model)) {
            continue;
        }
        struct key_model *added = &models[row->configured_count++];
        *added = (struct key_model){.target = target, .live = live};
        added->is_listed = list && is_listed(list, making->arena, model);
        added->is_listing_known = list && is_chosen && (added->is_listed || !list->is_list_open);
        if (added->is_listing_known && !added->is_listed) {
            added->nearest = str_nearest(model, list->models, list->model_count);
        }
    }
    row->models = models;
}

struct key_row key_row_make(const struct key_making *making, const struct key_check *check)
{
    struct arena *arena = making->arena;
    const struct target *target = target_of(check);
    struct str endpoint = masked(arena, target->base_url.text);
    struct key_row row = {
        .label = label_of(making, check),
        .endpoint = str_is_empty(endpoint) ? nothing : endpoint,
        .provider = target->provider,
        .name = name_of(making, target),
        .source = origin_text(arena, target->key_origin),
        .fingerprint = str_from(target->key.fingerprint[0] ? target->key.fingerprint : NULL),
        .targets = check->targets,
        .target_count = check->target_count,
        .observation = check->answer ? check->answer->observation : NULL,
        .model_count = NOT_TOLD,
        .headroom_permille = NOT_TOLD,
        .key_expires_ms = token_expiry(arena, target->key.value),
        .certificate_expires_ms = NOT_TOLD,
        .tries = check->tries,
    };
    add_sight(key_sight_of(check->answer), &row);
    for (size_t i = 0; i < check->extra_count; i++) {
        add_sight(key_sight_of(check->extras[i].finding), &row);
    }
    fill_models(making, check, &row);
    key_row_judge(making, check, &row);
    return row;
}
