/* Sorts what went wrong into distinct problems. Takes results and config findings, gives one
 * trouble for each cause; says nothing in words, that is verdicts.c. */
#include "triage/trouble.h"

#include "triage/place.h"

#define ALIKE_BYTES 80
#define MERGE_OVER 3 /* more problems of one kind in one file than this are told as one */

/* What makes the cause of a failure at a rung: two targets that agree in it have one problem. */
static const struct {
    bool has_place, has_key, has_model;
} causes[STEP_COUNT] = {
    [STEP_CONFIG] = {.has_place = true},
    [STEP_KEY] = {.has_place = true, .has_key = true},
    [STEP_DNS] = {.has_place = true},
    [STEP_CONNECT] = {.has_place = true},
    [STEP_TLS] = {.has_place = true},
    [STEP_HTTP] = {.has_place = true},
    [STEP_AUTH] = {.has_place = true, .has_key = true},
    [STEP_MODEL] = {.has_place = true, .has_key = true, .has_model = true},
    [STEP_ANSWER] = {.has_place = true},
};

const struct problem *trouble_problem(const struct finding *finding)
{
    return finding->observation ? finding->observation->problem : NULL;
}

static bool is_same_key(const struct target *a, const struct target *b)
{
    return str_eq(str_from(a->key.fingerprint), str_from(b->key.fingerprint)) &&
           str_eq(a->key_name, b->key_name);
}

static bool is_same_origin(struct origin a, struct origin b)
{
    return a.kind == b.kind && str_eq(a.name, b.name) && a.line == b.line && a.column == b.column;
}

static bool is_same_problem(const struct problem *a, const struct problem *b)
{
    return str_eq(a->code, b->code) && is_same_origin(a->origin, b->origin) &&
           str_eq(a->message, b->message);
}

/* Two answers that no rule explains are taken for one thing when they begin alike; ids and times
 * come later in a body. */
static bool is_alike(const struct observation *a, const struct observation *b)
{
    return a->status == b->status && a->curl_code == b->curl_code &&
           str_eq(str_slice(a->body, 0, ALIKE_BYTES), str_slice(b->body, 0, ALIKE_BYTES));
}

/* Two failed targets have one cause. Where the whole network is down, the host makes no difference.
 */
static bool is_same_cause(const struct result *a, const struct finding *of_a,
                          const struct result *b, const struct finding *of_b, bool is_network_down)
{
    const struct observation *seen_a = of_a->observation, *seen_b = of_b->observation;
    if (of_a->diagnosis != of_b->diagnosis || (a->target == NULL) != (b->target == NULL)) {
        return false;
    }
    if (a->target == NULL) {
        return str_eq(of_a->rule_id, of_b->rule_id);
    }
    if (is_network_down && of_a->diagnosis->blame == BLAME_NETWORK) {
        return true;
    }
    bool has_no_rule = str_is_empty(of_a->rule_id) && seen_a && seen_b;
    if (!str_eq(of_a->rule_id, of_b->rule_id) || (has_no_rule && !is_alike(seen_a, seen_b))) {
        return false;
    }
    enum step step = of_a->diagnosis->step;
    bool has_key = causes[step].has_key || of_a->diagnosis->blame == BLAME_OURS;
    return (!causes[step].has_place || str_eq(place_of_result(a), place_of_result(b))) &&
           (!has_key || is_same_key(a->target, b->target)) &&
           (!causes[step].has_model || str_eq(a->target->model.text, b->target->model.text));
}

static void add_result(struct arena *arena, struct trouble *trouble, const struct result *result)
{
    for (size_t i = 0; i < trouble->result_count; i++) {
        if (trouble->results[i] == result) {
            return;
        }
    }
    trouble->results = arena_grow(arena, trouble->results, trouble->result_count,
                                  &trouble->result_capacity, sizeof(struct result *));
    trouble->results[trouble->result_count++] = result;
}

static void add_finding(struct arena *arena, struct trouble *trouble, const struct finding *finding)
{
    trouble->findings = arena_grow(arena, trouble->findings, trouble->finding_count,
                                   &trouble->finding_capacity, sizeof(struct finding *));
    trouble->findings[trouble->finding_count++] = finding;
}

static struct trouble *new_trouble(struct arena *arena, struct troubles *troubles,
                                   const struct finding *finding)
{
    troubles->items = arena_grow(arena, troubles->items, troubles->count, &troubles->capacity,
                                 sizeof(struct trouble));
    struct trouble *trouble = &troubles->items[troubles->count++];
    *trouble = (struct trouble){.diagnosis = finding->diagnosis, .finding = finding};
    add_finding(arena, trouble, finding);
    return trouble;
}

