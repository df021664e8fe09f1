/* What verify says of each model in one line: asked with its place, effective, sent, answered, and
 * whether these are one model; below it what a script expected. */
#include "report/human.h"

#include "base/moment.h"
#include "base/text.h"
#include "report/labels.h"
#include "report/layout.h"

#define INDENT 2
#define MODEL_COLUMNS 80
#define ORIGIN_COLUMNS 100

static const struct str nothing = {NULL, 0};

static struct str shown(const struct human *human, struct str text)
{
    struct str safe = text_show(human->arena, text, MODEL_COLUMNS);
    return str_is_empty(safe) ? str_from(labels_text(LABEL_TRUTH_NO_MODEL, human->report->lang))
                              : safe;
}

static struct str placed(const struct human *human, const struct value *value)
{
    struct str text = shown(human, value->text);
    struct str place =
        text_show(human->arena, origin_text(human->arena, value->origin), ORIGIN_COLUMNS);
    return str_is_empty(place)
               ? text
               : labels_say(human->arena, human->report->lang, LABEL_FROM,
                            arena_cstr(human->arena, text), arena_cstr(human->arena, place));
}

static void add_step(const struct human *human, struct buf *line, enum label label, struct str text)
{
    struct str step =
        labels_say(human->arena, human->report->lang, label, arena_cstr(human->arena, text));
    struct str arrow = human->style->is_ascii ? STR(" -> ") : STR(" \xE2\x86\x92 ");
    buf_add(line, line->len ? arrow : nothing);
    buf_add(line, step);
}

static void write_truth(const struct human *human, const struct result *result)
{
    const struct truth *truth = result->truth;
    struct buf line = buf_create(4096);
    add_step(human, &line, LABEL_ASKED, placed(human, &truth->asked));
    if (str_is_set(truth->effective.text)) {
        bool is_placed = !str_eq(truth->asked.text, truth->effective.text);
        add_step(human, &line, LABEL_EFFECTIVE,
                 is_placed ? placed(human, &truth->effective) : shown(human, truth->asked.text));
    } else if (!result->target->is_unread) {
        add_step(human, &line, LABEL_EFFECTIVE, shown(human, nothing));
    }
    if (str_is_set(truth->sent)) {
        add_step(human, &line, LABEL_SENT, shown(human, truth->sent));
    }
    if (!str_is_empty(truth->answered)) {
        add_step(human, &line, LABEL_ANSWERED, shown(human, truth->answered));
    }
    enum label label = result->target->is_unread ? LABEL_TRUTH_UNREAD
                       : truth->is_same          ? LABEL_TRUTH_SAME
                                                 : LABEL_TRUTH_OTHER;
    struct str whole = labels_say(human->arena, human->report->lang, label,
                                  arena_cstr(human->arena, buf_str(&line)));
    layout_blanks(human->out, INDENT);
    layout_wrap(human->out, whole, INDENT + 2, human->columns, nothing);
    buf_free(&line);
}

static struct str expectation_text(const struct human *human, const struct expectation *expectation)
{
    struct arena *arena = human->arena;
    enum lang lang = human->report->lang;
    const char *key = arena_cstr(arena, text_show(arena, expectation->key, 40));
    const char *want = arena_cstr(arena, text_show(arena, expectation->want, 200));
    const char *have = arena_cstr(arena, text_show(arena, expectation->have, 200));
    return expectation->holds ? labels_say(arena, lang, LABEL_EXPECTED, key, want)
           : str_is_set(expectation->have)
               ? labels_say(arena, lang, LABEL_EXPECTED_OTHER, key, want, have)
               : labels_say(arena, lang, LABEL_EXPECTED_UNSEEN, key, want);
}

static void write_expectation(const struct human *human, const struct expectation *expectation)
{
    layout_blanks(human->out, INDENT);
    layout_wrap(human->out, expectation_text(human, expectation), INDENT + 2, human->columns,
                nothing);
}

void human_missed(const struct human *human)
{
    const struct report *report = human->report;
    for (size_t i = 0; i < report->expectation_count; i++) {
        if (!report->expectations[i].holds) {
            layout_wrap(human->out, expectation_text(human, &report->expectations[i]), 0,
                        human->columns, nothing);
        }
    }
}

static void write_change(const struct human *human, const struct change *change)
{
    static const enum label labels[] = {[EFFECT_TAKEN] = LABEL_CHANGE_TAKEN,
                                        [EFFECT_NOT_TAKEN] = LABEL_CHANGE_NOT_TAKEN,
                                        [EFFECT_UNPROVEN] = LABEL_CHANGE_UNPROVEN};
    struct arena *arena = human->arena;
    struct str text = labels_say(
        arena, human->report->lang, labels[change->effect], arena_cstr(arena, change->key),
        arena_cstr(arena, shown(human, change->from)), arena_cstr(arena, shown(human, change->to)),
        arena_cstr(arena, text_show(arena, change->target, MODEL_COLUMNS)));
    layout_blanks(human->out, 2 * INDENT);
    layout_wrap(human->out, text, 2 * INDENT + 2, human->columns, nothing);
}

/* What --since-last found. */
static void write_changes(const struct human *human)
{
    const struct report *report = human->report;
    struct arena *arena = human->arena;
    int64_t offset_s = report->past ? report->past->utc_offset_s : 0;
    struct str moment = str_slice(moment_text(arena, report->last_verified_ms, offset_s), 0,
                                  sizeof "2026-11-29 13:00" - 1);
    enum label label = report->last_verified_ms < 0 ? LABEL_NEVER_VERIFIED
                       : report->change_count == 0  ? LABEL_UNCHANGED
                                                    : LABEL_CHANGED;
    struct str head = labels_say(arena, report->lang, label, arena_cstr(arena, moment));
    buf_add_char(human->out, '\n');
    layout_blanks(human->out, INDENT);
    layout_wrap(human->out, head, INDENT + 2, human->columns, nothing);
    for (size_t i = 0; i < report->change_count; i++) {
        write_change(human, &report->changes[i]);
    }
}

void human_truths(const struct human *human)
{
    const struct report *report = human->report;
    buf_add_char(human->out, '\n');
    for (size_t i = 0; i < report->result_count; i++) {
        if (report->results[i].target && report->results[i].truth) {
            write_truth(human, &report->results[i]);
        }
    }
    if (report->is_compared) {
        write_changes(human);
    }
    if (report->expectation_count > 0) {
        buf_add_char(human->out, '\n');
    }
    for (size_t i = 0; i < report->expectation_count; i++) {
        write_expectation(human, &report->expectations[i]);
    }
}
