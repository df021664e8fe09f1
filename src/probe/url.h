#ifndef PROBE_URL_H
#define PROBE_URL_H

#include "base/arena.h"

/* Base URL, path of the API and query as one URL. The base may end in slashes and may have a query
 * of its own; a /v1 that ends the base and begins the path is written once. */
struct str url_join(struct arena *arena, struct str base, struct str path, struct str query);

/* What a URL says of where it leads, without credentials. */
struct url_place {
    bool is_whole; /* it can be taken apart and says its scheme: libcurl would take "host/v1" for
                      http, and so send a key in the clear that its owner meant for https */
    struct str endpoint; /* "scheme://host:port" in lower case; the URL itself when not whole */
    struct str host;     /* "host:port"; "unusable URL" when not whole */
    struct str name;     /* the host alone; "" when not whole */
};
struct url_place url_place(struct arena *arena, struct str url);

/* host and name of that, for who needs nothing else. */
struct str url_host(struct arena *arena, struct str url);
struct str url_name(struct arena *arena, struct str url);

#endif
