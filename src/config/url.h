#ifndef CONFIG_URL_H
#define CONFIG_URL_H

#include "config/config.h"
#include "wire/wire.h"

/* A base URL taken apart; texts live in the arena. */
struct url {
    struct str text;        /* as it is used: no credentials, query, fragment or slash at the end */
    struct str host;        /* lower case, without brackets of IPv6 */
    struct str path;        /* "" or "/v1" */
    struct str query;       /* what stood behind '?', or unset */
    struct str credentials; /* "user:password" that stood in it, or unset: a secret */
};

/* Takes base_url apart. What is wrong is added to *problems, under `label` (the setting's or the
 * variable's name). Returns false when no request can be made with it. */
bool url_check(struct arena *arena, const struct rules *rules, const struct value *base_url,
               struct str label, struct problems *problems, struct url *url);

/* Warns of slips that make a URL lead to the wrong place although it can be used: a request's path
 * pasted into it, "/v1/v1", "/v1" where the wire adds it, the path missing that the provider's own
 * URL has. */
void url_check_slips(struct arena *arena, const struct rules *rules, const struct value *base_url,
                     struct str label, const struct url *url, const struct wire *wire,
                     struct problems *problems);

/* Is a proxy URL one that libcurl takes? Otherwise a problem is added. */
bool url_check_proxy(struct arena *arena, const struct rules *rules, const struct value *proxy,
                     struct problems *problems);

/* "user:password" of a URL, or unset. */
struct str url_credentials(struct str url);
/* The URL with [masked] in their place; also where there is no "://" by which mask_text knows them.
 */
struct str url_without_credentials(struct arena *arena, struct str url);

#endif
