/* The client's own directory for a watched run. Takes the files that its row names, leaves out what
 * starts other programs or leads elsewhere, and writes the rest as copies that only the user may
 * read. The originals are read and never written. */
#include "cli/observe.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/text.h"
#include "cli/say.h"
#include "syntax/dotenv.h"
#include "syntax/jsonc.h"
#include "syntax/toml.h"
#include "syntax/write.h"

#include <dirent.h>
#include <stdlib.h>

#define FILE_BYTES_MAX ((size_t)4 * 1024 * 1024)
#define FILES_MAX 100

struct str observe_path_of(struct str url)
{
    ptrdiff_t colon = str_find(url, STR("://"));
    if (colon < 0) {
        return STR("");
    }
    struct str rest = str_slice(url, (size_t)colon + 3, url.len);
    ptrdiff_t slash = str_find_char(rest, '/');
    struct str path = slash < 0 ? STR("") : str_slice(rest, (size_t)slash, rest.len);
    /* What would end a quoted value early is no path of an API. */
    bool is_plain = str_find_char(path, '"') < 0 && str_find_char(path, '\\') < 0 &&
                    str_find_char(path, '\n') < 0 && str_find_char(path, '\r') < 0;
    return is_plain ? path : STR("");
}

void observe_add_route(struct observe_plan *plan, bool is_setting, struct str name, struct str path)
{
    for (size_t i = 0; i < plan->route_count; i++) {
        if (plan->routes[i].is_setting == is_setting && str_eq(plan->routes[i].name, name)) {
            return; /* the first that was said is the one in force */
        }
    }
    plan->routes = arena_grow(plan->street->cli->arena, plan->routes, plan->route_count,
                              &plan->route_capacity, sizeof *plan->routes);
    plan->routes[plan->route_count++] = (struct observe_route){is_setting, name, path};
}

static void add_file(struct observe_plan *plan, struct str name, struct str content)
{
    plan->files = arena_grow(plan->street->cli->arena, plan->files, plan->file_count,
                             &plan->file_capacity, sizeof *plan->files);
    plan->files[plan->file_count++] = (struct observe_file){name, content};
}

static void refuse(struct observe_plan *plan, struct str path, const struct syntax_error *error,
                   struct str why)
{
    struct cli *cli = plan->street->cli;
    if (!str_is_set(plan->refusal)) {
        struct str place =
            error ? arena_printf(cli->arena, ":%u:%u", error->pos.line, error->pos.column)
                  : STR("");
        plan->refusal = arena_printf(cli->arena, "%.*s%.*s: %.*s", STR_ARG(path), STR_ARG(place),
                                     STR_ARG(error ? error->message : why));
    }
}

static void add_variable(struct observe_plan *plan, struct str name, struct str value)
{
    plan->dotenv = arena_grow(plan->street->cli->arena, plan->dotenv, plan->dotenv_count,
                              &plan->dotenv_capacity, sizeof *plan->dotenv);
    plan->dotenv[plan->dotenv_count++] = (struct header){name, value};
}

/* Variables that a file of settings holds. */
static void take_variables(struct observe_plan *plan, const struct node *table)
{
    for (size_t i = 0; table && table->kind == NODE_TABLE && i < table->count; i++) {
        if (table->entries[i].value->kind == NODE_STRING) {
            add_variable(plan, table->entries[i].key, table->entries[i].value->string);
        }
    }
}

/* Base URLs of the user's own providers, and the list of models that people expect to be tried. */
static void take_settings(struct observe_plan *plan, const struct node *root)
{
    struct cli *cli = plan->street->cli;
    const struct client_run *row = plan->row;
    const struct node *providers =
        str_is_set(row->providers) ? node_get(root, row->providers) : NULL;
    for (size_t i = 0; providers && providers->kind == NODE_TABLE && i < providers->count; i++) {
        struct str id = providers->entries[i].key;
        struct str url = node_string(node_get(providers->entries[i].value, row->url_key));
        if (str_is_set(url) && str_find_char(id, '.') < 0 && str_find_char(id, '"') < 0 &&
            !rules_client_provider(plan->street->rules, row->client, id, plan->version)) {
            observe_add_route(plan, true,
                              arena_printf(cli->arena, "%.*s.%.*s.%.*s", STR_ARG(row->providers),
                                           STR_ARG(id), STR_ARG(row->url_key)),
                              observe_path_of(url));
        }
    }
    if (str_is_set(row->variables_key)) {
        take_variables(plan, node_get(root, row->variables_key));
    }
    for (size_t i = 0; i < rules_client_key_count(plan->street->rules); i++) {
        const struct client_key *key = rules_client_key_at(plan->street->rules, i);
        if (key->is_fallback && str_eq(key->client, row->client) && node_get(root, key->path) &&
            !str_is_set(plan->fallback_key)) {
            plan->fallback_key = key->path;
        }
    }
}

/* A copy of a file of settings without the keys that are to be left out. A file that cannot be read
 * as its client reads it cannot be cleaned, so it is not handed on. */
