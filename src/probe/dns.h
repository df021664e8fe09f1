#ifndef PROBE_DNS_H
#define PROBE_DNS_H

#include "base/arena.h"
#include "base/env.h"

/* One name that did not resolve, and what its resolvers say to a question of ours. */
struct dns_question {
    struct str host;
    struct str result; /* nxdomain, no_address, servfail, refused, timeout, no_server, answered */
};

/* Asks the resolvers of /etc/resolv.conf for all names at once, for budget_ms at most, and fills
 * the results. libcurl and getaddrinfo only say that a name did not resolve, not why. Names that no
 * question can be made of keep their result. */
void dns_ask(const struct env *env, struct dns_question *questions, size_t count,
             int64_t budget_ms);

#endif
