/* What verify says of settings besides what is wrong with them. Takes values with their shadows and
 * chains of targets, gives problems that are remarks. */
#include "config/remark.h"

#include "config/url.h"
#include "rules/models.h"

#define HIDDEN_MAX 3

static bool is_said(struct origin origin)
{
    return origin.kind == ORIGIN_FILE || origin.kind == ORIGIN_ENV || origin.kind == ORIGIN_OPTION;
}

static struct problem *remark(struct arena *arena, struct problems *problems, struct origin origin,
                              struct str code, bool is_remark, struct str message)
{
    struct problem *problem = note_add(arena, problems, origin, code, true, message);
    problem->is_remark = is_remark;
    return problem;
}

static struct str shown(struct arena *arena, const struct mask *mask, struct str text)
{
    return note_quote(arena, mask, url_without_credentials(arena, text));
}

void remark_shadows(struct arena *arena, const struct rules *rules, struct problems *problems,
                    struct str label, const struct value *value)
{
    const struct mask mask = note_mask(rules);
    struct str hidden = {NULL, 0};
    size_t count = 0;
    for (const struct value *v = value->shadowed; v && count < HIDDEN_MAX; v = v->shadowed) {
        bool is_same_file =
            v->origin.kind == ORIGIN_FILE && str_eq(v->origin.name, value->origin.name);
        if (!is_said(v->origin) || is_same_file || str_eq(v->text, value->text)) {
            continue; /* of one file a person sees both */
        }
        hidden = arena_printf(arena, "%.*s%s%.*s of %.*s", STR_ARG(hidden), count ? ", " : "",
                              STR_ARG(shown(arena, &mask, v->text)),
                              STR_ARG(origin_text(arena, v->origin)));
        count++;
    }
    if (count == 0 || !is_said(value->origin)) {
        return;
    }
    struct str message = arena_printf(arena, "%.*s is %.*s of %.*s, which hides %.*s",
                                      STR_ARG(label), STR_ARG(shown(arena, &mask, value->text)),
                                      STR_ARG(origin_text(arena, value->origin)), STR_ARG(hidden));
    remark(arena, problems, value->origin, STR("shadowed"), value->origin.kind != ORIGIN_ENV,
           message);
}

static void remark_keys(struct arena *arena, const struct draft *draft, struct target *target)
{
    const struct value *sent = &draft->key.text;
    if (!draft->key.is_wanted || str_is_empty(sent->text)) {
        return;
    }
    for (const struct value *v = sent->shadowed; v; v = v->shadowed) {
        if (str_is_empty(str_trim(v->text)) || str_eq(v->text, sent->text) || !is_said(v->origin)) {
            continue;
        }
        remark(arena, &target->problems, sent->origin, STR("two_credentials"), false,
               arena_printf(arena,
                            "two credentials: the one of %.*s is sent and its account billed, not "
                            "the one of %.*s",
                            STR_ARG(origin_text(arena, sent->origin)),
                            STR_ARG(origin_text(arena, v->origin))));
        return;
    }
}

void remark_target(struct arena *arena, const struct rules *rules, const struct draft *draft,
                   struct target *target)
{
    remark_shadows(arena, rules, &target->problems, STR("model"), &draft->model);
    remark_shadows(arena, rules, &target->problems,
                   str_is_set(draft->base_url_label) ? draft->base_url_label : STR("base_url"),
                   &draft->base_url);
    remark_keys(arena, draft, target);
}

static bool is_same_place(const struct target *a, const struct target *b)
{
    return str_ieq(a->base_url.text, b->base_url.text) &&
           str_eq(str_from(a->key.fingerprint), str_from(b->key.fingerprint));
}

static bool is_hot(const struct rules *rules, const struct target *target)
{
    const struct model_tier *tier = rules_model_tier(rules, target->model.text);
    return tier && tier->is_hot;
}

/* The chain of one primary, its links in order. */
struct chain {
    const struct target *links[32];
    size_t count;
};

static struct chain chain_of(const struct config *config, const struct target *head)
{
    struct chain chain = {.links = {head}, .count = 1};
    for (size_t i = 0; i < config->target_count; i++) {
        const struct target *link = &config->targets[i];
        if (link->role == ROLE_FALLBACK && str_eq(link->chain, head->name) &&
            str_eq(link->client, head->client) &&
            chain.count < sizeof chain.links / sizeof chain.links[0]) {
            chain.links[chain.count++] = link;
        }
    }
    return chain;
}

void remark_repeated(struct arena *arena, const struct rules *rules, struct config *config,
                     const struct value *model)
{
    const struct mask mask = note_mask(rules);
    remark(arena, &config->problems, model->origin, STR("chain_repeated"), false,
           arena_printf(arena, "the fallback chain names %.*s twice",
                        STR_ARG(shown(arena, &mask, model->text))));
}

static void find_repeated(struct arena *arena, const struct rules *rules, struct config *config,
                          const struct chain *chain)
{
    for (size_t i = 1; i < chain->count; i++) {
        const struct target *link = chain->links[i];
        for (size_t k = 0; k < i; k++) {
            if (str_eq(link->model.text, chain->links[k]->model.text) &&
                is_same_place(link, chain->links[k])) {
                remark_repeated(arena, rules, config, &link->model);
                break;
            }
        }
    }
}

static void remark_chain(struct arena *arena, const struct rules *rules, const struct mask *mask,
                         struct config *config, const struct chain *chain)
{
    const struct target *head = chain->links[0], *second = chain->links[1];
    bool is_one_place = true;
    for (size_t i = 1; i < chain->count; i++) {
        is_one_place = is_one_place && is_same_place(head, chain->links[i]);
    }
    find_repeated(arena, rules, config, chain);
    if (is_one_place) {
        remark(arena, &config->problems, second->model.origin, STR("chain_one_place"), false,
               arena_printf(arena,
                            "every model of the fallback chain of %.*s has the same provider and "
                            "key, so it does not help in an outage",
                            STR_ARG(shown(arena, mask, head->model.text))));
    }
    if (is_hot(rules, head) && is_hot(rules, second) &&
        !str_eq(head->model.text, second->model.text)) {
        remark(arena, &config->problems, second->model.origin, STR("chain_hot"), false,
               arena_printf(arena,
                            "the first two models of the fallback chain, %.*s and %.*s, are both "
                            "in high demand",
                            STR_ARG(shown(arena, mask, head->model.text)),
                            STR_ARG(shown(arena, mask, second->model.text))));
    }
}

void remark_chains(struct arena *arena, const struct rules *rules, struct config *config)
{
    const struct mask mask = note_mask(rules);
    for (size_t i = 0; i < config->target_count; i++) {
        if (config->targets[i].role != ROLE_PRIMARY) {
            continue;
        }
        struct chain chain = chain_of(config, &config->targets[i]);
        if (chain.count > 1) {
            remark_chain(arena, rules, &mask, config, &chain);
        }
    }
}
