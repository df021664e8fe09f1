#ifndef TESTS_CONFIG_WORLD_H
#define TESTS_CONFIG_WORLD_H

/* A scripted machine for tests of config: a home directory of its own, variables, the built-in
 * rules. Header only, since every unit test is one program. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it. */
#include <cmocka.h>

#include "config/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Long enough for every provider, and of OpenAI's shape. */
#define GOOD_KEY "sk-proj-4kq9wzT7bVn2Lx8Rj5Hd6Fs3Gp1Yc0Ma"
#define GOOD_ANTHROPIC_KEY "sk-ant-api03-4kq9wzT7bVn2Lx8Rj5Hd6Fs3Gp1Yc0Ma7Qe"

struct world {
    struct arena *arena;
    struct rules *rules;
    char home[64];
    char *variables[32];
    size_t variable_count;
    struct env env;
    struct config_request request;
    struct config config;
    struct err err;
};

static inline void world_set(struct world *w, const char *variable)
{
    assert_true(w->variable_count + 1 < sizeof w->variables / sizeof w->variables[0]);
    w->variables[w->variable_count++] = strdup(variable);
}

static inline int world_setup(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    struct problems problems = {0};
    char home[80];
    w->arena = arena_create();
    snprintf(w->home, sizeof w->home, "/tmp/diagnose-config-XXXXXX");
    assert_non_null(mkdtemp(w->home));
    assert_int_equal(rules_open((struct str){NULL, 0}, &problems, w->arena, &w->rules, &w->err),
                     ERR_OK);
    snprintf(home, sizeof home, "HOME=%s", w->home);
    world_set(w, home);
    w->env.variables = w->variables;
    w->request.directory = str_from(w->home);
    w->request.wants_settings = true;
    *state = w;
    return 0;
}

static inline int world_teardown(void **state)
{
    struct world *w = *state;
    char command[192];
    snprintf(command, sizeof command, "chmod -R u+rwX '%s'; rm -rf '%s'", w->home, w->home);
    int status = system(command);
    for (size_t i = 0; i < w->variable_count; i++) {
        free(w->variables[i]);
    }
    rules_close(w->rules);
    arena_free(w->arena);
    free(w);
    return status;
}

/* Writes bytes to a file below the home directory, making directories; gives its path. */
static inline struct str world_write(struct world *w, const char *name, const char *bytes,
                                     size_t length)
{
    struct str path = arena_printf(w->arena, "%s/%s", w->home, name);
    for (char *slash = strchr(path.ptr + strlen(w->home) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path.ptr, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path.ptr, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline void world_own(struct world *w, const char *toml)
{
    world_write(w, ".config/diagnose/config.toml", toml, strlen(toml));
}

/* A code that problem.def does not list would be judged by no rule. */
static inline void world_check_codes(const struct problems *problems)
{
    for (size_t i = 0; i < problems->count; i++) {
        if (!problem_code_exists(problems->items[i].code)) {
            fail_msg("no such code: %.*s", STR_ARG(problems->items[i].code));
        }
    }
}

static inline enum err_code world_load(struct world *w)
{
    w->err = (struct err){0};
    enum err_code code = config_load(w->arena, &w->env, w->rules, &w->request, &w->config, &w->err);
    world_check_codes(&w->config.problems);
    for (size_t i = 0; i < w->config.target_count; i++) {
        world_check_codes(&w->config.targets[i].problems);
    }
    return code;
}

/* Loads our own file with this text. */
static inline void world_load_own(struct world *w, const char *toml)
{
    world_own(w, toml);
    assert_int_equal(world_load(w), ERR_OK);
}

static inline const struct problem *find_problem(const struct problems *problems, const char *code)
{
    for (size_t i = 0; i < problems->count; i++) {
        if (str_eq(problems->items[i].code, str_from(code))) {
            return &problems->items[i];
        }
    }
    return NULL;
}

static inline const struct target *find_target(const struct world *w, const char *name)
{
    for (size_t i = 0; i < w->config.target_count; i++) {
        if (str_eq(w->config.targets[i].name, str_from(name))) {
            return &w->config.targets[i];
        }
    }
    return NULL;
}

static inline const struct setting *find_setting(const struct world *w, const char *key)
{
    for (size_t i = 0; i < w->config.setting_count; i++) {
        if (str_eq(w->config.settings[i].key, str_from(key))) {
            return &w->config.settings[i];
        }
    }
    return NULL;
}

#define assert_str(s, text)                                                                        \
    do {                                                                                           \
        struct str assert_str_ = (s);                                                              \
        if (!str_eq(assert_str_, str_from(text))) {                                                \
            print_error("got \"%.*s\", expected \"%s\"\n", STR_ARG(assert_str_), (text));          \
            fail();                                                                                \
        }                                                                                          \
    } while (0)
#define assert_has(s, part)                                                                        \
    do {                                                                                           \
        struct str assert_has_ = (s);                                                              \
        if (str_find(assert_has_, str_from(part)) < 0) {                                           \
            print_error("\"%s\" is not in \"%.*s\"\n", (part), STR_ARG(assert_has_));              \
            fail();                                                                                \
        }                                                                                          \
    } while (0)
#define assert_origin(w, origin, text) assert_str(origin_text((w)->arena, (origin)), (text))

#define WORLD_TEST(function) cmocka_unit_test_setup_teardown(function, world_setup, world_teardown)

#endif
