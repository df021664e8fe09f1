#ifndef BASE_SHAPE_H
#define BASE_SHAPE_H

#include "base/str.h"

/* Shapes of whole keys, as providers.toml writes them: letters stand for themselves, and {40h} for
 * 40 characters of a class, {20-60w} for 20 to 60 of them, {20+w} for 20 or more. Classes: h = 0-9
 * a-f, l = 0-9 a-z, s = a-z, d = 0-9, a = 0-9 a-z A-Z, w = those with '-' and '_', b = those of
 * base64 and its URL form. */

/* The whole text has the shape. */
bool shape_fits(struct str shape, struct str text);
/* The shape has letters of its own ("sk-or-v1-{64h}", "{32h}.{16a}"), so that what fits it is
 * hardly anything else; dashes alone are those of a UUID. */
bool shape_is_telling(struct str shape);
/* How many bytes a text of the shape has; none has it where most < least. */
void shape_lengths(struct str shape, size_t *least, size_t *most);
/* The shape is written as it must be. */
bool shape_is_valid(struct str shape);

#endif
