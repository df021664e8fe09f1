/* Processes of this user as /proc shows them: a real one is started under a name of the test's. */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define PROC STR("/proc")

/* A process that waits until it is ended. Its name is `name`, its only variable `variable`. */
static pid_t start(const char *name, const char *argument, char *variable)
{
    int ready[2];
    char byte;
    if (pipe2(ready, O_CLOEXEC) != 0) {
        return -1;
    }
    pid_t pid = fork();
    if (pid == 0) {
        char *variables[] = {variable, NULL};
        execle("/bin/sleep", name, argument, (char *)NULL, variables);
        _exit(127);
    }
    close(ready[1]); /* the end of the pipe comes when the program runs */
    while (read(ready[0], &byte, 1) < 0 && errno == EINTR) {
    }
    close(ready[0]);
    return pid;
}

static void end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void a_program_is_found_with_its_start_and_variables(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct process *found;
    const struct str programs[] = {STR("diagnose-test-client")};
    int64_t before_ms = now_ms();
    char variable[] = "CODEX_HOME=/home/of/it";
    pid_t pid = start("/opt/x/diagnose-test-client", "1000", variable);
    assert_true(pid > 0);
    size_t count = process_find(arena, PROC, programs, 1, now_ms(), &found);
    assert_int_equal(count, 1);
    assert_int_equal(found[0].pid, pid);
    /* Ticks are of 10 ms. */
    assert_true(found[0].started_ms + found[0].slack_ms + 20 >= before_ms);
    assert_true(found[0].started_ms <= now_ms() + 20);
    struct str home = process_variable(arena, PROC, pid, STR("CODEX_HOME"));
    assert_true(str_eq(home, STR("/home/of/it")));
    assert_false(str_is_set(process_variable(arena, PROC, pid, STR("CODEX"))));
    assert_true(process_directory(arena, PROC, pid).len > 0);
    end(pid);
    assert_int_equal(process_find(arena, PROC, programs, 1, now_ms(), &found), 0);
    arena_free(arena);
}

static void a_name_among_the_arguments_is_not_the_program(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct process *found;
    const struct str programs[] = {STR("1000.25")};
    char variable[] = "A=b";
    pid_t pid = start("vim", "1000.25", variable);
    assert_true(pid > 0);
    assert_int_equal(process_find(arena, PROC, programs, 1, now_ms(), &found), 0);
    end(pid);
    /* An interpreter runs what stands behind it. */
    pid = start("/usr/bin/node", "1000.25", variable);
    assert_true(pid > 0);
    assert_int_equal(process_find(arena, PROC, programs, 1, now_ms(), &found), 1);
    end(pid);
    arena_free(arena);
}

static void a_directory_that_is_no_proc_has_no_processes(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct process *found;
    const struct str programs[] = {STR("sleep")};
    assert_int_equal(process_find(arena, STR("/nonexistent"), programs, 1, 0, &found), 0);
    assert_int_equal(process_find(arena, STR("/etc"), programs, 1, 0, &found), 0);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_is_found_with_its_start_and_variables),
        cmocka_unit_test(a_name_among_the_arguments_is_not_the_program),
        cmocka_unit_test(a_directory_that_is_no_proc_has_no_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
