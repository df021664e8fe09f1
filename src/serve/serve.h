#ifndef SERVE_SERVE_H
#define SERVE_SERVE_H

#include "base/arena.h"
#include "base/err.h"

/* The scripted provider: an HTTP server on loopback that answers as its script says. For the demo,
 * for tests, and for a person who points a client at it. Script format (TOML): see script.h. */
struct serve;
struct script;

/* Parses a script; `file` names it in errors. */
enum err_code script_parse(struct arena *arena, struct str file, struct str text,
                           const struct script **script, struct err *err);
/* A script embedded in the program: "rules/demo.toml". Unset when there is none of that name. */
struct str script_embedded(const char *name);
#define SCRIPT_OF_DEMO "rules/demo.toml"

/* Starts to listen on 127.0.0.1, port 0 = any free one; *port gets the real one. It is ready when
 * this returns. The script must outlive the server. request_log (-1 = none): a descriptor that gets
 * one JSON object a line for each request. */
enum err_code serve_start(const struct script *script, unsigned short port, int request_log,
                          struct serve **serve, unsigned short *bound_port, struct err *err);
/* Stops at once, also while replies hang. NULL is fine. */
void serve_stop(struct serve *serve);

/* What the demo must know of its script: one row per model. */
struct demo_row {
    struct str model, wire, diagnosis; /* diagnosis that a right tool names */
};
const struct demo_row *script_rows(const struct script *script, size_t *count);

/* The kinds of answers that a script for the recorder has, in its order. */
struct answer_kind {
    struct str name, also; /* also: other words for it, parted by blanks */
    bool is_failing;
    int64_t wait_ms; /* that its Retry-After asks for, or 0 */
};
const struct answer_kind *script_answers(const struct script *script, size_t *count);

#endif
