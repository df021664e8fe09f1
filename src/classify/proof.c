/* From a match to what people read: the text that decided with some context, captures, the time to
 * wait. Takes the matches of one rule, fills the finding. */
#include "classify/proof.h"

#include "base/text.h"
#include "classify/wait.h"

#define EVIDENCE_BYTES_MAX ((size_t)300)
#define CONTEXT_BYTES ((size_t)100)
#define RESET_MS_LEAST (INT64_C(5) * 60 * 1000)

void proof_keep(struct arena *arena, struct proof *proof, struct str field, struct str value,
                const struct match *match)
{
    if (!str_is_set(proof->field)) {
        proof->field = field;
        proof->value = value;
        proof->match = *match;
    }
    for (size_t i = 0; i < match->capture_count; i++) {
        proof->captures = arena_grow(arena, proof->captures, proof->capture_count,
                                     &proof->capture_capacity, sizeof *proof->captures);
        proof->captures[proof->capture_count++] = match->captures[i];
    }
}

/* Where the text matched in words of an error's message, cites the message: it reads better than
 * the JSON around it. */
static void proof_cite_message(struct proof *proof, const struct evidence *evidence)
{
    if (!str_eq(proof->field, field_name(FIELD_TEXT))) {
        return;
    }
    struct str words = str_slice(proof->value, proof->match.begin, proof->match.end);
    for (size_t i = 0; i < evidence->counts[FIELD_ERROR_MESSAGE] && words.len; i++) {
        struct str message = evidence->values[FIELD_ERROR_MESSAGE][i];
        ptrdiff_t at = str_find(message, words);
        if (at >= 0) {
            proof->field = field_name(FIELD_ERROR_MESSAGE);
            proof->value = message;
            proof->match.begin = (size_t)at;
            proof->match.end = (size_t)at + words.len;
            return;
        }
    }
}

/* error.name stands for code, type and reason: cites the one that held the word. */
static void proof_cite_name(struct proof *proof, const struct evidence *evidence)
{
    static const enum field fields[] = {FIELD_ERROR_CODE, FIELD_ERROR_TYPE, FIELD_ERROR_REASON};
    size_t count = str_eq(proof->field, field_name(FIELD_ERROR_NAME)) ? 3 : 0;
    for (size_t f = 0; f < count; f++) {
        for (size_t i = 0; i < evidence->counts[fields[f]]; i++) {
            if (str_eq(evidence->values[fields[f]][i], proof->value)) {
                proof->field = field_name(fields[f]);
                return;
            }
        }
    }
}

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Where text that would begin at `from`, within a word, begins with the next one, not behind `end`:
 * half a word before a match reads as a fault. */
static size_t word_begin(struct str value, size_t from, size_t end)
{
    size_t at = from;
    while (at < end && from > 0 && value.ptr[at - 1] != ' ' && value.ptr[at - 1] != '\n') {
        at++;
    }
    return at < end ? at : from;
}

/* The same of an end at `to`, not before `begin`. */
static size_t word_end(struct str value, size_t begin, size_t to)
{
    size_t at = to;
    while (at > begin && to < value.len && value.ptr[at] != ' ' && value.ptr[at] != '\n') {
        at--;
    }
    return at > begin ? at : to;
}

/* The matching text with what stands around it on its line, whole words where there is a blank
 * between them, whole characters only, fit to show. */