static void raise_severity(struct trouble *trouble, enum severity severity)
{
    if (severity > trouble->severity) {
        trouble->severity = severity;
    }
}

static void add_failure(struct arena *arena, struct troubles *troubles, const struct result *result,
                        bool is_network_down)
{
    const struct finding *finding = result->finding;
    struct trouble *found = NULL;
    for (size_t i = 0; i < troubles->count && found == NULL; i++) {
        struct trouble *trouble = &troubles->items[i];
        bool is_answer = trouble->result_count > 0 && !trouble_problem(trouble->finding);
        if (is_answer && is_same_cause(trouble->results[0], trouble->finding, result, finding,
                                       is_network_down)) {
            found = trouble;
        }
    }
    if (found == NULL) {
        found = new_trouble(arena, troubles, finding);
    }
    add_result(arena, found, result);
    raise_severity(found, SEVERITY_ERROR);
}

/* The findings of a trouble are checked one by one: merged ones are the same problem when seen
 * again. */
static bool holds_problem(const struct trouble *trouble, const struct problem *problem)
{
    for (size_t i = 0; i < trouble->finding_count; i++) {
        const struct problem *known = trouble_problem(trouble->findings[i]);
        if (known && is_same_problem(known, problem)) {
            return true;
        }
    }
    return false;
}

static void add_problem(struct arena *arena, struct troubles *troubles,
                        const struct finding *finding, const struct result *result,
                        enum severity severity)
{
    const struct problem *problem = trouble_problem(finding);
    struct trouble *found = NULL;
    for (size_t i = 0; problem && i < troubles->count && found == NULL; i++) {
        if (holds_problem(&troubles->items[i], problem)) {
            found = &troubles->items[i];
        }
    }
    if (found == NULL) {
        found = new_trouble(arena, troubles, finding);
    }
    if (result) {
        add_result(arena, found, result);
    }
    raise_severity(found, severity);
}

static bool is_mergeable(const struct trouble *a, const struct trouble *b)
{
    const struct problem *of_a = trouble_problem(a->finding), *of_b = trouble_problem(b->finding);
    return of_a && of_b && a->diagnosis == b->diagnosis && a->severity == b->severity &&
           str_eq(of_a->code, of_b->code) && of_a->origin.kind == ORIGIN_FILE &&
           of_b->origin.kind == ORIGIN_FILE && str_eq(of_a->origin.name, of_b->origin.name);
}

/* Forty misspelled keys of one file are one thing to say. */
static void merge_many(struct arena *arena, struct troubles *troubles)
{
    size_t kept = 0;
    for (size_t i = 0; i < troubles->count; i++) {
        struct trouble *trouble = &troubles->items[i];
        size_t same = 0;
        struct trouble *first = NULL;
        for (size_t j = 0; j < troubles->count; j++) {
            bool is_earlier = j < kept;
            bool is_later = j >= i;
            if ((is_earlier || is_later) && is_mergeable(trouble, &troubles->items[j])) {
                same += troubles->items[j].finding_count;
                first = is_earlier && first == NULL ? &troubles->items[j] : first;
            }
        }
        if (same <= MERGE_OVER || first == NULL) {
            troubles->items[kept++] = *trouble;
            continue;
        }
        for (size_t k = 0; k < trouble->finding_count; k++) {
            add_finding(arena, first, trouble->findings[k]);
        }
        for (size_t k = 0; k < trouble->result_count; k++) {
            add_result(arena, first, trouble->results[k]);
        }
    }
    troubles->count = kept;
}

void troubles_gather(struct arena *arena, const struct triage_input *input,
                     struct troubles *troubles)
{
    bool is_network_down = scope_is_network_down(input);
    for (size_t i = 0; i < input->result_count; i++) {
        const struct result *result = &input->results[i];
        if (result->status != TARGET_FAILED) {
            continue;
        }
        if (trouble_problem(result->finding)) {
            add_problem(arena, troubles, result->finding, result, SEVERITY_ERROR);
        } else {
            add_failure(arena, troubles, result, is_network_down);
        }
    }
    for (size_t i = 0; i < input->config_finding_count; i++) {
        const struct finding *finding = &input->config_findings[i];
        add_problem(arena, troubles, finding, NULL, finding->severity);
    }
    for (size_t i = 0; i < input->result_count; i++) {
        const struct result *result = &input->results[i];
        for (size_t j = 0; j < result->config_finding_count; j++) {
            const struct finding *finding = &result->config_findings[j];
            add_problem(arena, troubles, finding, result, finding->severity);
        }
    }
    merge_many(arena, troubles);
    for (size_t i = 0; i < troubles->count; i++) {
        troubles->items[i].scope = scope_of(input, &troubles->items[i]);
    }
}
