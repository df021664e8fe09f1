#ifndef INPUT_LOG_ENTRY_H
#define INPUT_LOG_ENTRY_H

#include "base/str.h"

#define LOG_PIECE_BYTES ((size_t)64 * 1024) /* of a longer line that are judged at once */
#define LOG_OVERLAP_BYTES ((size_t)4096)    /* that two pieces of a line share */
#define LOG_STEP_BYTES (LOG_PIECE_BYTES - LOG_OVERLAP_BYTES)

/* The unit of a log: a line with what belongs to it below, a traceback or a body over several
 * lines; or one piece of a very long line. Borrows from the block. */
struct log_entry {
    size_t begin, end; /* bytes of the block; the end of the last line is not among them */
    size_t next;       /* where the entry behind it begins */
    bool is_piece;     /* of a line that goes on in the next entry */
};

/* The entry that begins at block[at], which must be the beginning of an entry. Which lines form
 * one depends on nothing but the lines from the last sure beginning on, so that it makes no
 * difference where a stream was cut into blocks, as long as it was cut between entries. */
struct log_entry log_entry_at(struct str block, size_t at);

/* The first entry that holds block[at], or where it begins. `from` is the beginning of an entry at
 * or before it, the search stops there. */
struct log_entry log_entry_holding(struct str block, size_t from, size_t at);
size_t log_entry_begin(struct str block, size_t from, size_t at);

#endif
