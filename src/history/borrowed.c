/* Reading of databases that belong to other programs. SQLite makes a -wal and a -shm beside a
 * database in WAL mode even for a reader, and leaves them there; where nobody has them open already
 * a copy is read. Never immutable=1: the newest rows may still be in the -wal. */
#include "history/borrowed.h"

#include "base/buf.h"
#include "base/folder.h"
#include "history/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUSY_MS 100
#define BLOCK_BYTES ((size_t)64 * 1024)
#define STEPS_BETWEEN_LOOKS 10000 /* of the virtual machine */
#define VERSION_AT 18             /* of the header's bytes: 2 = WAL */

/* "file:PATH?mode=ro" with what a URI gives another meaning escaped. */
static struct str read_only_uri(struct arena *arena, struct str path)
{
    static const char digits[] = "0123456789ABCDEF";
    struct buf uri = buf_create(path.len * 3 + 32);
    buf_add(&uri, STR("file:"));
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.ptr[i];
        if (c == '?' || c == '#' || c == '%' || c < ' ') {
            buf_add_char(&uri, '%');
            buf_add_char(&uri, digits[c >> 4]);
            buf_add_char(&uri, digits[c & 15]);
        } else {
            buf_add_char(&uri, (char)c);
        }
    }
    buf_add(&uri, STR("?mode=ro"));
    struct str text = arena_dup(arena, buf_str(&uri));
    buf_free(&uri);
    return text;
}

/* A plain file, without waiting for whoever writes into a FIFO; -1 when it is none. */
static int open_plain(const char *path, int64_t *bytes)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0 && (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))) {
        close(fd);
        return -1;
    }
    *bytes = fd >= 0 ? (int64_t)status.st_size : 0;
    return fd;
}

static bool write_block(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t put = write(fd, bytes, count);
        if (put < 0 && errno != EINTR) {
            return false;
        }
        bytes += put > 0 ? put : 0;
        count -= put > 0 ? (size_t)put : 0;
    }
    return true;
}

/* A file that is not there is no failure: *max_bytes is what further files may take. */
static bool copy_file(struct arena *arena, struct str from, struct str to, int64_t *max_bytes,
                      const struct budget *budget)
{
    int64_t bytes = 0;
    int in = open_plain(from.ptr, &bytes);
    if (in < 0) {
        return errno == ENOENT;
    }
    int out = open(to.ptr, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    char *block = arena_alloc(arena, BLOCK_BYTES);
    bool is_good = out >= 0 && bytes <= *max_bytes;
    ssize_t got = 0;
    while (is_good && (got = read(in, block, BLOCK_BYTES)) > 0) {
        *max_bytes -= got;
        is_good =
            *max_bytes >= 0 && !budget_is_spent(budget) && write_block(out, block, (size_t)got);
    }
    close(in);
    if (out >= 0 && close(out) != 0) {
        is_good = false;
    }
    return is_good && got == 0;
}

static bool has_file(struct arena *arena, struct str path, const char *ending)
{
    return access(arena_printf(arena, "%.*s%s", STR_ARG(path), ending).ptr, F_OK) == 0;
}

/* In WAL mode and open in no program, so that a reader would make the files that are missing. */
static bool needs_copy(struct arena *arena, struct str path)
{
    unsigned char header[VERSION_AT + 1] = {0};
    int64_t bytes;
    int fd = open_plain(path.ptr, &bytes);
    bool is_wal = fd >= 0 && read(fd, header, sizeof header) == (ssize_t)sizeof header &&
                  header[VERSION_AT] == 2;
    if (fd >= 0) {
        close(fd);
    }
    return is_wal && !has_file(arena, path, "-shm");
}

static bool copy_both(struct arena *arena, struct str parent, struct str path, int64_t max_bytes,
                      const struct budget *budget, struct str *folder, struct str *copy)
{
    struct err err = {0};
    if (folder_create(arena, parent, folder, &err)) {
        return false;
    }
    *copy = arena_printf(arena, "%.*s/copy.sqlite", STR_ARG(*folder));
    struct str log = arena_printf(arena, "%.*s-wal", STR_ARG(path));
    struct str log_copy = arena_printf(arena, "%.*s-wal", STR_ARG(*copy));
    return copy_file(arena, path, *copy, &max_bytes, budget) &&
           copy_file(arena, log, log_copy, &max_bytes, budget);
}

static int stop_late(void *budget)
{
    return budget_is_spent(budget) ? 1 : 0;
}

static bool open_database(struct arena *arena, struct str path, const struct budget *budget,
                          struct borrowed *borrowed)
{
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(read_only_uri(arena, path).ptr, &borrowed->db, flags, NULL) != SQLITE_OK) {
        return false;
    }
    sqlite3_busy_timeout(borrowed->db, BUSY_MS);
    /* The schema stays trusted: Codex 0.171 has an index by json_extract(), which counts as unsafe.
     * Views and indices can call nothing but SQLite's own functions, for so long as the budget. */
    sqlite3_db_config(borrowed->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_progress_handler(borrowed->db, STEPS_BETWEEN_LOOKS, stop_late,
                             (void *)(uintptr_t)budget);
    return true;
}

bool borrowed_open(struct arena *arena, struct str parent, struct str path, int64_t max_bytes,
                   const struct budget *budget, struct borrowed *borrowed)
{
    int64_t bytes;
    int fd = open_plain(arena_cstr(arena, path), &bytes);
    *borrowed = (struct borrowed){0};
    if (fd < 0) {
        return false;
    }
    close(fd);
    path = arena_dup(arena, path);
    if (!store_is_plain(arena, path)) {
        return false;
    }
    if (!needs_copy(arena, path)) {
        return open_database(arena, path, budget, borrowed);
    }
    struct str copy = {NULL, 0};
    bool is_copied = copy_both(arena, parent, path, max_bytes, budget, &borrowed->folder, &copy);
    if (has_file(arena, path, "-shm")) { /* the other program began to write meanwhile */
        return open_database(arena, path, budget, borrowed);
    }
    return is_copied && open_database(arena, copy, budget, borrowed);
}

void borrowed_close(struct arena *arena, struct borrowed *borrowed)
{
    sqlite3_close_v2(borrowed->db);
    if (str_is_set(borrowed->folder)) {
        folder_remove(arena, borrowed->folder);
    }
    *borrowed = (struct borrowed){0};
}
