/* Finding rows of the rule table by place, id or host. */
#include "rules/table.h"

/* find_row reads the id where a row begins. */
_Static_assert(offsetof(struct diagnosis, id) == 0 && offsetof(struct verdict_row, id) == 0 &&
                   offsetof(struct provider, id) == 0 && offsetof(struct client, id) == 0 &&
                   offsetof(struct rule, id) == 0,
               "a row that is found by its id begins with it");

static const void *find_row(const struct row_list *list, struct str id)
{
    for (size_t i = 0; i < list->count && str_is_set(id); i++) {
        const struct str *own = list->items[i];
        if (own->len == id.len && str_eq(*own, id)) {
            return list->items[i];
        }
    }
    return NULL;
}

static const void *row_at(const struct row_list *list, size_t index)
{
    return index < list->count ? list->items[index] : NULL;
}

size_t rules_count(const struct rules *rules)
{
    return rules->rules.count;
}

const struct rule *rules_at(const struct rules *rules, size_t index)
{
    return row_at(&rules->rules, index);
}

const struct rule *rules_find(const struct rules *rules, struct str id)
{
    return find_row(&rules->rules, id);
}

size_t rules_built_count(const struct rules *rules)
{
    return rules->built_count;
}

const struct diagnosis *rules_diagnosis(const struct rules *rules, struct str id)
{
    return find_row(&rules->diagnoses, id);
}

size_t rules_diagnosis_count(const struct rules *rules)
{
    return rules->diagnoses.count;
}

const struct diagnosis *rules_diagnosis_at(const struct rules *rules, size_t index)
{
    return row_at(&rules->diagnoses, index);
}

const struct diagnosis *rules_ok(const struct rules *rules)
{
    return rules->ok;
}

const struct diagnosis *rules_unknown(const struct rules *rules)
{
    return rules->unknown;
}

const struct provider *rules_provider(const struct rules *rules, struct str id)
{
    return find_row(&rules->providers, id);
}

size_t rules_provider_count(const struct rules *rules)
{
    return rules->providers.count;
}

const struct provider *rules_provider_at(const struct rules *rules, size_t index)
{
    return row_at(&rules->providers, index);
}

/* "api.x.com" is that host, ".x.com" every host under x.com. */
static bool host_fits(struct str host, struct str form)
{
    if (form.len == 0 || form.ptr[0] != '.') {
        return str_ieq(host, form);
    }
    return host.len > form.len && str_ieq(str_slice(host, host.len - form.len, host.len), form);
}

const struct provider *rules_provider_of_host(const struct rules *rules, struct str host)
{
    for (size_t i = 0; i < rules->providers.count && host.len; i++) {
        const struct provider *provider = rules->providers.items[i];
        for (size_t k = 0; k < provider->host_count; k++) {
            if (host_fits(host, provider->hosts[k])) {
                return provider;
            }
        }
    }
    return NULL;
}

const struct provider *rules_provider_of_wire(const struct rules *rules, struct str wire)
{
    for (size_t i = 0; i < rules->providers.count; i++) {
        const struct provider *provider = rules->providers.items[i];
        for (size_t w = 0; str_is_set(provider->base_url) && w < provider->wire_count; w++) {
            if (str_eq(provider->wires[w], wire)) {
                return provider;
            }
        }
    }
    return NULL;
}

const struct str *rules_key_prefixes(const struct rules *rules, size_t *count)
{
    *count = rules->key_prefix_count;
    return rules->key_prefixes;
}

static bool holds_mark(const struct client *client, struct str text)
{
    for (size_t i = 0; i < client->mark_count; i++) {
        if (str_find(text, client->marks[i]) >= 0) {
            return true;
        }
    }
    return false;
}

const struct client *rules_client_of_text(const struct rules *rules, struct str text)
{
    const struct client *library = NULL;
    for (size_t i = 0; i < rules->clients.count; i++) {
        const struct client *client = rules->clients.items[i];
        bool is_wanted = !client->is_library || library == NULL;
        if (!is_wanted || !holds_mark(client, text)) {
            continue;
        }
        if (!client->is_library) {
            return client;
        }
        library = client;
    }
    return library;
}

const struct client *rules_client_of_program(const struct rules *rules, struct str program)
{
    struct str rest = program, name = program;
    while (str_split(&rest, '/', &name)) {
    }
    for (size_t i = 0; i < rules->clients.count; i++) {
        const struct client *client = rules->clients.items[i];
        for (size_t p = 0; p < client->program_count; p++) {
            if (str_eq(client->programs[p], name)) {
                return client;
            }
        }
    }
    return NULL;
}

const struct str *rules_key_shapes(const struct rules *rules, size_t *count)
{
    *count = rules->key_shape_count;
    return rules->key_shapes;
}

const struct client *rules_client(const struct rules *rules, struct str id)
{
    return find_row(&rules->clients, id);
}

size_t rules_client_count(const struct rules *rules)
{
    return rules->clients.count;
}

const struct client *rules_client_at(const struct rules *rules, size_t index)
{
    return row_at(&rules->clients, index);
}

const struct verdict_row *rules_verdict_row(const struct rules *rules, struct str id)
{
    return find_row(&rules->verdicts, id);
}

size_t rules_verdict_row_count(const struct rules *rules)
{
    return rules->verdicts.count;
}

const struct verdict_row *rules_verdict_row_at(const struct rules *rules, size_t index)
{
    return row_at(&rules->verdicts, index);
}
