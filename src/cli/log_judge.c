/* Blocks of a log judged. Takes a run of entries, finds those that may report a failure, gives the
 * events of those that do. Knows no threads and no files. */
#include "cli/log_judge.h"

#include "classify/clean.h"
#include "input/bound.h"
#include "input/log_about.h"
#include "input/log_carrier.h"
#include "input/log_entry.h"
#include "input/log_observe.h"
#include "input/log_subject.h"

struct log_judge log_judge_open(const struct street *street, struct str file,
                                const struct sieve *sieve, bool is_reference)
{
    struct log_judge judge = {
        .street = street,
        .file = file,
        .sieve = sieve,
        .is_reference = is_reference,
        .classify = is_reference                         ? classify_unfiltered
                    : street->cli->options.is_explaining ? classify
                                                         : classify_briefly,
        .classifier = classifier_open(street->rules),
        .scratch = arena_create(),
        .batch = {.arena = arena_create()},
    };
    if (sieve) {
        classifier_borrow_marks(judge.classifier, sieve_marks(sieve));
    }
    judge.hits.arena = arena_create();
    judge.words = log_words_create(judge.hits.arena);
    /* A rule of the user's may go by any number. */
    bool has_built_alone = rules_built_count(street->rules) == rules_count(street->rules);
    judge.memo =
        is_reference ? NULL : memo_create(judge.hits.arena, &street->mask, has_built_alone);
    return judge;
}

void log_judge_close(struct log_judge *judge)
{
    classifier_close(judge->classifier);
    memo_free(judge->memo);
    arena_free(judge->scratch);
    arena_free(judge->hits.arena);
    arena_free(judge->batch.arena);
}

/* A failure that is known to be one of another system is none of this log's events; an error that
 * no rule knows is where words of LLM APIs stand with it. about: log_about of the entry. */
static bool is_event(const struct log_judge *judge, const struct finding *finding, struct str about)
{
    bool is_unexplained = finding->diagnosis == rules_unknown(judge->street->rules);
    bool is_foreign = is_unexplained && (str_is_set(finding->rule_id) || !str_is_set(about));
    return !finding->diagnosis->is_healthy && !is_foreign;
}

static bool has_told(const struct log_judge *judge, const struct diagnosis *diagnosis)
{
    size_t i = 0;
    while (i < judge->told_count && judge->told[i] != diagnosis) {
        i++;
    }
    return i < judge->told_count;
}

/* What an event borrows moves from scratch to the batch, of which the first may be left out when
 * it is handed in. */
static void keep_event(struct log_judge *judge, const struct log_event *event)
{
    struct log_batch *batch = &judge->batch;
    if (batch->count && !has_told(judge, event->finding.diagnosis)) {
        judge->told = arena_grow(judge->hits.arena, judge->told, judge->told_count,
                                 &judge->told_room, sizeof(struct diagnosis *));
        judge->told[judge->told_count++] = event->finding.diagnosis;
    }
    judge->body_count += batch->count && judge->body_count < judge->bodies_wanted;
    batch->events = arena_grow(batch->arena, batch->events, batch->count, &batch->capacity,
                               sizeof *batch->events);
    batch->events[batch->count++] = log_event_copy(batch->arena, event, true);
    judge->last_line = event->line;
}

/* Whom the event is about: what the rule lifted out, else what the entry names. */
static void name_subject(struct log_judge *judge, struct str text, struct log_event *event)
{
    const struct mask *mask = &judge->street->mask;
    const struct finding *finding = &event->finding;
    const struct provider *provider =
        rules_provider_of_host(judge->street->rules, log_subject_host(text));
    event->model = log_subject_model(text);
    for (size_t i = 0; i < finding->capture_count; i++) {
        if (str_eq(finding->captures[i].name, STR("model"))) {
            event->model = str_slice(finding->captures[i].text, 0, 64);
        }
    }
    event->provider = provider ? provider->id : log_subject_provider(text);
    event->model = mask_text(judge->scratch, mask, event->model);
    event->provider = mask_text(judge->scratch, mask, event->provider);
}

/* The finding of an entry that is not sealed yet. Then it is, or has no body where nobody wants the
 * one of another event like those before. */
static struct finding find(struct log_judge *judge, struct observation *observation)
{
    struct finding finding;
    bool is_known = judge->memo && memo_recall(judge->memo, judge->scratch, observation, &finding);
    bool is_wanted = judge->body_count < judge->bodies_wanted;
    if (is_known && !is_wanted && has_told(judge, finding.diagnosis)) {
        observation->body = (struct str){NULL, 0};
        return finding;
    }
    observation_seal(judge->scratch, &judge->street->mask, observation);
    if (!is_known) {
        finding = judge->classify(judge->classifier, judge->scratch, observation);
    }
    if (!is_known && judge->memo) {
        memo_keep(judge->memo, &finding);
    }
    return finding;
}

/* What of an entry counts. */
struct statement {
    struct str text;
    struct log_front front; /* of its first line */
    bool is_talk, is_marked;
};

