/* How far a problem reaches: one model, one key, one provider, the network, or everything that was
 * tried. Decided only from what answered and what failed in this run; with nothing to compare, the
 * rung of the ladder says what a failure there is about. */
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

static bool is_same_key(const struct result *a, const struct result *b)
{
    return str_eq(str_from(a->target->key.fingerprint), str_from(b->target->key.fingerprint));
}

static bool is_same_endpoint(const struct result *a, const struct result *b)
{
    return str_eq(place_authority(a->target->base_url.text),
                  place_authority(b->target->base_url.text));
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

/* What the other probed targets say about a trouble. */
struct neighbours {
    bool all_fail_alike;       /* no probed target does otherwise */
    bool endpoint_fails_alike; /* no target of the same endpoint does otherwise */
    bool key_fails_alike;      /* no target of the same endpoint and key does otherwise */
    bool has_other_model;      /* another model was tried with that key there */
    bool has_other_key;        /* another key was tried there */
};

static bool is_in(const struct trouble *trouble, const struct result *result)
{
    return result->finding->diagnosis == trouble->diagnosis;
}

static struct neighbours look_around(const struct triage_input *input,
                                     const struct trouble *trouble)
{
    const struct result *first = trouble->results[0];
    struct neighbours seen = {true, true, true, false, false};
    for (size_t i = 0; i < input->result_count; i++) {
        const struct result *result = &input->results[i];
        if (!is_probed(result)) {
            continue;
        }
        bool is_alike = is_in(trouble, result);
        seen.all_fail_alike = seen.all_fail_alike && is_alike;
        if (!is_same_endpoint(result, first)) {
            continue;
        }
        seen.endpoint_fails_alike = seen.endpoint_fails_alike && is_alike;
        if (!is_same_key(result, first)) {
            seen.has_other_key = true;
            continue;
        }
        seen.key_fails_alike = seen.key_fails_alike && is_alike;
        seen.has_other_model =
            seen.has_other_model || !str_eq(result->target->model.text, first->target->model.text);
    }
    return seen;
}

enum scope scope_of(const struct triage_input *input, const struct trouble *trouble)
{
    if (trouble->result_count == 0 || !is_probed(trouble->results[0])) {
        enum step step = trouble->diagnosis->step;
        return step == STEP_KEY || step == STEP_AUTH ? SCOPE_KEY : SCOPE_MODEL;
    }
    if (trouble->diagnosis->blame == BLAME_NETWORK && scope_is_network_down(input)) {
        return SCOPE_NETWORK;
    }
    struct neighbours seen = look_around(input, trouble);
    if (seen.all_fail_alike && has_several_hosts(input)) {
        return SCOPE_EVERYTHING;
    }
    enum step step = trouble->diagnosis->step;
    if (!seen.key_fails_alike) {
        return SCOPE_MODEL;
    }
    if (seen.endpoint_fails_alike && seen.has_other_key) {
        return SCOPE_PROVIDER;
    }
    if (step == STEP_KEY || step == STEP_AUTH) {
        return SCOPE_KEY;
    }
    if (step <= STEP_HTTP && seen.endpoint_fails_alike) {
        return SCOPE_PROVIDER;
    }
    if (!seen.has_other_model) {
        return SCOPE_MODEL;
    }
    return trouble->diagnosis->blame == BLAME_OURS || !seen.endpoint_fails_alike ? SCOPE_KEY
                                                                                 : SCOPE_PROVIDER;
}
