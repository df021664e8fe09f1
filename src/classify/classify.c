/* The judge. Takes one observation, lays it open, walks the rule table in its order, gives the
 * finding: first match wins, the next one that says otherwise is kept. What no rule explains is ok
 * or unknown by what the evidence looks like. */
#include "classify/classify.h"

#include "base/text.h"
#include "classify/code.h"
#include "classify/evidence.h"
#include "classify/hiding.h"
#include "classify/lift.h"
#include "classify/marks.h"
#include "classify/match.h"
#include "classify/prefilter.h"
#include "classify/proof.h"
#include "classify/screen.h"
#include "classify/talk.h"
#include "input/log_entry.h"
#include "input/log_observe.h"
#include "input/log_time.h"

#include <string.h>

struct classifier {
    const struct rules *rules;
    struct arena *arena;
    struct matcher *matcher;
    struct prefilter *prefilter; /* NULL until the first case */
    bool *hits;                  /* by rule, of the case at hand */
    struct arena *judging;       /* of the case at hand */
    struct arena *scratch;       /* of one try */
    const struct marks *marks;   /* NULL until the first entry of a log */
};

struct classifier *classifier_open(const struct rules *rules)
{
    struct arena *arena = arena_create();
    struct classifier *classifier = ARENA_NEW(arena, struct classifier);
    *classifier = (struct classifier){.rules = rules, .arena = arena};
    classifier->judging = arena_create();
    classifier->scratch = arena_create();
    classifier->matcher = matcher_open(arena, rules);
    classifier->hits = ARENA_ARRAY(arena, rules_count(rules) + 1, bool);
    return classifier;
}

void classifier_close(struct classifier *classifier)
{
    if (classifier) {
        matcher_close(classifier->matcher);
        arena_free(classifier->judging);
        arena_free(classifier->scratch);
        arena_free(classifier->arena);
    }
}

/* Fields that say something without any error having been lifted. */
static bool is_structural(const struct condition *condition)
{
    switch (condition->field) {
    case FIELD_ERROR_CODE:
    case FIELD_ERROR_TYPE:
    case FIELD_ERROR_REASON:
    case FIELD_ERROR_PARAM:
    case FIELD_ERROR_MESSAGE:
    case FIELD_TEXT:
        return false;
    default:
        return true;
    }
}

/* A rule without keywords is tried where fields were lifted, or where it needs none. */
static bool is_tried_without_keywords(const struct rule *rule, const struct evidence *evidence)
{
    if (evidence->has_lifted_fields) {
        return true;
    }
    for (size_t i = 0; i < rule->condition_count; i++) {
        if (!is_structural(&rule->conditions[i])) {
            return false;
        }
    }
    return true;
}

/* A rule on status alone goes by the innermost status; with conditions any layer's will do. */
static bool status_fits(const struct rule *rule, const struct evidence *evidence)
{
    size_t layers = evidence->counts[FIELD_STATUS];
    if (rule->status_count == 0) {
        return true;
    }
    if (rule->condition_count == 0 && rule->keyword_count == 0 && layers > 1) {
        layers = 1;
    }
    for (size_t s = 0; s < rule->status_count; s++) {
        int64_t status;
        for (size_t i = 0; i < layers; i++) {
            if (str_to_i64(evidence->values[FIELD_STATUS][i], &status) &&
                status == rule->statuses[s]) {
                return true;
            }
        }
        if (evidence->observation->proxy_status &&
            evidence->observation->proxy_status == rule->statuses[s]) {
            return true;
        }
    }
    return false;
}

/* In a log a rule that goes by codes or a status counts only where the entry quotes a machine. */
static bool suits_log(const struct rule *rule, const struct evidence *evidence)
{
    const struct observation *observation = evidence->observation;
    bool is_quoted = observation->is_marked || evidence->counts[FIELD_HTML_TEXT] ||
                     evidence->counts[FIELD_HTML_TITLE];
    return !observation->is_log || is_quoted || (rule->keyword_count && !rule->status_count);
}