static void copy_settings(struct observe_plan *plan, struct str name, struct str path,
                          struct str text)
{
    struct cli *cli = plan->street->cli;
    bool is_toml = str_ends(name, STR(".toml"));
    struct document document = {0};
    bool is_read = is_toml ? toml_parse(cli->arena, text, TOML_1_1, &document)
                           : json_parse(cli->arena, text, JSON_STRICT, &document);
    if (!is_read || !document.root || document.root->kind != NODE_TABLE) {
        refuse(plan, path, document.error_count ? document.errors : NULL,
               STR("this is no file of settings"));
        return;
    }
    size_t drop_count = plan->row->drop_count;
    struct str *drops = ARENA_ARRAY(cli->arena, drop_count + 1, struct str);
    for (size_t i = 0; i < drop_count; i++) {
        drops[i] = plan->row->drops[i];
    }
    if (str_is_set(plan->row->variables_key)) {
        drops[drop_count++] = plan->row->variables_key;
    }
    const struct write_edit edit = {.drops = drops,
                                    .drop_count = drop_count,
                                    .paths = plan->row->paths,
                                    .path_count = plan->row->path_count,
                                    .directory = plan->home,
                                    .home = env_get(cli->env, "HOME")};
    struct buf out = buf_create(2 * FILE_BYTES_MAX);
    syntax_write(document.root, is_toml ? WRITE_TOML : WRITE_JSON, &edit, &out);
    add_file(plan, name, arena_dup(cli->arena, buf_str(&out)));
    buf_free(&out);
    take_settings(plan, document.root);
}

static void copy(struct observe_plan *plan, struct str name)
{
    struct cli *cli = plan->street->cli;
    struct str text = {NULL, 0};
    int os_errno = 0;
    struct str path = arena_printf(cli->arena, "%.*s/%.*s", STR_ARG(plan->home), STR_ARG(name));
    enum file_status status =
        file_read(cli->arena, arena_cstr(cli->arena, path), FILE_BYTES_MAX, &text, &os_errno);
    if (status == FILE_MISSING) {
        return;
    }
    if (status != FILE_OK) {
        refuse(plan, path, NULL, file_status_text(cli->arena, status, FILE_BYTES_MAX, os_errno));
    } else if (str_ends(name, STR(".toml")) || str_ends(name, STR("settings.json"))) {
        copy_settings(plan, name, path, text);
    } else {
        add_file(plan, name, text);
    }
}

/* Copies all files of the directory that end as the pattern does behind its '*'. */
static void copy_matching(struct observe_plan *plan, struct str pattern)
{
    struct cli *cli = plan->street->cli;
    struct str end = str_slice(pattern, 1, pattern.len);
    DIR *directory = opendir(arena_cstr(cli->arena, plan->home));
    size_t count = 0;
    for (struct dirent *entry; directory && (entry = readdir(directory)) && count < FILES_MAX;) {
        struct str name = str_from(entry->d_name);
        if (name.len > end.len && str_ends(name, end)) {
            copy(plan, arena_dup(cli->arena, name));
            count++;
        }
    }
    if (directory) {
        closedir(directory);
    }
}

/* Variables of the client's own file: they go into the environment, where ours stand over them. */
static void read_dotenv(struct observe_plan *plan)
{
    struct cli *cli = plan->street->cli;
    struct str text = {NULL, 0};
    struct document document = {0};
    const struct client_behaviour *dropped = rules_client_behaviour(
        plan->street->rules, plan->row->client, STR("env_drops"), plan->version);
    struct str path =
        arena_printf(cli->arena, "%.*s/%.*s", STR_ARG(plan->home), STR_ARG(plan->row->dotenv));
    if (file_read(cli->arena, arena_cstr(cli->arena, path), FILE_BYTES_MAX, &text, NULL)) {
        return;
    }
    dotenv_parse(cli->arena, text, cli->env, &document);
    for (size_t i = 0; document.root && i < document.root->count; i++) {
        const struct entry *entry = &document.root->entries[i];
        if (!dropped || !str_istarts(entry->key, dropped->value)) {
            add_variable(plan, entry->key, node_string(entry->value));
        }
    }
}

void observe_read_home(struct observe_plan *plan)
{
    for (size_t i = 0; str_is_set(plan->home) && i < plan->row->copy_count; i++) {
        struct str name = plan->row->copies[i];
        if (str_starts(name, STR("*"))) {
            copy_matching(plan, name);
        } else {
            copy(plan, name);
        }
    }
    if (str_is_set(plan->home) && str_is_set(plan->row->dotenv)) {
        read_dotenv(plan);
    }
}

enum err_code observe_write_home(const struct observe_plan *plan, struct str folder,
                                 struct err *err)
{
    struct cli *cli = plan->street->cli;
    enum err_code code = folder_add(cli->arena, folder, err);
    for (size_t i = 0; !code && i < plan->file_count; i++) {
        const struct observe_file *file = &plan->files[i];
        struct str path =
            arena_printf(cli->arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(file->name));
        code = folder_write(cli->arena, path, file->content, err);
    }
    return code;
}
