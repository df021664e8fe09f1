/* Targets of Codex: the model in force, the reviewer's, those of a fallback list that Codex itself
 * does not read, and those of every profile. Takes the files, gives targets with their problems. */
#include "config/codex.h"

#include "config/add.h"
#include "config/layer.h"
#include "config/path.h"
#include "config/remark.h"

/* What all targets of a view share. */
struct start {
    struct codex_view view;
    struct problems problems; /* of its files and of the choice of a profile */
    bool is_refused;          /* Codex does not start with it */
    const struct layer *own;  /* the file of a profile, or NULL */
};

static void add_problems_of(struct codex *codex, struct start *start, const struct layer *layer)
{
    for (size_t p = 0; p < layer->problems.count; p++) {
        problems_add(codex->arena, &start->problems, layer->problems.items[p]);
    }
    start->is_refused = start->is_refused || layer->has_error;
}

static void add_layer_problems(struct codex *codex, struct start *start)
{
    for (size_t i = 0; i < start->view.stack.count; i++) {
        add_problems_of(codex, start, start->view.stack.layers[i]);
    }
    if (codex->requirements) {
        add_problems_of(codex, start, codex->requirements);
    }
    if (!codex_check_login(codex, &start->view, &start->problems)) {
        start->is_refused = true;
    }
    if (codex->login.kind == LOGIN_BROKEN && codex_behaviour(codex, STR("broken_login_refused"))) {
        note_add(codex->arena, &start->problems,
                 (struct origin){.kind = ORIGIN_FILE, .name = codex->login.path}, STR("syntax"),
                 false,
                 arena_printf(codex->arena, "Codex %.*s does not start: it cannot read %.*s",
                              STR_ARG(codex->version.text), STR_ARG(codex->login.path)));
        start->is_refused = true;
    }
}

/* What --oss runs: the provider that is named for it, in old versions the only one. */
static struct value oss_provider_of(struct codex *codex, const struct start *start)
{
    struct value id = codex->command.oss_provider;
    if (!str_is_set(id.text)) {
        id = codex_string(codex, &start->view, STR("oss_provider"));
    }
    return layer_under(codex->arena, id, codex_behaviour_value(codex, STR("oss_provider")),
                       codex_default_origin(codex));
}

static void check_oss(struct codex *codex, struct start *start)
{
    if (!codex->command.is_oss || str_is_set(oss_provider_of(codex, start).text)) {
        return;
    }
    note_add(codex->arena, &start->problems, (struct origin){ORIGIN_OPTION, STR("--oss"), 0, 0},
             STR("bad_value"), false,
             arena_printf(codex->arena, "--oss names no provider, so Codex %.*s does not start",
                          STR_ARG(codex->version.text)))
        ->suggestion = STR("--local-provider ollama, or oss_provider = \"ollama\" in config.toml");
}

static struct start start_of(struct codex *codex, struct codex_view view, struct problems problems)
{
    struct start start = {.view = view, .problems = problems};
    for (size_t i = 0; i < codex->command.problems.count; i++) {
        problems_add(codex->arena, &start.problems, codex->command.problems.items[i]);
    }
    check_oss(codex, &start);
    key_table_check_required(&codex->check, &view.stack, &start.problems);
    problems = start.problems;
    for (size_t i = 0; i < problems.count; i++) {
        start.is_refused = start.is_refused || !problems.items[i].is_warning;
    }
    add_layer_problems(codex, &start);
    return start;
}

/* The first target of a start tells everything; a further one repeats what stops it, and a profile
 * tells what is in its own file. */
static void add_problems(struct codex *codex, const struct start *start, enum role role,
                         struct problems *problems)
{
    for (size_t i = 0; i < start->problems.count; i++) {
        const struct problem *problem = &start->problems.items[i];
        bool is_own = role == ROLE_PROFILE && start->own &&
                      str_eq(problem->origin.name, start->own->source.path);
        if (role == ROLE_PRIMARY || is_own || !problem->is_warning) {
            problems_add(codex->arena, problems, *problem);
        }
    }
}

