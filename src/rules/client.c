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

const struct client_says *rules_client_says(const struct rules *rules, struct str client,
                                            struct str diagnosis, struct str version)
{
    const struct client *known = rules_client(rules, client);
    if (known && known->version_count && str_is_empty(version)) {
        version = known->versions[known->version_count - 1];
    }
    for (size_t i = 0; i < rules->client_says.count; i++) {
        const struct client_says *row = rules->client_says.items[i];
        for (size_t d = 0; d < row->diagnosis_count; d++) {
            if (str_eq(row->client, client) && str_eq(row->diagnoses[d], diagnosis) &&
                version_is_in(version, row->range)) {
                return row;
            }
        }
    }
    return NULL;
}
