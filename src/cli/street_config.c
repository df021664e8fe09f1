/* The beginning of the street: what the command line says about configuration, which targets are
 * meant, and which failures count for --fail-on. Takes words of the user, gives an error with the
 * nearest names for unknown ones. */
#include "cli/street.h"

#include "base/program.h"
#include "cli/say.h"
#include "cli/suggest.h"
#include "rules/client.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define VERSION_TIMEOUT_MS 2000
#define VERSION_BYTES_MAX 256

static enum err_code check_client(const struct cli *cli, struct err *err)
{
    struct names names = {0};
    struct str client = cli->options.client, version = cli->options.client_version;
    if (str_is_set(version) && !str_eq(version_find(version), version)) {
        return err_set(err, ERR_USAGE,
                       "--client-version takes a version such as 0.171.0, not \"%.*s\"",
                       STR_ARG(version));
    }
    if (!str_is_set(client) || config_client_exists(client)) {
        return ERR_OK;
    }
    for (size_t i = 0; i < config_client_count(); i++) {
        names_add(cli->arena, &names, config_client_at(i));
    }
    struct str list = names_list(cli->arena, &names);
    return err_set(err, ERR_USAGE, "--client takes one of %.*s, not \"%.*s\"%.*s", STR_ARG(list),
                   STR_ARG(client), STR_ARG(suggest_nearest(cli->arena, &names, client)));
}

/* What `program --version` prints. */
static struct str ask_version(void *context, struct arena *arena, struct str program)
{
    const struct cli *cli = context;
    const char *const argv[] = {arena_cstr(arena, program), "--version", NULL};
    return program_output(arena, cli->env, argv, VERSION_TIMEOUT_MS, VERSION_BYTES_MAX);
}

struct config_request street_config_request(struct cli *cli)
{
    struct str timeout = {NULL, 0};
    if (cli->options.timeout_ms > 0) {
        timeout = arena_printf(cli->arena, "%lldms", (long long)cli->options.timeout_ms);
    }
    return (struct config_request){
        .config_path = cli->options.config,
        .client = cli->options.client,
        .client_version = cli->options.client_version,
        .profile = cli->options.profile,
        .directory = cli->options.directory,
        .ask_version = ask_version,
        .ask_context = cli,
        .model = cli->options.model,
        .timeout = timeout,
        .wants_remarks = cli->command->wants_remarks,
        .wants_settings = cli->command->lists_settings,
        .wants_unread = cli->options.wants_all,
        .process_directory = cli->command->wants_remarks ? STR("/proc") : (struct str){NULL, 0},
    };
}

/* The operands of a command that takes a command line: the client's program, then its words. */
static enum err_code take_command_line(const struct street *street, struct config_request *request,
                                       struct err *err)
{
    const struct cli *cli = street->cli;
    if (!cli->command->takes_command_line || cli->operand_count == 0) {
        return ERR_OK;
    }
    const struct client *client = rules_client_of_program(street->rules, cli->operands[0]);
    if (!client || !config_client_exists(client->id)) {
        return err_set(err, ERR_USAGE,
                       "behind -- stands a command line that begins with codex, not with \"%.*s\"",
                       STR_ARG(cli->operands[0]));
    }
    request->client = client->id;
    request->command = cli->operands + 1;
    request->command_count = cli->operand_count - 1;
    return ERR_OK;
}

/* A directory that is named must be there, else files of projects would be missed in silence. */
static enum err_code check_directory(const struct cli *cli, struct err *err)
{
    struct str path = cli->options.directory;
    struct stat status;
    if (!str_is_set(path)) {
        return ERR_OK;
    }
    if (stat(arena_cstr(cli->arena, path), &status) != 0) {
        return err_set(err, ERR_FILE, "-C %.*s: %s", STR_ARG(path), strerror(errno));
    }
    return S_ISDIR(status.st_mode)
               ? ERR_OK
               : err_set(err, ERR_FILE, "-C %.*s: this is no directory", STR_ARG(path));
}

