#ifndef INPUT_LOG_READER_H
#define INPUT_LOG_READER_H

#include "base/utf16.h"

#define LOG_BUFFER_BYTES ((size_t)192 * 1024) /* of a caller's block */

/* Reads a log of any size in blocks of whole entries; holds at most one block beside the caller's,
 * whatever the length of the lines. One reader serves several threads, one call at a time. */
struct log_reader {
    int fd;
    struct utf16 utf16;
    struct str head; /* read before the reader was made; comes first. Borrowed */
    char *kept;      /* read already, belongs to the next block */
    size_t kept_bytes;
    uint64_t lines; /* that ended in the blocks so far */
    bool has_text;  /* not all of them were blank */
    bool is_at_end;
    int os_errno; /* of a read that failed, which ends the log; else 0 */
};

/* head was read from fd, and utf16 is how far. */
struct log_reader *log_reader_open(int fd, struct utf16 utf16, struct str head);
void log_reader_close(struct log_reader *reader); /* leaves fd open; NULL is fine */

/* Fills bytes[LOG_BUFFER_BYTES]. *text gets the part of it that is a run of whole entries, and
 * *first_line the number of its first line, from 1. False at the end. A pipe's block is given as
 * soon as nothing more is there to read, but the last entry waits for what may follow it. */
bool log_reader_next(struct log_reader *reader, char *bytes, struct str *text,
                     uint64_t *first_line);

#endif
