#ifndef PROBE_URL_H
#define PROBE_URL_H

#include "base/arena.h"

/* Base URL, path of the API and query as one URL. The base may end in slashes and may have a query
 * of its own; a /v1 that ends the base and begins the path is written once. */
struct str url_join(struct arena *arena, struct str base, struct str path, struct str query);

/* The URL can be taken apart and says its scheme. libcurl would take "host/v1" for http, and so
 * send a key in the clear that its owner meant for https. */
bool url_is_whole(struct str url);

/* "host:port" of a URL, without credentials; "unusable URL" when it cannot be taken apart. */
struct str url_host(struct arena *arena, struct str url);

/* The host alone, in lower case; "" when the URL cannot be taken apart. */
struct str url_name(struct arena *arena, struct str url);

/* "scheme://host:port" in lower case, which tells endpoints apart; the URL itself when it cannot
 * be taken apart. */
struct str url_endpoint(struct arena *arena, struct str url);

#endif
