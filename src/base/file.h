#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/arena.h"
#include "base/err.h"

#include <sys/types.h>

/* Why a file could not be read, told apart because each asks for another remedy. */
enum file_status {
    FILE_OK,
    FILE_MISSING,    /* ENOENT, ENOTDIR */
    FILE_UNREADABLE, /* no permission, or any other refusal */
    FILE_NOT_PLAIN,  /* a directory, device or FIFO */
    FILE_LOOP,       /* symbolic links in a circle */
    FILE_TOO_BIG,    /* over the caller's limit; nothing was kept */
};

/* Reads a whole plain file of at most max_bytes into the arena (NUL behind it). os_errno (may be
 * NULL) gets the system's reason. Never blocks on a FIFO, never trusts the size that stat gave. */
enum file_status file_read(struct arena *arena, const char *path, size_t max_bytes,
                           struct str *content, int *os_errno);

/* As read(2), which it calls until something comes: a pipe that its other user made non-blocking,
 * as Node does, is waited for. */
ssize_t file_read_some(int fd, char *bytes, size_t room);

/* Writes all of it, however little write(2) takes at a time. False with errno set. */
bool file_write_all(int fd, struct str content);

/* One plain sentence part for a status: "is a directory or device", "cannot be read: Permission
 * denied". */
struct str file_status_text(struct arena *arena, enum file_status status, size_t max_bytes,
                            int os_errno);

/* Writes content to a new file beside path and renames it over path, so a reader sees all or
 * nothing. Symbolic links stay and are followed, also to where nothing is yet. A device or pipe
 * that path names is written to as it is. */
enum err_code file_write_whole(const char *path, struct str content, struct err *err);

/* Whether file_write_whole would find its way now: ERR_FILE with the reason it would give. Leaves
 * what path names as it is. */
enum err_code file_try_write(const char *path, struct err *err);

/* Writes content behind what path holds, which is made where it is missing, in one piece where the
 * system takes it so. */
enum err_code file_append(const char *path, struct str content, struct err *err);

#endif
