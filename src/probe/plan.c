/* Planning. Takes targets, gives the requests that are to be sent: one for all targets that look
 * the same on the wire, none for targets that cannot be asked. Sends nothing. */
#include "probe/probe.h"

#include "probe/url.h"
#include "wire/wire.h"

/* What one target asks for, before the same requests are put together. */
struct wish {
    const struct target *target;
    struct str url;
    uint64_t hash;
    const struct free_wish *free; /* NULL = a generation */
};

static uint64_t hash_str(uint64_t hash, struct str s)
{
    /* FNV-1a; the length goes in as well, so that neighbours cannot lend each other bytes. */
    for (size_t i = 0; i < s.len; i++) {
        hash = (hash ^ (unsigned char)s.ptr[i]) * UINT64_C(1099511628211);
    }
    return (hash ^ s.len) * UINT64_C(1099511628211);
}

static uint64_t hash_wish(const struct wish *wish)
{
    const struct target *t = wish->target;
    uint64_t hash = hash_str(UINT64_C(14695981039346656037), wish->url);
    hash = hash_str(hash, t->key.value);
    hash = hash_str(hash, t->proxy.text);
    return wish->free ? hash : hash_str(hash, t->model.text);
}

static bool is_same_setting(struct str a, struct str b)
{
    /* Unset and empty differ: an empty proxy means "none", an unset one "as the environment says".
     */
    return str_is_set(a) == str_is_set(b) && str_eq(a, b);
}

static bool has_same_headers(const struct target *a, const struct target *b)
{
    if (a->header_count != b->header_count) {
        return false;
    }
    for (size_t i = 0; i < a->header_count; i++) {
        if (!str_ieq(a->headers[i].name, b->headers[i].name) ||
            !str_eq(a->headers[i].value, b->headers[i].value)) {
            return false;
        }
    }
    return true;
}

/* Two generations, or two free requests that say the same of who asks. */
static bool is_same_kind(const struct free_wish *a, const struct free_wish *b)
{
    return a && b ? a->is_anonymous == b->is_anonymous : a == b;
}

static bool is_same_wish(const struct wish *a, const struct wish *b)
{
    const struct target *s = a->target, *t = b->target;
    return a->hash == b->hash && is_same_kind(a->free, b->free) && str_eq(a->url, b->url) &&
           is_same_setting(s->key.value, t->key.value) && str_eq(s->auth_header, t->auth_header) &&
           str_eq(s->auth_prefix, t->auth_prefix) &&
           is_same_setting(s->proxy.text, t->proxy.text) &&
           str_eq(s->ca_file.text, t->ca_file.text) && str_eq(s->ca_dir.text, t->ca_dir.text) &&
           has_same_headers(s, t) &&
           (a->free || (str_eq(s->wire, t->wire) && s->is_uncapped == t->is_uncapped &&
                        str_eq(s->model.text, t->model.text)));
}

/* Numbers the distinct wishes: group[i] is the request that wish i belongs to, SIZE_MAX = none. The
 * groups found so far stand in a table by their hash, each in the first free slot from its own. */
static size_t group_wishes(struct arena *arena, const struct wish *wishes, size_t count,
                           size_t *first, size_t *group)
{
    size_t groups = 0, slot_count = 16;
    while (slot_count < count * 2) {
        slot_count *= 2;
    }
    size_t *slots = ARENA_ARRAY(arena, slot_count, size_t); /* a group plus 1, 0 = free */
    for (size_t i = 0; i < count; i++) {
        group[i] = SIZE_MAX;
        if (!wishes[i].target) {
            continue;
        }
        size_t slot = (size_t)(wishes[i].hash ^ wishes[i].hash >> 32) & (slot_count - 1);
        while (slots[slot] && !is_same_wish(&wishes[first[slots[slot] - 1]], &wishes[i])) {
            slot = (slot + 1) & (slot_count - 1);
        }
        if (!slots[slot]) {
            first[groups++] = i;
            slots[slot] = groups;
        }
        group[i] = slots[slot] - 1;
    }
    return groups;
}

