#ifndef CONFIG_DRAFT_H
#define CONFIG_DRAFT_H

#include "config/overlay.h"
#include "config/url.h"

#define FALLBACKS_MAX 20 /* of a chain; those behind are not read */

/* Where a key comes from. text unset with an origin = it was looked for and is not there. */
struct key_source {
    bool is_wanted; /* false = no key is sent */
    struct value text;
    struct str name;        /* variable or file, as the user would fix it */
    struct origin named_at; /* place that names the variable or file, for "is not set" */
    struct str problem;     /* why the file of the key could not be read, or unset */
};

/* What was looked into last: thousands of targets may name the same file, and the same address. */
struct looks {
    struct str ca_path, ca_wrong; /* a file of certificates; ca_wrong unset = it is fine */
    struct str base_url;          /* about which nothing was to be said, and its parts */
    struct url url;
};

/* What a reader knows of one target before providers.toml fills the rest. */
struct draft {
    struct str client, client_version, name; /* name unset = "MODEL at HOST" */
    struct value provider, base_url, wire, model, proxy, ca_file, ca_dir, query;
    const struct overlay *overlay; /* variables with their origins; NULL = the environment alone */
    struct str ca_path;            /* ca_file as the system takes it */
    struct looks *looks;       /* kept by the reader from draft to draft; NULL = it keeps none */
    struct str base_url_label; /* what the user calls it: "base_url", "OPENAI_BASE_URL" */
    const struct str *wires;   /* that the client can speak, best first; count 0 = all */
    size_t wire_count;
    const struct provider *auth;         /* whose way of sending the key the client has; NULL = the
                                            provider's own */
    struct str auth_header, auth_prefix; /* stand over that when set */
    struct key_source key;
    const struct header *headers;
    const struct origin *header_origins; /* one a header */
    size_t header_count;
    bool is_exact;            /* nothing is sent that only the provider's own SDK would add */
    bool is_uncapped;         /* see struct target */
    bool wants_remarks;       /* see struct config_request */
    bool is_url_composed;     /* the path is the reader's making: no slips to look for */
    struct problems problems; /* found so far */
    bool is_unsendable;       /* one of them makes a request impossible */
    bool is_refused;          /* see struct target */
    struct str skip_reason;
    bool lacks_only_model; /* see struct target */
    struct phrase note;    /* see struct target */
};

/* Completes a draft: provider and its defaults, wire, URL, headers, key, each checked. Always gives
 * a target; what is wrong with it is in its problems. Values below `draft`'s own (defaults of
 * providers.toml) are added to the draft as well, for the list of settings. */
struct target draft_finish(struct arena *arena, const struct env *env, const struct rules *rules,
                           struct draft *draft);

#endif
