#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include "base/buf.h"
#include "core/observation.h"
#include "rules/rules.h"

/* What one small generation needs. */
struct wire_request {
    struct str model;
    bool is_uncapped; /* the endpoint takes no cap on output tokens, and wants instructions */
    unsigned variant; /* 0 = the shape tried first; another one comes from next_variant */
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
     * request_id. is_whole: the transfer ended properly (false: cut off). A body that our own bound
     * cut has is_body_cut set. */
    void (*read_answer)(struct arena *arena, bool is_whole, struct observation *observation);
    /* The body so far shows that the answer is over: a stream's last event came, so the probe may
     * hang up. *seen is 0 at first and the wire's own from then on: it says how far the body has
     * been looked at, so that many small pieces cost no more than one big one. NULL: the end of
     * the transfer is the end of the answer. */
    bool (*is_over)(struct str body_so_far, size_t *seen);
    /* After read_answer: true when the API refused only the shape of our request and another one
     * (*next) is worth a second try. NULL: there is one shape. */
    bool (*next_variant)(const struct observation *observation, unsigned variant, unsigned *next);
};

/* NULL when there is no wire of that name. */
const struct wire *wire_find(struct str name);
size_t wire_count(void);
const struct wire *wire_at(size_t index);

/* read_answer for a free request (a list of models, an account page) that proves a key: any JSON
 * without an error in it is COMPLETE. Fills sight as well, by the places that `form` names and the
 * headers that `limits` names (see struct provider). Its body may be of any length. */
void wire_read_free(struct arena *arena, bool is_whole, const struct free_request *form,
                    const struct str *limits, size_t limit_count, struct observation *observation);

#endif
