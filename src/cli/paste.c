/* Pasted text, judged: as a whole, and where several things were pasted each by itself. Takes a
 * source that was read, gives events; shows nothing. */
#include "cli/paste.h"

#include "cli/client_words.h"
#include "cli/say.h"
#include "input/input.h"
#include "input/pieces.h"

#define PIECED_BYTES_MAX ((size_t)64 * 1024) /* of a paste that is looked at piece by piece */

static enum input_kind kind_of(struct str input)
{
    return str_eq(input, STR("http"))   ? INPUT_HTTP
           : str_eq(input, STR("text")) ? INPUT_TEXT
                                        : INPUT_AUTO;
}

static const struct finding *judge_text(struct street *street, struct str text,
                                        enum input_kind kind, struct origin origin)
{
    struct cli *cli = street->cli;
    struct observation *observation = ARENA_NEW(cli->arena, struct observation);
    *observation = input_paste(cli->arena, &street->mask, text, kind);
    if (origin.kind != ORIGIN_NONE) {
        observation->origin = origin;
    }
    street_stamp(street, observation);
    client_recognise(street, observation->body, observation);
    return street_classify(street, observation);
}

static void add_event(struct cli *cli, struct paste_events *events, const struct paste_event *event)
{
    events->items = arena_grow(cli->arena, events->items, events->count, &events->capacity,
                               sizeof *events->items);
    events->items[events->count++] = *event;
}

/* A piece with what it tells. */
struct told {
    const struct piece *piece;
    const struct finding *finding;
};

/* A rule says what failed. What leads elsewhere (3xx) is on its way to another answer. */
static bool is_failure(const struct finding *finding)
{
    long status = finding->observation->status;
    return str_is_set(finding->rule_id) && !finding->diagnosis->is_healthy &&
           finding->diagnosis->blame != BLAME_UNKNOWN && !(status >= 300 && status < 400);
}

/* Proven by what an API itself said in that piece, a field of its error or an answer of HTTP; or it
 * is what the whole is judged by. */
static bool is_proven(const struct finding *finding, const struct finding *whole)
{
    bool is_answer = finding->observation->kind == OBSERVATION_HTTP;
    return is_failure(finding) && (is_answer || str_starts(finding->field, STR("error.")) ||
                                   str_eq(finding->rule_id, whole->rule_id));
}

/* Where the network lies is one place, whatever layer of it speaks. */
static bool is_same_place(const struct diagnosis *a, const struct diagnosis *b)
{
    return str_eq(a->layer, b->layer) || (a->blame == BLAME_NETWORK && b->blame == BLAME_NETWORK);
}

/* Keeps the pieces that tell a reason of their own; their number. Where the API speaks in none but
 * the one that decides, each must tell a failure, and of another place: a report in several
 * sentences tells of one. */
static size_t choose(struct told *told, size_t count, const struct finding *whole)
{
    size_t proven = 0, failing = 0, kept = 0;
    for (size_t i = 0; i < count; i++) {
        proven += is_proven(told[i].finding, whole) ? 1 : 0;
        failing += is_failure(told[i].finding) ? 1 : 0;
    }
    bool by_words = proven < 2;
    if (by_words && failing < count) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        const struct finding *finding = told[i].finding;
        bool is_new = by_words || is_proven(finding, whole);
        for (size_t k = 0; k < kept && is_new; k++) {
            const struct diagnosis *other = told[k].finding->diagnosis;
            is_new = other != finding->diagnosis &&
                     !(by_words && is_same_place(other, finding->diagnosis));
        }
        if (is_new) {
            told[kept++] = told[i];
        }
    }
    return kept;
}

/* The pieces that failed for different reasons, judged; *count gets 0 where there are none such. */
static struct told *judge_pieces(struct street *street, const struct source *source,
                                 const struct finding *whole, size_t *count)
{
    struct cli *cli = street->cli;
    const struct piece *pieces = input_pieces(cli->arena, source->text, count);
    struct told *told = ARENA_ARRAY(cli->arena, PIECES_MAX + 1, struct told);
    for (size_t i = 0; *count > 1 && i < *count; i++) {
        struct origin origin = {ORIGIN_FILE, source->name, pieces[i].line, 1};
        told[i] = (struct told){&pieces[i], judge_text(street, pieces[i].text, INPUT_AUTO, origin)};
    }
    *count = *count > 1 ? choose(told, *count, whole) : 0;
    return told;
}

/* The reason by which the whole is judged must be among those of its pieces: else they belong
 * together in a way that is not seen here. */
static bool add_pieces(struct street *street, const struct source *source,
                       const struct finding *whole, struct paste_events *events)
{
    size_t count, first = 0;
    const struct told *told = judge_pieces(street, source, whole, &count);
    while (first < count && told[first].finding->diagnosis != whole->diagnosis) {
        first++;
    }
    if (count < 2 || first == count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct told *next = &told[i == 0 ? first : i <= first ? i - 1 : i];
        add_event(street->cli, events,
                  &(struct paste_event){.name = source->name,
                                        .line = next->piece->line,
                                        .line_to = next->piece->line_to,
                                        .finding = next->finding});
    }
    return true;
}

void paste_judge(struct street *street, const struct source *source, struct paste_events *events)
{
    struct cli *cli = street->cli;
    struct origin origin = {.kind = ORIGIN_NONE};
    enum input_kind kind = kind_of(cli->options.input);
    if (!source->is_whole) {
        say_remark(cli, "diagnose: %.*s is over 1 MiB; only its first 1 MiB was judged",
                   STR_ARG(source->shown));
    }
    if (!source->is_stdin) {
        origin = (struct origin){ORIGIN_FILE, source->name, 1, 1};
    }
    const struct finding *whole = judge_text(street, source->text, kind, origin);
    bool may_be_several =
        kind == INPUT_AUTO && source->text.len <= PIECED_BYTES_MAX && !whole->diagnosis->is_healthy;
    if (!may_be_several || !add_pieces(street, source, whole, events)) {
        unsigned lines = (unsigned)str_count_char(str_trim(source->text), '\n') + 1;
        add_event(cli, events, &(struct paste_event){source->name, 1, lines, whole});
    }
}
