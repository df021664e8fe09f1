#ifndef SERVE_SCRIPT_H
#define SERVE_SCRIPT_H

#include "serve/serve.h"
#include "syntax/node.h"

/* A script is TOML: blocks [[reply]], tried in order; the first whose conditions all hold answers.
 *
 *     [[reply]]                        conditions, all optional
 *     answer = "capacity"              only while the recorder gives this kind of answer
 *     wire = "responses"               responses | chat | messages | models: what the path ends in
 *     path = "/v1/responses"           end of the path, for other paths
 *     method = "POST"
 *     model = "gpt-x"                  "model" of the request's JSON body
 *     key = "sk-..."                   bearer, x-api-key or api-key value; "" = no key was sent
 *     request_headers = { x-a = "b" }  each sent with exactly this value
 *     query = { api-version = "1" }    likewise
 *     body_has = "max_tokens"          bytes somewhere in the request's body
 *     times = 2                        only for the first two requests that get here
 *                                      the answer: one of body, sse and healthy, or none of them
 *     status = 503                     200 when left out
 *     headers = { retry-after = "30" }
 *     body = '{"error":...}'           content-type follows from its first byte
 *     sse = ["[DONE]", { event = "error", data = "{}", delay_ms = 50 }]
 *     healthy = "any"                  a proper answer of that wire (any: of the path's) with the
 *                                      requested model; "models" lists the models of the script
 *     delay_ms = 300                   before the first byte
 *     drip = { bytes = 1, every_ms = 50 }
 *     truncate = 100                   so many bytes of the body, then the connection is closed
 *     reset = true                     TCP reset: in place of an answer, or where truncate cuts
 *     hang = true                      silence until the server stops: in place of an answer, or
 *                                      when the given body or sse (to truncate) is sent
 *     diagnosis = "capacity"           makes this block a row of the demo; asks for model and wire
 *
 * A script for the recorder names the kinds of answers that it has:
 *
 *     [[answer]]
 *     name = "rate_limit"
 *     also = "rate-limit 429"          other words for it
 *     failing = true                   a client that exits with 0 then hides a failure
 *     wait_ms = 2000                   what the retry-after of its replies comes to
 */

struct pair {
    struct str name, value; /* NUL-terminated copies */
};

struct pairs {
    const struct pair *items;
    size_t count;
};

/* Bytes of an answer, and the wait before them. */
struct piece {
    struct str bytes;
    int64_t delay_ms;
};

struct pieces {
    const struct piece *items;
    size_t count;
};

struct reply {
    struct str answer, wire, path, method, model, key, body_has; /* unset = does not matter */
    struct pairs request_headers, query;
    int64_t times; /* 0 = always */

    int64_t status;
    struct pairs headers;
    struct str body, healthy; /* at most one of body, healthy and events is set */
    struct pieces events;
    int64_t delay_ms, drip_bytes, drip_every_ms; /* drip_bytes 0 = all at once */
    int64_t truncate;                            /* -1 = whole */
    bool is_reset, is_hanging;
    struct str diagnosis;
    struct pos pos; /* of the block */
};

struct script {
    const struct reply *replies;
    size_t reply_count;
    const struct demo_row *rows;
    size_t row_count;
    const struct answer_kind *answers;
    size_t answer_count;
};

#endif
