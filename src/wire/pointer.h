#ifndef WIRE_POINTER_H
#define WIRE_POINTER_H

#include "base/str.h"

#include <cjson/cJSON.h>

/* Calls `take` for each value that a JSON pointer (RFC 6901) leads to, where "*" stands for every
 * element of a list or member of an object; take gives false to end the walk. A path that leads
 * nowhere calls nothing; an unset pointer neither. Depth is bounded. */
void pointer_walk(const cJSON *body, struct str pointer,
                  bool (*take)(void *context, const cJSON *value), void *context);

/* The first of these values, or NULL. */
const cJSON *pointer_get(const cJSON *body, struct str pointer);

#endif
