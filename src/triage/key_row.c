/* One row of a check of keys. Takes what the free requests brought, gives whether the key is good,
 * useless or not proven, and all that the answers show of it. What does not prove is never held
 * against a key. */
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

static const struct key_sight *sight_of(const struct finding *finding)
{
    return finding && finding->observation ? finding->observation->sight : NULL;
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

static const struct key_sight *list_of(const struct key_check *check)
{
    const struct key_sight *sight = sight_of(check->answer);
    for (size_t i = 0; !(sight && sight->has_models) && i < check->extra_count; i++) {
        sight = sight_of(check->extras[i].finding);
    }
    return sight && sight->has_models && sight->model_count ? sight
                                                            : NULL; /* an empty list says
                                                                        nothing of a model */
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

static struct str unproven(const struct key_making *making, enum word word, long status)
{
    return words_say(making->arena, making->input->lang, word, status);
}

/* Why nothing was sent; unset when something was, or could have been. */
static struct str why_not_sent(const struct key_making *making, const struct key_check *check)
{
    struct arena *arena = making->arena;
    enum lang lang = making->input->lang;
    const struct target *target = target_of(check);
    if (check->is_over_budget) {
        return str_from(words_text(WORD_UNPROVEN_BUDGET, lang));
    }
    if (!check->proof) {
        return check->provider ? words_say(arena, lang, WORD_UNPROVEN_NO_PROOF,
                                           arena_cstr(arena, check->provider->name))
                               : str_from(words_text(WORD_UNPROVEN_NO_API, lang));
    }
    if (!check->is_askable) {
        struct str reason = text_show(arena, target->skip_reason, 200);
        return words_say(arena, lang, WORD_UNPROVEN_SKIPPED, arena_cstr(arena, reason));
    }
    return nothing;
}

/* Why an accepted proof proves nothing; unset when it does. */
static struct str why_no_proof(const struct key_making *making, const struct key_check *check)
{
    const struct finding *answer = check->answer;
    if (!sight_of(answer) || !sight_of(answer)->is_proper) {
        return unproven(making, WORD_UNPROVEN_SHAPE, answer->observation->status);
    }
    if (!key_check_wants_control(check)) {
        return nothing;
    }
    if (check->control && check->control->diagnosis->is_healthy) {
        return str_from(words_text(WORD_UNPROVEN_PUBLIC, making->input->lang));
    }
    bool is_refused = check->control && check->control->observation->status != 0 &&
                      check->control->diagnosis->blame == BLAME_OURS &&
                      !check->control->diagnosis->leaves_key_open;
    bool is_denied = check->control && (check->control->observation->status == 401 ||
                                        check->control->observation->status == 403);
    return is_refused || is_denied
               ? nothing
               : str_from(words_text(WORD_UNPROVEN_CONTROL, making->input->lang));
}

/* The first problem that keeps anything from being sent, as a finding; NULL when there is none. */
static const struct finding *preventing(const struct key_making *making,
                                        const struct key_check *check)
{
    const struct target *target = target_of(check);
    const struct problem *found = NULL;
    for (size_t i = 0; target->is_unsendable && !found && i < target->problems.count; i++) {
        found = target->problems.items[i].is_warning ? NULL : &target->problems.items[i];
    }
    if (!found) {
        return NULL;
    }
    struct finding *finding = ARENA_NEW(making->arena, struct finding);
    *finding = key_finding(making, target, found);
    return finding;
}

static void fail(struct key_row *row, const struct finding *finding)
{
    row->status = KEY_FAILED;
    row->finding = finding;
    row->unproven_why = nothing;
}

static void leave_open(struct key_row *row, struct str why)
{
    row->status = KEY_UNPROVEN;
    row->unproven_why = why;
}

/* Another free request was answered as only a good key's is. */
static bool is_proven_besides(const struct key_check *check)
{
    for (size_t i = 0; i < check->extra_count; i++) {
        const struct key_extra *extra = &check->extras[i];
        const struct key_sight *sight = sight_of(extra->finding);
        if (extra->form->proves_key && extra->finding->diagnosis->is_healthy && sight &&
            sight->is_proper) {
            return true;
        }
    }
    return false;
}

/* Why the answer to the proof leaves it open whether the key is good; unset when it does not. */
static struct str why_open(const struct key_making *making, const struct key_check *check)
{
    const struct diagnosis *diagnosis = check->answer->diagnosis;
    long status = check->answer->observation->status;
    if (diagnosis->is_healthy) {
        return why_no_proof(making, check);
    }
    return unproven(
        making, diagnosis->leaves_key_open ? WORD_UNPROVEN_DENIED : WORD_UNPROVEN_ANSWER, status);
}

static void judge_answer(const struct key_making *making, const struct key_check *check,
                         struct key_row *row)
{
    const struct problem *off = key_switched_off(making, check, row->label);
    if (!key_check_is_open(check)) {
        fail(row, check->answer);
    } else if (off) {
        struct finding *finding = ARENA_NEW(making->arena, struct finding);
        *finding = key_finding(making, target_of(check), off);
        fail(row, finding);
    } else {
        struct str why = why_open(making, check);
        if (str_is_set(why) && !is_proven_besides(check)) {
            leave_open(row, why);
        }
    }
}

/* A generation proves a key where nothing free does, and so may refuse it. */
static void judge_live(const struct key_check *check, struct key_row *row)
{
    const struct finding *refused = NULL;
    for (size_t i = 0; check->live && i < check->target_count; i++) {
        const struct finding *finding = check->live[i] ? check->live[i]->finding : NULL;
        if (finding && finding->diagnosis->is_healthy) {
            row->status = row->status == KEY_UNPROVEN ? KEY_OK : row->status;
            row->unproven_why = row->status == KEY_OK ? nothing : row->unproven_why;
            return;
        }
        bool is_of_key = finding && finding->diagnosis->step == STEP_AUTH &&
                         !finding->diagnosis->leaves_key_open;
        refused = is_of_key && !refused ? finding : refused;
    }
    if (refused && row->status == KEY_UNPROVEN) {
        fail(row, refused);
    }
}

static void judge(const struct key_making *making, const struct key_check *check,
                  struct key_row *row)
{
    const struct finding *prevented = preventing(making, check);
    struct str not_sent = why_not_sent(making, check);
    if (prevented) {
        fail(row, prevented);
    } else if (check->answer) {
        judge_answer(making, check, row);
    } else {
        leave_open(row, not_sent);
    }
    judge_live(check, row);
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
    add_sight(sight_of(check->answer), &row);
    for (size_t i = 0; i < check->extra_count; i++) {
        add_sight(sight_of(check->extras[i].finding), &row);
    }
    fill_models(making, check, &row);
    judge(making, check, &row);
    return row;
}
