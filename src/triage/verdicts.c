/* From troubles to verdicts: texts from the data, placeholders filled, what proves that the rest is
 * fine, and the order of urgency. Decides nothing about causes or scope; those come with the
 * trouble. */
#include "triage/verdicts.h"

#include "base/buf.h"
#include "base/text.h"
#include "triage/answering.h"
#include "triage/exit.h"
#include "triage/fill.h"
#include "triage/place.h"
#include "triage/rows.h"
#include "triage/seen.h"
#include "triage/words.h"

#include <stdlib.h>

#define NAME_COLUMNS_MAX 60
#define TITLE_COLUMNS_MAX 200
#define NO_ROW 1000 /* order of plain verdicts among rows */

/* What all verdicts of a run are made with. */
struct making {
    struct arena *arena;
    const struct triage_input *input;
    int64_t now_ms;
};

struct ordered {
    struct verdict verdict;
    unsigned blame_rank;
    size_t row, index;
};

struct str verdicts_name(struct arena *arena, enum lang lang, const struct result *results,
                         size_t count, const struct result *result)
{
    const struct target *target = result->target;
    if (target == NULL) {
        struct str place = {NULL, 0};
        if (result->finding) {
            place = seen_origin(arena, result->finding);
        }
        return str_is_empty(place) ? str_from(words_text(WORD_THIS_ERROR, lang)) : place;
    }
    bool is_clear = !str_is_empty(target->model.text);
    for (size_t i = 0; i < count && is_clear; i++) {
        const struct target *other = results[i].target;
        is_clear =
            other == NULL || other == target || !str_eq(other->model.text, target->model.text);
    }
    return text_show(arena, is_clear ? target->model.text : target->name, NAME_COLUMNS_MAX);
}

static struct str name_of(const struct making *making, const struct result *result)
{
    return verdicts_name(making->arena, making->input->lang, making->input->results,
                         making->input->result_count, result);
}

static struct str names_of(const struct making *making, const struct result **results, size_t count)
{
    struct arena *arena = making->arena;
    enum lang lang = making->input->lang;
    struct str first = name_of(making, results[0]);
    if (count == 1) {
        return first;
    }
    const char *one = arena_cstr(arena, first);
    const char *two = arena_cstr(arena, name_of(making, results[1]));
    return count == 2 ? words_say(arena, lang, WORD_TWO_NAMES, one, two)
                      : words_say(arena, lang, WORD_MORE_NAMES, one, two, count - 2);
}

static struct str title_of(const struct making *making, const struct verdict *verdict,
                           struct str title, bool is_group)
{
    struct arena *arena = making->arena;
    if (verdict->result_count == 0) {
        return title;
    }
    struct str names = names_of(making, verdict->results, verdict->result_count);
    enum word word = verdict->result_count > 1 && !is_group ? WORD_NAMES_TITLE : WORD_NAME_TITLE;
    struct str whole = words_say(arena, making->input->lang, word, arena_cstr(arena, names),
                                 arena_cstr(arena, title));
    return text_show(arena, whole, TITLE_COLUMNS_MAX);
}

static void add_sentence(struct buf *why, enum lang lang, struct str sentence)
{
    if (!str_is_empty(sentence)) {
        buf_add(why, why->len && lang != LANG_ZH ? STR(" ") : STR(""));
        buf_add(why, sentence);
    }
}

/* What the rest of the run says about how far the problem reaches. */
static struct str scope_sentence(const struct making *making, const struct verdict *verdict)
{
    struct arena *arena = making->arena;
    enum lang lang = making->input->lang;
    size_t count = verdict->result_count;
    if (count < 2) {
        return (struct str){NULL, 0};
    }
    switch (verdict->scope) {
    case SCOPE_KEY:
        return words_say(arena, lang, WORD_SCOPE_KEY, count);
    case SCOPE_PROVIDER: {
        struct str place = text_show(arena, place_of_result(verdict->results[0]), NAME_COLUMNS_MAX);
        return words_say(arena, lang, WORD_SCOPE_PROVIDER, count, arena_cstr(arena, place));
    }
    case SCOPE_NETWORK:
        return words_say(arena, lang, WORD_SCOPE_NETWORK, count);
    case SCOPE_EVERYTHING:
        return words_say(arena, lang, WORD_SCOPE_EVERYTHING, count);
    case SCOPE_MODEL:
        break;
    }
    return (struct str){NULL, 0};
}

