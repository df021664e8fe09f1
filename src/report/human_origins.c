/* Where a failing target's parts were said: model, URL, key and proxy, each with its file and line,
 * so that a person knows at a glance what to open. Where all is well, only the proxy that was used
 * and what an answer does not prove. */
#include "report/human.h"

#include "base/text.h"
#include "report/labels.h"
#include "report/layout.h"

#define TARGETS_MAX 3 /* further ones are in -v */
#define BODY 2
#define LABEL_COLUMNS 7
#define PART_COLUMNS_MAX 60

static bool is_said(struct origin origin)
{
    return origin.kind == ORIGIN_FILE || origin.kind == ORIGIN_ENV || origin.kind == ORIGIN_OPTION;
}

/* Only the head of a chain: its fallbacks take nearly all from it. A model that nobody chose is
 * told also when it answers. */
static bool is_shown(const struct result *result)
{
    const struct target *target = result->target;
    bool is_head = target && (target->role == ROLE_PRIMARY || target->role == ROLE_PROFILE);
    bool is_chosen_for_them =
        is_head && target->model.origin.kind == ORIGIN_DEFAULT && is_said(target->key_origin);
    return is_chosen_for_them ||
           (is_head && result->status != TARGET_OK &&
            (is_said(target->model.origin) || is_said(target->base_url.origin)));
}

static void write_part(const struct human *human, enum label label, struct str text,
                       struct origin origin)
{
    if (str_is_empty(text)) {
        return;
    }
    struct mask mask = {0};
    struct str place = origin_text(human->arena, origin);
    struct str shown = text_cut_middle(
        human->arena, text_show(human->arena, mask_text(human->arena, &mask, text), 0),
        PART_COLUMNS_MAX);
    layout_blanks(human->out, BODY);
    layout_pad(human->out, str_from(labels_text(label, human->report->lang)), LABEL_COLUMNS);
    layout_wrap(human->out, shown, BODY + LABEL_COLUMNS, human->columns,
                text_cut_middle(human->arena, place, human->columns / 2));
}

static struct str key_text(const struct human *human, const struct target *target)
{
    if (target->key.fingerprint[0] == '\0') {
        return target->key_name;
    }
    return arena_printf(human->arena, "[key %s]", target->key.fingerprint);
}

void human_origins(const struct human *human)
{
    const struct report *report = human->report;
    size_t shown = 0;
    for (size_t i = 0; i < report->result_count && shown < TARGETS_MAX; i++) {
        const struct target *target = report->results[i].target;
        if (!is_shown(&report->results[i])) {
            continue;
        }
        buf_add_char(human->out, '\n');
        write_part(human, LABEL_MODEL, target->model.text, target->model.origin);
        write_part(human, LABEL_DETAIL_URL, target->base_url.text, target->base_url.origin);
        write_part(human, LABEL_DETAIL_KEY, key_text(human, target), target->key_origin);
        write_part(human, LABEL_DETAIL_PROXY, target->proxy.text, target->proxy.origin);
        shown++;
    }
}

static bool is_noted_before(const struct report *report, size_t index, struct str note)
{
    for (size_t i = 0; i < index; i++) {
        const struct target *target = report->results[i].target;
        if (target && report->results[i].status == TARGET_OK &&
            str_eq(target->note.in[report->lang], note)) {
            return true;
        }
    }
    return false;
}

/* The proxy of a target that answers, where no line above names it. */
static struct str quiet_proxy(const struct result *result)
{
    const struct observation *observation = result->observation;
    bool is_told = result->target && is_shown(result);
    return observation && observation->is_through_proxy && result->status == TARGET_OK && !is_told
               ? observation->proxy.text
               : (struct str){NULL, 0};
}

static void write_proxies(const struct human *human)
{
    const struct report *report = human->report;
    for (size_t i = 0; i < report->result_count; i++) {
        struct str proxy = quiet_proxy(&report->results[i]);
        size_t first = 0;
        while (first < i && !str_eq(quiet_proxy(&report->results[first]), proxy)) {
            first++;
        }
        if (str_is_set(proxy) && first == i) {
            write_part(human, LABEL_DETAIL_PROXY, proxy,
                       report->results[i].observation->proxy.origin);
        }
    }
}

void human_notes(const struct human *human)
{
    const struct report *report = human->report;
    if (!human->style->is_verbose) {
        write_proxies(human);
    }
    for (size_t i = 0; i < report->result_count && !human->style->is_verbose; i++) {
        const struct target *target = report->results[i].target;
        if (target == NULL || report->results[i].status != TARGET_OK ||
            str_is_empty(target->note.in[report->lang]) ||
            is_noted_before(report, i, target->note.in[report->lang])) {
            continue;
        }
        layout_blanks(human->out, BODY);
        layout_wrap(human->out, text_show(human->arena, target->note.in[report->lang], 400), BODY,
                    human->columns, (struct str){NULL, 0});
    }
}
