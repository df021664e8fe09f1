/* The judge. Takes one observation, lays it open, walks the rule table in its order, gives the
 * finding: first match wins, the next one that says otherwise is kept. What no rule explains is ok
 * or unknown by what the evidence looks like. */
#include "classify/classifier.h"

#include "classify/code.h"
#include "classify/proof.h"
#include "classify/talk.h"

#include <string.h>

struct classifier *classifier_open(const struct rules *rules)
{
    struct arena *arena = arena_create();
    struct classifier *classifier = ARENA_NEW(arena, struct classifier);
    *classifier = (struct classifier){.rules = rules, .arena = arena};
    classifier->judging = arena_create();
    classifier->scratch = arena_create();
    classifier->matcher = matcher_open(arena, rules);
    classifier->words = log_words_create(arena);
    classifier->hits = ARENA_ARRAY(arena, rules_count(rules) + 1, bool);
    classifier->denied = ARENA_ARRAY(arena, rules_count(rules) + 1, size_t);
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
    case FIELD_ERROR_NAME:
    case FIELD_ERROR_PARAM:
    case FIELD_ERROR_MESSAGE:
    case FIELD_TEXT:
        return false;
    default:
        return true;
    }
}

/* A rule without keywords is tried where fields were lifted, or where it needs none. A status makes
 * up for them beside a message. */
static bool is_tried_without_keywords(const struct rule *rule, const struct evidence *evidence)
{
    if (evidence->has_lifted_fields) {
        return true;
    }
    for (size_t i = 0; i < rule->condition_count; i++) {
        bool has_status = rule->status_count && rule->conditions[i].field == FIELD_ERROR_MESSAGE;
        if (!is_structural(&rule->conditions[i]) && !has_status) {
            return false;
        }
    }
    return true;
}

