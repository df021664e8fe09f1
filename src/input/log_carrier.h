#ifndef INPUT_LOG_CARRIER_H
#define INPUT_LOG_CARRIER_H

#include "base/arena.h"

/* What stands before each line that a program printed, put there by whoever carried it. */
struct log_carrier {
    size_t length;    /* bytes up to what was printed; 0 where nothing was put before it */
    struct str name;  /* whose line it is; empty where only a time was put before it */
    bool is_repeated; /* the program did so itself, before each line of a message */
    int64_t time_ms;  /* that was put there, of no year maybe; -1 where none was */
};

/* "worker-1  | ", "[pod/llm-0/app] ", "(Server pid=7) ", "2026-11-29T13:00:00.1234567Z ", the same
 * with "stdout F ", "2026-11-29T13:00:00: ",
 * "2026-11-29T13:00:00.123456+00:00 api/web/4f1c ", "Nov 29 13:00:00 host app[7]: ", "ERROR 11-29 13:00:00 [a.py:7] ", and several
 * of them one behind the other. Borrows from the line. */
struct log_carrier log_carrier_read(struct str line);

/* "stdout F ", which stands behind the time in a container's file: the stream, and whether the line
 * is full. Its bytes, 0 where it does not stand there. */
size_t log_stream_length(struct str rest);

/* "openai.RateLimitError: ...", "HttpOperationException: ...": as the last line of a traceback. */
bool log_names_exception(struct str line);

/* The record of JSON that a collector put its time or name before; unset where there is none. */
struct str log_carried_record(struct str line);

/* What a program printed of a line that a collector keeps as a record, Docker's {"log":"a\n",...},
 * {...,"textPayload":"a",...}, {...,"MESSAGE":"a",...}: with its escapes, without its end. Unset
 * where the line is none. */
struct str log_kept_text(struct str line);

/* The entry with what was put before its lines left off, but for the first one, which has its own
 * front; itself where nothing was put before that. Records that hold its lines become one. */
struct str log_carrier_strip(struct arena *arena, struct str entry);

#endif