/* Tries one condition on every value of its field. */
static enum match_end try_condition(struct classifier *c, struct arena *arena,
                                    const struct evidence *evidence, size_t rule, size_t number,
                                    struct proof *proof)
{
    const struct condition *condition = &rules_at(c->rules, rule)->conditions[number];
    const struct observation *observation = evidence->observation;
    bool is_header = condition->field == FIELD_COUNT, had_limit = false;
    size_t count = is_header ? observation->header_count : evidence->counts[condition->field];
    for (size_t i = 0; i < count; i++) {
        struct match match;
        if (is_header && !str_eq(observation->headers[i].name, condition->header_name)) {
            continue;
        }
        struct str value =
            is_header ? observation->headers[i].value : evidence->values[condition->field][i];
        enum match_end end = matcher_try(c->matcher, arena, rule, number,
                                         str_is_set(value) ? value : STR(""), &match);
        if (end == MATCH_YES) {
            struct str field =
                is_header ? arena_printf(arena, "header.%.*s", STR_ARG(condition->header_name))
                          : field_name(condition->field);
            proof_keep(arena, proof, field, value, &match);
            return MATCH_YES;
        }
        had_limit = had_limit || end == MATCH_LIMIT;
    }
    return had_limit ? MATCH_LIMIT : MATCH_NO;
}

static enum match_end try_rule(struct classifier *c, struct arena *arena,
                               const struct evidence *evidence, size_t number, bool is_filtered,
                               struct proof *proof)
{
    const struct rule *rule = rules_at(c->rules, number);
    *proof = (struct proof){.capture_count = 0};
    if (!status_fits(rule, evidence) || !suits_log(rule, evidence)) {
        return MATCH_NO;
    }
    if (rule->keyword_count == 0 && !is_tried_without_keywords(rule, evidence)) {
        return MATCH_NO;
    }
    /* Without conditions the keywords are the rule's condition. */
    bool asks_hits = is_filtered || (rule->condition_count == 0 && rule->keyword_count);
    if (asks_hits && !c->hits[number] && prefilter_knows(c->prefilter, number)) {
        return MATCH_NO;
    }
    for (size_t i = 0; i < rule->condition_count; i++) {
        enum match_end end = try_condition(c, arena, evidence, number, i, proof);
        if (end != MATCH_YES) {
            return end;
        }
    }
    if (rule->condition_count == 0 && evidence->counts[FIELD_STATUS] && rule->status_count) {
        struct str status = evidence->values[FIELD_STATUS][0];
        struct match whole = {.begin = 0, .end = status.len};
        proof_keep(arena, proof, field_name(FIELD_STATUS), status, &whole);
    }
    return MATCH_YES;
}

/* Which rules have a keyword in a text; forgets those of the case before. */
static void find_hits(struct classifier *c, struct str text)
{
    if (!c->prefilter) {
        c->prefilter = prefilter_create(c->arena, c->rules);
    }
    memset(c->hits, 0, rules_count(c->rules) * sizeof *c->hits);
    prefilter_scan(c->prefilter, text, c->hits);
}

static void scan_keywords(struct classifier *c, const struct evidence *evidence)
{
    find_hits(c, STR(""));
    for (size_t field = 0; field < FIELD_COUNT; field++) {
        for (size_t i = 0; i < evidence->counts[field]; i++) {
            prefilter_scan(c->prefilter, evidence->values[field][i], c->hits);
        }
    }
    for (size_t i = 0; i < evidence->observation->header_count; i++) {
        prefilter_scan(c->prefilter, evidence->observation->headers[i].value, c->hits);
    }
}

/* Whether an entry of a log quotes a machine and tells what the machine said. */
static bool has_machine(const struct evidence *evidence)
{
    return evidence->observation->is_marked &&
           (evidence->has_error || evidence->has_lifted_fields || evidence->counts[FIELD_STATUS] ||
            evidence->counts[FIELD_CURL_CODE]);
}

/* Whether a log only speaks of what a rule found in it. */
static bool is_mere_talk(const struct evidence *evidence, const struct proof *proof)
{
    const struct observation *observation = evidence->observation;
    struct str words = str_slice(proof->value, proof->match.begin, proof->match.end);
    ptrdiff_t at = str_find(observation->body, words);
    if (!observation->is_log || words.len == 0 || at < 0 || evidence->counts[FIELD_HTML_TEXT]) {
        return false;
    }
    bool has_error = evidence->has_error || evidence->has_lifted_fields;
    return talk_surrounds(observation->body, (size_t)at, (size_t)at + words.len, observation,
                          has_error, has_machine(evidence));
}

