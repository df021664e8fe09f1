#ifndef TRIAGE_FILL_VALUE_H
#define TRIAGE_FILL_VALUE_H

#include "triage/fill.h"

/* Value of the placeholder {name}, fit to be shown and to be pasted; unset when there is none. */
struct str fill_value(struct arena *arena, const struct fill *fill, struct str name);
/* The client of the failed target or of evidence without one: its id, unset where it is not known,
 * its version, and its block or NULL. */
struct str fill_client_id(const struct fill *fill);
struct str fill_client_version(const struct fill *fill);
const struct client *fill_client(const struct fill *fill);
/* The evidence has a client and no target: nothing is known of what else it could ask. */
bool fill_is_pasted(const struct fill *fill);

#endif
