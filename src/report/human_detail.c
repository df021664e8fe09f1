/* What -v adds: for each target where it went, how long each rung took and what was there, ids for
 * a support ticket, and what the engine would have said next; then the files that were looked for.
 */
#include "report/human.h"

#include "base/text.h"
#include "report/labels.h"
#include "report/layout.h"

#define BODY 4
#define LABEL_COLUMNS 14
#define TOOK_COLUMNS 9
#define TIMES_COLUMNS (5 + TOOK_COLUMNS + 2)

static const struct str nothing = {NULL, 0};

static void write_line(const struct human *human, struct str label, struct str text)
{
    if (str_is_empty(text)) {
        return;
    }
    layout_blanks(human->out, BODY);
    layout_pad(human->out, label, LABEL_COLUMNS);
    layout_wrap(human->out, text_show(human->arena, text, 400), BODY + LABEL_COLUMNS,
                human->columns, nothing);
}

static void write_labelled(const struct human *human, enum label label, struct str text)
{
    write_line(human, str_from(labels_text(label, human->report->lang)), text);
}

/* "VALUE (where it was said)". */
static struct str with_origin(const struct human *human, struct str text, struct origin origin)
{
    struct mask mask = {0};
    struct str place = origin_text(human->arena, origin);
    struct str safe = mask_text(human->arena, &mask, text);
    return str_is_empty(place) || str_is_empty(text)
               ? safe
               : labels_say(human->arena, human->report->lang, LABEL_FROM,
                            arena_cstr(human->arena, safe), arena_cstr(human->arena, place));
}

static void write_rungs(const struct human *human, const struct result *result)
{
    static const char *const words[] = {
        [STEP_SKIP] = "-", [STEP_OK] = "ok", [STEP_WARN] = "warn", [STEP_FAIL] = "FAIL"};
    for (size_t step = 0; step < STEP_COUNT; step++) {
        const struct rung *rung = &result->ladder[step];
        struct str took = rung->duration_ms < 0
                              ? nothing
                              : arena_printf(human->arena, "%lld ms", (long long)rung->duration_ms);
        struct str shown = text_cut_end(human->arena, rung->detail,
                                        human->columns - BODY - LABEL_COLUMNS - TIMES_COLUMNS);
        struct str text = arena_printf(human->arena, "%-5s%*.*s  %.*s", words[rung->status],
                                       TOOK_COLUMNS, STR_ARG(took), STR_ARG(shown));
        layout_blanks(human->out, BODY);
        layout_pad(human->out, labels_step((enum step)step, human->report->lang), LABEL_COLUMNS);
        buf_add(human->out, str_trim(text));
        buf_add_char(human->out, '\n');
    }
}

static struct str by_rule(const struct human *human, const struct diagnosis *diagnosis,
                          struct str rule)
{
    if (str_is_empty(rule)) {
        return diagnosis->id;
    }
    return labels_say(human->arena, human->report->lang, LABEL_BY_RULE,
                      arena_cstr(human->arena, diagnosis->id), arena_cstr(human->arena, rule));
}

static void write_judgement(const struct human *human, const struct result *result)
{
    const struct finding *finding = result->finding;
    if (finding) {
        write_labelled(human, LABEL_VERDICT, by_rule(human, finding->diagnosis, finding->rule_id));
        write_labelled(human, LABEL_DETAIL_REASON, finding->reason);
        write_labelled(human, LABEL_DETAIL_SKIPPED_RULE, finding->skipped_rule);
        if (finding->runner_up) {
            write_labelled(human, LABEL_DETAIL_RUNNER_UP,
                           by_rule(human, finding->runner_up, finding->runner_up_rule));
        }
    }
    if (result->key_proof) {
        write_labelled(human, LABEL_DETAIL_PROOF,
                       by_rule(human, result->key_proof->diagnosis, result->key_proof->rule_id));
    }
}

static void write_target(const struct human *human, const struct result *result)
{
    const struct target *target = result->target;
    const struct observation *observation = result->observation;
    buf_add(human->out, STR("\n  "));
    layout_wrap(human->out, text_show(human->arena, target->name, 200), 2, human->columns, nothing);
    write_labelled(human, LABEL_MODEL,
                   with_origin(human, target->model.text, target->model.origin));
    write_labelled(human, LABEL_DETAIL_URL,
                   with_origin(human, target->base_url.text, target->base_url.origin));
    write_labelled(human, LABEL_DETAIL_KEY,
                   with_origin(human, str_from(target->key.fingerprint), target->key_origin));
    write_labelled(human, LABEL_DETAIL_PROXY,
                   with_origin(human, target->proxy.text, target->proxy.origin));
    write_rungs(human, result);
    if (observation) {
        write_labelled(human, LABEL_DETAIL_REQUEST, observation->request_id);
        write_labelled(human, LABEL_DETAIL_SERVED, observation->served_model);
    }
    write_judgement(human, result);
    write_labelled(human, LABEL_DETAIL_NOTE, target->note.in[human->report->lang]);
}

void human_details(const struct human *human)
{
    const struct report *report = human->report;
    for (size_t i = 0; i < report->result_count; i++) {
        if (report->results[i].target) {
            write_target(human, &report->results[i]);
        }
    }
    if (report->file_count > 0) {
        buf_add(human->out, STR("\n  "));
        layout_wrap(human->out, str_from(labels_text(LABEL_DETAIL_FILES, report->lang)), 2,
                    human->columns, nothing);
    }
    for (size_t i = 0; i < report->file_count; i++) {
        const struct config_file *file = &report->files[i];
        struct str text = str_is_empty(file->reason)
                              ? file->path
                              : labels_say(human->arena, report->lang, LABEL_FROM,
                                           arena_cstr(human->arena, file->path),
                                           arena_cstr(human->arena, file->reason));
        write_line(human, labels_file_status(file->status, report->lang), text);
    }
}
