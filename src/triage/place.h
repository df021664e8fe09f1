#ifndef TRIAGE_PLACE_H
#define TRIAGE_PLACE_H

#include "core/verdict.h"

/* Where a target's request goes. The parts of a URL are views into it. */

/* "host:port" as the URL says it, without scheme, credentials and path. */
struct str place_authority(struct str url);
/* The same without the port and without the brackets of an IPv6 address. */
struct str place_host(struct str url);
/* The port, or the usual one of the scheme. */
struct str place_port(struct str url);
/* The host is an IP address in figures, so that there is nothing to resolve. */
bool place_is_address(struct str host);
/* The host is this machine. */
bool place_is_loopback(struct str host);
bool place_is_plain_http(struct str url);
/* What a result talked to first: its network proxy's authority when one was between, else the
 * host's. Unset for evidence without a target. */
struct str place_of_result(const struct result *result);

#endif
