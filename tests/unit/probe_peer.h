#ifndef TESTS_PROBE_PEER_H
#define TESTS_PROBE_PEER_H

/* What the tests of the probe share: the raw server of tests/peers, targets that point at it, and a
 * run of the probe over them. */
#include "probe/probe.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define KEY "sk-test-0123456789abcdefghij"
#define PORTS_MAX 16
#define TARGETS_MAX 64
#define NOW_MS INT64_C(1795957205900) /* 2026-11-29 13:00:05.9 */

struct peer {
    pid_t pid;
    int input; /* the server ends when this is closed */
    unsigned ports[PORTS_MAX];
};

/* Starts the server; cert and key may be NULL. */
static inline struct peer peer_start(unsigned ports, const char *cert, const char *key)
{
    struct peer peer;
    int in[2], out[2];
    char number[16];
    snprintf(number, sizeof number, "%u", ports);
    /* A later server must not hold the end that would stop this one. */
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    peer.pid = fork();
    assert_true(peer.pid >= 0);
    if (peer.pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        execlp("python3", "python3", "tests/peers/raw.py", "--ports", number, cert ? "--tls" : NULL,
               cert, key, NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    peer.input = in[1];
    FILE *lines = fdopen(out[0], "r");
    for (unsigned i = 0; i < ports; i++) {
        assert_int_equal(fscanf(lines, "%u", &peer.ports[i]), 1);
    }
    fclose(lines);
    return peer;
}

static inline void peer_stop(struct peer *peer)
{
    close(peer->input);
    waitpid(peer->pid, NULL, 0);
}

/* One run: targets, and what came of them. */
struct trial {
    struct arena *arena;
    struct target targets[TARGETS_MAX];
    size_t count;
    char **variables;
    struct mask mask;
    struct probe_options options;
    struct plan plan;
    struct observation *observations;
};

static inline struct trial trial_create(void)
{
    return (struct trial){
        .arena = arena_create(),
        .options = {.timeout_ms = 20000, .connect_timeout_ms = 10000, .per_host = 8},
    };
}

static inline struct target *trial_add(struct trial *trial, const char *wire, struct str base)
{
    struct target *target = &trial->targets[trial->count++];
    *target = (struct target){
        .wire = str_from(wire),
        .base_url.text = base,
        .model.text = arena_printf(trial->arena, "m-%zu", trial->count),
        .key = secret_create(trial->arena, STR(KEY)),
        .auth_header = STR("Authorization"),
        .auth_prefix = STR("Bearer "),
    };
    return target;
}

static inline struct target *trial_ask(struct trial *trial, const struct peer *peer,
                                       const char *wire, const char *mode)
{
    return trial_add(trial, wire,
                     arena_printf(trial->arena, "http://127.0.0.1:%u/%s", peer->ports[0], mode));
}

static inline int64_t fixed_clock(void *clock)
{
    (void)clock;
    return NOW_MS;
}

static inline struct env trial_env(const struct trial *trial)
{
    return (struct env){
        .variables = trial->variables, .wall_ms = fixed_clock, .monotonic_ms = fixed_clock};
}

static inline void trial_run_plan(struct trial *trial, probe_progress *progress, void *context)
{
    struct env env = trial_env(trial);
    struct err err;
    trial->observations = ARENA_ARRAY(trial->arena, trial->plan.request_count, struct observation);
    assert_int_equal(probe_run(trial->arena, &env, &trial->mask, &trial->plan, &trial->options,
                               progress, context, trial->observations, &err),
                     ERR_OK);
}

static inline void trial_run(struct trial *trial)
{
    const struct target *list[TARGETS_MAX];
    for (size_t i = 0; i < trial->count; i++) {
        list[i] = &trial->targets[i];
    }
    probe_plan(trial->arena, list, trial->count, &trial->plan);
    trial_run_plan(trial, NULL, NULL);
}

static inline void trial_free(struct trial *trial)
{
    arena_free(trial->arena);
}

/* The server's counts as JSON text, asked for with the probe itself. */
static inline struct str peer_stats(struct trial *trial, const struct peer *peer)
{
    struct target target = {.base_url.text =
                                arena_printf(trial->arena, "http://127.0.0.1:%u", peer->ports[0])};
    const struct free_request stats = {.path = STR("/stats")};
    const struct free_wish wish = {.target = &target, .form = &stats};
    probe_plan_free(trial->arena, &wish, 1, &trial->plan);
    trial_run_plan(trial, NULL, NULL);
    assert_int_equal(trial->observations[0].status, 200);
    return trial->observations[0].body;
}

static inline void assert_holds(struct str text, const char *part)
{
    if (str_find(text, str_from(part)) < 0) {
        fail_msg("no %s in %.*s", part, STR_ARG(text));
    }
}

#endif
