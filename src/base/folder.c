/* A directory for a time: made for nobody else to look into, filled, and removed whole. */
#include "base/folder.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOVES_MAX 1000 /* names that are tried for what is moved up */

enum err_code folder_create(struct arena *arena, struct str parent, struct str *path,
                            struct err *err)
{
    bool is_absolute = str_starts(parent, STR("/"));
    struct str pattern =
        arena_printf(arena, "%.*s/diagnose-XXXXXX", STR_ARG(is_absolute ? parent : STR("/tmp")));
    char *name = ARENA_ARRAY(arena, pattern.len + 1, char);
    memcpy(name, pattern.ptr, pattern.len);
    if (!mkdtemp(name)) {
        return err_set(err, ERR_SYSTEM, "cannot make a directory in %.*s: %s",
                       STR_ARG(is_absolute ? parent : STR("/tmp")), strerror(errno));
    }
    *path = (struct str){name, pattern.len};
    return ERR_OK;
}

enum err_code folder_add(struct arena *arena, struct str path, struct err *err)
{
    if (mkdir(arena_cstr(arena, path), 0700) != 0) {
        return err_set(err, ERR_SYSTEM, "cannot make %.*s: %s", STR_ARG(path), strerror(errno));
    }
    return ERR_OK;
}

enum err_code folder_write(struct arena *arena, struct str path, struct str content,
                           struct err *err)
{
    int fd =
        open(arena_cstr(arena, path), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool is_written = fd >= 0 && file_write_all(fd, content);
    int failure = errno;
    if (fd >= 0 && close(fd) != 0 && is_written) {
        failure = errno;
        is_written = false;
    }
    return is_written ? ERR_OK
                      : err_set(err, ERR_SYSTEM, "cannot write %.*s: %s", STR_ARG(path),
                                strerror(failure));
}

/* A directory being removed. A client may have made it deeper than any path is long, so what is
 * found in its directories is moved up to the top, and no more than two are ever open:
 *
 *     top/a/b/c  ->  top/a  top/diagnose-0/c  ->  top/diagnose-0  top/diagnose-1  -> ... */
struct removal {
    int top;
    dev_t device; /* what is mounted there is somebody's, and stays */
    unsigned moved;
};

/* Gone, or moved out of the way. What is mounted on is busy, so it is neither. */
static bool take_entry(struct removal *removal, int parent, const char *name)
{
    char place[32];
    if (unlinkat(parent, name, 0) == 0 || unlinkat(parent, name, AT_REMOVEDIR) == 0) {
        return true;
    }
    bool is_full = errno == ENOTEMPTY || errno == EEXIST;
    if (!is_full || parent == removal->top) {
        return false;
    }
    fchmodat(parent, name, 0700, 0); /* to move it is to write into it: ".." changes */
    for (unsigned i = 0; i < MOVES_MAX; i++) {
        snprintf(place, sizeof place, "diagnose-%u", removal->moved++);
        if (renameat(parent, name, removal->top, place) == 0) {
            return true;
        }
    }
    return false;
}

/* Opens a directory, be it closed to its owner; NULL when it is none of ours. */
static DIR *open_directory(const struct removal *removal, int parent, const char *name)
{
    struct stat status;
    if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(status.st_mode) ||
        status.st_dev != removal->device) {
        return NULL;
    }
    fchmodat(parent, name, 0700, 0);
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *directory = fd < 0 ? NULL : fdopendir(fd);
    if (fd >= 0 && !directory) {
        close(fd);
    }
    return directory;
}

typedef bool entry_taker(struct removal *removal, int parent, const char *name);

/* Takes entries as long as there are some that can be taken. */
static void take_all(struct removal *removal, DIR *directory, entry_taker *take)
{
    bool has_taken;
    do {
        has_taken = false;
        rewinddir(directory);
        for (struct dirent *entry; (entry = readdir(directory));) {
            bool is_dot = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
            has_taken = (!is_dot && take(removal, dirfd(directory), entry->d_name)) || has_taken;
        }
    } while (has_taken);
}

/* An entry of the top itself, with all that is in it. */
static bool take_tree(struct removal *removal, int parent, const char *name)
{
    if (take_entry(removal, parent, name)) {
        return true;
    }
    DIR *directory = open_directory(removal, parent, name);
    if (directory) {
        take_all(removal, directory, take_entry);
        closedir(directory);
    }
    return unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

bool folder_remove(struct arena *arena, struct str path)
{
    struct stat status;
    const char *name = arena_cstr(arena, path);
    if (lstat(name, &status) != 0) {
        return errno == ENOENT;
    }
    struct removal removal = {.device = status.st_dev};
    DIR *directory = open_directory(&removal, AT_FDCWD, name);
    if (directory) {
        removal.top = dirfd(directory);
        take_all(&removal, directory, take_tree);
        closedir(directory);
    }
    return remove(name) == 0;
}
