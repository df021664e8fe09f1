/* Sorts what went wrong into distinct problems. Takes results and config findings, gives one
 * trouble for each cause; says nothing in words, that is verdicts.c. */
#include "triage/trouble.h"

#include "base/str_set.h"
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

/* What is being gathered, with what was met already. */
struct gathering {
    struct arena *arena;
    struct troubles *troubles;
    bool is_network_down;
    struct str_set causes, problems; /* numbers of troubles by what makes two failures one */
    struct str_set members;          /* pairs of a trouble's number and a result */
};

/* One string for all failed targets that have one cause. Where the whole network is down, the host
 * makes no difference. Answers that no rule explains are taken for one thing when they begin alike;
 * ids and times come later in a body. */
static struct str cause_of(const struct gathering *gathering, const struct result *result)
{
    const struct finding *finding = result->finding;
    const struct diagnosis *diagnosis = finding->diagnosis;
    const struct observation *seen = finding->observation;
    const struct target *target = result->target;
    struct str parts[10] = {STR_BYTES(diagnosis)};
    bool has_target = target != NULL;
    parts[1] = STR_BYTES(has_target);
    if (target && gathering->is_network_down && diagnosis->blame == BLAME_NETWORK) {
        return str_set_key(gathering->arena, parts, 2);
    }
    parts[2] = finding->rule_id;
    if (target && str_is_empty(finding->rule_id) && seen) {
        parts[3] = STR_BYTES(seen->status);
        parts[4] = STR_BYTES(seen->curl_code);
        parts[5] = str_slice(seen->body, 0, ALIKE_BYTES);
    }
    if (target && causes[diagnosis->step].has_place) {
        parts[6] = place_of_result(result);
    }
    if (target && (causes[diagnosis->step].has_key || diagnosis->blame == BLAME_OURS)) {
        parts[7] = str_from(target->key.fingerprint);
        parts[8] = target->key_name;
    }
    if (target && causes[diagnosis->step].has_model) {
        parts[9] = target->model.text;
    }
    return str_set_key(gathering->arena, parts, sizeof parts / sizeof parts[0]);
}

/* The same for problems of settings. */
static struct str identity_of(struct arena *arena, const struct problem *problem)
{
    const struct origin *origin = &problem->origin;
    const struct str parts[] = {
        problem->code,           STR_BYTES(origin->kind),   origin->name,
        STR_BYTES(origin->line), STR_BYTES(origin->column), problem->message};
    return str_set_key(arena, parts, sizeof parts / sizeof parts[0]);
}

