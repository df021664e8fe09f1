#ifndef PROBE_ADDRESS_H
#define PROBE_ADDRESS_H

#include "base/arena.h"
#include "core/observation.h"

#include <curl/curl.h>
#include <netinet/in.h>

#define ADDRESSES_MAX 6 /* of a name; further ones say nothing new */

union address {
    struct sockaddr any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
};

/* The addresses that a transfer tried, in order. */
struct addresses {
    union address items[ADDRESSES_MAX];
    size_t count;
};

/* For CURLOPT_OPENSOCKETFUNCTION; context is a struct addresses. Opens the socket as libcurl would,
 * and writes the address down. */
curl_socket_t address_open(void *context, curlsocktype purpose, struct curl_sockaddr *address);

/* Why the first of the addresses that has a route refuses a connection, as an errno, or 0. Waits
 * 250 ms at most, and sends nothing once it is connected. */
int address_errno(const struct addresses *addresses);

/* Fills families, no_route and, where host is a public name, dns_address. A family that took the
 * connection is already in *observation, and has a route. */
void address_judge(const struct addresses *addresses, struct str host,
                   struct observation *observation);

#endif
