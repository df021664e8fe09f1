/* Whether a key is good, useless or not proven. Takes what its free requests and generations
 * brought, gives the row's status with the finding or the reason. What does not prove is never held
 * against a key. */
#include "triage/key_row.h"

#include "base/text.h"
#include "triage/words.h"

#define REASON_COLUMNS_MAX 200

static const struct str nothing = {NULL, 0};

static struct str unproven(const struct key_making *making, enum word word, long status)
{
    return words_say(making->arena, making->input->lang, word, status);
}

/* Why nothing was sent; unset when something was, or could have been. */
static struct str why_not_sent(const struct key_making *making, const struct key_check *check)
{
    struct arena *arena = making->arena;
    enum lang lang = making->input->lang;
    const struct target *target = check->targets[0];
    if (check->is_over_budget) {
        return str_from(words_text(WORD_UNPROVEN_BUDGET, lang));
    }
    if (!check->proof) {
        return check->provider ? words_say(arena, lang, WORD_UNPROVEN_NO_PROOF,
                                           arena_cstr(arena, check->provider->name))
                               : str_from(words_text(WORD_UNPROVEN_NO_API, lang));
    }
    if (!check->is_askable) {
        struct str reason = text_show(arena, target->skip_reason, REASON_COLUMNS_MAX);
        return words_say(arena, lang, WORD_UNPROVEN_SKIPPED, arena_cstr(arena, reason));
    }
    return nothing;
}

/* Why an accepted proof proves nothing; unset when it does. */
static struct str why_no_proof(const struct key_making *making, const struct key_check *check)
{
    const struct finding *answer = check->answer;
    if (!key_sight_of(answer) || !key_sight_of(answer)->is_proper) {
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
    const struct target *target = check->targets[0];
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
        const struct key_sight *sight = key_sight_of(extra->finding);
        if (extra->form->proves_key && extra->finding->diagnosis->is_healthy && sight &&
            sight->is_proper) {
            return true;
        }
    }
    return false;
}

/* Another free request was refused as a useless key is; NULL when none was. */
static const struct finding *refused_besides(const struct key_check *check)
{
    for (size_t i = 0; i < check->extra_count; i++) {
        const struct key_extra *extra = &check->extras[i];
        const struct diagnosis *diagnosis = extra->finding->diagnosis;
        if (extra->form->proves_key && !diagnosis->is_healthy && !diagnosis->leaves_key_open &&
            diagnosis->step == STEP_AUTH) {
            return extra->finding;
        }
    }
    return NULL;
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
        *finding = key_finding(making, check->targets[0], off);
        fail(row, finding);
    } else {
        struct str why = why_open(making, check);
        const struct finding *refused = refused_besides(check);
        if (str_is_set(why) && refused) {
            fail(row, refused);
        } else if (str_is_set(why) && !is_proven_besides(check)) {
            leave_open(row, why);
        }
    }
}

/* A generation proves a key where nothing free does. What it refuses is refused, also where a list
 * was given: a gateway may list its models to anybody. */
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
    if (refused) {
        fail(row, refused);
    }
}

void key_row_judge(const struct key_making *making, const struct key_check *check,
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
