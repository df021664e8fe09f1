/* A directory for a time: made for nobody else to look into, filled, and removed whole. */
#include "base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_FOLDERS_MAX 32
#define CLOSED_LEVELS_MAX 16 /* directories closed to their owner, one in the other */

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

static bool write_all(int fd, struct str content)
{
    for (size_t done = 0; done < content.len;) {
        ssize_t written = write(fd, content.ptr + done, content.len - done);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        done += written > 0 ? (size_t)written : 0;
    }
    return true;
}

enum err_code folder_write(struct arena *arena, struct str path, struct str content,
                           struct err *err)
{
    int fd =
        open(arena_cstr(arena, path), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool is_written = fd >= 0 && write_all(fd, content);
    int failure = errno;
    if (fd >= 0 && close(fd) != 0 && is_written) {
        failure = errno;
        is_written = false;
    }
    return is_written ? ERR_OK
                      : err_set(err, ERR_SYSTEM, "cannot write %.*s: %s", STR_ARG(path),
                                strerror(failure));
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path) != 0 && errno != ENOENT ? 1 : 0;
}

/* A client may leave directories that it has closed to itself; they are opened first. */
static int open_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)where;
    if ((type == FTW_D || type == FTW_DNR) && (status->st_mode & 0700) != 0700) {
        chmod(path, 0700);
    }
    return 0;
}

bool folder_remove(struct arena *arena, struct str path)
{
    const char *name = arena_cstr(arena, path);
    const int flags = FTW_PHYS | FTW_MOUNT;
    bool is_removed = nftw(name, remove_one, OPEN_FOLDERS_MAX, flags | FTW_DEPTH) == 0;
    for (int level = 0; !is_removed && level < CLOSED_LEVELS_MAX; level++) {
        nftw(name, open_one, OPEN_FOLDERS_MAX, flags);
        is_removed = nftw(name, remove_one, OPEN_FOLDERS_MAX, flags | FTW_DEPTH) == 0;
    }
    return is_removed;
}
