/* Leading a client to the recorder. Takes the plan and the recorder's port, gives the command line
 * and the environment: base URLs by the client's own means, and proxy variables that lead every
 * other host to the recorder as well, which lets nobody through. */
#include "cli/observe.h"

#include "base/buf.h"

#include <string.h>

#define VALUE_BYTES_MAX 65536

static struct str address_of(struct arena *arena, unsigned port)
{
    return arena_printf(arena, "http://127.0.0.1:%u", port);
}

/* The text with {recorder}, {base} and {home} filled in. */
static struct str filled(const struct observe_plan *plan, struct str text, unsigned port,
                         struct str home)
{
    struct arena *arena = plan->street->cli->arena;
    struct str address = address_of(arena, port);
    struct str path = plan->target ? observe_path_of(plan->target->base_url.text) : STR("");
    const struct {
        struct str word, value;
    } words[] = {
        {STR("{recorder}"), address},
        {STR("{base}"), arena_printf(arena, "%.*s%.*s", STR_ARG(address), STR_ARG(path))},
        {STR("{home}"), home},
    };
    struct buf out = buf_create(VALUE_BYTES_MAX);
    while (text.len) {
        size_t taken = 1;
        struct str part = str_slice(text, 0, 1);
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (str_starts(text, words[i].word)) {
                taken = words[i].word.len;
                part = words[i].value;
            }
        }
        buf_add(&out, part);
        text = str_slice(text, taken, text.len);
    }
    struct str result = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return result;
}

/* Settings go behind all that the user wrote, so that they win, but before a "--". */
static size_t place_of_settings(const struct observe_plan *plan)
{
    size_t at = 0;
    while (at < plan->argument_count && !str_eq(plan->arguments[at], STR("--"))) {
        at++;
    }
    return at;
}

/* The words of a command line under construction; there is room for all. */
struct command_line {
    struct arena *arena;
    const char **items;
    size_t count;
};

static void add_setting(struct command_line *line, const struct client_run *row, struct str name,
                        struct str value)
{
    line->items[line->count++] = arena_cstr(line->arena, row->option);
    line->items[line->count++] =
        arena_printf(line->arena, "%.*s=%.*s", STR_ARG(name), STR_ARG(value)).ptr;
}

static void add_settings(struct command_line *line, const struct observe_plan *plan, unsigned port)
{
    const struct client_run *row = plan->row;
    struct str address = address_of(line->arena, port);
    for (size_t i = 0; i < plan->route_count; i++) {
        const struct observe_route *route = &plan->routes[i];
        if (route->is_setting) {
            add_setting(
                line, row, route->name,
                arena_printf(line->arena, "\"%.*s%.*s\"", STR_ARG(address), STR_ARG(route->path)));
        }
    }
    for (size_t i = 0; row && i < row->setting_count; i++) {
        add_setting(line, row, row->settings[i].name,
                    filled(plan, row->settings[i].value, port, STR("")));
    }
    for (size_t i = 0; plan->has_login && i < row->login_setting_count; i++) {
        add_setting(line, row, row->login_settings[i].name,
                    filled(plan, row->login_settings[i].value, port, STR("")));
    }
}

const char **observe_argv(const struct observe_plan *plan, unsigned port)
{
    struct arena *arena = plan->street->cli->arena;
    size_t settings = plan->row ? plan->row->setting_count + plan->row->login_setting_count : 0;
    size_t room = plan->argument_count + 2 * (plan->route_count + settings) + 2;
    struct command_line line = {.arena = arena, .items = ARENA_ARRAY(arena, room, const char *)};
    size_t place = place_of_settings(plan);
    line.items[line.count++] = arena_cstr(arena, plan->program);
    for (size_t i = 0; i <= plan->argument_count; i++) {
        if (i == place) {
            add_settings(&line, plan, port);
        }
        if (i < plan->argument_count) {
            line.items[line.count++] = arena_cstr(arena, plan->arguments[i]);
        }
    }
    return line.items;
}

/* An environment under construction. */
struct variables {
    struct arena *arena;
    char **items;
    size_t count, capacity;
};

static void remove_variable(struct variables *variables, struct str name)
{
    size_t kept = 0;
    for (size_t i = 0; i < variables->count; i++) {
        struct str item = str_from(variables->items[i]);
        bool is_it = str_starts(item, name) && item.len > name.len && item.ptr[name.len] == '=';
        if (!is_it) {
            variables->items[kept++] = variables->items[i];
        }
    }
    variables->count = kept;
    if (variables->items) {
        variables->items[kept] = NULL;
    }
}

static void grow(struct variables *variables)
{
    variables->items = arena_grow(variables->arena, variables->items, variables->count,
                                  &variables->capacity, sizeof *variables->items);
}

static void add_text(struct variables *variables, char *text)
{
    grow(variables);
    variables->items[variables->count++] = text;
    grow(variables);
    variables->items[variables->count] = NULL;
}

static void set(struct variables *variables, struct str name, struct str value)
{
    struct str text = arena_printf(variables->arena, "%.*s=%.*s", STR_ARG(name), STR_ARG(value));
    char *copy = ARENA_ARRAY(variables->arena, text.len + 1, char);
    memcpy(copy, text.ptr, text.len);
    remove_variable(variables, name);
    add_text(variables, copy);
}

static void set_proxies(struct variables *variables, unsigned port)
{
    static const struct str proxies[] = {STR_INIT("HTTP_PROXY"),  STR_INIT("http_proxy"),
                                         STR_INIT("HTTPS_PROXY"), STR_INIT("https_proxy"),
                                         STR_INIT("ALL_PROXY"),   STR_INIT("all_proxy"),
                                         STR_INIT("WS_PROXY"),    STR_INIT("WSS_PROXY")};
    for (size_t i = 0; i < sizeof proxies / sizeof proxies[0]; i++) {
        set(variables, proxies[i], address_of(variables->arena, port));
    }
    set(variables, STR("NO_PROXY"), STR("127.0.0.1"));
    set(variables, STR("no_proxy"), STR("127.0.0.1"));
}

char **observe_variables(const struct observe_plan *plan, unsigned port, struct str user_home,
                         struct str home)
{
    struct cli *cli = plan->street->cli;
    const struct client_run *row = plan->row;
    struct variables variables = {.arena = cli->arena};
    for (char **variable = cli->env->variables; variable && *variable; variable++) {
        add_text(&variables, *variable);
    }
    for (size_t i = 0; i < plan->dotenv_count; i++) {
        set(&variables, plan->dotenv[i].name, plan->dotenv[i].value);
    }
    for (size_t i = 0; row && i < row->unset_count; i++) {
        remove_variable(&variables, row->unset[i]);
    }
    set_proxies(&variables, port);
    for (size_t i = 0; i < plan->route_count; i++) {
        const struct observe_route *route = &plan->routes[i];
        if (!route->is_setting) {
            set(&variables, route->name,
                arena_printf(cli->arena, "%.*s%.*s", STR_ARG(address_of(cli->arena, port)),
                             STR_ARG(route->path)));
        }
    }
    for (size_t i = 0; row && i < row->variable_count; i++) {
        set(&variables, row->variables[i].name, filled(plan, row->variables[i].value, port, home));
    }
    if (str_is_set(home)) {
        set(&variables, STR("HOME"), user_home);
        if (str_is_set(row->home_variable)) {
            set(&variables, row->home_variable, home);
        }
    }
    return variables.items;
}
