#ifndef INPUT_LOG_UPSTREAM_H
#define INPUT_LOG_UPSTREAM_H

#include "base/str.h"

/* Whom a web server or a balancer passed the request of an entry on to: the address behind nginx's
 * "upstream:", HAProxy's "backend/server". Unset where the entry names nobody. Borrows from it. */
struct str log_upstream(struct str entry);

#endif
