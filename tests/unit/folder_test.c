/* Directories for a time: whatever a client makes of them, nothing of them stays. Pipes that
 * others made non-blocking: they are waited for. */
#include "base/file.h"
#include "base/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LEVELS 1000 /* of 20 letters each: longer than any path may be */

/* A directory and what its path lives in. */
struct world {
    struct arena *arena;
    struct str path;
};

static int set_up(void **state)
{
    struct arena *arena = arena_create();
    struct world *world = ARENA_NEW(arena, struct world);
    struct err err = {0};
    world->arena = arena;
    assert_int_equal(folder_create(arena, (struct str){NULL, 0}, &world->path, &err), ERR_OK);
    *state = world;
    return 0;
}

static int tear_down(void **state)
{
    arena_free(((struct world *)*state)->arena);
    return 0;
}

static void make_file(int directory, const char *name)
{
    int fd = openat(directory, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    close(fd);
}

static void assert_gone(struct arena *arena, struct str path)
{
    struct stat status;
    assert_true(folder_remove(arena, path));
    assert_int_equal(lstat(path.ptr, &status), -1);
    assert_true(folder_remove(arena, path)); /* as is what is gone already */
}

static void no_depth_is_too_deep(void **state)
{
    struct world *world = *state;
    struct arena *arena = world->arena;
    int at = open(world->path.ptr, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; i < LEVELS; i++) {
        assert_int_equal(mkdirat(at, "dddddddddddddddddddd", 0700), 0);
        make_file(at, i % 2 ? "diagnose-7" : "file"); /* in the way of what is moved up */
        int next = openat(at, "dddddddddddddddddddd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (i % 3 == 0 && i > 0) {
            assert_int_equal(fchmod(at, 0), 0);
        }
        close(at);
        at = next;
    }
    close(at);
    assert_gone(arena, world->path);
}

static void links_are_not_followed(void **state)
{
    struct world *world = *state;
    struct arena *arena = world->arena;
    struct str other = {NULL, 0};
    struct err err = {0};
    assert_int_equal(folder_create(arena, (struct str){NULL, 0}, &other, &err), ERR_OK);
    make_file(AT_FDCWD, arena_printf(arena, "%.*s/kept", STR_ARG(other)).ptr);
    int at = open(world->path.ptr, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(symlinkat(other.ptr, at, "link"), 0);
    assert_int_equal(mkdirat(at, "sub", 0700), 0);
    assert_int_equal(symlinkat(other.ptr, at, "sub/link"), 0);
    assert_int_equal(mkfifoat(at, "sub/fifo", 0600), 0);
    close(at);
    assert_gone(arena, world->path);
    assert_int_equal(symlink(other.ptr, world->path.ptr),
                     0); /* in the place of the directory itself */
    assert_gone(arena, world->path);
    assert_int_equal(access(arena_printf(arena, "%.*s/kept", STR_ARG(other)).ptr, F_OK), 0);
    assert_gone(arena, other);
}

/* Is the process that started this one asleep? */
static bool is_parent_asleep(void)
{
    char path[64], text[256] = {0};
    snprintf(path, sizeof path, "/proc/%d/stat", (int)getppid());
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool is_read = fd >= 0 && read(fd, text, sizeof text - 1) > 0;
    close(fd);
    const char *end = is_read ? strrchr(text, ')') : NULL;
    return end && end[2] == 'S';
}

static void a_pipe_that_does_not_block_is_waited_for(void **state)
{
    int ends[2], status;
    char bytes[8];
    (void)state;
    assert_int_equal(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
    pid_t writer = fork();
    if (writer == 0) {
        alarm(30);
        while (!is_parent_asleep()) {
            sched_yield();
        }
        _exit(write(ends[1], "late", 4) == 4 ? 0 : 1);
    }
    close(ends[1]);
    ssize_t got = file_read_some(ends[0], bytes, sizeof bytes);
    if (got < 0) {
        kill(writer, SIGKILL);
    }
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(got, 4);
    assert_int_equal(file_read_some(ends[0], bytes, sizeof bytes), 0);
    close(ends[0]);
    assert_int_equal(file_read_some(-1, bytes, sizeof bytes), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_depth_is_too_deep, set_up, tear_down),
        cmocka_unit_test_setup_teardown(links_are_not_followed, set_up, tear_down),
        cmocka_unit_test(a_pipe_that_does_not_block_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
