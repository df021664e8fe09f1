/* Blocks of a log. Takes a descriptor, gives runs of whole entries; a line that is longer than a
 * block comes in parts that are cut where its pieces are:
 *
 *     |-- STEP --|-- STEP --| ... |-- STEP --|OVERLAP|        a block in the midst of a long line
 *                                            |-- STEP --|...  the next one
 */
#include "input/log_reader.h"

#include "input/log_entry.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LONG_BYTES (2 * LOG_STEP_BYTES) /* taken at once of a line without an end in sight */
#define WANTED_BYTES ((size_t)128 * 1024)

struct log_reader *log_reader_open(int fd, struct utf16 utf16, struct str head)
{
    struct log_reader *reader = calloc(1, sizeof *reader);
    char *kept = malloc(LOG_BUFFER_BYTES);
    if (!reader || !kept) {
        free(reader);
        free(kept);
        return NULL;
    }
    *reader = (struct log_reader){.fd = fd, .utf16 = utf16, .head = head, .kept = kept};
    return reader;
}

void log_reader_close(struct log_reader *reader)
{
    if (reader) {
        free(reader->kept);
        free(reader);
    }
}

/* Bytes read, at most `room`; 0 at the end. */
static size_t read_some(struct log_reader *reader, char *bytes, size_t room)
{
    ssize_t got;
    if (reader->head.len) {
        size_t part = reader->head.len < room ? reader->head.len : room;
        memcpy(bytes, reader->head.ptr, part);
        reader->head = str_slice(reader->head, part, reader->head.len);
        return part;
    }
    got = utf16_read(&reader->utf16, reader->fd, bytes, room);
    if (got < 0) {
        reader->os_errno = errno;
    }
    return got > 0 ? (size_t)got : 0;
}

static bool is_more_here(const struct log_reader *reader)
{
    struct pollfd wait = {.fd = reader->fd, .events = POLLIN};
    return reader->head.len || poll(&wait, 1, 0) > 0;
}

/* Where the bytes read so far can be cut, 0 when more must be read first. *next gets where the next
 * block begins: before the cut in a long line. */
static size_t find_cut(struct str text, size_t *next)
{
    const char *newline = memrchr(text.ptr, '\n', text.len);
    size_t behind = newline ? (size_t)(newline - text.ptr) + 1 : 0;
    if (newline && text.len - behind > LOG_PIECE_BYTES) { /* too long to go on with anything */
        *next = behind;
        return behind;
    }
    if (newline) {
        struct str lines = str_slice(text, 0, behind);
        *next = log_entry_begin(lines, 0, lines.len - 1);
        bool is_within = *next > 0 && text.ptr[*next - 1] != '\n';
        return *next + (is_within ? LOG_OVERLAP_BYTES : 0); /* the piece before ends there */
    }
    *next = LONG_BYTES;
    return text.len > LONG_BYTES + LOG_OVERLAP_BYTES ? LONG_BYTES + LOG_OVERLAP_BYTES : 0;
}

bool log_reader_next(struct log_reader *reader, char *bytes, struct str *text, uint64_t *first_line)
{
    size_t have = reader->kept_bytes, cut = 0, next = 0;
    memcpy(bytes, reader->kept, have);
    while (!cut && !reader->is_at_end) {
        size_t got = read_some(reader, bytes + have, LOG_BUFFER_BYTES - have);
        reader->is_at_end = got == 0;
        have += got;
        bool is_enough = have >= WANTED_BYTES || !is_more_here(reader);
        cut = is_enough ? find_cut((struct str){bytes, have}, &next) : 0;
    }
    if (reader->is_at_end) {
        cut = next = have;
    }
    reader->kept_bytes = have - next;
    memcpy(reader->kept, bytes + next, reader->kept_bytes);
    *text = (struct str){bytes, cut};
    reader->has_text = reader->has_text || str_trim(*text).len > 0;
    *first_line = reader->lines + 1;
    reader->lines += str_count_char(str_slice(*text, 0, next), '\n');
    reader->lines += reader->is_at_end && cut > 0 && bytes[cut - 1] != '\n';
    return cut > 0;
}
