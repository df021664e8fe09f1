#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include "base/buf.h"
#include "core/observation.h"

/* What one small generation needs. */
struct wire_request {
    struct str model;
    bool is_uncapped; /* do not send a cap on output tokens */
};

/* One API: how to ask for the smallest real generation, and how to read what came back. One file
 * each; wires.def is the list. Wires know nothing of sockets and nothing of diagnoses. */
struct wire {
    struct str name;      /* "responses" */
    struct str path;      /* appended to the base URL: "/responses" */
    struct str accept;    /* Accept header */
    unsigned token_bound; /* output tokens asked for at most */
    /* Appends the JSON body. */
    void (*write_body)(const struct wire_request *request, struct buf *body);
    /* Reads status, headers and body of an HTTP observation and fills outcome, served_model and
     * request_id. is_whole: the transfer ended properly (false: cut off). */
    void (*read_answer)(struct arena *arena, bool is_whole, struct observation *observation);
    /* The body so far shows that the answer is over: a stream's last event came, so the probe may
     * hang up. */
    bool (*is_over)(struct str body_so_far);
};

/* NULL when there is no wire of that name. */
const struct wire *wire_find(struct str name);
size_t wire_count(void);
const struct wire *wire_at(size_t index);

#endif
