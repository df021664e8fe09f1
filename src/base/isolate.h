#ifndef BASE_ISOLATE_H
#define BASE_ISOLATE_H

#include <stdbool.h>

/* Puts this process, and all that it starts from here on, into a network of its own that has
 * loopback and nothing else. False when the system does not allow it; then nothing has changed.
 * There is no way back. Call it before threads start. */
bool isolate_network(void);

#endif
