#ifndef PROBE_PROXY_H
#define PROBE_PROXY_H

#include "base/env.h"
#include "core/proxy.h"
#include "probe/url.h"

/* The proxy for a place: `configured` when it is set (empty = none), else what the variables say.
 * Its text is "" for no proxy, never unset. */
struct value proxy_choose(struct arena *arena, const struct env *env, const struct url_place *place,
                          const struct value *configured);

/* What a SOCKS proxy answered (CURLINFO_PROXY_ERROR), as the field proxy.error names it; unset
 * where it said nothing. */
struct str proxy_error_name(long number);

#endif
