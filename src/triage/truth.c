/* From what a user wrote to what answered. Takes a result, gives its truth; says nothing about why
 * the two differ. */
#include "triage/truth.h"

/* "openai/gpt-x", "models/gpt-x" and "gpt-x" are one model under names of different routes. */
static struct str bare_name(struct str model)
{
    struct str rest = model, part = model;
    while (str_split(&rest, '/', &part)) {
    }
    return part;
}

static bool is_digits(struct str text, size_t from, size_t count)
{
    for (size_t i = from; i < from + count; i++) {
        if (i >= text.len || text.ptr[i] < '0' || text.ptr[i] > '9') {
            return false;
        }
    }
    return true;
}

/* "2025-04-14", "20250414", "0613", "04-17", "001": a date, or the number of a release. */
static bool is_date(struct str text)
{
    if (text.len == 10 && text.ptr[4] == '-' && text.ptr[7] == '-') {
        return is_digits(text, 0, 4) && is_digits(text, 5, 2) && is_digits(text, 8, 2);
    }
    if (text.len == 5 && text.ptr[2] == '-') {
        return is_digits(text, 0, 2) && is_digits(text, 3, 2);
    }
    return (text.len == 3 || text.len == 4 || text.len == 6 || text.len == 8) &&
           is_digits(text, 0, text.len);
}

/* `longer` is `model` with a date or "latest" behind it. */
static bool is_dated(struct str longer, struct str model)
{
    if (longer.len <= model.len + 1 || !str_istarts(longer, model)) {
        return false;
    }
    char joint = longer.ptr[model.len];
    struct str end = str_slice(longer, model.len + 1, longer.len);
    bool is_release = is_date(end) || str_ieq(end, STR("latest"));
    return (joint == '-' || joint == '@' || joint == ':') && is_release;
}

/* Without "-latest" or ":latest", which names the newest of the dated ones. */
static struct str without_latest(struct str model)
{
    bool is_latest = str_ends(model, STR("-latest")) || str_ends(model, STR(":latest"));
    return is_latest ? str_slice(model, 0, model.len - STR("-latest").len) : model;
}

bool truth_is_same_model(struct str asked, struct str answered)
{
    struct str a = without_latest(bare_name(asked)), b = without_latest(bare_name(answered));
    return str_ieq(a, b) || is_dated(b, a) || is_dated(a, b);
}

static struct value asked_of(const struct target *target)
{
    struct value asked = target->model;
    if (str_is_set(target->asked.text)) {
        return target->asked;
    }
    if (asked.origin.kind == ORIGIN_OPTION) {
        return asked; /* the command line is what was asked just now */
    }
    for (const struct value *v = target->model.shadowed; v; v = v->shadowed) {
        if (v->origin.kind == ORIGIN_FILE) {
            asked = *v;
        }
    }
    return asked;
}

struct truth truth_of(const struct result *result)
{
    const struct target *target = result->target;
    struct truth truth = {.asked = asked_of(target)};
    if (!target->is_unread && !target->is_refused) {
        truth.effective = target->model;
    }
    if (result->observation) {
        truth.sent = target->model.text;
        truth.answered = result->observation->served_model;
    }
    bool is_in_force = target->is_unread || str_eq(truth.asked.text, truth.effective.text);
    truth.is_same = is_in_force && (str_is_empty(truth.answered) ||
                                    truth_is_same_model(truth.asked.text, truth.answered));
    return truth;
}
