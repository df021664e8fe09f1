/* Findings and the entries that they were found in, parted and joined again. Takes a finding with
 * the template of its entry, gives what remains when the entry's ids are taken out of the texts
 * that are shown. */
#include "classify/memo_answer.h"

#include <string.h>

#define CAPTURES_MAX 8   /* a finding with more is not kept */
#define HOLE_BYTES_MIN 8 /* a shorter id may stand in a text by chance; a quantity is parted */
#define FILLING '\x01'   /* of a hole in a shape */

/* The texts of a finding by index: two, then of each capture its name and its text. */
enum { TEXT_EVIDENCE, TEXT_FIELD, TEXT_CAPTURES };

static size_t text_count(const struct finding *finding)
{
    return TEXT_CAPTURES + 2 * finding->capture_count;
}

static size_t index_of_capture(size_t number)
{
    return TEXT_CAPTURES + 2 * number + 1;
}

/* Whether a text is taken out of the entry: names of fields and captures are the rules'. */
static bool is_of_entry(size_t index)
{
    return index == TEXT_EVIDENCE || (index > TEXT_CAPTURES && (index - TEXT_CAPTURES) % 2 == 1);
}

static struct str text_at(const struct finding *finding, size_t index)
{
    if (index < TEXT_CAPTURES) {
        return index == TEXT_EVIDENCE ? finding->evidence : finding->field;
    }
    const struct capture *capture = &finding->captures[(index - TEXT_CAPTURES) / 2];
    return is_of_entry(index) ? capture->text : capture->name;
}

/* What of a finding is no text and the same for all who have the same rules. Rows of a table are
 * the same where their addresses are. Members fill it without gaps, since its bytes are compared.
 */
struct fixed {
    const struct diagnosis *diagnosis, *runner_up;
    const char *rule_id, *reason, *runner_up_rule, *skipped_rule;
    int64_t wait_ms;
    size_t texts, severity, is_retryable, hidden;
};

static struct fixed fixed_of(const struct finding *finding, uint32_t hidden)
{
    return (struct fixed){finding->diagnosis,
                          finding->runner_up,
                          finding->rule_id.ptr,
                          finding->reason.ptr,
                          finding->runner_up_rule.ptr,
                          finding->skipped_rule.ptr,
                          finding->wait_ms,
                          text_count(finding),
                          (size_t)finding->severity,
                          finding->is_retryable,
                          hidden};
}

static size_t count_of(struct str text, struct str word)
{
    size_t count = 0;
    for (ptrdiff_t hit; (hit = str_find(text, word)) >= 0; count++) {
        text = str_slice(text, (size_t)hit + word.len, text.len);
    }
    return count;
}

uint32_t answer_hidden(const struct log_template *template, struct str text, struct str sealed)
{
    uint32_t hidden = 0;
    for (size_t i = 0; i < template->count; i++) {
        struct str word = template->parameters[i].text;
        bool is_hidden = count_of(sealed, word) != count_of(text, word);
        hidden |= is_hidden ? UINT32_C(1) << i : 0;
    }
    return hidden;
}

/* Whether text[at, at + length) is parted from letters and digits on both sides. */
static bool is_apart(struct str text, size_t at, size_t length)
{
    size_t end = at + length;
    return (at == 0 || !str_is_alnum(text.ptr[at - 1])) &&
           (end == text.len || !str_is_alnum(text.ptr[end]));
}

/* Makes holes of the whole ids in a text, which are overwritten. False when there are too many, or
 * one is a word of the template as well. */
static bool make_holes(const struct log_template *template, size_t index, char *bytes,
                       struct str text, struct answer *answer)
{
    for (size_t i = 0; i < template->count; i++) {
        enum log_parameter_kind kind = template->parameters[i].kind;
        struct str id = template->parameters[i].text;
        bool may_fill = kind == LOG_PARAMETER_QUANTITY ||
                        (kind != LOG_PARAMETER_NUMBER && id.len >= HOLE_BYTES_MIN);
        for (size_t from = 0; may_fill && from + id.len <= text.len;) {
            ptrdiff_t hit = str_find(str_slice(text, from, text.len), id);
            if (hit < 0) {
                break;
            }
            size_t at = from + (size_t)hit;
            from = at + 1;
            if (!is_apart(text, at, id.len)) {
                continue;
            }
            if (answer->hole_count == ANSWER_HOLES_MAX || str_find(template->text, id) >= 0) {
                return false;
            }
            answer->holes[answer->hole_count++] = (struct hole){index, at, i};
            memset(bytes + at, FILLING, id.len);
        }
    }
    return true;
}

/* Whether a number stands in a text, with a unit or without: no digits go on with it. */
static bool holds_number(struct str text, struct str number)
{
    for (size_t from = 0; from < text.len;) {
        ptrdiff_t hit = str_find(str_slice(text, from, text.len), number);
        if (hit < 0) {
            break;
        }
        size_t at = from + (size_t)hit, end = at + number.len;
        bool goes_on = (at > 0 && str_is_digit(text.ptr[at - 1])) ||
                       (end < text.len && str_is_digit(text.ptr[end]));
        if (!goes_on) {
            return true;
        }
        from = at + 1;
    }
    return false;
}

