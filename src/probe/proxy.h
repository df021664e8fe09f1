#ifndef PROBE_PROXY_H
#define PROBE_PROXY_H

#include "base/arena.h"
#include "base/env.h"

/* The proxy for a URL: `configured` when it is set (empty = none), else what the variables
 * https_proxy, http_proxy, all_proxy and no_proxy say. Lower-case names win; HTTP_PROXY is not
 * looked at for http URLs, since a CGI caller could set it. Gives "" for no proxy, never unset. */
struct str proxy_choose(struct arena *arena, const struct env *env, struct str url,
                        struct str configured);

/* The host (a name or an address, without brackets) is one that a no_proxy list exempts: "*",
 * names with all their subdomains, addresses, and networks in CIDR form, between commas or blanks.
 */
bool proxy_is_exempt(struct arena *arena, struct str host, struct str no_proxy);

#endif