static struct value provider_of(struct codex *codex, const struct start *start)
{
    struct value id = codex_string(codex, &start->view, STR("model_provider"));
    if (codex->command.is_oss) {
        struct value oss = oss_provider_of(codex, start);
        id = layer_over(codex->arena, id, oss.text, oss.origin);
    }
    return layer_under(codex->arena, id, codex_behaviour_value(codex, STR("default_provider")),
                       codex_default_origin(codex));
}

static struct value model_of(struct codex *codex, const struct start *start)
{
    struct value model = codex_string(codex, &start->view, STR("model"));
    if (codex->command.is_oss) {
        /* A model of the settings is meant for another provider. */
        struct str id = oss_provider_of(codex, start).text;
        struct str name = arena_printf(codex->arena, "oss_model.%.*s", STR_ARG(id));
        struct str usual = codex_behaviour_value(codex, name);
        model = layer_over(codex->arena, model, usual, codex_default_origin(codex));
    }
    return layer_under(codex->arena, model, codex_behaviour_value(codex, STR("default_model")),
                       codex_default_origin(codex));
}

/* The model that the user asked for: with an option, in the profile that is chosen, or in the
 * user's file, whatever stands over it. */
static struct value asked_model(const struct codex *codex, const struct start *start,
                                enum role role, const struct value *model)
{
    struct value asked = *model;
    bool is_option = model->origin.kind == ORIGIN_OPTION;
    if (role == ROLE_PRIMARY && str_is_set(codex->command.lost_model.text) &&
        !str_is_set(codex->command.model.text)) {
        return codex->command.lost_model;
    }
    if (is_option || (role != ROLE_PRIMARY && role != ROLE_PROFILE)) {
        return asked;
    }
    for (size_t i = 0; codex->user && i < codex->user->wish_count; i++) {
        /* A model under a wrong name is what was asked when no file says another. */
        bool is_default = model->origin.kind == ORIGIN_DEFAULT || !str_is_set(model->text);
        if (is_default && str_eq(codex->user->wishes[i].key, STR("model"))) {
            return codex->user->wishes[i].value;
        }
    }
    for (const struct value *v = model; v; v = v->shadowed) {
        bool is_users = codex->user && str_eq(v->origin.name, codex->user->source.path);
        bool is_profiles = start->own && str_eq(v->origin.name, start->own->source.path);
        if (is_profiles || is_users) {
            return *v;
        }
    }
    return asked;
}

static void check_model(struct codex *codex, struct draft *draft)
{
    if (str_is_set(draft->model.text) && draft->model.text.len == 0 &&
        codex_behaviour(codex, STR("empty_model_refused"))) {
        codex_refuse(codex, draft, draft->model.origin, STR("bad_value"),
                     STR("model is empty: write a name or leave the key out"));
    }
}

/* Of a file that breaks off nobody knows the rest: what seems to be missing may stand there. */
static bool is_cut_short(const struct start *start)
{
    for (size_t i = 0; i < start->view.stack.count; i++) {
        if (start->view.stack.layers[i]->document.error_count > 0) {
            return true;
        }
    }
    return false;
}