/* The finding's strings go to arena, all else that the walk needs to scratch. */
static void walk_rules(struct classifier *c, struct arena *arena, struct arena *scratch,
                       const struct evidence *evidence, bool is_filtered, struct finding *finding)
{
    bool has_winner = false;
    scan_keywords(c, evidence);
    matcher_begin_case(c->matcher);
    for (size_t i = 0; i < rules_count(c->rules); i++) {
        const struct rule *rule = rules_at(c->rules, i);
        struct proof proof;
        bool is_out = is_filtered && rule->keyword_count && !c->hits[i];
        if (is_out || (has_winner && rule->diagnosis == finding->diagnosis)) {
            continue;
        }
        enum match_end end = try_rule(c, scratch, evidence, i, is_filtered, &proof);
        if (end == MATCH_LIMIT && !str_is_set(finding->skipped_rule)) {
            finding->skipped_rule = rule->id;
        }
        if (end != MATCH_YES || is_mere_talk(evidence, &proof)) {
            continue;
        }
        if (has_winner) {
            finding->runner_up = rule->diagnosis;
            finding->runner_up_rule = rule->id;
            return;
        }
        proof_fill_finding(arena, evidence, rule, &proof, finding);
        has_winner = true;
    }
}

static struct finding judge(struct classifier *c, struct arena *arena,
                            const struct observation *observation, bool is_filtered)
{
    struct finding finding = {.observation = observation, .wait_ms = -1};
    struct evidence evidence;
    if (observation->outcome == OUTCOME_COMPLETE || observation->outcome == OUTCOME_CAPPED) {
        finding.diagnosis = rules_ok(c->rules);
        finding.severity = finding.diagnosis->severity;
        return finding;
    }
    /* Laid open, evidence takes several times its own room; a run keeps only what it found. */
    struct arena *scratch = c->judging;
    evidence_lift(scratch, observation, &evidence);
    if (!observation->is_talk || has_machine(&evidence) || evidence.counts[FIELD_HTML_TEXT]) {
        walk_rules(c, arena, scratch, &evidence, is_filtered, &finding);
    }
    if (!finding.diagnosis) {
        /* A rule that could not be judged might have matched: that is no proof of health. */
        bool is_healthy = !str_is_set(finding.skipped_rule) && evidence_looks_healthy(&evidence);
        finding.diagnosis = is_healthy ? rules_ok(c->rules) : rules_unknown(c->rules);
        finding.is_retryable = finding.diagnosis->is_retryable;
        finding.wait_ms = evidence.wait_ms;
    }
    arena_reset(scratch);
    finding.severity = finding.diagnosis->severity;
    if (observation->problem && observation->problem->is_warning) {
        finding.severity = observation->problem->is_remark ? SEVERITY_INFO : SEVERITY_WARNING;
    }
    return finding;
}

struct finding classify(struct classifier *classifier, struct arena *arena,
                        const struct observation *observation)
{
    return judge(classifier, arena, observation, true);
}

struct finding classify_unfiltered(struct classifier *classifier, struct arena *arena,
                                   const struct observation *observation)
{
    return judge(classifier, arena, observation, false);
}

size_t classifier_tries(const struct classifier *classifier)
{
    return matcher_tries(classifier->matcher);
}

enum match_end classifier_try(struct classifier *classifier, size_t rule, size_t condition,
                              struct str text)
{
    struct arena *scratch = arena_create();
    struct match match;
    matcher_begin_case(classifier->matcher);
    enum match_end end = matcher_try(classifier->matcher, scratch, rule, condition, text, &match);
    arena_free(scratch);
    return end;
}

bool classifier_finds_mark(struct classifier *classifier, struct str raw)
{
    if (!classifier->marks) {
        classifier->marks = marks_create(classifier->arena);
    }
    return marks_find(classifier->marks, raw);
}

