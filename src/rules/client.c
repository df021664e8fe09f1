/* Finding what is known of a client for one version. Takes names and a version, gives rows of the
 * table; of several that fit the first is taken. */
#include "rules/client.h"

#include "rules/table.h"

size_t rules_client_key_count(const struct rules *rules)
{
    return rules->client_keys.count;
}

const struct client_key *rules_client_key_at(const struct rules *rules, size_t index)
{
    return index < rules->client_keys.count ? rules->client_keys.items[index] : NULL;
}

const struct client_behaviour *rules_client_behaviour(const struct rules *rules, struct str client,
                                                      struct str name, struct str version)
{
    for (size_t i = 0; i < rules->client_behaviours.count; i++) {
        const struct client_behaviour *row = rules->client_behaviours.items[i];
        if (str_eq(row->client, client) && str_eq(row->name, name) &&
            version_is_in(version, row->range)) {
            return row;
        }
    }
    return NULL;
}

size_t rules_client_provider_count(const struct rules *rules)
{
    return rules->client_providers.count;
}

const struct client_provider *rules_client_provider_at(const struct rules *rules, size_t index)
{
    return index < rules->client_providers.count ? rules->client_providers.items[index] : NULL;
}

const struct client_provider *rules_client_provider(const struct rules *rules, struct str client,
                                                    struct str id, struct str version)
{
    for (size_t i = 0; i < rules->client_providers.count; i++) {
        const struct client_provider *row = rules->client_providers.items[i];
        if (str_eq(row->client, client) && str_eq(row->id, id) &&
            version_is_in(version, row->range)) {
            return row;
        }
    }
    return NULL;
}

size_t rules_client_run_count(const struct rules *rules)
{
    return rules->client_runs.count;
}

const struct client_run *rules_client_run_at(const struct rules *rules, size_t index)
{
    return index < rules->client_runs.count ? rules->client_runs.items[index] : NULL;
}

static bool has_diagnosis(const struct client_says *row, struct str diagnosis)
{
    for (size_t i = 0; i < row->diagnosis_count; i++) {
        if (str_eq(row->diagnoses[i], diagnosis)) {
            return true;
        }
    }
    return false;
}

/* The first row that fits and has words (or actions) of the client's. */
static const struct client_says *find_says(const struct rules *rules, struct str client,
                                           struct str diagnosis, struct str version,
                                           bool wants_actions)
{
    const struct client *known = rules_client(rules, client);
    if (known && known->version_count && str_is_empty(version)) {
        version = known->versions[known->version_count - 1];
    }
    for (size_t i = 0; i < rules->client_says.count; i++) {
        const struct client_says *row = rules->client_says.items[i];
        bool has_it = wants_actions ? row->actions.count > 0 : str_is_set(row->text);
        if (has_it && str_eq(row->client, client) && version_is_in(version, row->range) &&
            has_diagnosis(row, diagnosis)) {
            return row;
        }
    }
    return NULL;
}

struct str rules_client_says(const struct rules *rules, struct str client, struct str diagnosis,
                             struct str version)
{
    const struct client_says *row = find_says(rules, client, diagnosis, version, false);
    return row ? row->text : (struct str){NULL, 0};
}

const struct client_says *rules_client_actions(const struct rules *rules, struct str client,
                                               struct str diagnosis, struct str version)
{
    return find_says(rules, client, diagnosis, version, true);
}

size_t rules_client_says_count(const struct rules *rules)
{
    return rules->client_says.count;
}

const struct client_says *rules_client_says_at(const struct rules *rules, size_t index)
{
    return index < rules->client_says.count ? rules->client_says.items[index] : NULL;
}
