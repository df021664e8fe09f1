#ifndef SERVE_HEALTHY_H
#define SERVE_HEALTHY_H

#include "serve/script.h"

/* What the scripted provider knows of an API: where it lives and what a proper answer and a 404
 * look like. */
struct provider_wire {
    struct str name;              /* "responses" */
    struct str path;              /* end of the path of its requests */
    struct str json;              /* proper answer; {model} stands for the model as a JSON string */
    struct str stream;            /* the same as server-sent events; unset = never streamed */
    bool is_generating;           /* its POST asks a model for an answer */
    struct str no_model, no_path; /* bodies of a 404; {path} is "METHOD path", unquoted */
};

/* NULL when there is none of that name, or none whose path ends `path`. */
const struct provider_wire *provider_wire_find(struct str name);
const struct provider_wire *provider_wire_of_path(struct str path);

/* A name may be given for `wire`, one of these or "any" for `healthy`; for messages about others.
 */
#define PROVIDER_WIRE_NAMES "responses, chat, messages or models"

/* The proper answer of a wire for a model (unset = "unknown"). `script` lists the models of
 * GET .../models. */
struct str healthy_body(struct arena *arena, const struct provider_wire *wire,
                        const struct script *script, struct str model, bool is_stream);

/* The body of a 404 as the provider of that wire (NULL = the path is nobody's) words it. */
struct str not_found_body(struct arena *arena, const struct provider_wire *wire, struct str method,
                          struct str path, struct str model);

#endif
