/* The evidence of a verdict in one line. Only repeats what was observed; says nothing about causes.
 */
#include "triage/seen.h"

#include "base/buf.h"
#include "base/text.h"
#include "triage/fill.h"
#include "triage/words.h"

#define EVIDENCE_COLUMNS_MAX ((size_t)160)
#define FIELD_COLUMNS_MAX 40
#define PLACES_SHOWN 3

struct str seen_origin(struct arena *arena, const struct finding *finding)
{
    const struct problem *problem = trouble_problem(finding);
    if (problem) {
        return text_show(arena, origin_text(arena, problem->origin), EVIDENCE_COLUMNS_MAX);
    }
    if (finding->observation && finding->observation->target == NULL) {
        return text_show(arena, origin_text(arena, finding->observation->origin),
                         EVIDENCE_COLUMNS_MAX);
    }
    return (struct str){NULL, 0};
}

static void add_part(struct buf *seen, struct str part)
{
    if (!str_is_empty(part)) {
        buf_add(seen, seen->len ? STR(", ") : STR(""));
        buf_add(seen, part);
    }
}

static struct str quoted(struct arena *arena, struct str field, struct str text)
{
    struct str name = text_show(arena, field, FIELD_COLUMNS_MAX);
    struct str shown = text_show(arena, text, EVIDENCE_COLUMNS_MAX);
    return arena_printf(arena, "%.*s \"%.*s\"", STR_ARG(name), STR_ARG(shown));
}

/* The field that decided with its text; where no rule matched, the beginning of what came. */
static struct str evidence_part(struct arena *arena, const struct finding *finding)
{
    const struct observation *observation = finding->observation;
    if (!str_is_empty(finding->evidence) && !str_eq(finding->field, STR("status"))) {
        struct str field = str_is_empty(finding->field) ? STR("text") : finding->field;
        return quoted(arena, field, finding->evidence);
    }
    if (observation && str_is_empty(finding->rule_id) && !str_is_empty(observation->body)) {
        struct str name = observation->kind == OBSERVATION_TEXT ? STR("text") : STR("body");
        return quoted(arena, name, str_slice(observation->body, 0, 4 * EVIDENCE_COLUMNS_MAX));
    }
    return (struct str){NULL, 0};
}

static struct str wait_part(struct arena *arena, enum lang lang, const struct finding *finding)
{
    if (finding->wait_ms <= 0) {
        return (struct str){NULL, 0};
    }
    const char *wait = arena_cstr(arena, fill_duration(arena, lang, finding->wait_ms));
    if (finding->retry_at_ms <= 0) {
        return words_say(arena, lang, WORD_WAIT_STATED, wait);
    }
    int64_t offset_s = finding->observation ? finding->observation->utc_offset_s : 0;
    const char *moment = arena_cstr(arena, fill_moment(arena, finding->retry_at_ms, offset_s));
    return fill_is_over(finding) ? words_say(arena, lang, WORD_WAIT_OVER, moment)
                                 : words_say(arena, lang, WORD_WAIT_UNTIL, wait, moment);
}

static struct str seen_answer(struct arena *arena, enum lang lang, const struct finding *finding)
{
    const struct observation *observation = finding->observation;
    struct buf seen = buf_create(4096);
    if (observation && observation->status != 0) {
        add_part(&seen, arena_printf(arena, "HTTP %ld", observation->status));
    } else if (observation && observation->kind != OBSERVATION_TEXT) {
        add_part(&seen, str_from(words_text(WORD_NO_HTTP_ANSWER, lang)));
    }
    add_part(&seen, evidence_part(arena, finding));
    add_part(&seen, wait_part(arena, lang, finding));
    struct str text = arena_dup(arena, buf_str(&seen));
    buf_free(&seen);
    return text;
}

static struct str seen_problem(struct arena *arena, enum lang lang, const struct problem *problem)
{
    struct str line = text_show(arena, problem->line_text, EVIDENCE_COLUMNS_MAX);
    if (str_is_empty(line)) {
        return (struct str){NULL, 0}; /* the title is the problem's own sentence and says it all */
    }
    return words_say(arena, lang, WORD_LINE_SAYS, problem->origin.line, arena_cstr(arena, line));
}

static struct str seen_places(struct arena *arena, enum lang lang, const struct trouble *trouble)
{
    struct buf places = buf_create(4096);
    for (size_t i = 0; i < trouble->finding_count && i < PLACES_SHOWN; i++) {
        add_part(&places, seen_origin(arena, trouble->findings[i]));
    }
    struct str shown = arena_dup(arena, buf_str(&places));
    buf_free(&places);
    if (trouble->finding_count <= PLACES_SHOWN) {
        return shown;
    }
    return words_say(arena, lang, WORD_PLACES_MORE, arena_cstr(arena, shown),
                     trouble->finding_count - PLACES_SHOWN);
}

struct str seen_of_finding(struct arena *arena, enum lang lang, const struct finding *finding)
{
    const struct problem *problem = trouble_problem(finding);
    return problem ? seen_problem(arena, lang, problem) : seen_answer(arena, lang, finding);
}

struct str seen_text(struct arena *arena, enum lang lang, const struct trouble *trouble)
{
    return trouble->finding_count > 1 ? seen_places(arena, lang, trouble)
                                      : seen_of_finding(arena, lang, trouble->finding);
}
