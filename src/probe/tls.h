#ifndef PROBE_TLS_H
#define PROBE_TLS_H

#include "base/arena.h"
#include "core/observation.h"

#include <curl/curl.h>

/* Writes down what TLS shows during one transfer; must outlive the transfer's connection. */
struct tls_watch {
    struct arena *arena;
    struct tls_sight sight;
    bool has_record;
};

/* Hangs the watch on an SSL_CTX of libcurl's. Does nothing where libcurl uses another TLS library
 * than OpenSSL. Never changes how a session comes out. */
void tls_watch(struct tls_watch *watch, void *ssl_ctx);

/* The connection that a transfer has behind its handshake can be shared, for both sides agreed on
 * HTTP/2; true as well where another TLS library does not tell. */
bool tls_agreed_on_http2(CURL *easy);

#endif