static struct codex_target make(struct codex *codex, const struct start *start, enum role role,
                                struct value model, struct value provider)
{
    struct codex_target item = {.provider = provider};
    struct draft *draft = &item.draft;
    *draft = (struct draft){.client = CODEX,
                            .client_version = codex->version.text,
                            .wants_remarks = codex->request->wants_remarks,
                            .model = model,
                            .auth = rules_provider(codex->rules, codex->client->auth),
                            .is_exact = true,
                            .overlay = &codex->overlay,
                            .is_unsendable = start->is_refused,
                            .is_refused = start->is_refused};
    add_problems(codex, start, role, &draft->problems);
    size_t own_count = draft->problems.count;
    codex_find_provider(codex, &start->view, provider, draft);
    codex_find_route(codex, draft);
    if (role == ROLE_PRIMARY) {
        draft->model = layer_over(codex->arena, draft->model, codex->command.model.text,
                                  codex->command.model.origin);
    }
    draft->proxy = layer_over(codex->arena, draft->proxy, codex->request->proxy,
                              (struct origin){ORIGIN_OPTION, STR("--proxy"), 0, 0});
    if (draft->wants_remarks) {
        remark_shadows(codex->arena, codex->rules, &draft->problems, STR("model_provider"),
                       &provider);
    }
    check_model(codex, draft);
    struct str params = draft->query.text;
    item.target = draft_finish(codex->arena, &codex->overlay.merged, codex->rules, draft);
    codex_follow_query(codex, &item, params);
    if (is_cut_short(start) && item.target.problems.count > own_count) {
        item.target.problems.count = own_count;
    }
    stack_fill_lines(codex->arena, &start->view.stack, &item.target.problems, 0);
    item.target.role = role;
    item.target.provider_id = provider.text;
    item.target.is_unread = role == ROLE_FALLBACK;
    item.target.asked = asked_model(codex, start, role, &item.target.model);
    return item;
}

static struct str add(struct codex *codex, const struct start *start, struct codex_target *item)
{
    item->target.name = add_target(codex->arena, codex->config, item->target);
    codex_add_settings(codex, item, &start->view.stack);
    return item->target.name;
}

/* Entries of a list that people expect to be tried in turn: models, or ids of providers. */
static void add_fallback_entry(struct codex *codex, const struct start *start,
                               const struct codex_target *head, const struct value *said,
                               unsigned *number)
{
    struct value provider = head->provider, model = head->target.model;
    struct str id = said->text;
    bool is_provider =
        stack_node(&start->view.stack, KEY_PATH(STR("model_providers"), id), NULL) != NULL ||
        rules_client_provider(codex->rules, CODEX, id, codex->version.text) != NULL;
    if (is_provider) {
        provider = *said;
    } else {
        model = *said;
    }
    bool is_head =
        str_eq(model.text, head->target.model.text) && str_eq(provider.text, head->provider.text);
    if (is_head && codex->request->wants_remarks) {
        remark_repeated(codex->arena, codex->rules, codex->config, said);
    }
    if (is_head || *number >= FALLBACKS_MAX) {
        return;
    }
    struct codex_target item = make(codex, start, ROLE_FALLBACK, model, provider);
    item.target.fallback_number = ++*number;
    item.target.chain = head->target.name;
    item.prefix = arena_printf(codex->arena, "fallback.%u.", *number);
    add(codex, start, &item);
}

static void add_fallback_list(struct codex *codex, const struct start *start,
                              const struct codex_target *head, const struct layer *layer,
                              const struct node *list, unsigned *number)
{
    size_t count = list->kind == NODE_ARRAY ? list->count : 1;
    for (size_t i = 0; i < count; i++) {
        const struct node *entry = list->kind == NODE_ARRAY ? list->items[i] : list;
        if (entry->kind == NODE_STRING && !str_is_empty(entry->string)) {
            const struct value said = {.text = entry->string,
                                       .origin = note_origin(&layer->source, entry->pos)};
            add_fallback_entry(codex, start, head, &said, number);
        }
    }
}

/* Lists at the top, in the chosen profile and in the provider's table; of each the strongest. */
static void add_fallbacks(struct codex *codex, const struct start *start,
                          const struct codex_target *head)
{
    unsigned number = 0;
    for (size_t i = 0; i < rules_client_key_count(codex->rules); i++) {
        const struct client_key *key = rules_client_key_at(codex->rules, i);
        struct str rest = key->path, part;
        struct key_path path = {.count = 0};
        if (!key->is_fallback || !str_eq(key->client, CODEX)) {
            continue;
        }
        while (path.count < 4 && str_split(&rest, '.', &part)) {
            bool is_profile = path.count && str_eq(path.parts[0], STR("profiles"));
            struct str name = is_profile ? start->view.profile : head->provider.text;
            path.parts[path.count++] = str_eq(part, STR("*")) ? name : part;
        }
        const struct layer *layer = NULL;
        const struct node *list = stack_node(&start->view.stack, path, &layer);
        if (list) {
            add_fallback_list(codex, start, head, layer, list, &number);
        }
    }
}

