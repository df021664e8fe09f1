#ifndef SERVE_REQUEST_H
#define SERVE_REQUEST_H

#include "base/buf.h"
#include "base/mask.h"
#include "serve/record.h"
#include "serve/script.h"

struct MHD_Connection;

/* One request as it came in, and how far its answer has got. Made when the request line is there,
 * freed when the answer is over. */
struct request {
    struct arena *arena;
    struct serve *serve; /* the server's own */
    struct MHD_Connection *connection;
    struct str method, path;
    struct str model; /* of the JSON body, or unset */
    struct secret key;
    unsigned own_port;       /* that it came to */
    struct str foreign_host; /* of a request to a recorder that is meant for somebody else */
    bool is_stream;          /* the body asks for a stream */
    struct buf body;

    const struct reply *reply; /* that answers, or NULL */
    struct pieces pieces;
    size_t piece, offset; /* next byte to send */
    uint64_t sent_bytes;  /* of the body */
    bool has_waited;      /* the delay of the current piece is over */
};

#define REQUEST_BODY_BYTES_MAX ((size_t)1024 * 1024)

/* NULL when there is no memory left. */
struct request *request_create(struct serve *serve, struct MHD_Connection *connection,
                               const char *method, const char *path);
void request_free(struct request *request); /* NULL is fine */

/* Lifts key, model and stream out of headers and the whole body. */
void request_read(struct request *request);

/* True when the conditions of a reply, but for its `times`, hold; answer is the kind that a
 * recorder gives, or unset. */
bool request_meets(const struct request *request, const struct reply *reply, struct str answer);

/* For a recorder: what the request is, with its path and model completed, and the reply of one that
 * is refused. */
enum recorded_kind recorder_admit(struct request *request);
/* What is kept of it, in the arena, without its key. */
struct recorded recorder_record(struct arena *arena, const struct request *request,
                                enum recorded_kind kind, int64_t at_ms);

/* Writes the request as one line of JSON. No key is ever in it. */
void request_log(struct request *request, int fd, int64_t at_ms, int64_t time_ms,
                 unsigned in_flight);

#endif
