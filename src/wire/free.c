/* The answers to free requests. Takes the answer and, from providers.toml, where it holds what;
 * gives the outcome and what it shows of the key. Knows no provider. */
#include "base/moment.h"
#include "wire/answer.h"
#include "wire/pointer.h"
#include "wire/wire.h"

#define MODELS_MAX 5000
#define PERMISSIONS_MAX 50
#define TEXT_BYTES_MAX 200
#define NOT_TOLD (-1)
#define BALANCE_MAX 1e15 /* what is more is no money */

/* A growing list of texts out of an answer. */
struct texts {
    struct arena *arena;
    struct str prefix; /* taken off */
    struct str *items;
    size_t count, capacity, most;
};

static bool take_text(void *context, const cJSON *value)
{
    struct texts *texts = context;
    if (!cJSON_IsString(value) || texts->count >= texts->most) {
        return texts->count < texts->most;
    }
    struct str text = str_slice(str_from(value->valuestring), 0, TEXT_BYTES_MAX);
    if (texts->prefix.len && str_starts(text, texts->prefix)) {
        text = str_slice(text, texts->prefix.len, text.len);
    }
    texts->items = arena_grow(texts->arena, texts->items, texts->count, &texts->capacity,
                              sizeof *texts->items);
    texts->items[texts->count++] = arena_dup(texts->arena, text);
    return true;
}

static bool is_given(const cJSON *value)
{
    return value && !cJSON_IsNull(value);
}

/* A number, or a string that is one: balances come either way. */
static bool number_at(const cJSON *body, struct str pointer, double *number)
{
    const cJSON *value = pointer_get(body, pointer);
    if (cJSON_IsNumber(value)) {
        *number = value->valuedouble;
        return true;
    }
    return cJSON_IsString(value) && str_to_double(str_from(value->valuestring), number);
}

static int64_t permille(double left, double limit)
{
    double share = left / limit * 1000;
    return share > 1000 ? 1000 : share > 0 ? (int64_t)share : 0;
}

static void tighten(struct key_sight *sight, double left, double limit, struct str name)
{
    if (limit > 0 &&
        (sight->headroom_permille < 0 || permille(left, limit) < sight->headroom_permille)) {
        sight->headroom_permille = permille(left, limit);
        sight->headroom_of = name;
    }
}

static void read_balance(struct arena *arena, const cJSON *body, const struct free_request *form,
                         struct key_sight *sight)
{
    double left, limit;
    if (!number_at(body, form->places.left, &left)) {
        return;
    }
    const cJSON *said = pointer_get(body, form->places.unit);
    struct str unit =
        cJSON_IsString(said) ? str_slice(str_from(said->valuestring), 0, 12) : form->unit;
    if (left > -BALANCE_MAX && left < BALANCE_MAX) {
        sight->balance =
            arena_printf(arena, "%.2f%s%.*s", left, unit.len ? " " : "", STR_ARG(unit));
    }
    if (left <= 0) {
        sight->is_balance_off = true;
        sight->off_by = form->places.left;
    }
    if (number_at(body, form->places.limit, &limit)) {
        tighten(sight, left, limit, STR("balance"));
    }
}

/* RFC 3339, a date, or a number of seconds or milliseconds since 1970. */
static int64_t moment_ms(const cJSON *value)
{
    int64_t moment;
    if (cJSON_IsNumber(value) && value->valuedouble > 0 && value->valuedouble < 1e15) {
        return (int64_t)(value->valuedouble > 1e11 ? value->valuedouble
                                                   : value->valuedouble * 1000);
    }
    return cJSON_IsString(value) && moment_parse(str_from(value->valuestring), 0, &moment)
               ? moment
               : NOT_TOLD;
}

/* The first member of the list that says "off"; unset when none does. */
static struct str off_by(const cJSON *body, const struct str *pointers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool is_negated = str_starts(pointers[i], STR("!"));
        struct str pointer = str_slice(pointers[i], is_negated ? 1 : 0, pointers[i].len);
        const cJSON *value = pointer_get(body, pointer);
        if (is_negated ? cJSON_IsFalse(value) : cJSON_IsTrue(value)) {
            return pointer;
        }
    }
    return (struct str){NULL, 0};
}

