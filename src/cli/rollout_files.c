/* Finding the rollouts of Codex: a walk through its folders of sessions, bounded in depth, number
 * and time. */
#include "cli/rollout_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 4 /* sessions/YYYY/MM/DD */
#define FILES_MAX 50000
#define ENTRIES_MAX 500000 /* of all folders together */

struct walk {
    struct arena *arena;
    const struct budget *budget;
    int64_t since_ms;
    size_t looked; /* entries so far */
    struct rollout_files *files;
};

struct names {
    struct str *items;
    size_t count, capacity;
};

static int by_last_name(const void *left, const void *right)
{
    return str_cmp(*(const struct str *)right, *(const struct str *)left);
}

static bool is_over(const struct walk *walk)
{
    return walk->looked >= ENTRIES_MAX || walk->files->count >= FILES_MAX ||
           budget_is_spent(walk->budget);
}

/* Names in a folder that may matter, the last one first: those of days and files begin with their
 * date. */
static struct names names_in(struct walk *walk, DIR *directory)
{
    struct names names = {0};
    const struct dirent *entry;
    while (!is_over(walk) && (entry = readdir(directory))) {
        walk->looked++;
        if (entry->d_name[0] == '.') {
            continue;
        }
        names.items =
            arena_grow(walk->arena, names.items, names.count, &names.capacity, sizeof *names.items);
        names.items[names.count++] = arena_dup(walk->arena, str_from(entry->d_name));
    }
    if (names.count) {
        qsort(names.items, names.count, sizeof *names.items, by_last_name);
    }
    return names;
}

static void add_file(struct walk *walk, struct str path, const struct stat *status)
{
    struct rollout_files *files = walk->files;
    int64_t changed_ms = (int64_t)status->st_mtim.tv_sec * 1000 + status->st_mtim.tv_nsec / 1000000;
    if (changed_ms < walk->since_ms) {
        return;
    }
    files->items =
        arena_grow(walk->arena, files->items, files->count, &files->capacity, sizeof *files->items);
    files->items[files->count++] = (struct rollout_file){path, status->st_size, changed_ms};
}

static void walk_folder(struct walk *walk, struct str folder, unsigned depth)
{
    DIR *directory = opendir(arena_cstr(walk->arena, folder));
    struct names names = directory ? names_in(walk, directory) : (struct names){0};
    for (size_t i = 0; i < names.count && !is_over(walk); i++) {
        struct str name = names.items[i];
        struct stat status;
        if (fstatat(dirfd(directory), name.ptr, &status, AT_SYMLINK_NOFOLLOW) != 0) {
            continue;
        }
        struct str path = arena_printf(walk->arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(name));
        if (S_ISDIR(status.st_mode) && depth < DEPTH_MAX) {
            walk_folder(walk, path, depth + 1);
        } else if (S_ISREG(status.st_mode) && str_starts(name, STR("rollout-")) &&
                   str_ends(name, STR(".jsonl"))) {
            add_file(walk, path, &status);
        }
    }
    if (directory) {
        closedir(directory);
    }
}

static int by_last_change(const void *left, const void *right)
{
    const struct rollout_file *a = left, *b = right;
    if (a->changed_ms != b->changed_ms) {
        return a->changed_ms > b->changed_ms ? -1 : 1;
    }
    return str_cmp(a->path, b->path);
}

void rollout_files_find(struct arena *arena, struct str folder, int64_t since_ms,
                        const struct budget *budget, struct rollout_files *files)
{
    struct walk walk = {.arena = arena, .budget = budget, .since_ms = since_ms, .files = files};
    walk_folder(&walk, folder, 0);
    if (files->count) {
        qsort(files->items, files->count, sizeof *files->items, by_last_change);
    }
}

struct str rollout_session(struct str path)
{
    struct str rest = path, name = path;
    while (str_split(&rest, '/', &name)) {
    }
    size_t front = sizeof "rollout-2026-11-29T13-00-00-" - 1, end = sizeof ".jsonl" - 1;
    return name.len > front + end ? str_slice(name, front, name.len - end) : name;
}
