/* Running programs of this user, as /proc shows them. Takes names of programs, gives numbers and
 * times of start; signals nothing, and looks at no process of anybody else's. Format: proc(5). */
#include "base/process.h"

#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_BYTES_MAX ((size_t)1024 * 1024)
#define ENTRIES_MAX 65536
#define PATH_BYTES_MAX 4096
#define NAME_BYTES_MAX 64
#define LINE_BYTES_MAX 1024                 /* the program and what an interpreter runs */
#define SLACK_OF_SECONDS_MS ((int64_t)1000) /* btime is cut to whole seconds */
#define SLACK_OF_UPTIME_MS 30

/* Programs whose first argument is what they run. */
static const struct str interpreters[] = {
    STR_INIT("node"), STR_INIT("nodejs"), STR_INIT("bun"),  STR_INIT("deno"),
    STR_INIT("sh"),   STR_INIT("bash"),   STR_INIT("dash"), STR_INIT("python3"),
};

static struct str read_file(struct arena *arena, struct str directory, int64_t pid,
                            const char *name)
{
    struct str path =
        pid ? arena_printf(arena, "%.*s/%lld/%s", STR_ARG(directory), (long long)pid, name)
            : arena_printf(arena, "%.*s/%s", STR_ARG(directory), name);
    struct str content = {NULL, 0};
    enum file_status status =
        file_read(arena, arena_cstr(arena, path), FILE_BYTES_MAX, &content, NULL);
    return status == FILE_OK ? content : (struct str){NULL, 0};
}

static struct str base_name(struct str path)
{
    struct str rest = path, part = path;
    while (str_split(&rest, '/', &part)) {
    }
    return part;
}

static bool is_among(struct str name, const struct str *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (str_eq(names[i], name)) {
            return true;
        }
    }
    return false;
}

static bool runs_one_of(struct str command_line, const struct str *programs, size_t count)
{
    struct str rest = command_line, first = {NULL, 0}, second = {NULL, 0};
    str_split(&rest, '\0', &first);
    str_split(&rest, '\0', &second);
    first = base_name(first);
    bool is_script = is_among(first, interpreters, sizeof interpreters / sizeof interpreters[0]) &&
                     is_among(base_name(second), programs, count);
    return is_among(first, programs, count) || is_script;
}

/* The 22nd field of "stat", in ticks since the system started; -1 when it cannot be read. The
 * program's name before it stands in brackets and may hold any byte. */
static int64_t start_ticks(struct arena *arena, struct str directory, int64_t pid)
{
    struct str stat = read_file(arena, directory, pid, "stat"), field = {NULL, 0};
    size_t end = stat.len;
    while (end > 0 && stat.ptr[end - 1] != ')') {
        end--;
    }
    struct str rest = str_trim(str_slice(stat, end, stat.len));
    int64_t ticks = -1;
    for (int number = 3; number <= 22 && str_split(&rest, ' ', &field); number++) {
        if (number == 22 && !str_to_i64(field, &ticks)) {
            return -1;
        }
    }
    return ticks;
}

/* When the system started, and how much later that may truly be. "uptime" is finer than "btime",
 * but in containers it may speak of another start. */
static bool find_boot(struct arena *arena, struct str directory, int64_t now_ms, int64_t *boot_ms,
                      int64_t *slack_ms)
{
    struct str rest = read_file(arena, directory, 0, "stat"), line = {NULL, 0};
    struct str uptime = read_file(arena, directory, 0, "uptime"), seconds = {NULL, 0};
    int64_t boot_s = -1;
    double up_s = 0;
    while (boot_s < 0 && str_split(&rest, '\n', &line)) {
        if (str_starts(line, STR("btime ")) && !str_to_i64(str_slice(line, 6, line.len), &boot_s)) {
            return false;
        }
    }
    *boot_ms = boot_s * 1000;
    *slack_ms = SLACK_OF_SECONDS_MS;
    str_split(&uptime, ' ', &seconds);
    if (str_to_double(seconds, &up_s) && up_s > 0 && up_s < 1e10) {
        int64_t finer_ms = now_ms - (int64_t)(up_s * 1000);
        if (finer_ms >= *boot_ms - SLACK_OF_SECONDS_MS &&
            finer_ms <= *boot_ms + 2 * SLACK_OF_SECONDS_MS) {
            *boot_ms = finer_ms;
            *slack_ms = SLACK_OF_UPTIME_MS;
        }
    }
    return boot_s >= 0;
}

/* There may be thousands of processes: of each the owner is looked at, of our own the beginning of
 * the command line, by as few calls as that takes. */
static bool is_wanted(int directory, const char *name, const struct str *programs, size_t count)
{
    struct stat status;
    char path[NAME_BYTES_MAX], line[LINE_BYTES_MAX];
    int length = snprintf(path, sizeof path, "%s/cmdline", name);
    if (length < 0 || (size_t)length >= sizeof path ||
        fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || status.st_uid != getuid()) {
        return false;
    }
    int fd = openat(directory, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) {
        return false;
    }
    ssize_t got = read(fd, line, sizeof line);
    close(fd);
    return got > 0 && runs_one_of((struct str){line, (size_t)got}, programs, count);
}

static int by_number(const void *a, const void *b)
{
    const struct process *left = a, *right = b;
    return left->pid < right->pid ? -1 : left->pid > right->pid;
}

size_t process_find(struct arena *arena, struct str directory, const struct str *programs,
                    size_t program_count, int64_t now_ms, struct process **found)
{
    size_t count = 0;
    int64_t boot_ms, slack_ms, ticks_each_s = sysconf(_SC_CLK_TCK);
    struct process *list = ARENA_ARRAY(arena, PROCESSES_MAX, struct process);
    DIR *open_directory = opendir(arena_cstr(arena, directory));
    *found = list;
    if (!open_directory) {
        return 0;
    }
    bool has_boot = ticks_each_s > 0 && find_boot(arena, directory, now_ms, &boot_ms, &slack_ms);
    struct dirent *entry = has_boot ? readdir(open_directory) : NULL;
    for (size_t n = 0; entry && n < ENTRIES_MAX && count < PROCESSES_MAX; n++) {
        int64_t pid = 0, ticks = -1;
        if (str_to_i64(str_from(entry->d_name), &pid) && pid > 0 &&
            is_wanted(dirfd(open_directory), entry->d_name, programs, program_count)) {
            ticks = start_ticks(arena, directory, pid);
        }
        if (ticks >= 0) {
            list[count++] = (struct process){pid, boot_ms + ticks * 1000 / ticks_each_s, slack_ms};
        }
        entry = readdir(open_directory);
    }
    closedir(open_directory);
    qsort(list, count, sizeof *list, by_number);
    return count;
}

struct str process_variable(struct arena *arena, struct str directory, int64_t pid, struct str name)
{
    struct str rest = read_file(arena, directory, pid, "environ"), variable = {NULL, 0};
    while (str_split(&rest, '\0', &variable)) {
        if (variable.len > name.len && str_starts(variable, name) &&
            variable.ptr[name.len] == '=') {
            return str_slice(variable, name.len + 1, variable.len);
        }
    }
    return (struct str){NULL, 0};
}

struct str process_directory(struct arena *arena, struct str directory, int64_t pid)
{
    char target[PATH_BYTES_MAX];
    struct str path = arena_printf(arena, "%.*s/%lld/cwd", STR_ARG(directory), (long long)pid);
    ssize_t length = readlink(arena_cstr(arena, path), target, sizeof target);
    return length > 0 ? arena_dup(arena, (struct str){target, (size_t)length})
                      : (struct str){NULL, 0};
}
