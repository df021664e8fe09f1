/* Paths of configuration files: where they are and how they are shown. Pure text; opens nothing. */
#include "config/path.h"

struct str path_home(const struct env *env, const struct config_request *request)
{
    struct str home = request->home;
    if (str_is_empty(home)) {
        home = env_get(env, "HOME");
    }
    while (home.len > 1 && home.ptr[home.len - 1] == '/') {
        home.len--;
    }
    return str_is_empty(home) ? (struct str){NULL, 0} : home;
}

struct str path_shown(struct arena *arena, struct str home, struct str path)
{
    if (home.len > 1 && str_starts(path, home) &&
        (path.len == home.len || path.ptr[home.len] == '/')) {
        return arena_printf(arena, "~%.*s", STR_ARG(str_slice(path, home.len, path.len)));
    }
    return arena_dup(arena, path);
}

struct str path_resolve(struct arena *arena, struct str home, struct str directory, struct str path)
{
    bool is_tilde = str_eq(path, STR("~")) || str_starts(path, STR("~/"));
    if (is_tilde && str_is_set(home)) {
        return arena_printf(arena, "%.*s%.*s", STR_ARG(home),
                            STR_ARG(str_slice(path, 1, path.len)));
    }
    if (str_starts(path, STR("/")) || str_is_empty(directory)) {
        return arena_dup(arena, path);
    }
    const char *slash = str_ends(directory, STR("/")) ? "" : "/";
    return arena_printf(arena, "%.*s%s%.*s", STR_ARG(directory), slash, STR_ARG(path));
}

struct str path_directory(struct str path)
{
    for (size_t end = path.len; end > 0; end--) {
        if (path.ptr[end - 1] == '/') {
            return str_slice(path, 0, end == 1 ? 1 : end - 1);
        }
    }
    return (struct str){NULL, 0};
}

struct str path_user_config(struct arena *arena, const struct env *env, struct str home,
                            struct str name)
{
    struct str xdg = env_get(env, "XDG_CONFIG_HOME");
    if (str_starts(xdg, STR("/"))) {
        return path_resolve(arena, home, xdg, name);
    }
    if (!str_is_set(home)) {
        return (struct str){NULL, 0};
    }
    return arena_printf(arena, "%.*s/.config/%.*s", STR_ARG(home), STR_ARG(name));
}
