/* How far a problem reaches: one model, one key, one provider, the network, or everything that was
 * tried. Decided only from what answered and what failed in this run; with nothing to compare, the
 * rung of the ladder says what a failure there is about. */
#include "base/str_set.h"
#include "triage/place.h"
#include "triage/trouble.h"

static bool is_probed(const struct result *result)
{
    return result->target && result->observation && result->finding;
}

static struct str host_of(const struct result *result)
{
    return place_host(result->target->base_url.text);
}

/* Two probed targets at least went to different hosts; ports do not make a host. */
static bool has_several_hosts(const struct triage_input *input)
{
    const struct result *first = NULL;
    for (size_t i = 0; i < input->result_count; i++) {
        const struct result *result = &input->results[i];
        if (!is_probed(result)) {
            continue;
        }
        if (first && !str_eq(host_of(first), host_of(result))) {
            return true;
        }
        first = first ? first : result;
    }
    return false;
}

bool scope_is_network_down(const struct triage_input *input)
{
    for (size_t i = 0; i < input->result_count; i++) {
        const struct result *result = &input->results[i];
        if (is_probed(result) && (result->finding->diagnosis->blame != BLAME_NETWORK ||
                                  result->observation->phase >= STEP_AUTH)) {
            return false;
        }
    }
    return has_several_hosts(input);
}

/* What the probed targets that share something met. */
struct crowd {
    const struct diagnosis *met; /* by the first one */
    struct str first;            /* the first one's key, or model */
    bool is_mixed, has_others;   /* one met something else; one has another key, or model */
};

struct scopes {
    struct arena *arena;
    bool is_network_down, has_several_hosts;
    struct crowd all, *endpoints, *keys; /* keys: of one endpoint */
    struct str_set endpoint_numbers, key_numbers;
};

static struct str key_at(struct arena *arena, const struct result *result)
{
    const struct str parts[] = {place_authority(result->target->base_url.text),
                                str_from(result->target->key.fingerprint)};
    return str_set_key(arena, parts, 2);
}

static void join(struct crowd *crowd, const struct result *result, struct str feature)
{
    const struct diagnosis *met = result->finding->diagnosis;
    if (!crowd->met) {
        crowd->met = met;
        crowd->first = feature;
    }
    crowd->is_mixed = crowd->is_mixed || crowd->met != met;
    crowd->has_others = crowd->has_others || !str_eq(crowd->first, feature);
}

/* The crowd that has the name, a new one where none has. */
static struct crowd *crowd_of(struct arena *arena, struct str_set *numbers, struct crowd *crowds,
                              struct str name)
{
    size_t known = str_set_add(arena, numbers, name, numbers->count);
    return &crowds[known == SIZE_MAX ? numbers->count - 1 : known];
}

const struct scopes *scopes_of(struct arena *arena, const struct triage_input *input)
{
    struct scopes *scopes = ARENA_NEW(arena, struct scopes);
    scopes->arena = arena;
    scopes->is_network_down = scope_is_network_down(input);
    scopes->has_several_hosts = has_several_hosts(input);
    scopes->endpoints = ARENA_ARRAY(arena, input->result_count + 1, struct crowd);
    scopes->keys = ARENA_ARRAY(arena, input->result_count + 1, struct crowd);
    for (size_t i = 0; i < input->result_count; i++) {
        const struct result *result = &input->results[i];
        if (is_probed(result)) {
            struct str endpoint = place_authority(result->target->base_url.text);
            join(&scopes->all, result, STR(""));
            join(crowd_of(arena, &scopes->endpoint_numbers, scopes->endpoints, endpoint), result,
                 str_from(result->target->key.fingerprint));
            join(crowd_of(arena, &scopes->key_numbers, scopes->keys, key_at(arena, result)), result,
                 result->target->model.text);
        }
    }
    return scopes;
}

/* No target among them did otherwise. */
static bool fails_alike(const struct crowd *crowd, const struct trouble *trouble)
{
    return !crowd->is_mixed && crowd->met == trouble->diagnosis;
}

enum scope scope_of(const struct scopes *scopes, const struct trouble *trouble)
{
    if (trouble->result_count == 0 || !is_probed(trouble->results[0])) {
        enum step step = trouble->diagnosis->step;
        return step == STEP_KEY || step == STEP_AUTH ? SCOPE_KEY : SCOPE_MODEL;
    }
    if (trouble->diagnosis->blame == BLAME_NETWORK && scopes->is_network_down) {
        return SCOPE_NETWORK;
    }
    const struct result *first = trouble->results[0];
    struct str endpoint = place_authority(first->target->base_url.text);
    const struct crowd *around =
        &scopes->endpoints[str_set_find(&scopes->endpoint_numbers, endpoint)];
    const struct crowd *near =
        &scopes->keys[str_set_find(&scopes->key_numbers, key_at(scopes->arena, first))];
    bool endpoint_fails_alike = fails_alike(around, trouble);
    if (fails_alike(&scopes->all, trouble) && scopes->has_several_hosts) {
        return SCOPE_EVERYTHING;
    }
    enum step step = trouble->diagnosis->step;
    if (!fails_alike(near, trouble)) {
        return SCOPE_MODEL;
    }
    if (endpoint_fails_alike && around->has_others) {
        return SCOPE_PROVIDER;
    }
    if (step == STEP_KEY || step == STEP_AUTH) {
        return SCOPE_KEY;
    }
    if (step <= STEP_HTTP && endpoint_fails_alike) {
        return SCOPE_PROVIDER;
    }
    if (!near->has_others) {
        return SCOPE_MODEL;
    }
    return trouble->diagnosis->blame == BLAME_OURS || !endpoint_fails_alike ? SCOPE_KEY
                                                                            : SCOPE_PROVIDER;
}
