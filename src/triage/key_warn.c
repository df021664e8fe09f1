/* What is worth a word about a key that works: odd settings, models that are not listed, little
 * left of a limit, dates that come near. Takes a row, gives problems; which diagnosis each is, is
 * data. */
#include "base/moment.h"
#include "triage/fill.h"
#include "triage/key_row.h"
#include "triage/words.h"

#define DATE_BYTES 10

struct finding key_finding(const struct key_making *making, const struct target *target,
                           const struct problem *problem)
{
    struct observation *observation = ARENA_NEW(making->arena, struct observation);
    *observation = observation_blank(OBSERVATION_CONFIG);
    observation->target = target;
    observation->problem = problem;
    observation->origin = problem->origin;
    observation->started_ms = making->now_ms;
    return classify(making->classifier, making->arena, observation);
}

static const struct problem *off_problem(const struct key_making *making,
                                         const struct key_check *check,
                                         const struct key_sight *sight, struct str label)
{
    const struct {
        struct str code;
        enum word word;
        bool holds;
    } rows[] = {
        {STR("key_off"), WORD_KEY_IS_OFF, sight->is_key_off},
        {STR("account_off"), WORD_ACCOUNT_IS_OFF, sight->is_account_off},
        {STR("balance_off"), WORD_BALANCE_IS_OFF, sight->is_balance_off},
    };
    struct arena *arena = making->arena;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].holds) {
            struct problem *problem = ARENA_NEW(arena, struct problem);
            *problem = (struct problem){.code = rows[i].code,
                                        .origin = check->targets[0]->key_origin,
                                        .message = words_say(arena, making->input->lang,
                                                             rows[i].word, arena_cstr(arena, label),
                                                             arena_cstr(arena, sight->off_by))};
            return problem;
        }
    }
    return NULL;
}

const struct problem *key_switched_off(const struct key_making *making,
                                       const struct key_check *check, struct str label)
{
    const struct key_sight *sight = key_sight_of(check->answer);
    const struct problem *problem = sight ? off_problem(making, check, sight, label) : NULL;
    for (size_t i = 0; !problem && i < check->extra_count; i++) {
        sight = key_sight_of(check->extras[i].finding);
        problem = sight ? off_problem(making, check, sight, label) : NULL;
    }
    return problem;
}

int64_t key_certificate_expiry(const struct key_check *checks, size_t count,
                               const struct key_check *of)
{
    int64_t first = -1;
    for (size_t i = 0; i < count; i++) {
        const struct observation *seen = checks[i].answer ? checks[i].answer->observation : NULL;
        if (seen && seen->tls.expires_ms > 0 && key_check_shares_host(&checks[i], of) &&
            (first < 0 || seen->tls.expires_ms < first)) {
            first = seen->tls.expires_ms;
        }
    }
    return first;
}

static void warn(const struct key_making *making, struct problems *problems, struct str code,
                 struct origin origin, struct str message, struct str suggestion)
{
    problems_add(making->arena, problems,
                 (struct problem){.code = code,
                                  .origin = origin,
                                  .message = message,
                                  .suggestion = suggestion,
                                  .is_warning = true});
}

/* "2026-12-01" */
static const char *date_of(struct arena *arena, int64_t moment_ms)
{
    struct str text = moment_text(arena, moment_ms, 0);
    return arena_cstr(arena, str_slice(text, 0, DATE_BYTES));
}

static void warn_of_end(const struct key_making *making, const struct key_check *check,
                        const struct key_row *row, struct problems *problems)
{
    const struct {
        struct str code;
        enum word word;
        struct origin origin;
        int64_t end_ms;
    } rows[] = {
        {STR("key_expiring"), WORD_KEY_EXPIRING, check->targets[0]->key_origin,
         row->key_expires_ms},
        {STR("certificate_expiring"), WORD_CERTIFICATE_EXPIRING, check->targets[0]->base_url.origin,
         row->certificate_expires_ms},
    };
    struct arena *arena = making->arena;
    enum lang lang = making->input->lang;
    const char *label = arena_cstr(arena, row->label);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t left_ms = rows[i].end_ms - making->now_ms;
        if (rows[i].end_ms <= 0 || left_ms >= making->terms->min_days * DAY_MS) {
            continue;
        }
        const char *date = date_of(arena, rows[i].end_ms);
        struct str left = fill_duration(arena, lang, left_ms > 0 ? left_ms : 0);
        struct str message =
            left_ms > 0 ? words_say(arena, lang, rows[i].word, label, date, arena_cstr(arena, left))
                        : words_say(arena, lang, WORD_KEY_EXPIRED, label, date);
        warn(making, problems, rows[i].code, rows[i].origin, message, (struct str){NULL, 0});
    }
}

static void warn_of_headroom(const struct key_making *making, const struct key_check *check,
                             const struct key_row *row, struct problems *problems)
{
    struct arena *arena = making->arena;
    int left = (int)row->headroom_permille;
    if (left < 0 || left >= making->terms->min_headroom_permille) {
        return;
    }
    bool is_balance = !str_is_empty(row->balance) && str_eq(row->headroom_of, STR("balance"));
    struct str shown = is_balance ? row->balance : row->headroom_of;
    struct str share = arena_printf(arena, "%d.%d %%", left / 10, left % 10);
    struct str message = words_say(
        arena, making->input->lang, is_balance ? WORD_BALANCE_LOW : WORD_LIMIT_LOW,
        arena_cstr(arena, row->label), arena_cstr(arena, share), arena_cstr(arena, shown));
    warn(making, problems, is_balance ? STR("balance_low") : STR("limit_low"),
         check->targets[0]->key_origin, message, (struct str){NULL, 0});
}

static void warn_of_models(const struct key_making *making, const struct key_row *row,
                           struct problems *problems)
{
    struct arena *arena = making->arena;
    for (size_t i = 0; i < row->configured_count; i++) {
        const struct key_model *model = &row->models[i];
        bool answers =
            model->live && model->live->finding && model->live->finding->diagnosis->is_healthy;
        if (!model->is_listing_known || model->is_listed || answers) {
            continue;
        }
        struct str message =
            words_say(arena, making->input->lang, WORD_MODEL_UNLISTED,
                      arena_cstr(arena, row->label), arena_cstr(arena, model->target->model.text));
        warn(making, problems, STR("model_unlisted"), model->target->model.origin, message,
             model->nearest);
    }
}

static bool is_known(const struct problems *problems, const struct problem *problem)
{
    for (size_t i = 0; i < problems->count; i++) {
        const struct problem *other = &problems->items[i];
        if (str_eq(other->code, problem->code) && str_eq(other->message, problem->message) &&
            other->origin.line == problem->origin.line &&
            str_eq(other->origin.name, problem->origin.name)) {
            return true;
        }
    }
    return false;
}

struct problems key_problems(const struct key_making *making, const struct key_check *check,
                             const struct key_row *row)
{
    struct problems problems = {0};
    for (size_t t = 0; t < check->target_count; t++) {
        const struct problems *of_target = &check->targets[t]->problems;
        for (size_t i = 0; i < of_target->count; i++) {
            if (!is_known(&problems, &of_target->items[i])) {
                problems_add(making->arena, &problems, of_target->items[i]);
            }
        }
    }
    warn_of_models(making, row, &problems);
    if (row->status != KEY_FAILED) {
        warn_of_headroom(making, check, row, &problems);
        warn_of_end(making, check, row, &problems);
    }
    return problems;
}