/* A rule on status alone goes by the innermost status; with conditions any layer's will do. */
static bool status_fits(const struct classifier *c, const struct rule *rule,
                        const struct evidence *evidence)
{
    size_t layers = c->status_count;
    if (rule->status_count == 0) {
        return true;
    }
    if (rule->condition_count == 0 && rule->keyword_count == 0 && layers > 1) {
        layers = 1;
    }
    for (size_t s = 0; s < rule->status_count; s++) {
        for (size_t i = 0; i < layers; i++) {
            if (c->statuses[i] == rule->statuses[s]) {
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

/* Whether a rule asks what only entries of logs say. */
static bool is_for_logs(const struct rule *rule)
{
    for (size_t i = 0; i < rule->condition_count; i++) {
        if (rule->conditions[i].field == FIELD_LOG_ABOUT) {
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
    return !observation->is_log || is_quoted || is_for_logs(rule) ||
           (rule->keyword_count && !rule->status_count);
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
    if (!status_fits(c, rule, evidence) || !suits_log(rule, evidence)) {
        return MATCH_NO;
    }
    if (rule->keyword_count == 0 && !is_tried_without_keywords(rule, evidence)) {
        return MATCH_NO;
    }
    /* Without conditions the keywords are the rule's condition, and they are a part of it where it
     * is the user's. A built-in one is tried without the filter whatever they are, so that it shows
     * where one is missing. */
    bool is_users = number < rules_count(c->rules) - rules_built_count(c->rules);
    bool is_needed = rule->keyword_count && (is_users || rule->condition_count == 0);
    bool asks_hits = is_filtered || is_needed;
    if (asks_hits && !c->hits[number]) {
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

void classifier_find_hits(struct classifier *c, struct str text)
{
    if (!c->prefilter) {
        c->prefilter = prefilter_create(c->arena, c->rules);
    }
    prefilter_begin(c->prefilter, c->hits);
    prefilter_scan(c->prefilter, text, c->hits);
}

/* What is asked of each rule of a case, found once. */
static void begin_case(struct classifier *c, const struct evidence *evidence)
{
    matcher_begin_case(c->matcher, evidence->observation->is_log);
    c->status_count = 0;
    for (size_t i = 0; i < evidence->counts[FIELD_STATUS]; i++) {
        int64_t status;
        bool is_number = str_to_i64(evidence->values[FIELD_STATUS][i], &status);
        c->statuses[c->status_count++] = is_number ? status : -1;
    }
    classifier_find_hits(c, STR(""));
    struct str text = evidence->counts[FIELD_TEXT] ? evidence->values[FIELD_TEXT][0] : STR("");
    for (size_t field = 0; field < FIELD_COUNT; field++) {
        for (size_t i = 0; i < evidence->counts[field]; i++) {
            struct str value = evidence->values[field][i];
            if (field == FIELD_TEXT || str_find(text, value) < 0) {
                prefilter_scan(c->prefilter, value, c->hits);
            }
        }
    }
    for (size_t i = 0; i < evidence->observation->header_count; i++) {
        prefilter_scan(c->prefilter, evidence->observation->headers[i].value, c->hits);
    }
}

/* The next rule from number `from` on that may match; the count of rules when there is none. */
static size_t next_candidate(const struct classifier *c, size_t from, bool is_filtered)
{
    size_t count = rules_count(c->rules);
    const bool *hit =
        is_filtered && from < count ? memchr(c->hits + from, 1, count - from) : c->hits + from;
    return hit && from < count ? (size_t)(hit - c->hits) : count;
}

/* Whether an entry of a log quotes a machine and tells what the machine said. */
static bool has_machine(const struct evidence *evidence)
{
    return evidence->observation->is_marked &&
           (evidence->has_error || evidence->has_lifted_fields || evidence->counts[FIELD_STATUS] ||
            evidence->counts[FIELD_CURL_CODE]);
}

/* Where what a rule found stands in a text: a status is no part of a longer number or word, as the
 * port of an address or a step of a path is. -1 where it stands nowhere. */
static ptrdiff_t place_of(struct str text, struct str words)
{
    ptrdiff_t first = str_find(text, words), hit = first;
    for (size_t at = 0; hit >= 0 && words.len && str_is_digit(words.ptr[0]);) {
        size_t begin = at + (size_t)hit, end = begin + words.len;
        bool is_whole = (begin == 0 || !(str_is_word(text.ptr[begin - 1]) ||
                                         str_is_of(text.ptr[begin - 1], "/:."))) &&
                        (end == text.len || !str_is_word(text.ptr[end]));
        if (is_whole) {
            return (ptrdiff_t)begin;
        }
        at = end;
        hit = str_find(str_slice(text, at, text.len), words);
    }
    return first;
}

/* Whether a log only speaks of what a rule found in it. */
static bool is_mere_talk(const struct evidence *evidence, const struct proof *proof)
{
    const struct observation *observation = evidence->observation;
    struct str words = str_slice(proof->value, proof->match.begin, proof->match.end);
    ptrdiff_t at = place_of(observation->body, words);
    if (!observation->is_log || words.len == 0 || at < 0 || evidence->counts[FIELD_HTML_TEXT]) {
        return false;
    }
    bool has_error = evidence->has_error || evidence->has_lifted_fields;
    return talk_surrounds(observation->body, (size_t)at, (size_t)at + words.len, observation,
                          has_error, has_machine(evidence));
}

/* How a case is judged. */
struct manner {
    bool is_filtered; /* rules are left out that have no keyword in the evidence */
    bool is_brief;    /* what comes second is of no interest */
};

/* The finding's strings go to arena, all else that the walk needs to scratch. */
static void walk_rules(struct classifier *c, struct arena *arena, struct arena *scratch,
                       const struct evidence *evidence, struct manner manner,
                       struct finding *finding)
{
    bool has_winner = false;
    size_t count = rules_count(c->rules);
    begin_case(c, evidence);
    for (size_t i = next_candidate(c, 0, manner.is_filtered); i < count;
         i = next_candidate(c, i + 1, manner.is_filtered)) {
        const struct rule *rule = rules_at(c->rules, i);
        struct proof proof;
        if (has_winner && rule->diagnosis == finding->diagnosis) {
            continue;
        }
        enum match_end end = try_rule(c, scratch, evidence, i, manner.is_filtered, &proof);
        bool is_asked = c->hits[i]; /* without the filter all are tried */
        if (end == MATCH_LIMIT && is_asked && !has_winner && !str_is_set(finding->skipped_rule)) {
            finding->skipped_rule = rule->id;
        }
        /* What is another system's stays that, however a log speaks of it. */
        bool is_foreign = rule->diagnosis == rules_unknown(c->rules);
        if (end != MATCH_YES || (!is_foreign && is_mere_talk(evidence, &proof))) {
            continue;
        }
        if (has_winner) {
            finding->runner_up = rule->diagnosis;
            finding->runner_up_rule = rule->id;
            return;
        }
        proof_fill_finding(arena, evidence, rule, &proof, finding);
        if (manner.is_brief) {
            return;
        }
        has_winner = true;
    }
}

/* Entries of logs bring along whom they are about. */
static void lay_open(const struct classifier *c, struct arena *arena,
                     const struct observation *observation, struct evidence *evidence)
{
    evidence_lift(arena, observation, evidence);
    if (observation->kind == OBSERVATION_TEXT && !observation->is_log) {
        struct str about = log_about_words(c->words, observation->body);
        evidence->counts[FIELD_TEXT_ABOUT] = about.len > 0;
        evidence->values[FIELD_TEXT_ABOUT][0] = about;
    }
}

static struct finding judge(struct classifier *c, struct arena *arena,
                            const struct observation *observation, struct manner manner)
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
    lay_open(c, scratch, observation, &evidence);
    if (!observation->is_talk || has_machine(&evidence) || evidence.counts[FIELD_HTML_TEXT]) {
        walk_rules(c, arena, scratch, &evidence, manner, &finding);
    }
    if (!finding.diagnosis) {
        /* A rule that could not be judged might have matched: that is no proof of health. */
        bool is_healthy = !str_is_set(finding.skipped_rule) && evidence_looks_healthy(&evidence);
        finding.diagnosis = is_healthy ? rules_ok(c->rules) : rules_unknown(c->rules);
        finding.is_retryable = finding.diagnosis->is_retryable;
        finding.wait_ms = evidence.wait_ms;
        finding.is_momentary = evidence.is_momentary;
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
    return judge(classifier, arena, observation, (struct manner){.is_filtered = true});
}

struct finding classify_briefly(struct classifier *classifier, struct arena *arena,
                                const struct observation *observation)
{
    return judge(classifier, arena, observation,
                 (struct manner){.is_filtered = true, .is_brief = true});
}

struct finding classify_unfiltered(struct classifier *classifier, struct arena *arena,
                                   const struct observation *observation)
{
    return judge(classifier, arena, observation, (struct manner){.is_filtered = false});
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
    matcher_begin_case(classifier->matcher, false);
    enum match_end end = matcher_try(classifier->matcher, scratch, rule, condition, text, &match);
    arena_free(scratch);
    return end;
}

const struct rule *const *classifier_matching(struct classifier *classifier, struct arena *arena,
                                              const struct observation *observation, size_t *count)
{
    struct evidence *evidence = ARENA_NEW(arena, struct evidence);
    const struct rule **found =
        ARENA_ARRAY(arena, rules_count(classifier->rules) + 1, const struct rule *);
    lay_open(classifier, arena, observation, evidence);
    begin_case(classifier, evidence);
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
