/* Chains of our own file: a primary and its `fallback` list. An entry that is another target's name
 * stands for that target, any other for a model at the same endpoint. */
#include "config/own.h"

#include "config/add.h"
#include "config/settings.h"

/* What a fallback inherits of the problems: those that stop it. The warnings stand with the primary
 * already. */
static struct problems only_errors(struct own *own, const struct problems *problems)
{
    struct problems errors = {0};
    for (size_t i = 0; i < problems->count; i++) {
        if (!problems->items[i].is_warning) {
            problems_add(own->arena, &errors, problems->items[i]);
        }
    }
    return errors;
}

static const struct own_target *find_named(const struct own_targets *list, struct str name)
{
    size_t at = str_set_find(&list->names, name);
    return at == SIZE_MAX ? NULL : &list->items[at];
}

/* Taken as a model, though it is nearly the name of a target: probably a slip. */
static void check_unknown(struct own *own, const struct own_targets *list, struct own_target *item,
                          const struct node *said)
{
    struct str *names = ARENA_ARRAY(own->arena, list->count, struct str);
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct own_block *block = &list->items[i].block;
        const struct entry *model = block->entries[OWN_MODEL];
        if (model && str_is_near(model->value->string, said->string)) {
            return;
        }
        if (block->entries[OWN_NAME] && !list->items[i].is_left_out) {
            names[count++] = block->entries[OWN_NAME]->value->string;
        }
    }
    struct str near = str_nearest(said->string, names, count);
    if (str_is_set(near)) {
        struct str shown = note_quote(own->arena, &own->source.mask, said->string);
        struct problem *problem = note_at(
            own->arena, &item->target.problems, &own->source, said->pos, STR("unknown_fallback"),
            true,
            arena_printf(own->arena, "fallback %.*s is no target's name, so it is taken as a model",
                         STR_ARG(shown)));
        problem->suggestion = near;
        problem->is_guess = true;
    }
}

static struct target fallback_model(struct own *own, const struct own_target *primary,
                                    const struct node *said, struct draft *draft)
{
    *draft = primary->draft;
    draft->name = (struct str){NULL, 0};
    draft->model =
        (struct value){.text = said->string, .origin = note_origin(&own->source, said->pos)};
    struct target target = draft_finish(own->arena, own->env, own->rules, draft);
    own_lines_fill(own, &target.problems, draft->problems.count);
    return target;
}

/* Is this entry worth a place in the chain? Itself, a table that was left out and a repetition are
 * not. */
static bool is_usable(struct own *own, struct own_target *item, const struct node *fallback,
                      size_t index, const struct own_target *named)
{
    const struct node *said = fallback->items[index];
    const char *wrong = NULL;
    bool is_repeated = false;
    if (named == item || str_eq(said->string, item->target.model.text)) {
        wrong = "names the target itself";
        is_repeated = true;
    } else if (named && named->is_left_out) {
        wrong = "names a target that has an error";
    }
    for (size_t i = 0; i < index; i++) {
        if (str_eq(fallback->items[i]->string, said->string)) {
            wrong = "is there twice";
            is_repeated = true;
        }
    }
    if (wrong) {
        struct str shown = note_quote(own->arena, &own->source.mask, said->string);
        note_at(
            own->arena, &item->target.problems, &own->source, said->pos,
            is_repeated ? STR("chain_repeated") : STR("unknown_fallback"), true,
            arena_printf(own->arena, "fallback %.*s %s, so it is left out", STR_ARG(shown), wrong));
    }
    return !wrong;
}

static void add_settings(struct own *own, struct str name, const struct draft *draft,
                         const struct target *target)
{
    if (!own->request->wants_settings) {
        settings_keep_secrets(own->arena, own->config, draft);
        return;
    }
    struct str prefix = arena_printf(own->arena, "target.%.*s.", STR_ARG(name));
    settings_add_target(own->arena, own->rules, own->config, prefix, draft, target);
}

void own_chain_add(struct own *own, const struct own_targets *list, struct own_target *item)
{
    const struct entry *fallback = item->block.entries[OWN_FALLBACK];
    size_t count = fallback ? fallback->value->count : 0;
    if (count > FALLBACKS_MAX) {
        note_at(own->arena, &item->target.problems, &own->source,
                fallback->value->items[FALLBACKS_MAX]->pos, STR("bad_value"), true,
                STR("more than 20 fallbacks: this one and those behind it are not read"));
        count = FALLBACKS_MAX;
    }
    struct target *chain = ARENA_ARRAY(own->arena, count, struct target);
    struct draft *drafts = ARENA_ARRAY(own->arena, count, struct draft);
    bool is_copy[FALLBACKS_MAX];
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        const struct node *said = fallback->value->items[i];
        const struct own_target *named = find_named(list, said->string);
        if (!is_usable(own, item, fallback->value, i, named)) {
            continue;
        }
        is_copy[length] = named != NULL;
        if (named) {
            chain[length] = named->target;
        } else {
            check_unknown(own, list, item, said);
            chain[length] = fallback_model(own, item, said, &drafts[length]);
        }
        chain[length].problems = only_errors(own, &chain[length].problems);
        chain[length].role = ROLE_FALLBACK;
        chain[length].fallback_number = (unsigned)length + 1;
        length++;
    }
    /* The primaries' names are unique already; a fallback takes none of them. */
    const struct names primaries = {&list->items->target.name, sizeof *list->items, list->count};
    struct str head = add_target(own->arena, own->config, item->target);
    add_settings(own, head, &item->draft, &item->target);
    for (size_t i = 0; i < length; i++) {
        chain[i].chain = head;
        if (str_set_find(&list->names, chain[i].name) != SIZE_MAX) {
            chain[i].name = add_unique_name(own->arena, primaries, chain[i].name);
        }
        struct str name = add_target(own->arena, own->config, chain[i]);
        if (!is_copy[i]) {
            add_settings(own, name, &drafts[i], &chain[i]);
        }
    }
}
