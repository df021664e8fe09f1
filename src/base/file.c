/* Reading whole files within a bound, and writing them in one piece. Takes paths, gives bytes and a
 * reason when there are none; knows nothing about what the bytes mean. */
#include "base/file.h"

#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES_MAX 4096
#define LINKS_MAX 40 /* one behind the other, as the kernel bounds them */

static enum file_status status_of(int os_errno)
{
    switch (os_errno) {
    case ENOENT:
    case ENOTDIR:
        return FILE_MISSING;
    case ELOOP:
        return FILE_LOOP;
    case EISDIR:
        return FILE_NOT_PLAIN;
    default:
        return FILE_UNREADABLE;
    }
}

ssize_t file_read_some(int fd, char *bytes, size_t room)
{
    for (;;) {
        ssize_t got = read(fd, bytes, room);
        if (got >= 0 || (errno != EINTR && errno != EAGAIN)) {
            return got;
        }
        struct pollfd wait = {.fd = fd, .events = POLLIN};
        if (errno == EAGAIN && poll(&wait, 1, -1) < 0 && errno != EINTR) {
            return -1;
        }
    }
}

/* Reads an open descriptor to its end, at most max_bytes. */
static enum file_status read_to_end(struct arena *arena, int fd, size_t max_bytes,
                                    struct str *content, int *os_errno)
{
    char chunk[65536];
    enum file_status status = FILE_OK;
    struct buf buf = buf_create(max_bytes);
    for (;;) {
        ssize_t got = read(fd, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            status = status_of(errno);
            if (os_errno) {
                *os_errno = errno;
            }
            break;
        }
        if (got == 0) {
            break;
        }
        if (!buf_add(&buf, (struct str){chunk, (size_t)got})) {
            status = FILE_TOO_BIG;
            break;
        }
    }
    *content = arena_dup(arena, buf_str(&buf));
    buf_free(&buf);
    return status;
}

