/* Asking another program: found on the PATH, bounded in time and size, ended with what it started.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above before it. */
#include <cmocka.h>

#include "base/program.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct machine {
    struct arena *arena;
    char folder[64], path[128];
    char *variables[2];
    struct env env;
};

static int64_t clock_ms(void *clock)
{
    struct timespec now;
    (void)clock;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int setup(void **state)
{
    struct machine *m = calloc(1, sizeof *m);
    m->arena = arena_create();
    snprintf(m->folder, sizeof m->folder, "/tmp/diagnose-program-XXXXXX");
    assert_non_null(mkdtemp(m->folder));
    snprintf(m->path, sizeof m->path, "PATH=relative::/nonexistent:%s:/bin", m->folder);
    m->variables[0] = m->path;
    m->env = (struct env){.variables = m->variables, .monotonic_ms = clock_ms};
    *state = m;
    return 0;
}

static int teardown(void **state)
{
    struct machine *m = *state;
    char command[96];
    snprintf(command, sizeof command, "rm -rf '%s'", m->folder);
    int status = system(command);
    arena_free(m->arena);
    free(m);
    return status;
}

static void make_script(const struct machine *m, const char *text)
{
    struct str path = arena_printf(m->arena, "%s/asked", m->folder);
    FILE *file = fopen(path.ptr, "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", text);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path.ptr, 0700), 0);
}

static struct str ask(struct machine *m, int64_t timeout_ms, size_t max_bytes)
{
    static const char *const argv[] = {"asked", "--version", NULL};
    return program_output(m->arena, &m->env, argv, timeout_ms, max_bytes);
}

static void gives_standard_output_alone(void **state)
{
    make_script(*state, "read x; echo \"$1 $#\"; echo noise >&2");
    struct str said = ask(*state, 5000, 100);
    assert_true(str_eq(said, STR("--version 1\n")));
}

static void gives_nothing_for_what_is_not_there_or_fails(void **state)
{
    assert_false(str_is_set(ask(*state, 5000, 100)));
    make_script(*state, "echo 1.2.3; exit 3");
    assert_false(str_is_set(ask(*state, 5000, 100)));
}

static void output_is_cut_and_the_program_runs_to_its_end(void **state)
{
    make_script(*state, "i=0; while [ $i -lt 2000 ]; do echo aaaaaaaaaaaaaaaa; i=$((i+1)); done");
    assert_int_equal(ask(*state, 5000, 10).len, 10);
}

/* The child inherits the pipe and would keep it open for ever. */
static void hanging_program_is_ended_with_its_children(void **state)
{
    struct machine *m = *state;
    struct str note = arena_printf(m->arena, "%s/pid", m->folder);
    struct str script = arena_printf(m->arena, "sleep 100 & echo $! > %s; wait", note.ptr);
    make_script(m, script.ptr);
    int64_t before_ms = clock_ms(NULL);
    assert_false(str_is_set(ask(m, 300, 100)));
    assert_true(clock_ms(NULL) - before_ms < 5000);
    FILE *file = fopen(note.ptr, "r");
    int pid = 0;
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%d", &pid), 1);
    fclose(file);
    /* Whoever takes over orphans may take a moment to bury it. */
    for (int i = 0; i < 500 && kill(pid, 0) == 0; i++) {
        char path[64], stat_text[128] = "";
        snprintf(path, sizeof path, "/proc/%d/stat", pid);
        FILE *process = fopen(path, "r");
        bool is_dead = !process || (fgets(stat_text, sizeof stat_text, process) &&
                                    strstr(stat_text, ") Z") != NULL);
        if (process) {
            fclose(process);
        }
        if (is_dead) {
            return;
        }
        usleep(10000);
    }
    assert_int_not_equal(kill(pid, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(gives_standard_output_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(gives_nothing_for_what_is_not_there_or_fails, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(output_is_cut_and_the_program_runs_to_its_end, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(hanging_program_is_ended_with_its_children, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
