#ifndef CORE_TARGET_H
#define CORE_TARGET_H

#include "base/mask.h"
#include "core/diagnosis.h"
#include "core/origin.h"
#include "core/problem.h"

/* A header that goes with every request. Values may be secret: they are masked in all output. */
struct header {
    struct str name;
    struct str value;
};

enum role { ROLE_PRIMARY, ROLE_FALLBACK, ROLE_SMALL, ROLE_REVIEW, ROLE_PROFILE };

/* One model that somebody configured: all that a request needs, and where each part was said. Made
 * by config, const from then on; everything lives in the arena of the config. */
struct target {
    struct str name;           /* unique in a run: "MODEL at HOST" unless named */
    struct str client;         /* id of a block in rules/clients/: "diagnose", "openai-sdk" ...;
                                * unset = of no client: targets that nobody uses together */
    struct str client_version; /* whose behaviour was followed, or unset */
    struct str provider;       /* id of a block of rules/providers.toml, or unset */
    struct str wire;           /* name in src/wire/wires.def */
    enum role role;
    unsigned fallback_number; /* 1 for the first fallback */
    struct str chain; /* name of the primary whose chain this target belongs to (its own name for a
                         primary) */

    struct value base_url, model, proxy, ca_file,
        ca_dir;         /* unset proxy = what the environment says */
    struct value asked; /* the model that the user wrote, where a reader knows that it is not the
                           one in force; unset = see truth_of */
    bool is_refused;    /* the client does not start with these settings */
    bool is_unread;     /* no client asks this model: it stands in a list that nothing reads */
    struct str provider_id; /* what the client calls its provider, or unset */
    struct origin provider_origin, wire_origin;

    struct secret key;        /* value unset = no key is sent */
    struct origin key_origin; /* also set when the key is missing: where it was looked for */
    struct str
        key_name; /* variable or file that holds the key, as the user would fix it; or unset */
    struct str auth_header; /* "Authorization", "x-api-key", "api-key" */
    struct str auth_prefix; /* "Bearer ", or "" */
    struct str path;        /* in place of the wire's own when set; may be empty */
    struct str query;       /* appended to the URL: "api-version=2024-10-21", or unset */
    const struct header *headers;
    size_t header_count;

    bool is_uncapped; /* the endpoint takes no cap on output tokens, and wants instructions */

    struct phrase note;       /* what a probe of it does not prove, or unset */
    struct problems problems; /* of this target: its key's shape and so on */
    struct str skip_reason;   /* set = cannot be probed, and why ("no model named; give --model") */
    bool lacks_only_model;    /* that is for want of a model or of its API: the key can be proven */
    bool is_unsendable; /* a problem in `problems` makes a request impossible or pointless (key
                           missing, bad URL) */
};

#endif
