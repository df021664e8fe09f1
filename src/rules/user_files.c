/* The user's rule files. Takes a directory of which nothing is known, gives the texts of its *.toml
 * files, within bounds of number and size so that no directory can hold up a run. */
#include "rules/user_files.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#define FILE_BYTES_MAX ((size_t)1024 * 1024)
#define ALL_BYTES_MAX ((size_t)2 * 1024 * 1024)
#define NAMES_MAX ((size_t)4096) /* entries looked at */

/* What the reading adds to. */
struct reading {
    struct arena *arena, *problem_arena;
    struct problems *problems;
    struct str dir;
};

static void complain(const struct reading *reading, const char *code, struct str path,
                     struct str message)
{
    struct arena *arena = reading->problem_arena;
    problems_add(arena, reading->problems,
                 (struct problem){
                     .code = str_from(code),
                     .origin = {.kind = ORIGIN_FILE, .name = arena_dup(arena, path)},
                     .message = message,
                 });
}

static int compare_names(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static void complain_many(const struct reading *reading)
{
    complain(reading, "too_big", reading->dir,
             arena_printf(reading->problem_arena,
                          "holds more than %zu rule files or %zu entries; not all are read",
                          USER_FILES_MAX, NAMES_MAX));
}

/* Names of the rule files, sorted. */
static struct str *list_names(const struct reading *reading, size_t *count)
{
    struct str *names = ARENA_ARRAY(reading->arena, USER_FILES_MAX, struct str);
    DIR *open_dir = opendir(arena_cstr(reading->arena, reading->dir));
    *count = 0;
    if (!open_dir && errno != ENOENT) {
        struct str why = errno == ENOTDIR
                             ? STR("is not a directory, so no own rules are read")
                             : file_status_text(reading->problem_arena,
                                                errno == ELOOP ? FILE_LOOP : FILE_UNREADABLE,
                                                FILE_BYTES_MAX, errno);
        complain(reading, "unreadable", reading->dir, why);
    }
    if (!open_dir) {
        return names;
    }
    size_t seen = 0;
    for (struct dirent *file = readdir(open_dir); file; file = readdir(open_dir)) {
        struct str name = str_from(file->d_name);
        if (++seen > NAMES_MAX || *count == USER_FILES_MAX) {
            complain_many(reading);
            break;
        }
        if (str_ends(name, STR(".toml")) && name.ptr[0] != '.') {
            names[(*count)++] = arena_dup(reading->arena, name);
        }
    }
    closedir(open_dir);
    qsort(names, *count, sizeof *names, compare_names);
    return names;
}

void user_files_read(struct arena *arena, struct str dir, struct rules_text *texts, size_t *count,
                     struct problems *problems, struct arena *problem_arena)
{
    struct reading reading = {arena, problem_arena, problems, dir};
    size_t name_count, bytes = 0;
    const struct str *names = list_names(&reading, &name_count);
    for (size_t i = 0; i < name_count; i++) {
        struct str path = arena_printf(arena, "%.*s/%.*s", STR_ARG(dir), STR_ARG(names[i]));
        struct str content;
        int os_errno = 0;
        enum file_status status = file_read(arena, path.ptr, FILE_BYTES_MAX, &content, &os_errno);
        if (status != FILE_OK) {
            complain(&reading, "unreadable", path,
                     file_status_text(problem_arena, status, FILE_BYTES_MAX, os_errno));
            continue;
        }
        if (content.len > ALL_BYTES_MAX - bytes) {
            complain(&reading, "too_big", path,
                     arena_printf(problem_arena,
                                  "is left out, and what follows it: all own rule files together "
                                  "may have %zu KiB",
                                  ALL_BYTES_MAX / 1024));
            return;
        }
        bytes += content.len;
        texts[(*count)++] = (struct rules_text){.file = path, .text = content, .is_users = true};
    }
}