enum file_status file_read(struct arena *arena, const char *path, size_t max_bytes,
                           struct str *content, int *os_errno)
{
    struct stat st;
    int saved = 0;
    /* O_NONBLOCK: opening a FIFO must not wait for a writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    *content = (struct str){NULL, 0};
    if (fd < 0 || fstat(fd, &st) < 0) {
        saved = errno;
        if (fd >= 0) {
            close(fd);
        }
        if (os_errno) {
            *os_errno = saved;
        }
        return status_of(saved);
    }
    enum file_status status;
    if (!S_ISREG(st.st_mode)) {
        status = FILE_NOT_PLAIN;
    } else if (st.st_size > 0 && (unsigned long long)st.st_size > max_bytes) {
        status = FILE_TOO_BIG;
    } else {
        status = read_to_end(arena, fd, max_bytes, content, os_errno);
    }
    close(fd);
    if (status != FILE_OK) {
        *content = (struct str){NULL, 0};
    }
    return status;
}

struct str file_status_text(struct arena *arena, enum file_status status, size_t max_bytes,
                            int os_errno)
{
    switch (status) {
    case FILE_OK:
        return STR("was read");
    case FILE_MISSING:
        return STR("does not exist");
    case FILE_NOT_PLAIN:
        return STR("is a directory or device, not a file");
    case FILE_LOOP:
        return STR("is a circle of symbolic links");
    case FILE_TOO_BIG:
        return arena_printf(arena, "is larger than %zu KiB", max_bytes / 1024);
    case FILE_UNREADABLE:
        break;
    }
    return arena_printf(arena, "cannot be read: %s", strerror(os_errno));
}

bool file_write_all(int fd, struct str content)
{
    size_t done = 0;
    while (done < content.len) {
        ssize_t put = write(fd, content.ptr + done, content.len - done);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return false;
        }
        done += (size_t)put;
    }
    return true;
}

/* A device or pipe is written to: putting a file in its place would take it from everybody.
 * O_NONBLOCK on opening refuses a pipe that nobody reads, where one would wait for ever. */
static enum err_code write_special(const char *path, struct str content, struct err *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool is_written = fd >= 0 && fcntl(fd, F_SETFL, 0) == 0 && file_write_all(fd, content);
    int saved = errno;
    if (fd >= 0 && close(fd) != 0) {
        saved = errno;
        is_written = false;
    }
    return is_written ? ERR_OK
                      : err_set(err, ERR_FILE, "cannot write %s: %s", path, strerror(saved));
}

enum err_code file_append(const char *path, struct str content, struct err *err)
{
    /* O_NONBLOCK: a pipe that nobody reads is refused, not waited for. */
    int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    int fd = open(path, flags, 0666);
    bool is_written = fd >= 0 && fcntl(fd, F_SETFL, O_APPEND) == 0 && file_write_all(fd, content);
    int saved = errno;
    if (fd >= 0 && close(fd) != 0) {
        saved = errno;
        is_written = false;
    }
    return is_written ? ERR_OK
                      : err_set(err, ERR_FILE, "cannot append to %s: %s", path, strerror(saved));
}

/* The path behind the symbolic links that `path` itself may be, whether anything is there or not.
 * False with errno set where they go in a circle or are too long. */
static bool follow_links(const char *path, char real[PATH_BYTES_MAX])
{
    char link[PATH_BYTES_MAX];
    int length = snprintf(real, PATH_BYTES_MAX, "%s", path);
    for (unsigned hops = 0; length >= 0 && length < PATH_BYTES_MAX; hops++) {
        ssize_t got = readlink(real, link, sizeof link - 1);
        if (got < 0) {
            return true; /* no link; what else is wrong with it is told by who opens it */
        }
        if (hops == LINKS_MAX) {
            errno = ELOOP;
            return false;
        }
        link[got] = '\0';
        const char *slash = strrchr(real, '/');
        int kept = link[0] == '/' || !slash ? 0 : (int)(slash - real) + 1;
        char joined[2 * PATH_BYTES_MAX];
        snprintf(joined, sizeof joined, "%.*s%s", kept, real, link);
        length = snprintf(real, PATH_BYTES_MAX, "%s", joined);
    }
    errno = ENAMETOOLONG;
    return false;
}

/* A new file beside the one that path leads to, which is `real`. */
struct draft {
    int fd;
    char real[PATH_BYTES_MAX], temp[PATH_BYTES_MAX + sizeof ".XXXXXX"];
};

static enum err_code draft_open(const char *path, struct draft *draft, struct err *err)
{
    if (!follow_links(path, draft->real)) {
        return err_set(err, ERR_FILE, "cannot write %s: %s", path, strerror(errno));
    }
    snprintf(draft->temp, sizeof draft->temp, "%s.XXXXXX", draft->real);
    draft->fd = mkstemp(draft->temp);
    if (draft->fd < 0) {
        bool is_link = strcmp(path, draft->real) != 0;
        return err_set(err, ERR_FILE, "cannot create %s%s%s: %s", path,
                       is_link ? ", a link to " : "", is_link ? draft->real : "", strerror(errno));
    }
    return ERR_OK;
}

enum err_code file_try_write(const char *path, struct err *err)
{
    struct draft draft;
    struct stat there;
    bool is_special = stat(path, &there) == 0 && !S_ISREG(there.st_mode);
    if (is_special && (S_ISDIR(there.st_mode) || access(path, W_OK) != 0)) {
        return err_set(err, ERR_FILE, "cannot write %s: %s", path,
                       strerror(S_ISDIR(there.st_mode) ? EISDIR : errno));
    }
    enum err_code code = is_special ? ERR_OK : draft_open(path, &draft, err);
    if (!is_special && !code) {
        close(draft.fd);
        unlink(draft.temp);
    }
    return code;
}

enum err_code file_write_whole(const char *path, struct str content, struct err *err)
{
    struct draft draft;
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        return write_special(path, content, err);
    }
    enum err_code code = draft_open(path, &draft, err);
    if (code) {
        return code;
    }
    /* mkstemp gives 0600; a report is no secret, so it gets what the umask leaves of 0666. */
    mode_t mask = umask(0);
    umask(mask);
    bool is_written = file_write_all(draft.fd, content) && fchmod(draft.fd, 0666 & ~mask) == 0;
    int saved = errno;
    if (close(draft.fd) != 0) {
        saved = errno;
        is_written = false;
    }
    if (!is_written || rename(draft.temp, draft.real) != 0) {
        saved = is_written ? errno : saved;
        unlink(draft.temp);
        return err_set(err, ERR_FILE, "cannot write %s: %s", path, strerror(saved));
    }
    return ERR_OK;
}
