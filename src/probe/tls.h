#ifndef PROBE_TLS_H
#define PROBE_TLS_H

#include "base/arena.h"
#include "core/observation.h"

/* Writes down what TLS shows during one transfer; must outlive the transfer's connection. */
struct tls_watch {
    struct arena *arena;
    struct tls_sight sight;
    bool has_record;
};

/* Hangs the watch on an SSL_CTX of libcurl's. Does nothing where libcurl uses another TLS library
 * than OpenSSL. Never changes how a session comes out. */
void tls_watch(struct tls_watch *watch, void *ssl_ctx);

#endif