enum err_code street_configure(struct street *street, struct err *err)
{
    struct cli *cli = street->cli;
    struct config_request request = street_config_request(cli);
    request.wants_all_keys = street->wants_all_keys;
    enum err_code code = check_client(cli, err);
    if (!code) {
        code = check_directory(cli, err);
    }
    if (!code) {
        code = take_command_line(street, &request, err);
    }
    if (!code) {
        code = config_load(cli->arena, cli->env, street->rules, &request, &street->config, err);
    }
    if (code) {
        return code;
    }
    const struct config *config = &street->config;
    street->targets = ARENA_ARRAY(cli->arena, config->target_count + 1, const struct target *);
    for (size_t i = 0; i < config->target_count; i++) {
        street->targets[i] = &config->targets[i];
    }
    street->target_count = config->target_count;
    street->report.files = config->files;
    street->report.file_count = config->file_count;
    for (size_t i = 0; i < config->problems.count; i++) {
        problems_add(cli->arena, &street->problems, config->problems.items[i]);
    }
    street_hide_secrets(street);
    return ERR_OK;
}

enum err_code street_select(struct street *street, const struct str *names, size_t count,
                            struct err *err)
{
    struct arena *arena = street->cli->arena;
    bool *is_wanted = ARENA_ARRAY(arena, street->target_count + 1, bool);
    for (size_t n = 0; n < count; n++) {
        struct names known = {0};
        bool is_found = false;
        for (size_t i = 0; i < street->target_count; i++) {
            const struct target *target = street->targets[i];
            if (str_eq(target->name, names[n]) || str_eq(target->model.text, names[n])) {
                is_wanted[i] = is_found = true;
            }
            names_add(arena, &known, target->name);
            if (!str_eq(target->name, target->model.text)) {
                names_add(arena, &known, target->model.text);
            }
        }
        if (!is_found) {
            struct str hint = suggest_nearest(arena, &known, names[n]);
            hint = hint.len ? hint : suggest_any(arena, &known);
            return err_set(err, ERR_USAGE, "no target or model is called \"%.*s\"%.*s",
                           STR_ARG(names[n]), STR_ARG(hint));
        }
    }
    size_t kept = 0;
    for (size_t i = 0; count && i < street->target_count; i++) {
        if (is_wanted[i]) {
            street->targets[kept++] = street->targets[i];
        }
    }
    street->target_count = count ? kept : street->target_count;
    return ERR_OK;
}

/* Every word that --fail-on takes. */
static void list_failures(const struct street *street, struct names *names)
{
    struct arena *arena = street->cli->arena;
    for (size_t i = 0; i < BLAME_COUNT; i++) {
        names_add(arena, names, blame_name((enum blame)i));
    }
    for (size_t i = 0; i < rules_diagnosis_count(street->rules); i++) {
        names_add(arena, names, rules_diagnosis_at(street->rules, i)->layer);
        names_add(arena, names, rules_diagnosis_at(street->rules, i)->id);
    }
}

enum err_code street_read_fail_on(struct street *street, struct err *err)
{
    struct arena *arena = street->cli->arena;
    struct str rest = street->cli->options.fail_on, word;
    struct names known = {0}, wanted = {0};
    if (!str_is_set(rest)) {
        return ERR_OK;
    }
    list_failures(street, &known);
    while (str_split(&rest, ',', &word)) {
        word = str_trim(word);
        bool is_known = false;
        for (size_t i = 0; i < known.count; i++) {
            is_known = is_known || str_eq(known.items[i], word);
        }
        if (!is_known) {
            struct str hint = suggest_nearest(arena, &known, word);
            return err_set(err, ERR_USAGE,
                           "--fail-on takes layers, blames and diagnoses parted by commas; "
                           "\"%.*s\" is none%.*s",
                           STR_ARG(word), STR_ARG(hint));
        }
        names_add(arena, &wanted, word);
    }
    street->fail_on = wanted.items;
    street->fail_on_count = wanted.count;
    street->report.fail_on = wanted.items;
    street->report.fail_on_count = wanted.count;
    return ERR_OK;
}

void street_say_problems(struct street *street)
{
    say_problems(street->cli, &street->problems);
    street->problems = (struct problems){0};
}
