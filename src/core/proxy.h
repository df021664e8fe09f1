#ifndef CORE_PROXY_H
#define CORE_PROXY_H

#include "core/origin.h"

/* A variable with its origin; text unset when it is not there. `context` is the caller's. */
typedef struct value proxy_variable(struct arena *arena, const void *context, struct str name);

/* The proxy that the variables https_proxy, http_proxy, all_proxy and no_proxy name for a host,
 * with its origin. Lower-case names win; HTTP_PROXY is not looked at for http URLs, since a CGI
 * caller could set it. text is unset when no variable names one, and empty, with the exempted proxy
 * as its shadow, when no_proxy exempts the host. */
struct value proxy_of_variables(struct arena *arena, bool is_https, struct str host,
                                proxy_variable *variable, const void *context);

/* The host (a name or an address) is one that a no_proxy list exempts: "*", names with all their
 * subdomains, addresses, and networks in CIDR form, between commas or blanks. */
bool proxy_is_exempt(struct arena *arena, struct str host, struct str no_proxy);

#endif
