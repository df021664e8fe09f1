/* What diagnose observe will run. Takes the operands, finds the program, the rows of rules/clients/
 * that tell how to lead it, and its configuration; runs nothing but `program --version`. */
#include "cli/observe.h"

#include "base/program.h"
#include "cli/say.h"
#include "cli/suggest.h"
#include "config/path.h"

#define VERSION_TIMEOUT_MS 10000
#define VERSION_BYTES_MAX 256
#define TIMEOUT_MS 45000

static struct str base_name(struct str path)
{
    ptrdiff_t slash;
    while ((slash = str_find_char(path, '/')) >= 0) {
        path = str_slice(path, (size_t)slash + 1, path.len);
    }
    return path;
}

/* The row of a client by the name of its program, or by its own id. */
static const struct client_run *row_of(const struct rules *rules, struct str word,
                                       struct str version)
{
    for (size_t i = 0; i < rules_client_run_count(rules); i++) {
        const struct client_run *row = rules_client_run_at(rules, i);
        bool is_meant = str_is_set(row->program) &&
                        (str_eq(row->program, base_name(word)) || str_eq(row->client, word));
        if (is_meant && (!str_is_set(version) || version_is_in(version, row->range))) {
            return row;
        }
    }
    return NULL;
}

static enum err_code find_program(struct observe_plan *plan, struct err *err)
{
    struct cli *cli = plan->street->cli;
    struct names names = {0};
    plan->path = program_find(cli->arena, cli->env, plan->program);
    if (plan->path) {
        return ERR_OK;
    }
    for (size_t i = 0; i < rules_client_run_count(plan->street->rules); i++) {
        const struct client_run *row = rules_client_run_at(plan->street->rules, i);
        if (str_is_set(row->program)) {
            names_add(cli->arena, &names, row->program);
        }
    }
    return err_set(err, ERR_USAGE, "there is no program \"%.*s\" here to run%.*s",
                   STR_ARG(plan->program),
                   STR_ARG(suggest_nearest(cli->arena, &names, plan->program)));
}

/* The version that is asked for, else what the program itself says. */
static void find_version(struct observe_plan *plan)
{
    struct cli *cli = plan->street->cli;
    const char *const argv[] = {plan->path, "--version", NULL};
    plan->version = cli->options.client_version;
    if (!str_is_set(plan->version)) {
        plan->version = version_find(
            program_output(cli->arena, cli->env, argv, VERSION_TIMEOUT_MS, VERSION_BYTES_MAX));
    }
}

/* Reads the configuration of the client, or of all for the keys that no output may hold. */
static enum err_code configure(struct observe_plan *plan, struct err *err)
{
    struct street *street = plan->street;
    struct config_request request = street_config_request(street->cli);
    request.ask_version = NULL;
    if (plan->row && config_client_exists(plan->row->client)) {
        request.client = plan->row->client;
    }
    request.client_version = plan->version;
    if (plan->row) {
        request.directory = STR("/"); /* it will run where no project is */
    }
    enum err_code code = config_load(street->cli->arena, street->cli->env, street->rules, &request,
                                     &street->config, err);
    street_hide_secrets(street);
    for (size_t i = 0; plan->row && !plan->target && i < street->config.target_count; i++) {
        const struct target *target = &street->config.targets[i];
        plan->target = str_eq(target->client, plan->row->client) ? target : NULL;
    }
    return code;
}

/* The value of a setting of the client's first target, as config lists it. */
static struct str setting_of(const struct observe_plan *plan, struct str key)
{
    const struct config *config = &plan->street->config;
    for (size_t i = 0; i < config->setting_count; i++) {
        const struct setting *setting = &config->settings[i];
        if (str_eq(setting->client, plan->row->client) && str_eq(setting->key, key)) {
            return setting->value;
        }
    }
    return (struct str){NULL, 0};
}

static struct str behaviour_of(const struct observe_plan *plan, struct str name)
{
    const struct client_behaviour *behaviour =
        rules_client_behaviour(plan->street->rules, plan->row->client, name, plan->version);
    return behaviour ? behaviour->value : (struct str){NULL, 0};
}

