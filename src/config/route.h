#ifndef CONFIG_ROUTE_H
#define CONFIG_ROUTE_H

#include "config/draft.h"

/* Completes how a target's request gets there: the proxy (of the draft, else as the variables say
 * for this host) and the certificates that are trusted (of the draft, else SSL_CERT_FILE and
 * SSL_CERT_DIR). Both go into the draft as well, for the list of settings. What cannot be used is
 * added to the target's problems and makes it unsendable. host unset = the URL is none. */
void route_fill(struct arena *arena, const struct env *env, const struct rules *rules,
                struct draft *draft, struct str host, struct target *target);

#endif