/* A rule whose keyword stands in the text, by those of its patterns that can be tried on it. */
static bool may_match(struct classifier *c, size_t number, struct str text)
{
    const struct rule *rule = rules_at(c->rules, number);
    for (size_t i = 0; i < rule->condition_count; i++) {
        enum field field = rule->conditions[i].field;
        if ((field == FIELD_TEXT || field == FIELD_ERROR_MESSAGE) &&
            !matcher_may_match(c->matcher, number, i, text)) {
            return false;
        }
    }
    return true;
}

/* The same with the escapes of the text undone as well, where there are any. */
static bool may_match_text(struct classifier *c, size_t rule, struct str text)
{
    struct str plain = screen_plain(c->scratch, text);
    bool may = may_match(c, rule, text) || (plain.ptr != text.ptr && may_match(c, rule, plain));
    arena_reset(c->scratch);
    return may;
}

/* What is indented goes on with the line above; a long line has pieces without a front. */
static bool is_head(struct str line)
{
    return line.len > 0 && line.len <= LOG_PIECE_BYTES && !strchr(" \t}])", line.ptr[0]);
}

/* Whether a line begins an entry that the log calls information. */
static bool is_ordinary_head(struct str line, struct log_front *front)
{
    *front = log_front_read(line, 0);
    return is_head(line) && front->is_stamped && front->is_ordinary;
}

bool classifier_is_talk(struct str line)
{
    struct log_front front;
    bool is_ordinary = is_ordinary_head(line, &front);
    if (!is_ordinary && !(is_head(line) && front.is_stamped && front.is_warning)) {
        return false;
    }
    struct str message = log_message(line, &front);
    bool has_clauses = !is_ordinary && str_find(message, STR(", ")) >= 0;
    return !has_clauses && !talk_may_state(message);
}

bool classifier_may_match(void *classifier, size_t rule, struct str block, size_t from, size_t to)
{
    struct log_front front;
    bool is_alone = is_ordinary_head(str_slice(block, from, to), &front); /* no line below counts */
    /* What is no UTF-8 is repaired before it is judged. */
    return (!is_alone && !screen_widen(block, &from, &to)) ||
           utf8_find_invalid(str_slice(block, from, to)) >= 0 ||
           may_match_text(classifier, rule, str_slice(block, from, to));
}

bool classifier_may_tell(struct classifier *classifier, struct arena *scratch, struct str raw,
                         bool is_marked, bool is_talk)
{
    if (is_marked || hiding_in(raw) || utf8_find_invalid(raw) >= 0) {
        return true;
    }
    if (is_talk) {
        return false;
    }
    struct str plain = screen_plain(scratch, raw);
    find_hits(classifier, raw);
    prefilter_scan(classifier->prefilter, plain, classifier->hits);
    for (size_t i = 0; i < rules_count(classifier->rules); i++) {
        const struct rule *rule = rules_at(classifier->rules, i);
        if (classifier->hits[i] && rule->keyword_count && !rule->status_count &&
            (may_match(classifier, i, raw) ||
             (plain.ptr != raw.ptr && may_match(classifier, i, plain)))) {
            return true;
        }
    }
    return false;
}

const struct rule *const *classifier_matching(struct classifier *classifier, struct arena *arena,
                                              const struct observation *observation, size_t *count)
{
    struct evidence *evidence = ARENA_NEW(arena, struct evidence);
    const struct rule **found =
        ARENA_ARRAY(arena, rules_count(classifier->rules) + 1, const struct rule *);
    evidence_lift(arena, observation, evidence);
    scan_keywords(classifier, evidence);
    matcher_begin_case(classifier->matcher);
    *count = 0;
    for (size_t i = 0; i < rules_count(classifier->rules); i++) {
        struct proof proof;
        if (try_rule(classifier, arena, evidence, i, true, &proof) == MATCH_YES) {
            found[(*count)++] = rules_at(classifier->rules, i);
        }
    }
    return found;
}

void classifier_check_patterns(struct classifier *classifier, bool of_users, struct arena *arena,
                               struct problems *problems)
{
    code_check_patterns(classifier->rules, of_users, arena, problems);
}