static void add_review(struct codex *codex, const struct start *start,
                       const struct codex_target *head)
{
    struct value model = codex_string(codex, &start->view, STR("review_model"));
    if (!str_is_empty(model.text) && !str_eq(model.text, head->target.model.text)) {
        struct codex_target item = make(codex, start, ROLE_REVIEW, model, head->provider);
        item.prefix = STR("review.");
        add(codex, start, &item);
    }
}

static void add_profile(struct codex *codex, const struct start *start,
                        const struct codex_target *head, struct str name)
{
    struct value model = model_of(codex, start), provider = provider_of(codex, start);
    if (codex->profiles.count < PROFILES_MAX && !str_eq(name, codex->chosen_profile)) {
        codex->profiles.names[codex->profiles.count] = name;
        codex->profiles.providers[codex->profiles.count++] = provider.text;
    }
    if (str_eq(model.text, head->target.model.text) && str_eq(provider.text, head->provider.text)) {
        return;
    }
    struct codex_target item = make(codex, start, ROLE_PROFILE, model, provider);
    item.prefix = arena_printf(codex->arena, "profile.%.*s.", STR_ARG(codex_name(codex, name)));
    add(codex, start, &item);
}

static void add_table_profiles(struct codex *codex, const struct codex_target *head)
{
    size_t count;
    struct codex_view plain = codex_view_of(codex, NULL, (struct str){NULL, 0});
    struct str *names = stack_names(codex->arena, &plain.stack, KEY_PATH(STR("profiles")), &count);
    for (size_t i = 0; i < count && i < PROFILES_MAX; i++) {
        struct codex_view view = codex_view_of(codex, NULL, names[i]);
        const struct problems none = {0};
        struct start start = start_of(codex, view, none);
        add_profile(codex, &start, head, names[i]);
    }
}

static void add_file_profiles(struct codex *codex, const struct codex_target *head)
{
    struct str names[PROFILES_MAX];
    size_t count = codex_list_profiles(codex, names);
    for (size_t i = 0; i < count; i++) {
        if (str_eq(names[i], codex->command.profile.text)) {
            continue;
        }
        struct str path = arena_printf(codex->arena, "%.*s/%.*s.config.toml", STR_ARG(codex->home),
                                       STR_ARG(names[i]));
        struct layer *layer = codex_open(codex, path, STR("profile file"), NULL);
        const struct problems none = {0};
        if (layer) {
            struct codex_view view = codex_view_of(codex, layer, (struct str){NULL, 0});
            struct start start = start_of(codex, view, none);
            start.own = layer;
            add_profile(codex, &start, head, names[i]);
        }
    }
}

/* The models besides the one that a plain start asks. */
static void add_further(struct codex *codex, const struct start *start,
                        const struct codex_target *head)
{
    if (str_is_set(codex->request->model)) {
        return; /* it stands over every other model that is configured */
    }
    add_fallbacks(codex, start, head);
    add_review(codex, start, head);
    if (codex->request->command_count) {
        return; /* other profiles are no part of that command line */
    }
    if (codex_behaviour(codex, STR("profile_files"))) {
        add_file_profiles(codex, head);
    } else {
        add_table_profiles(codex, head);
    }
}

void codex_add_targets(struct codex *codex)
{
    struct problems problems = {0};
    struct codex_view view = codex_choose_view(codex, &problems);
    struct start start = start_of(codex, view, problems);
    struct codex_target head =
        make(codex, &start, ROLE_PRIMARY, model_of(codex, &start), provider_of(codex, &start));
    head.prefix = STR("");
    codex->chosen_profile = view.profile;
    codex_check_running(codex, &view);
    head.target.name = add(codex, &start, &head);
    add_further(codex, &start, &head);
    if (codex->request->wants_settings) {
        codex_add_other_settings(codex, &view);
    }
    if (codex->request->wants_remarks) {
        codex_check_unused(codex, &view, &head.provider);
    }
}