static struct str or_else(struct str text, struct str other)
{
    return str_is_set(text) ? text : other;
}

/* Moves one built-in provider. False when there is no way to. */
static bool add_builtin(struct observe_plan *plan, const struct client_provider *row,
                        struct str base_url)
{
    struct str path = observe_path_of(str_is_set(base_url) ? base_url : row->base_url);
    if (str_is_set(row->url_key)) {
        observe_add_route(plan, true, row->url_key, path);
    }
    if (str_is_set(row->url_env)) {
        observe_add_route(plan, false, row->url_env, path);
    }
    return str_is_set(row->url_key) || str_is_set(row->url_env);
}

static bool is_plain_name(struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (!(str_is_alnum(c) || c == '_' || c == '-')) {
            return false;
        }
    }
    return name.len > 0;
}

/* The provider in force first, so that its paths win; then the other built-in ones, since the
 * command line may choose another. */
static void add_providers(struct observe_plan *plan)
{
    struct cli *cli = plan->street->cli;
    const struct rules *rules = plan->street->rules;
    struct str id = or_else(setting_of(plan, STR("model_provider")),
                            behaviour_of(plan, STR("default_provider")));
    struct str base_url = plan->target ? plan->target->base_url.text : (struct str){NULL, 0};
    const struct client_provider *builtin =
        rules_client_provider(rules, plan->row->client, id, plan->version);
    bool is_led = true;
    if (builtin) {
        plan->has_login = builtin->has_login && plan->target && plan->target->is_uncapped;
        is_led = add_builtin(plan, builtin, base_url);
    } else if (str_is_set(plan->row->providers) && !str_is_empty(id)) {
        is_led = is_plain_name(id);
        struct str name = arena_printf(cli->arena, "%.*s.%.*s.%.*s", STR_ARG(plan->row->providers),
                                       STR_ARG(id), STR_ARG(plan->row->url_key));
        observe_add_route(plan, true, name, observe_path_of(base_url));
    }
    if (!is_led) {
        plan->refusal =
            cli->lang == LANG_ZH
                ? arena_printf(cli->arena, "无法用 %.*s 自身的手段改变服务商 %.*s 的主机",
                               STR_ARG(plan->title), STR_ARG(id))
                : arena_printf(cli->arena,
                               "the host of provider %.*s cannot be led elsewhere by means of %.*s",
                               STR_ARG(id), STR_ARG(plan->title));
    }
    for (size_t i = 0; i < rules_client_provider_count(rules); i++) {
        const struct client_provider *row = rules_client_provider_at(rules, i);
        if (row != builtin && str_eq(row->client, plan->row->client) &&
            (!str_is_set(plan->version) || version_is_in(plan->version, row->range))) {
            add_builtin(plan, row, (struct str){NULL, 0});
        }
    }
}

/* The directory of the client's files: where its variable says, or below the user's home. */
static void find_home(struct observe_plan *plan)
{
    struct cli *cli = plan->street->cli;
    struct str moved = (struct str){NULL, 0};
    if (str_is_set(plan->row->home_variable)) {
        moved = env_get(cli->env, arena_cstr(cli->arena, plan->row->home_variable));
    }
    const struct config_request request = {0};
    struct str user_home = path_home(cli->env, &request);
    if (!str_is_empty(moved)) {
        plan->home = path_resolve(cli->arena, user_home, (struct str){NULL, 0}, moved);
    } else if (str_is_set(user_home) && str_is_set(plan->row->home)) {
        plan->home =
            arena_printf(cli->arena, "%.*s/%.*s", STR_ARG(user_home), STR_ARG(plan->row->home));
    }
}

