#ifndef TRIAGE_FILL_VALUE_H
#define TRIAGE_FILL_VALUE_H

#include "triage/fill.h"

/* Value of the placeholder {name}, fit to be shown and to be pasted; unset when there is none. */
struct str fill_value(struct arena *arena, const struct fill *fill, struct str name);
/* The block of the failed target's client, or NULL. */
const struct client *fill_client(const struct fill *fill);

#endif