static struct str show_evidence(struct arena *arena, struct str value, const struct match *match)
{
    size_t from = match->begin, to = match->end;
    size_t longest = EVIDENCE_BYTES_MAX - CONTEXT_BYTES;
    to = to - from > longest ? from + longest : to;
    for (size_t i = 0; i < CONTEXT_BYTES / 2 && from > 0 && value.ptr[from - 1] != '\n'; i++) {
        from--;
    }
    for (size_t i = 0; i < CONTEXT_BYTES / 2 && to < value.len && value.ptr[to] != '\n'; i++) {
        to++;
    }
    from = word_begin(value, from, match->begin);
    to = word_end(value, match->end < to ? match->end : to, to);
    while (from < to && is_continuation(value.ptr[from])) {
        from++;
    }
    while (to > from && to < value.len && is_continuation(value.ptr[to])) {
        to--;
    }
    struct str shown = text_show(arena, str_slice(value, from, to), 0);
    size_t end = shown.len > EVIDENCE_BYTES_MAX ? EVIDENCE_BYTES_MAX : shown.len;
    while (end > 0 && end < shown.len && is_continuation(shown.ptr[end])) {
        end--;
    }
    return str_slice(shown, 0, end);
}

static bool has_digit(struct str text)
{
    size_t at = 0;
    while (at < text.len && !str_is_digit(text.ptr[at])) {
        at++;
    }
    return at < text.len;
}

static int64_t find_in_prose(const struct evidence *evidence, struct str text, bool *is_momentary)
{
    const struct bigrams *bigrams = &evidence->bigrams;
    if (!has_digit(text)) {
        return -1;
    }
    int64_t wait = wait_find(bigrams, text);
    return wait >= 0 ? wait
                     : wait_find_until(bigrams, text, evidence->now_ms,
                                       evidence->observation->utc_offset_s, is_momentary);
}

/* A short wait is for a retry; a long one says when an allowance comes back as well. */
static int64_t find_wait(const struct evidence *evidence, const struct proof *proof,
                         bool is_retryable, bool *is_momentary)
{
    int64_t wait = evidence->observation->retry_after_ms;
    if (wait < 0 || evidence->observation->kind == OBSERVATION_CONFIG) {
        wait = evidence->wait_ms;
    }
    for (size_t i = 0; wait < 0 && i < proof->capture_count; i++) {
        if (str_eq(proof->captures[i].name, STR("wait"))) {
            wait = wait_parse(proof->captures[i].text);
        }
    }
    for (size_t i = 0; wait < 0 && i < evidence->counts[FIELD_ERROR_MESSAGE]; i++) {
        wait = find_in_prose(evidence, evidence->values[FIELD_ERROR_MESSAGE][i], is_momentary);
    }
    if (wait < 0 && evidence->counts[FIELD_TEXT]) {
        wait = find_in_prose(evidence, evidence->values[FIELD_TEXT][0], is_momentary);
    }
    return is_retryable || wait >= RESET_MS_LEAST ? wait : -1;
}

void proof_fill_finding(struct arena *arena, const struct evidence *evidence,
                        const struct rule *rule, const struct proof *proof, struct finding *finding)
{
    struct proof cited = *proof;
    proof_cite_message(&cited, evidence);
    proof_cite_name(&cited, evidence);
    proof = &cited;
    finding->diagnosis = rule->diagnosis;
    finding->rule_id = rule->id;
    finding->reason = rule->reason;
    finding->field = arena_dup(arena, proof->field);
    struct capture *captures = ARENA_ARRAY(arena, proof->capture_count, struct capture);
    for (size_t i = 0; i < proof->capture_count; i++) {
        captures[i].name = arena_dup(arena, proof->captures[i].name);
        captures[i].text = arena_dup(arena, proof->captures[i].text);
    }
    finding->captures = captures;
    finding->capture_count = proof->capture_count;
    finding->is_retryable =
        rule->has_retryable ? rule->is_retryable : rule->diagnosis->is_retryable;
    if (str_is_set(proof->value)) {
        finding->evidence = show_evidence(arena, proof->value, &proof->match);
    }
    finding->is_momentary = evidence->is_momentary;
    finding->wait_ms = find_wait(evidence, proof, finding->is_retryable, &finding->is_momentary);
    if (finding->is_momentary && finding->wait_ms > 0 && evidence->now_ms > 0) {
        finding->retry_at_ms = evidence->now_ms + finding->wait_ms;
    }
}
