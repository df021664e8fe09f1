#ifndef TESTS_CODEX_WORLD_H
#define TESTS_CODEX_WORLD_H

#include "config_world.h"

#include "rules/client.h"

/* The scripted machine with Codex on it: its files, a clock that stands, no system-wide files. */

#define NOW_S 1795953600LL /* 2026-11-29T12:00:00Z */

static inline int64_t codex_clock(void *clock)
{
    (void)clock;
    return NOW_S * 1000;
}

static inline int codex_setup(void **state)
{
    int status = world_setup(state);
    struct world *w = *state;
    w->env.wall_ms = codex_clock;
    w->env.monotonic_ms = codex_clock;
    w->request.client = STR("codex");
    w->request.system_directory = arena_printf(w->arena, "%s/etc", w->home);
    return status;
}

static inline void codex_file(struct world *w, const char *name, const char *text)
{
    world_write(w, name, text, strlen(text));
}

/* Reads again from nothing, as this version. */
static inline void codex_load(struct world *w, const char *version)
{
    w->request.client_version = str_from(version);
    assert_int_equal(world_load(w), ERR_OK);
}

static inline const struct target *codex_primary(const struct world *w)
{
    assert_true(w->config.target_count > 0);
    return &w->config.targets[0];
}

/* The first problem of the primary that is no warning, or NULL. */
static inline const struct problem *codex_refusal(const struct world *w)
{
    const struct problems *problems = &codex_primary(w)->problems;
    for (size_t i = 0; i < problems->count; i++) {
        if (!problems->items[i].is_warning) {
            return &problems->items[i];
        }
    }
    return NULL;
}

#define PROVIDER                                                                                   \
    "[model_providers.mock]\nname = \"mock\"\nbase_url = \"http://127.0.0.1:9/ok/v1\"\n"           \
    "env_key = \"MOCK_KEY\"\n"
#define MOCK_KEY "mk-4kq9wzT7bVn2Lx8Rj5Hd6Fs3"

#define CODEX_TEST(function) cmocka_unit_test_setup_teardown(function, codex_setup, world_teardown)

#endif