static struct str key_sentence(enum lang lang, const struct result *result)
{
    const struct finding *proof = result->key_proof;
    if (proof && proof->diagnosis->is_healthy) {
        return str_from(words_text(WORD_KEY_PROVEN, lang));
    }
    if (proof && result->ladder[STEP_AUTH].status == STEP_FAIL &&
        result->finding->diagnosis->step != STEP_AUTH) {
        return str_from(words_text(WORD_KEY_REFUSED, lang));
    }
    return (struct str){NULL, 0};
}

static struct str why_of(const struct making *making, const struct fill *fill,
                         const struct verdict *verdict, const struct phrase *meaning)
{
    struct arena *arena = making->arena;
    enum lang lang = making->input->lang;
    struct buf why = buf_create(8192);
    struct str text;
    if (fill_text(arena, fill, meaning->in[lang], &text)) {
        add_sentence(&why, lang, text);
    } else if (verdict->finding) {
        add_sentence(&why, lang, text_show(arena, verdict->finding->reason, 0));
    }
    bool is_answer = verdict->result_count > 0 && !trouble_problem(verdict->finding);
    if (is_answer) {
        add_sentence(&why, lang, scope_sentence(making, verdict));
        add_sentence(&why, lang, key_sentence(lang, verdict->results[0]));
    }
    if (is_answer && fill->other) {
        struct str name = name_of(making, fill->other);
        add_sentence(&why, lang,
                     answering_text(arena, lang, fill->result, fill->other, name, making->now_ms));
    }
    text = arena_dup(arena, buf_str(&why));
    buf_free(&why);
    return text;
}

static void set_basis(const struct making *making, struct verdict *verdict,
                      const struct basis *given, size_t given_count)
{
    struct basis *basis = ARENA_ARRAY(making->arena, given_count + 2, struct basis);
    size_t count = 0, answering = 0;
    for (size_t i = 0; i < given_count && str_is_set(given[i].name); i++) {
        basis[count++] = given[i];
    }
    for (size_t i = 0; i < making->input->result_count; i++) {
        answering += making->input->results[i].status == TARGET_OK ? 1 : 0;
    }
    basis[count++] = (struct basis){STR("targets"), (int64_t)verdict->result_count};
    basis[count++] = (struct basis){STR("answering"), (int64_t)answering};
    verdict->basis = basis;
    verdict->basis_count = count;
}

static struct fill fill_of(const struct making *making, const struct finding *finding,
                           const struct result *result)
{
    return (struct fill){
        .rules = making->input->rules,
        .lang = making->input->lang,
        .finding = finding,
        .result = result,
        .other = result ? answering_for(making->input->results, making->input->result_count, result)
                        : NULL,
    };
}

static struct verdict verdict_of(const struct making *making, const struct trouble *trouble)
{
    return (struct verdict){
        .id = trouble->diagnosis->id,
        .diagnosis = trouble->diagnosis,
        .results = trouble->results,
        .result_count = trouble->result_count,
        .finding = trouble->finding,
        .scope = trouble->scope,
        .severity = trouble->severity,
        .seen = seen_text(making->arena, making->input->lang, trouble),
        .origin = seen_origin(making->arena, trouble->finding),
    };
}

static struct verdict make_row(const struct making *making, const struct row_match *match,
                               const struct verdict_row *row)
{
    struct verdict verdict = verdict_of(making, match->trouble);
    const struct diagnosis *diagnosis = verdict.diagnosis;
    struct fill fill = fill_of(making, match->trouble->finding, match->trouble->results[0]);
    struct str title;
    verdict.id = match->id;
    verdict.results = match->results;
    verdict.result_count = match->result_count;
    if (!fill_text(making->arena, &fill, (row ? &row->title : &diagnosis->title)->in[fill.lang],
                   &title)) {
        title = match->id;
    }
    verdict.title = title_of(making, &verdict, title, match->is_group);
    verdict.why = why_of(making, &fill, &verdict, row ? &row->why : &diagnosis->meaning);
    verdict.actions = fill_lines(making->arena, &fill,
                                 row && row->actions.count ? &row->actions : &diagnosis->actions,
                                 &verdict.action_count);
    verdict.avoid =
        fill_lines(making->arena, &fill, row && row->avoid.count ? &row->avoid : &diagnosis->avoid,
                   &verdict.avoid_count);
    set_basis(making, &verdict, match->basis, ROW_BASIS_MAX);
    return verdict;
}

static struct str problem_title(const struct making *making, const struct trouble *trouble)
{
    struct str message =
        text_show(making->arena, trouble_problem(trouble->finding)->message, TITLE_COLUMNS_MAX);
    while (str_ends(message, STR("."))) {
        message = str_slice(message, 0, message.len - 1);
    }
    return trouble->finding_count == 1
               ? message
               : words_say(making->arena, making->input->lang, WORD_MORE_OF_KIND,
                           arena_cstr(making->arena, message), trouble->finding_count - 1);
}

