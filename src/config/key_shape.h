#ifndef CONFIG_KEY_SHAPE_H
#define CONFIG_KEY_SHAPE_H

#include "rules/client.h"
#include "syntax/node.h"

bool key_shape_fits(enum key_shape shape, const struct node *node);
/* What a value is, for messages: "integer", "array of more than strings". */
const char *key_shape_of(const struct node *node);

#endif