static void name_client(struct observe_plan *plan)
{
    struct cli *cli = plan->street->cli;
    const struct client *client =
        plan->row ? rules_client(plan->street->rules, plan->row->client) : NULL;
    plan->client = plan->row ? plan->row->client : base_name(plan->program);
    plan->title = client ? client->name.in[cli->lang] : plan->client;
    if (client && str_is_set(plan->version)) {
        plan->title =
            arena_printf(cli->arena, "%.*s %.*s", STR_ARG(plan->title), STR_ARG(plan->version));
    }
}

/* The profile of --profile, as the client itself takes it. */
static void choose_profile(struct observe_plan *plan)
{
    struct cli *cli = plan->street->cli;
    struct str *words = ARENA_ARRAY(cli->arena, plan->argument_count + 2, struct str);
    for (size_t i = 0; i < plan->argument_count; i++) {
        words[i] = plan->arguments[i];
    }
    if (str_is_set(plan->row->profile_option)) {
        words[plan->argument_count++] = plan->row->profile_option;
        words[plan->argument_count++] = cli->options.profile;
    }
    plan->arguments = words;
}

static void take_arguments(struct observe_plan *plan)
{
    const struct cli *cli = plan->street->cli;
    plan->arguments = cli->operands + 1;
    plan->argument_count = cli->operand_count - 1;
    if (plan->row && plan->argument_count == 0) {
        plan->arguments = plan->row->arguments;
        plan->argument_count = plan->row->argument_count;
        plan->is_usual = true;
    }
    if (plan->row && plan->is_usual && str_is_set(cli->options.profile)) {
        choose_profile(plan);
    }
}

/* A variable as the client would see it: that of its own files over the shell's. */
static struct str variable_of(const struct observe_plan *plan, struct str name)
{
    struct cli *cli = plan->street->cli;
    for (size_t i = plan->dotenv_count; i > 0; i--) {
        if (str_eq(plan->dotenv[i - 1].name, name)) {
            return plan->dotenv[i - 1].value;
        }
    }
    return env_get(cli->env, arena_cstr(cli->arena, name));
}

/* Base URLs by variables, for programs that no row knows: all that are known. */
static void add_known_variables(struct observe_plan *plan)
{
    for (size_t i = 0; i < rules_client_run_count(plan->street->rules); i++) {
        const struct client_run *row = rules_client_run_at(plan->street->rules, i);
        for (size_t j = 0; j < row->url_count && (!plan->row || row == plan->row); j++) {
            struct str set = variable_of(plan, row->urls[j].name);
            struct str path = str_is_empty(set) ? row->urls[j].value : observe_path_of(set);
            observe_add_route(plan, false, row->urls[j].name, path);
        }
    }
}

enum err_code observe_plan(struct street *street, struct observe_plan *plan, struct err *err)
{
    struct cli *cli = street->cli;
    *plan = (struct observe_plan){.street = street};
    if (cli->operand_count == 0) {
        return err_set(err, ERR_USAGE,
                       "observe takes a client or a command: diagnose observe codex, or diagnose "
                       "observe -- COMMAND...");
    }
    struct str word = cli->operands[0];
    plan->row = row_of(street->rules, str_is_set(cli->options.client) ? cli->options.client : word,
                       (struct str){NULL, 0});
    bool is_id = plan->row && str_eq(word, plan->row->client);
    plan->program = is_id ? plan->row->program : word;
    enum err_code code = find_program(plan, err);
    if (code) {
        return code;
    }
    if (plan->row) {
        find_version(plan);
        const struct client_run *exact = row_of(street->rules, plan->row->client, plan->version);
        plan->row = exact ? exact : plan->row;
    }
    plan->timeout_ms = cli->options.timeout_ms > 0 ? cli->options.timeout_ms : TIMEOUT_MS;
    name_client(plan);
    take_arguments(plan);
    code = configure(plan, err);
    if (!code && plan->row) {
        const struct target *target = plan->target;
        if (target && str_is_set(target->skip_reason) && str_is_empty(target->key.value)) {
            plan->refusal = target->skip_reason;
        }
        find_home(plan);
        add_providers(plan);
        observe_read_home(plan);
    }
    if (!code) {
        add_known_variables(plan);
    }
    return code;
}