static struct statement statement_of(struct log_judge *judge, struct str entry, int64_t now_ms)
{
    struct str first = log_entry_line(entry);
    struct statement said = {.text = entry, .front = log_front_read(first, now_ms)};
    bool is_coloured = str_find_char(entry, '\x1b') >= 0;
    said.is_talk = classifier_is_talk(first, &said.front);
    said.is_marked = classifier_finds_mark(
        judge->classifier, is_coloured ? clean_controls(judge->scratch, entry) : entry);
    bool is_below =
        said.front.is_ordinary
            ? str_find(entry, STR("Traceback (most recent call last):\n")) >= 0
            : said.is_talk && first.len < entry.len && !classifier_is_note(first, &said.front);
    if (said.front.is_ordinary && !said.is_marked && !is_below) {
        said.text = first; /* of what is called information words count on its own line alone */
    } else if (is_below && !said.is_marked) {
        said.text =
            str_slice(entry, first.len, entry.len); /* a traceback, what follows no sentence */
        said.front = log_front_read(said.text, now_ms);
        said.is_talk = false;
    }
    return said;
}

static void judge_entry(struct log_judge *judge, struct str text, uint64_t line)
{
    const struct street *street = judge->street;
    struct arena *arena = judge->scratch;
    int64_t now_ms = street->report.started_ms;
    uint64_t line_to = line + str_count_char(text, '\n');
    text = log_carrier_strip(arena, text);
    struct statement said = statement_of(judge, text, now_ms);
    if (!judge->is_reference && !judge->sieve &&
        !classifier_may_tell(judge->classifier, arena, said.text, &said.front, now_ms,
                             said.is_marked, said.is_talk)) {
        return;
    }
    struct observation observation = log_entry_observe(arena, said.text, &said.front, now_ms);
    observation.is_marked = said.is_marked;
    observation.about = log_about(judge->words, text);
    observation.is_talk = said.is_talk;
    observation.origin = (struct origin){ORIGIN_FILE, judge->file, (unsigned)line, 1};
    struct log_event event = {.file = judge->file,
                              .line = line,
                              .time_ms = log_front_time(log_entry_line(text), &said.front, now_ms)};
    event.near_ms = event.time_ms;
    observation.started_ms = event.time_ms > 0 ? event.time_ms : 0; /* of no use to what is old */
    observation.utc_offset_s = env_utc_offset_s(street->cli->env, observation.started_ms);
    event.finding = find(judge, &observation);
    if (is_event(judge, &event.finding, observation.about)) {
        name_subject(judge, text, &event);
        event.line_to = line_to;
        keep_event(judge, &event);
    }
}

/* Finds the last entry in front of block[end] that names a time; what was looked through for an
 * earlier end is not looked through again. */
static void find_time(struct log_judge *judge, struct str block, size_t end)
{
    int64_t time_ms = -1, now_ms = judge->street->report.started_ms;
    for (size_t at = end; time_ms < 0 && at > judge->timed_to;) {
        at = log_entry_begin(block, judge->timed_to, at - 1);
        struct str line = log_entry_line(str_slice(block, at, end));
        struct log_front front = log_front_read(line, now_ms);
        time_ms = log_front_time(line, &front, now_ms);
    }
    judge->timed_to = end;
    judge->batch.near_ms = time_ms < 0 ? judge->batch.near_ms : time_ms;
}

static void judge_at(struct log_judge *judge, struct str block, const struct log_entry *entry,
                     uint64_t line)
{
    size_t before = judge->batch.count;
    if (line == judge->last_line) {
        return; /* a later piece of a line that has told its failure */
    }
    judge_entry(judge, str_slice(block, entry->begin, entry->end), line);
    arena_reset(judge->scratch);
    if (judge->wants_near && judge->batch.count > before &&
        judge->batch.events[before].near_ms < 0) {
        find_time(judge, block, entry->begin);
        judge->batch.events[before].near_ms = judge->batch.near_ms;
    }
}

static void judge_all(struct log_judge *judge, struct str block, uint64_t line)
{
    for (size_t at = 0; at < block.len;) {
        struct log_entry entry = log_entry_at(block, at);
        judge_at(judge, block, &entry, line);
        line += str_count_char(str_slice(block, at, entry.next), '\n');
        at = entry.next;
    }
}

static void begin_line(void *context, struct str block, size_t from, size_t to)
{
    struct log_judge *judge = context;
    classifier_begin_line(judge->classifier, block, from, to, judge->street->report.started_ms);
}

static bool may_match(void *context, size_t rule)
{
    struct log_judge *judge = context;
    return classifier_may_match(judge->classifier, rule);
}

/* Only the entries that hold a line which the sieve found. */
static void judge_found(struct log_judge *judge, struct str block, uint64_t line)
{
    size_t counted = 0, next = 0;
    const struct sieve_judge asked = {begin_line, may_match, judge};
    classifier_begin_block(judge->classifier);
    sieve_scan(judge->sieve, block, &asked, &judge->hits);
    for (size_t i = 0; i < judge->hits.count; i++) {
        size_t at = judge->hits.items[i];
        while (at >= next) { /* two pieces of a long line share what stands at the end of one */
            struct log_entry entry = log_entry_holding(block, next, at);
            line += str_count_char(str_slice(block, counted, entry.begin), '\n');
            counted = entry.begin;
            next = entry.next;
            judge_at(judge, block, &entry, line);
        }
    }
}

void log_judge_block(struct log_judge *judge, struct str block, uint64_t first_line)
{
    arena_reset(judge->batch.arena);
    judge->batch = (struct log_batch){.arena = judge->batch.arena, .near_ms = -1};
    judge->last_line = 0;
    judge->timed_to = 0;
    if (judge->sieve) {
        judge_found(judge, block, first_line);
    } else {
        judge_all(judge, block, first_line);
    }
    if (judge->wants_near) {
        find_time(judge, block, block.len);
    }
}
