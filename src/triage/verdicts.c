/* From troubles to verdicts: texts from the data, placeholders filled, what proves that the rest is
 * fine, and the order of urgency. Decides nothing about causes or scope; those come with the
 * trouble. */
#include "triage/verdicts.h"

#include "base/text.h"
#include "rules/client.h"
#include "triage/answering.h"
#include "triage/exit.h"
#include "triage/fill_value.h"
#include "triage/names.h"
#include "triage/rows.h"
#include "triage/seen.h"
#include "triage/why.h"
#include "triage/words.h"

#include <stdlib.h>

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

static void set_basis(const struct making *making, struct verdict *verdict,
                      const struct basis *given, size_t given_count)
{
    struct basis *basis = ARENA_ARRAY(making->arena, given_count + 2, struct basis);
    size_t count = 0;
    for (size_t i = 0; i < given_count && str_is_set(given[i].name); i++) {
        basis[count++] = given[i];
    }
    basis[count++] = (struct basis){STR("targets"), (int64_t)verdict->result_count};
    basis[count++] = (struct basis){STR("answering"), (int64_t)answering_count(making->input)};
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
        .other = result && !making->input->are_keys
                     ? answering_for(making->input->results, making->input->result_count, result)
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

/* The client of the first target, and what it prints itself. */
static void add_client(const struct making *making, const struct fill *fill,
                       struct verdict *verdict)
{
    const struct target *target = fill->result ? fill->result->target : NULL;
    if (target && fill->rules) {
        verdict->client = fill_value(making->arena, fill, STR("client"));
        verdict->says = rules_client_says(fill->rules, target->client, verdict->diagnosis->id,
                                          target->client_version);
    }
}

/* What the row rests on, behind what it means. */
static struct str with_record(const struct making *making, const struct fill *fill,
                              const struct phrases *rests_on, struct str why)
{
    size_t count;
    const struct str *lines = fill_lines(making->arena, fill, rests_on, &count);
    const char *gap = fill->lang == LANG_ZH ? "" : " ";
    for (size_t i = 0; i < count; i++) {
        why = arena_printf(making->arena, "%.*s%s%.*s", STR_ARG(why), why.len ? gap : "",
                           STR_ARG(lines[i]));
    }
    return why;
}

static struct verdict make_row(const struct making *making, const struct row_match *match)
{
    struct verdict verdict = verdict_of(making, match->trouble);
    const struct verdict_row *row = match->row;
    struct fill fill = fill_of(making, match->trouble->finding, match->results[0]);
    bool is_told_otherwise = match->is_recovered && row->recovered_title.in[fill.lang].len;
    const struct phrase *said = is_told_otherwise ? &row->recovered_title : &row->title;
    const struct phrases *actions = match->is_recovered ? &row->recovered_actions : &row->actions;
    struct str title;
    fill.facts = match->facts.items;
    fill.fact_count = match->facts.count;
    verdict.id = row->id;
    verdict.results = match->results;
    verdict.result_count = match->result_count;
    verdict.seen = match->is_recovered ? (struct str){NULL, 0} : verdict.seen;
    if (!fill_text(making->arena, &fill, said->in[fill.lang], &title)) {
        title = row->id;
    }
    verdict.title = names_title(making->arena, making->input, &verdict, title, match->is_group);
    verdict.why = match->is_recovered ? (struct str){NULL, 0}
                                      : why_text(making->arena, making->input, &fill,
                                                 match->trouble, &row->why, making->now_ms);
    verdict.why = with_record(making, &fill, &row->rests_on, verdict.why);
    verdict.actions = match->is_recovered
                          ? fill_lines(making->arena, &fill, actions, &verdict.action_count)
                          : fill_advice(making->arena, &fill,
                                        actions->count ? actions : &verdict.diagnosis->actions,
                                        verdict.diagnosis->id, &verdict.action_count);
    verdict.avoid =
        fill_lines(making->arena, &fill, row->avoid.count ? &row->avoid : &verdict.diagnosis->avoid,
                   &verdict.avoid_count);
    if (!match->is_recovered) {
        add_client(making, &fill, &verdict);
    }
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

static const enum word suggestion_words[] = {
    [SUGGESTION_TEXT] = WORD_WRITE_INSTEAD,
    [SUGGESTION_COMMAND] = WORD_RUN_COMMAND,
    [SUGGESTION_STEP] = WORD_DO_STEP,
};

/* The suggestion of a config problem comes first, unless an action says it already: one of the
 * diagnosis by its place for it, or one of the client that names the same command. */
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
    for (size_t i = 0; i < verdict->action_count; i++) {
        if (problem->suggestion_kind == SUGGESTION_COMMAND &&
            str_find(verdict->actions[i], problem->suggestion) >= 0) {
            return;
        }
    }
    struct str *actions = ARENA_ARRAY(making->arena, verdict->action_count + 1, struct str);
    struct str shown = text_show(making->arena, problem->suggestion, TITLE_COLUMNS_MAX);
    actions[0] = words_say(making->arena, lang, suggestion_words[problem->suggestion_kind],
                           arena_cstr(making->arena, shown));
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
        verdict.title = names_title(making->arena, making->input, &verdict,
                                    is_filled ? title : diagnosis->id, false);
    }
    verdict.why = why_text(making->arena, making->input, &fill, trouble,
                           fill_meaning_of(making->arena, &fill), making->now_ms);
    verdict.actions = fill_advice(making->arena, &fill, fill_actions_of(&fill), diagnosis->id,
                                  &verdict.action_count);
    add_client(making, &fill, &verdict);
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

/* Every result of the trouble has a row in place of its plain verdict. */
static bool is_replaced(const struct row_matches *matches, const struct trouble *trouble)
{
    size_t replaced = 0;
    for (size_t i = 0; i < matches->count; i++) {
        const struct row_match *match = &matches->items[i];
        replaced += match->takes_place && match->trouble == trouble ? match->result_count : 0;
    }
    return replaced > 0 && replaced >= trouble->result_count;
}

void verdicts_make(struct arena *arena, const struct triage_input *input,
                   const struct troubles *troubles, int64_t now_ms, struct report *report)
{
    struct making making = {.arena = arena, .input = input, .now_ms = now_ms};
    struct row_matches matches = {0};
    rows_match(arena, input, troubles, now_ms, &matches);
    struct ordered *all = ARENA_ARRAY(arena, matches.count + troubles->count, struct ordered);
    size_t count = 0;
    for (size_t i = 0; i < matches.count; i++) {
        const struct row_match *match = &matches.items[i];
        all[count] = (struct ordered){
            .verdict = make_row(&making, match), .row = match->order, .index = count};
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