/* number: which trouble it was when it was new. */
static void add_result(struct gathering *gathering, struct trouble *trouble, size_t number,
                       const struct result *result)
{
    const struct str parts[] = {STR_BYTES(number), STR_BYTES(result)};
    struct str member = str_set_key(gathering->arena, parts, 2);
    if (str_set_add(gathering->arena, &gathering->members, member, number) != SIZE_MAX) {
        return;
    }
    trouble->results = arena_grow(gathering->arena, trouble->results, trouble->result_count,
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

/* Adds a failure to the trouble whose number the set has for the key, or to a new one. */
static void add_to(struct gathering *gathering, struct str_set *set, struct str key,
                   const struct finding *finding, const struct result *result,
                   enum severity severity)
{
    struct troubles *troubles = gathering->troubles;
    size_t known = str_set_add(gathering->arena, set, key, troubles->count);
    size_t number = known == SIZE_MAX ? troubles->count : known;
    struct trouble *trouble = known == SIZE_MAX ? new_trouble(gathering->arena, troubles, finding)
                                                : &troubles->items[known];
    if (result) {
        add_result(gathering, trouble, number, result);
    }
    raise_severity(trouble, severity);
}

static void add_failure(struct gathering *gathering, const struct result *result)
{
    add_to(gathering, &gathering->causes, cause_of(gathering, result), result->finding, result,
           SEVERITY_ERROR);
}

static void add_problem(struct gathering *gathering, const struct finding *finding,
                        const struct result *result, enum severity severity)
{
    const struct problem *problem = trouble_problem(finding);
    struct str_set alone = {0};
    add_to(gathering, problem ? &gathering->problems : &alone,
           problem ? identity_of(gathering->arena, problem) : STR(""), finding, result, severity);
}

/* Troubles that may be told as one: problems of one kind in one file. */
struct group {
    size_t findings; /* of all of them */
    size_t first;    /* number of the first one, and where it was moved to */
    struct trouble *kept;
};

/* The group of a trouble, or NULL where it stands alone. */
static struct group *group_of(struct gathering *gathering, struct str_set *kinds,
                              struct group *groups, size_t number, const struct trouble *trouble)
{
    const struct problem *problem = trouble_problem(trouble->finding);
    if (!problem || problem->origin.kind != ORIGIN_FILE) {
        return NULL;
    }
    const struct str parts[] = {STR_BYTES(trouble->diagnosis), STR_BYTES(trouble->severity),
                                problem->code, problem->origin.name};
    struct str kind = str_set_key(gathering->arena, parts, sizeof parts / sizeof parts[0]);
    size_t known = str_set_add(gathering->arena, kinds, kind, number);
    return &groups[known == SIZE_MAX ? number : known];
}

/* Forty misspelled keys of one file are one thing to say. */
static void merge_many(struct gathering *gathering)
{
    struct troubles *troubles = gathering->troubles;
    struct arena *arena = gathering->arena;
    struct group *groups = ARENA_ARRAY(arena, troubles->count + 1, struct group);
    struct group **of = ARENA_ARRAY(arena, troubles->count + 1, struct group *);
    struct str_set kinds = {0};
    size_t kept = 0;
    for (size_t i = 0; i < troubles->count; i++) {
        of[i] = group_of(gathering, &kinds, groups, i, &troubles->items[i]);
        if (of[i]) {
            of[i]->findings += troubles->items[i].finding_count;
        }
    }
    for (size_t i = 0; i < troubles->count; i++) {
        const struct trouble trouble = troubles->items[i];
        struct group *group = of[i];
        if (!group || group->findings <= MERGE_OVER || !group->kept) {
            troubles->items[kept] = trouble;
            if (group && !group->kept) {
                group->first = i;
                group->kept = &troubles->items[kept];
            }
            kept++;
            continue;
        }
        for (size_t k = 0; k < trouble.finding_count; k++) {
            add_finding(arena, group->kept, trouble.findings[k]);
        }
        for (size_t k = 0; k < trouble.result_count; k++) {
            add_result(gathering, group->kept, group->first, trouble.results[k]);
        }
    }
    troubles->count = kept;
}

void troubles_gather(struct arena *arena, const struct triage_input *input,
                     struct troubles *troubles)
{
    struct gathering gathering = {
        .arena = arena, .troubles = troubles, .is_network_down = scope_is_network_down(input)};
    for (size_t i = 0; i < input->result_count; i++) {
        const struct result *result = &input->results[i];
        if (result->status != TARGET_FAILED) {
            continue;
        }
        if (trouble_problem(result->finding)) {
            add_problem(&gathering, result->finding, result, SEVERITY_ERROR);
        } else {
            add_failure(&gathering, result);
        }
    }
    for (size_t i = 0; i < input->config_finding_count; i++) {
        const struct finding *finding = &input->config_findings[i];
        add_problem(&gathering, finding, NULL, finding->severity);
    }
    for (size_t i = 0; i < input->result_count; i++) {
        const struct result *result = &input->results[i];
        for (size_t j = 0; j < result->config_finding_count; j++) {
            const struct finding *finding = &result->config_findings[j];
            add_problem(&gathering, finding, result, finding->severity);
        }
    }
    merge_many(&gathering);
    const struct scopes *scopes = scopes_of(arena, input);
    for (size_t i = 0; i < troubles->count; i++) {
        troubles->items[i].scope = scope_of(scopes, &troubles->items[i]);
    }
}