static void plan_wishes(struct arena *arena, const struct wish *wishes, size_t count,
                        struct plan *plan)
{
    size_t *first = ARENA_ARRAY(arena, count, size_t);
    size_t *group = ARENA_ARRAY(arena, count, size_t);
    size_t groups = group_wishes(arena, wishes, count, first, group);
    struct planned_request *requests = ARENA_ARRAY(arena, groups, struct planned_request);
    size_t *indices = ARENA_ARRAY(arena, count, size_t);
    *plan = (struct plan){.requests = requests, .request_count = groups};
    for (size_t i = 0; i < count; i++) {
        if (group[i] != SIZE_MAX) {
            requests[group[i]].target_count++;
        }
    }
    for (size_t g = 0; g < groups; g++) {
        const struct wish *wish = &wishes[first[g]];
        const struct wire *wire = wire_find(wish->target->wire);
        size_t taken = 0;
        requests[g].target = wish->target;
        requests[g].url = wish->url;
        /* Most targets of a long list stand at one place. */
        requests[g].place = g && str_eq(requests[g - 1].url, wish->url)
                                ? requests[g - 1].place
                                : url_place(arena, wish->url);
        bool is_uncapped = !wish->free && wish->target->is_uncapped;
        requests[g].token_bound = wish->free || is_uncapped || !wire ? 0 : wire->token_bound;
        plan->uncapped_count += is_uncapped ? 1 : 0;
        if (wish->free) {
            requests[g].free = wish->free->form;
            requests[g].limits = wish->free->limits;
            requests[g].limit_count = wish->free->limit_count;
            requests[g].is_anonymous = wish->free->is_anonymous;
        }
        requests[g].target_indices = indices;
        for (size_t i = first[g]; taken < requests[g].target_count; i++) {
            if (group[i] == g) {
                indices[taken++] = i;
            }
        }
        indices += taken;
        plan->token_bound += requests[g].token_bound;
    }
}

void probe_plan(struct arena *arena, const struct target *const *targets, size_t target_count,
                struct plan *plan)
{
    struct wish *wishes = ARENA_ARRAY(arena, target_count, struct wish);
    for (size_t i = 0; i < target_count; i++) {
        const struct target *target = targets[i];
        const struct wire *wire = wire_find(target->wire);
        if (!wire || str_is_set(target->skip_reason) || target->is_unsendable) {
            continue;
        }
        wishes[i] = (struct wish){
            .target = target,
            .url = url_join(arena, target->base_url.text,
                            str_is_set(target->path) ? target->path : wire->path, target->query),
        };
        wishes[i].hash = hash_wish(&wishes[i]);
    }
    plan_wishes(arena, wishes, target_count, plan);
}

/* Both queries, but for a parameter of the target's that the request names itself. */
static struct str join_queries(struct arena *arena, struct str own, struct str of_target)
{
    ptrdiff_t equals = str_find_char(own, '=');
    bool is_named = equals > 0 && str_starts(of_target, str_slice(own, 0, (size_t)equals + 1));
    if (str_is_empty(own) || str_is_empty(of_target) || is_named) {
        return str_is_empty(own) ? of_target : own;
    }
    return arena_printf(arena, "%.*s&%.*s", STR_ARG(own), STR_ARG(of_target));
}

/* "https://host:port" as the URL says it. */
static struct str root_of(struct str url)
{
    ptrdiff_t slashes = str_find(url, STR("://"));
    size_t end = slashes < 0 ? 0 : (size_t)slashes + 3;
    while (end < url.len && url.ptr[end] != '/' && url.ptr[end] != '?' && url.ptr[end] != '#') {
        end++;
    }
    return str_slice(url, 0, end);
}

struct str probe_free_url(struct arena *arena, const struct target *target,
                          const struct free_request *form)
{
    struct str base = target->base_url.text;
    base = form->is_from_root ? root_of(base) : base;
    return url_join(arena, base, form->path, join_queries(arena, form->query, target->query));
}

void probe_plan_free(struct arena *arena, const struct free_wish *wanted, size_t count,
                     struct plan *plan)
{
    struct wish *wishes = ARENA_ARRAY(arena, count, struct wish);
    for (size_t i = 0; i < count; i++) {
        if (!wanted[i].target || !wanted[i].form) {
            continue;
        }
        wishes[i] = (struct wish){
            .target = wanted[i].target,
            .url = probe_free_url(arena, wanted[i].target, wanted[i].form),
            .free = &wanted[i],
        };
        wishes[i].hash = hash_wish(&wishes[i]);
    }
    plan_wishes(arena, wishes, count, plan);
}
