#ifndef PROBE_TRANSFER_H
#define PROBE_TRANSFER_H

#include "base/buf.h"
#include "base/env.h"
#include "base/str_set.h"
#include "probe/address.h"
#include "probe/probe.h"
#include "probe/tls.h"
#include "wire/wire.h"

#include <curl/curl.h>

#define BODY_MAX_BYTES ((size_t)64 * 1024)
#define FREE_BODY_MAX_BYTES ((size_t)2 * 1024 * 1024) /* lists of models are long */
#define HEADER_MAX_COUNT 100
#define HEADER_MAX_BYTES ((size_t)8 * 1024)
#define HEADERS_MAX_BYTES ((size_t)64 * 1024)

/* One request under way: what is sent, and what came so far. */
struct transfer {
    const struct planned_request *request;
    const struct wire *wire; /* NULL for a free request */
    const struct env *env;
    struct value proxy; /* text "" = none */
    unsigned variant;   /* of the request's shape, see wire.h */
    bool is_fresh;      /* its endpoint has no connection yet that it could share or use again */
    bool is_sharing;    /* may wait for a place on a connection of others */
    CURL *easy;
    struct curl_slist *header_lines;
    const struct secret *secrets; /* that this request sends: the key, and headers like it */
    size_t secret_count;
    int64_t started_ms; /* wall clock */
    int64_t begun_ms;   /* the other clock */
    int64_t tls_ms;     /* from begun_ms to the beginning of TLS, -1 = never */

    struct tls_watch tls;       /* what TLS shows of the other side */
    struct addresses addresses; /* that were tried */

    struct buf headers; /* raw lines of the last answer, each with its LF */
    size_t header_count;
    size_t header_bytes;  /* seen, kept or not */
    int64_t date_seen_ms; /* our wall clock when the Date header came */
    bool has_body;        /* what the header callback gets from now on are trailers */
    bool is_header_flood; /* given up because of the headers */
    struct buf body;
    size_t seen;      /* for the wire's is_over */
    bool is_body_cut; /* given up because of the bound */
    bool is_over;     /* hung up, since the answer was whole */
};

/* Makes a transfer, filled down to is_sharing, ready to be sent, its easy handle set up. Gives
 * CURLE_OK, or why it cannot be sent; transfer_clear is called in either case. ca and the like come
 * from the request's target. */
CURLcode transfer_prepare(struct transfer *transfer, struct arena *arena,
                          const struct probe_options *options);
/* Frees what the transfer holds. */
void transfer_clear(struct transfer *transfer);

/* What the answers of a run must not give back to the eye. Most headers, and many refusals, are the
 * same in each: texts in which there was nothing to hide are remembered. */
struct veil {
    const struct mask *mask; /* the caller's, NULL = none */
    struct str_set harmless; /* {0} at first; filled from the arena of the observations */
};

/* The observation of a transfer that ended with that code. */
struct observation transfer_observe(struct arena *arena, struct veil *veil,
                                    const struct transfer *transfer, CURLcode code);

/* What libcurl knows of the transfer as a number; 0 when it knows nothing. */
long transfer_number(const struct transfer *transfer, CURLINFO which);

/* Fills phase, step_ms and total_ms; status must be there already. */
void transfer_fill_steps(const struct transfer *transfer, CURLcode code,
                         struct observation *observation);

/* Value of Retry-After and its relatives in ms, -1 when there is none that is sure. now_ms is our
 * wall clock. */
int64_t wait_of_headers(const struct observation *observation, int64_t now_ms);
/* An HTTP date as ms since 1970; false when it is none. */
bool http_date(struct str text, int64_t *ms);

#endif
