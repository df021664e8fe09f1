#ifndef RULES_SHAPE_H
#define RULES_SHAPE_H

#include "base/str.h"

/* Shapes of whole keys, as providers.toml writes them: letters stand for themselves, and {40h} for
 * 40 characters of a class, {20-60w} for 20 to 60 of them, {20+w} for 20 or more. Classes: h = 0-9
 * a-f, l = 0-9 a-z, s = a-z, d = 0-9, a = 0-9 a-z A-Z, w = those with '-' and '_', b = those of
 * base64 and its URL form. */

/* The whole text has the shape. */
bool shape_fits(struct str shape, struct str text);
/* The shape is written as it must be. */
bool shape_is_valid(struct str shape);

#endif
