#ifndef SERVE_RECORD_H
#define SERVE_RECORD_H

#include "base/arena.h"
#include "base/mask.h"

/* What a recorder keeps of the requests that came to it. */

enum recorded_kind {
    RECORDED_TRY,     /* asks a model for an answer */
    RECORDED_OTHER,   /* lists of models, renewals of tokens, whatever else */
    RECORDED_UPGRADE, /* wants another protocol (WebSocket) and is refused */
    RECORDED_FOREIGN, /* meant for another host, led here by a proxy variable and refused */
    RECORDED_COUNT
};

struct recorded_header {
    struct str name, value; /* without keys, fit to be shown */
};

/* One request. No text holds a key. */
struct recorded {
    enum recorded_kind kind;
    int64_t at_ms;           /* since the recorder was started */
    struct str method, host; /* host: whom a foreign request is meant for */
    struct str path, query;  /* query: "name=value&...", or unset */
    struct str model;        /* that it names, or unset */
    struct secret key;       /* value: to hide what the client prints of it */
    int64_t status;          /* of the answer */
    const struct recorded_header *headers;
    size_t header_count;
};

#define RECORDED_MAX 1000u
#define RECORDED_HEADERS_MAX 64u

/* The requests in order of arrival, the first RECORDED_MAX; totals counts all. */
struct recording {
    const struct recorded *items;
    size_t count, capacity;
    size_t totals[RECORDED_COUNT];
};

#endif