static void read_switches(const cJSON *body, const struct free_places *places,
                          struct key_sight *sight)
{
    const struct {
        const struct str *pointers;
        size_t count;
        bool *is_off;
    } rows[] = {
        {places->balance_off, places->balance_off_count, &sight->is_balance_off},
        {places->account_off, places->account_off_count, &sight->is_account_off},
        {places->key_off, places->key_off_count, &sight->is_key_off},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str by = off_by(body, rows[i].pointers, rows[i].count);
        if (str_is_set(by)) {
            *rows[i].is_off = true;
            sight->off_by = by;
        }
    }
}

static void read_lists(struct arena *arena, const cJSON *body, const struct free_request *form,
                       struct key_sight *sight)
{
    struct texts models = {.arena = arena, .prefix = form->id_prefix, .most = MODELS_MAX};
    struct texts permissions = {.arena = arena, .most = PERMISSIONS_MAX};
    pointer_walk(body, form->places.models, take_text, &models);
    pointer_walk(body, form->places.permissions, take_text, &permissions);
    const cJSON *more = pointer_get(body, form->places.more);
    sight->has_models = sight->is_proper && str_is_set(form->places.models);
    sight->models = models.items;
    sight->model_count = models.count;
    sight->is_list_open = models.count == MODELS_MAX || cJSON_IsTrue(more) ||
                          (cJSON_IsString(more) && more->valuestring[0]);
    sight->permissions = permissions.items;
    sight->permission_count = permissions.count;
}

/* "x-ratelimit-{}-requests" with the word in the place of {}. */
static struct str header_with(struct arena *arena, struct str form, const char *word)
{
    ptrdiff_t at = str_find(form, STR("{}"));
    return at < 0 ? form
                  : arena_printf(arena, "%.*s%s%.*s", STR_ARG(str_slice(form, 0, (size_t)at)), word,
                                 STR_ARG(str_slice(form, (size_t)at + 2, form.len)));
}

static void read_limits(struct arena *arena, const struct str *limits, size_t count,
                        const struct observation *observation, struct key_sight *sight)
{
    for (size_t i = 0; i < count; i++) {
        struct str name = header_with(arena, limits[i], "remaining");
        double left, limit;
        if (str_to_double(observation_header(observation, name), &left) &&
            str_to_double(observation_header(observation, header_with(arena, limits[i], "limit")),
                          &limit)) {
            tighten(sight, left, limit, name);
        }
    }
}

static void read_body(struct arena *arena, const cJSON *body, const struct free_request *form,
                      struct key_sight *sight)
{
    sight->is_proper =
        !str_is_set(form->places.holds) || is_given(pointer_get(body, form->places.holds));
    read_lists(arena, body, form, sight);
    read_balance(arena, body, form, sight);
    read_switches(body, &form->places, sight);
    sight->expires_ms = moment_ms(pointer_get(body, form->places.expires));
}

void wire_read_free(struct arena *arena, bool is_whole, const struct free_request *form,
                    const struct str *limits, size_t limit_count, struct observation *observation)
{
    struct key_sight *sight = ARENA_NEW(arena, struct key_sight);
    *sight = (struct key_sight){.headroom_permille = NOT_TOLD, .expires_ms = NOT_TOLD};
    observation->sight = sight;
    read_limits(arena, limits, limit_count, observation, sight);
    if (answer_settle(arena, is_whole, observation)) {
        return;
    }
    struct str text = answer_text(observation);
    /* Lists of models may be longer than the bound of a body; their beginning proves as much. */
    if (observation->is_body_cut && (text.ptr[0] == '{' || text.ptr[0] == '[')) {
        observation->outcome = OUTCOME_COMPLETE;
        sight->is_proper = sight->is_list_open = true;
        return;
    }
    cJSON *body = answer_parse(arena, is_whole, STR(""), observation);
    if (body) {
        observation->outcome = body_has_error(body) ? OUTCOME_FAILED : OUTCOME_COMPLETE;
        read_body(arena, body, form, sight);
        cJSON_Delete(body);
    }
}
