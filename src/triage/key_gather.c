/* The pairs of endpoint and key among targets. Takes targets, gives one check for all that the same
 * free request proves. Sends nothing. */
#include "base/str_set.h"
#include "probe/probe.h"
#include "triage/key_row.h"
#include "triage/place.h"

static struct str trimmed(struct str url)
{
    while (str_ends(url, STR("/"))) {
        url.len--;
    }
    return url;
}

/* The block whose free requests the endpoint answers: the provider's own, else that of the API's
 * inventor, whom others imitate. */
static const struct provider *provider_for(const struct rules *rules, const struct target *target)
{
    const struct provider *own = rules_provider(rules, target->provider);
    return own ? own : rules_provider_of_wire(rules, target->wire);
}

/* What to ask: what proves the key, or where none is needed and none is there, anything free. */
static const struct free_request *proof_for(const struct provider *provider,
                                            const struct target *target)
{
    const struct free_request *proof = provider_proof(provider);
    bool needs_none = provider && provider->is_key_optional && str_is_empty(target->key.value);
    return proof || !needs_none || !provider->free_count ? proof : &provider->free[0];
}

/* What two targets must share to be one pair: URL and key, or the name of the missing one. */
static struct str identity_of(struct arena *arena, const struct target *target,
                              const struct free_request *proof)
{
    bool has_key = !str_is_empty(target->key.value);
    bool has_url = !str_is_empty(target->base_url.text);
    const struct str parts[] = {
        has_url && proof ? probe_free_url(arena, target, proof) : trimmed(target->base_url.text),
        has_key ? target->key.value : target->key_name,
    };
    return str_set_key(arena, parts, 2);
}

static bool is_askable(const struct target *target)
{
    return !str_is_empty(target->base_url.text) && !target->is_unsendable &&
           (!str_is_set(target->skip_reason) || target->lacks_only_model);
}

/* The provider's own host answers as documented; so does a server of one's own on this machine,
 * where there is nothing else to prove. */
static bool is_trusted(const struct rules *rules, const struct target *target,
                       const struct provider *provider)
{
    struct str host = place_host(target->base_url.text);
    return place_is_loopback(host) ||
           (provider && rules_provider_of_host(rules, host) == provider &&
            str_eq(provider->id, target->provider));
}

/* The first one stands for all, so it is one that can be asked. */
static void add_target(struct arena *arena, struct key_check *check, const struct target *target)
{
    size_t last = check->target_count;
    bool is_first_askable = !check->is_askable && check->proof && is_askable(target);
    check->targets =
        arena_grow(arena, check->targets, last, &check->target_capacity, sizeof(struct target *));
    check->targets[last] = target;
    check->target_count++;
    if (is_first_askable) {
        check->targets[last] = check->targets[0];
        check->targets[0] = target;
        check->is_askable = true;
    }
}

struct key_check *key_checks_gather(struct arena *arena, const struct rules *rules,
                                    const struct target *const *targets, size_t target_count,
                                    size_t *count)
{
    struct key_check *checks = ARENA_ARRAY(arena, target_count, struct key_check);
    struct str_set identities = {0};
    *count = 0;
    for (size_t i = 0; i < target_count; i++) {
        const struct provider *provider = provider_for(rules, targets[i]);
        const struct free_request *proof = proof_for(provider, targets[i]);
        size_t known =
            str_set_add(arena, &identities, identity_of(arena, targets[i], proof), *count);
        struct key_check *check = &checks[known == SIZE_MAX ? *count : known];
        if (known == SIZE_MAX) {
            (*count)++;
            check->provider = provider;
            check->proof = proof;
            check->needs_control = !is_trusted(rules, targets[i], provider);
        }
        add_target(arena, check, targets[i]);
    }
    return checks;
}

bool key_check_wants_control(const struct key_check *check)
{
    const struct key_sight *sight = key_sight_of(check->answer);
    return check->needs_control && !str_is_empty(check->targets[0]->key.value) && sight &&
           sight->is_proper && check->answer->diagnosis->is_healthy;
}

bool key_check_is_open(const struct key_check *check)
{
    const struct finding *answer = check->answer;
    return answer && (answer->diagnosis->is_healthy || answer->diagnosis->leaves_key_open ||
                      (answer->diagnosis->blame == BLAME_UNKNOWN && answer->observation->status));
}

bool key_check_shares_host(const struct key_check *a, const struct key_check *b)
{
    return str_eq(place_authority(a->targets[0]->base_url.text),
                  place_authority(b->targets[0]->base_url.text));
}
