/* Values for the sentences about the record: counts, moments on the user's clock, session and
 * context of the client, quiet hours. */
#include "triage/facts.h"

#include "base/moment.h"
#include "triage/answering.h"
#include "triage/fill.h"

#define HOURS 24
#define LIMIT_PERMILLE_CALM 900 /* a limit used up further may be the cause after all */

static void facts_add(struct arena *arena, struct facts *facts, struct str name, struct str text)
{
    if (!str_is_empty(text)) {
        facts->items =
            arena_grow(arena, facts->items, facts->count, &facts->capacity, sizeof *facts->items);
        facts->items[facts->count++] = (struct capture){.name = name, .text = text};
    }
}

void facts_add_number(struct arena *arena, struct facts *facts, struct str name, int64_t number)
{
    facts_add(arena, facts, name, arena_printf(arena, "%lld", (long long)number));
}

/* "13:00" of today, else "2026-11-28 13:00". */
static struct str moment_shown(struct arena *arena, struct recall_clock clock, int64_t at_ms)
{
    struct str now = moment_text(arena, clock.now_ms, clock.utc_offset_s);
    struct str text = moment_text(arena, at_ms, clock.utc_offset_s);
    size_t date = sizeof "2026-11-28 " - 1, minutes = sizeof "2026-11-28 13:00" - 1;
    bool is_today = str_eq(str_slice(now, 0, date), str_slice(text, 0, date));
    return str_slice(text, is_today ? date : 0, minutes);
}

/* When the hour of the user's clock began. */
static int64_t hour_of(struct recall_clock clock, int64_t at_ms)
{
    return at_ms - (at_ms + clock.utc_offset_s * 1000) % (60 * MINUTE_MS);
}

static void add_counts(struct arena *arena, struct recall_clock clock, const struct recall *recall,
                       struct facts *facts)
{
    if (recall->requests > 1 && recall->since_ms >= 0) {
        facts_add_number(arena, facts, STR("failures"), recall->refused);
        facts_add_number(arena, facts, STR("requests"), recall->requests);
        /* requests are counted from that hour on */
        facts_add(arena, facts, STR("since"),
                  moment_shown(arena, clock, hour_of(clock, recall->since_ms)));
    }
    if (recall->refused_days > 1) {
        facts_add_number(arena, facts, STR("days"), recall->refused_days);
    }
    if (recall->failing_since_ms >= 0) {
        facts_add_number(arena, facts, STR("bands"), recall->bands);
        facts_add(arena, facts, STR("failing_since"),
                  moment_shown(arena, clock, recall->failing_since_ms));
    }
}

static void add_answering(struct arena *arena, const struct triage_input *input,
                          struct facts *facts)
{
    size_t answering = answering_count(input);
    if (answering) {
        facts_add_number(arena, facts, STR("others"), (int64_t)answering);
    }
}

static void add_session(struct arena *arena, const struct triage_input *input, const int64_t *when,
                        const struct record *session, struct facts *facts)
{
    if (session->session_ms > when[THRESHOLD_SESSION_MINUTES] * MINUTE_MS) {
        facts_add(arena, facts, STR("session"),
                  fill_duration(arena, input->lang, session->session_ms));
    }
    int64_t window = session->context_window, tokens = session->context_tokens;
    if (window > 0 && tokens >= 0 && tokens / window < 100 &&
        tokens * 100 > window * when[THRESHOLD_CONTEXT_PERCENT]) {
        facts_add_number(arena, facts, STR("context_percent"), tokens * 100 / window);
        facts_add_number(arena, facts, STR("context_tokens"), tokens);
        facts_add_number(arena, facts, STR("context_window"), window);
    }
    if (session->limit_permille >= 0 && session->limit_permille < LIMIT_PERMILLE_CALM) {
        facts_add_number(arena, facts, STR("limit_used"), session->limit_permille / 10);
    }
}

void facts_of_session(struct arena *arena, const struct triage_input *input,
                      struct recall_clock clock, const struct verdict_row *row,
                      const struct result *result, struct facts *facts)
{
    const int64_t *when = row->when;
    for (size_t i = 0; input->past && i < input->past->session_count; i++) {
        const struct record *session = &input->past->sessions[i];
        bool is_fresh = session->at_ms >= clock.now_ms - when[THRESHOLD_FRESH_MINUTES] * MINUTE_MS;
        if (is_fresh && str_eq(session->client, result->target->client)) {
            add_session(arena, input, when, session, facts);
        }
    }
}

struct hour {
    int64_t requests, refused;
};

/* Sums the week by hour of the day; gives the total. */
static struct hour sum_hours(const struct triage_input *input, struct hour *hours)
{
    struct hour all = {0};
    for (size_t i = 0; i < input->past->week_count; i++) {
        const struct week_tally *tally = &input->past->week[i];
        const struct diagnosis *diagnosis = rules_diagnosis(input->rules, tally->diagnosis);
        struct hour *hour = &hours[tally->week_hour % HOURS];
        int64_t refused = diagnosis && diagnosis->is_capacity ? tally->count : 0;
        hour->requests += tally->count;
        hour->refused += refused;
        all.requests += tally->count;
        all.refused += refused;
    }
    return all;
}

/* The longest run of hours of the day, "20:00 to 23:00" as [from, to), in which the record shows
 * clearly fewer capacity failures than usual. False when it does not hold enough to say so. */
static bool facts_quiet_hours(const struct triage_input *input, const struct verdict_row *row,
                              unsigned *from, unsigned *to)
{
    struct hour hours[HOURS] = {{0}};
    bool is_quiet[HOURS];
    if (input->past == NULL) {
        return false;
    }
    struct hour all = sum_hours(input, hours);
    if (all.requests < row->when[THRESHOLD_QUIET_REQUESTS] || all.refused == 0) {
        return false;
    }
    for (size_t i = 0; i < HOURS; i++) {
        /* share of the hour <= quiet_percent of the whole share, in whole numbers; hours of which
         * hardly anything is known are not called quiet */
        is_quiet[i] = hours[i].requests * HOURS * 4 >= all.requests &&
                      hours[i].refused * all.requests * 100 <=
                          all.refused * hours[i].requests * row->when[THRESHOLD_QUIET_PERCENT];
    }
    unsigned best = 0;
    for (unsigned start = 0; start < HOURS; start++) {
        unsigned length = 0;
        while (length < HOURS && is_quiet[(start + length) % HOURS]) {
            length++;
        }
        if (length > best) {
            best = length;
            *from = start;
            *to = (start + length) % HOURS;
        }
    }
    return best > 0 && best < HOURS;
}

void facts_of_target(struct arena *arena, const struct triage_input *input,
                     struct recall_clock clock, const struct verdict_row *row,
                     const struct result *result, const struct recall *recall, struct facts *facts)
{
    unsigned from, to;
    add_counts(arena, clock, recall, facts);
    add_answering(arena, input, facts);
    facts_of_session(arena, input, clock, row, result, facts);
    if (facts_quiet_hours(input, row, &from, &to)) {
        facts_add(arena, facts, STR("quiet_hours"),
                  arena_printf(arena, "%02u:00-%02u:00", from, to));
    }
}