/* Whether a text, which is part of what the entry says, begins or ends within a parameter. */
static bool is_cut_within(struct str text, struct str parameter)
{
    char first = text.len ? text.ptr[0] : FILLING,
         last = text.len ? text.ptr[text.len - 1] : FILLING;
    for (size_t at = 0; at < parameter.len; at++) {
        struct str end = str_slice(parameter, at, parameter.len);
        struct str begin = str_slice(parameter, 0, at + 1);
        if ((parameter.ptr[at] == first && str_starts(text, end)) ||
            (parameter.ptr[at] == last && str_ends(text, begin))) {
            return true;
        }
    }
    return text.len > 0 && str_find(parameter, text) >= 0;
}

/* Whether any of a parameter is left in a text with holes. */
static bool shows(struct str text, const struct log_parameter *parameter)
{
    bool is_number =
        parameter->kind == LOG_PARAMETER_NUMBER || parameter->kind == LOG_PARAMETER_QUANTITY;
    return (is_number ? holds_number(text, parameter->text)
                      : str_find(text, parameter->text) >= 0) ||
           is_cut_within(text, parameter->text);
}

static bool shows_any(struct str text, const struct log_template *template)
{
    size_t i = 0;
    while (i < template->count && !shows(text, &template->parameters[i])) {
        i++;
    }
    return i < template->count;
}

bool answer_read(struct arena *arena, const struct log_template *template, uint32_t hidden,
                 const struct finding *finding, struct answer *answer)
{
    if (finding->capture_count > CAPTURES_MAX) {
        return false;
    }
    struct fixed fixed = fixed_of(finding, hidden);
    size_t bytes = sizeof fixed, length = sizeof fixed;
    *answer = (struct answer){.finding = *finding, .hidden = hidden};
    answer->finding.observation = NULL;
    for (size_t i = 0; i < text_count(finding); i++) {
        bytes += text_at(finding, i).len + sizeof bytes;
    }
    char *shape = arena_alloc(arena, bytes + ANSWER_HOLES_MAX * sizeof(struct hole));
    memcpy(shape, &fixed, sizeof fixed);
    for (size_t i = 0; i < text_count(finding); i++) {
        struct str text = text_at(finding, i), copy = {shape + length + sizeof text.len, text.len};
        memcpy(shape + length, &text.len, sizeof text.len);
        memcpy(shape + length + sizeof text.len, text.len ? text.ptr : "", text.len);
        if (is_of_entry(i) &&
            (!make_holes(template, i, shape + length + sizeof text.len, copy, answer) ||
             shows_any(copy, template))) {
            return false;
        }
        length += sizeof text.len + text.len;
    }
    size_t holes = answer->hole_count * sizeof answer->holes[0];
    memcpy(shape + length, answer->holes, holes);
    answer->shape = (struct str){shape, length + holes};
    return true;
}

static struct str take(struct arena *arena, struct str text, size_t *bytes)
{
    *bytes += text.len + 1;
    return arena_dup(arena, text);
}

const struct answer *answer_copy(struct arena *arena, const struct answer *answer, size_t *bytes)
{
    struct answer *copy = ARENA_NEW(arena, struct answer);
    size_t count = answer->finding.capture_count;
    struct capture *captures = ARENA_ARRAY(arena, count + 1, struct capture);
    *copy = *answer;
    for (size_t i = 0; i < count; i++) {
        captures[i].name = take(arena, answer->finding.captures[i].name, bytes);
        captures[i].text = take(arena, answer->finding.captures[i].text, bytes);
    }
    copy->finding.captures = captures;
    copy->finding.field = take(arena, answer->finding.field, bytes);
    copy->finding.evidence = take(arena, answer->finding.evidence, bytes);
    copy->shape = take(arena, answer->shape, bytes);
    *bytes += sizeof *copy + (count + 1) * sizeof *captures;
    return copy;
}

/* A text with its holes filled: itself where it has none. */
static struct str fill(struct arena *arena, const struct answer *answer, size_t index,
                       struct str text, const struct log_template *template)
{
    char *bytes = NULL;
    for (size_t i = 0; i < answer->hole_count; i++) {
        const struct hole *hole = &answer->holes[i];
        struct str id = template->parameters[hole->parameter].text;
        if (hole->text == index) {
            bytes = bytes ? bytes : memcpy(arena_alloc(arena, text.len + 1), text.ptr, text.len);
            memcpy(bytes + hole->at, id.ptr, id.len);
        }
    }
    return bytes ? (struct str){bytes, text.len} : text;
}

struct finding answer_fill(struct arena *arena, const struct answer *answer,
                           const struct log_template *template)
{
    struct finding finding = answer->finding;
    if (answer->hole_count) {
        struct capture *captures = ARENA_ARRAY(arena, finding.capture_count + 1, struct capture);
        for (size_t i = 0; i < finding.capture_count; i++) {
            const struct capture *capture = &answer->finding.captures[i];
            captures[i].name = capture->name;
            captures[i].text = fill(arena, answer, index_of_capture(i), capture->text, template);
        }
        finding.captures = captures;
        finding.evidence = fill(arena, answer, TEXT_EVIDENCE, finding.evidence, template);
    }
    return finding;
}
