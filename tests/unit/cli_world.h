/* A world for tests of commands: a home of its own, scripted variables and a clock, streams in
 * memory, and a scripted provider on loopback. */
#ifndef TESTS_CLI_WORLD_H
#define TESTS_CLI_WORLD_H

#include "base/file.h"
#include "cli/cli.h"
#include "serve/serve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define WORLD_KEY "sk-proj-WorldKeyWorldKeyWorldKeyWorldKey0123456789"
#define WORLD_WORDS_MAX 12
#define WORLD_PAUSES_MAX 16

struct world {
    struct arena *arena;
    char home[64];
    const char *variables[12];
    size_t variable_count;
    int in; /* standard input; -1 = nothing */
    char *out, *errors;
    int64_t skipped_ms; /* time that pauses let go by, without waiting */
    int64_t pauses_ms[WORLD_PAUSES_MAX];
    size_t pause_count;
    struct serve *serve;
    unsigned short port;
};

static inline void world_set(struct world *world, const char *variable)
{
    world->variables[world->variable_count++] = variable;
}

static inline int world_open(void **state)
{
    struct arena *arena = arena_create();
    struct world *world = ARENA_NEW(arena, struct world);
    *world = (struct world){.arena = arena, .home = "/tmp/diagnose-cli-XXXXXX", .in = -1};
    *state = world;
    if (!mkdtemp(world->home)) {
        return -1;
    }
    world_set(world, arena_cstr(arena, arena_printf(arena, "HOME=%s", world->home)));
    world_set(world, "LC_ALL=C.UTF-8");
    world_set(world, "COLUMNS=80");
    return 0;
}

static inline int world_close(void **state)
{
    struct world *world = *state;
    static const char *const files[] = {"config.toml", "rules.d/own.toml", "rules.d", "out", ""};
    serve_stop(world->serve);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct str path =
            arena_printf(world->arena, "%s/.config/diagnose/%s", world->home, files[i]);
        remove(arena_cstr(world->arena, path));
    }
    static const char *const rest[] = {".config",
                                       ".local/state/diagnose/history.db",
                                       ".local/state/diagnose/history.db-wal",
                                       ".local/state/diagnose/history.db-shm",
                                       ".local/state/diagnose",
                                       ".local/state",
                                       ".local"};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        remove(arena_cstr(world->arena, arena_printf(world->arena, "%s/%s", world->home, rest[i])));
    }
    remove(world->home);
    if (world->in >= 0) {
        close(world->in);
    }
    free(world->out);
    free(world->errors);
    arena_free(world->arena);
    return 0;
}

static inline int64_t world_wall_ms(void *clock)
{
    struct env env = env_of_process(NULL);
    return env.wall_ms(NULL) + ((struct world *)clock)->skipped_ms;
}

static inline int64_t world_monotonic_ms(void *clock)
{
    struct env env = env_of_process(NULL);
    return env.monotonic_ms(NULL) + ((struct world *)clock)->skipped_ms;
}

static inline void world_pause_ms(void *clock, int64_t duration_ms)
{
    struct world *world = clock;
    assert_true(world->pause_count < WORLD_PAUSES_MAX);
    world->pauses_ms[world->pause_count++] = duration_ms;
    world->skipped_ms += duration_ms;
}

/* Path of a file below ~/.config/diagnose, whose folders are made. */
static inline const char *world_path(struct world *world, const char *name)
{
    static const char *const folders[] = {".config", ".config/diagnose",
                                          ".config/diagnose/rules.d"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        struct str folder = arena_printf(world->arena, "%s/%s", world->home, folders[i]);
        mkdir(arena_cstr(world->arena, folder), 0700);
    }
    return arena_cstr(world->arena,
                      arena_printf(world->arena, "%s/.config/diagnose/%s", world->home, name));
}

static inline void world_write(struct world *world, const char *name, struct str text)
{
    assert_int_equal(file_write_whole(world_path(world, name), text, NULL), ERR_OK);
}

/* Starts the provider with a script in TOML. */
static inline void world_serve(struct world *world, const char *text)
{
    const struct script *script = NULL;
    struct err err = {0};
    assert_int_equal(script_parse(world->arena, STR("script"), str_from(text), &script, &err),
                     ERR_OK);
    assert_int_equal(serve_start(script, 0, -1, &world->serve, &world->port, &err), ERR_OK);
}

/* Makes the text standard input. */
static inline void world_type(struct world *world, struct str text)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text.ptr, text.len), text.len);
    close(ends[1]);
    world->in = ends[0];
}

/* Runs the program; what it printed is in world->out and world->errors. */
static inline int world_run(struct world *world, const char *const *words)
{
    size_t out_size, errors_size;
    char program[] = "diagnose";
    char *argv[WORLD_WORDS_MAX + 2] = {program};
    char *variables[sizeof world->variables / sizeof *world->variables + 1] = {NULL};
    int argc = 1;
    for (; argc <= WORLD_WORDS_MAX && words[argc - 1]; argc++) {
        argv[argc] = strdup(words[argc - 1]);
    }
    for (size_t i = 0; i < world->variable_count; i++) {
        variables[i] = strdup(world->variables[i]);
    }
    free(world->out);
    free(world->errors);
    struct streams streams = {.in = world->in,
                              .out = open_memstream(&world->out, &out_size),
                              .errors = open_memstream(&world->errors, &errors_size)};
    struct env env = {.variables = variables,
                      .wall_ms = world_wall_ms,
                      .monotonic_ms = world_monotonic_ms,
                      .pause_ms = world_pause_ms,
                      .clock = world};
    int code = cli_main(&env, streams, argc, argv);
    fclose(streams.out);
    fclose(streams.errors);
    for (int i = 1; i < argc; i++) {
        free(argv[i]);
    }
    for (size_t i = 0; i < world->variable_count; i++) {
        free(variables[i]);
    }
    assert_null(strstr(world->out, WORLD_KEY));
    assert_null(strstr(world->errors, WORLD_KEY));
    return code;
}

#define RUN(world, ...) world_run((world), (const char *const[WORLD_WORDS_MAX + 1]){__VA_ARGS__})

/* Fails with both texts when `have` lacks `want`. */
#define assert_has(have, want)                                                                     \
    do {                                                                                           \
        if (!strstr((have), (want))) {                                                             \
            fail_msg("lacks \"%s\":\n%s", (want), (have));                                         \
        }                                                                                          \
    } while (0)

#endif