/* The suggestion of a config problem comes first, unless the diagnosis has its own line for it. */
static void add_suggestion(const struct making *making, const struct trouble *trouble,
                           struct verdict *verdict)
{
    const struct problem *problem = trouble_problem(trouble->finding);
    enum lang lang = making->input->lang;
    for (size_t i = 0; i < trouble->diagnosis->actions.count; i++) {
        if (str_find(trouble->diagnosis->actions.items[i].in[lang], STR("{suggestion}")) >= 0) {
            return;
        }
    }
    if (problem == NULL || str_is_empty(problem->suggestion)) {
        return;
    }
    struct str *actions = ARENA_ARRAY(making->arena, verdict->action_count + 1, struct str);
    struct str shown = text_show(making->arena, problem->suggestion, TITLE_COLUMNS_MAX);
    actions[0] =
        words_say(making->arena, lang, WORD_WRITE_INSTEAD, arena_cstr(making->arena, shown));
    for (size_t i = 0; i < verdict->action_count; i++) {
        actions[i + 1] = verdict->actions[i];
    }
    verdict->actions = actions;
    verdict->action_count++;
}

static struct verdict make_plain(const struct making *making, const struct trouble *trouble)
{
    struct verdict verdict = verdict_of(making, trouble);
    const struct diagnosis *diagnosis = verdict.diagnosis;
    struct fill fill =
        fill_of(making, trouble->finding, trouble->result_count ? trouble->results[0] : NULL);
    struct str title;
    if (trouble_problem(trouble->finding)) {
        verdict.title = problem_title(making, trouble);
    } else {
        bool is_filled = fill_text(making->arena, &fill, diagnosis->title.in[fill.lang], &title);
        verdict.title = title_of(making, &verdict, is_filled ? title : diagnosis->id, false);
    }
    verdict.why = why_of(making, &fill, &verdict, &diagnosis->meaning);
    verdict.actions = fill_lines(making->arena, &fill, &diagnosis->actions, &verdict.action_count);
    add_suggestion(making, trouble, &verdict);
    verdict.avoid = fill_lines(making->arena, &fill, &diagnosis->avoid, &verdict.avoid_count);
    set_basis(making, &verdict, NULL, 0);
    return verdict;
}

/* Errors before warnings; then by whose turn it is, as for the exit code; rows before plain
 * verdicts; then as they were found. */
static int by_urgency(const void *left, const void *right)
{
    const struct ordered *a = left, *b = right;
    if (a->verdict.severity != b->verdict.severity) {
        return a->verdict.severity > b->verdict.severity ? -1 : 1;
    }
    if (a->blame_rank != b->blame_rank) {
        return a->blame_rank < b->blame_rank ? -1 : 1;
    }
    if (a->row != b->row) {
        return a->row < b->row ? -1 : 1;
    }
    return a->index < b->index ? -1 : 1;
}

static bool is_replaced(const struct row_matches *matches, const struct trouble *trouble)
{
    for (size_t i = 0; i < matches->count; i++) {
        if (matches->items[i].takes_place && matches->items[i].trouble == trouble) {
            return true;
        }
    }
    return false;
}

void verdicts_make(struct arena *arena, const struct triage_input *input,
                   const struct troubles *troubles, int64_t now_ms, struct report *report)
{
    struct making making = {.arena = arena, .input = input, .now_ms = now_ms};
    struct row_matches matches = {0};
    rows_match(arena, input, troubles, &matches);
    struct ordered *all = ARENA_ARRAY(arena, matches.count + troubles->count, struct ordered);
    size_t count = 0;
    for (size_t i = 0; i < matches.count; i++) {
        const struct row_match *match = &matches.items[i];
        const struct verdict_row *row = rules_verdict_row(input->rules, match->id);
        all[count] = (struct ordered){
            .verdict = make_row(&making, match, row), .row = match->order, .index = count};
        count++;
    }
    for (size_t i = 0; i < troubles->count; i++) {
        if (!is_replaced(&matches, &troubles->items[i])) {
            all[count] = (struct ordered){
                .verdict = make_plain(&making, &troubles->items[i]), .row = NO_ROW, .index = count};
            count++;
        }
    }
    struct verdict *verdicts = ARENA_ARRAY(arena, count, struct verdict);
    for (size_t i = 0; i < count; i++) {
        all[i].blame_rank = exit_rank(all[i].verdict.diagnosis->blame);
    }
    qsort(all, count, sizeof *all, by_urgency);
    for (size_t i = 0; i < count; i++) {
        verdicts[i] = all[i].verdict;
    }
    report->verdicts = verdicts;
    report->verdict_count = count;
}
