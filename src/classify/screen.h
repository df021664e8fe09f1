#ifndef CLASSIFY_SCREEN_H
#define CLASSIFY_SCREEN_H

#include "base/arena.h"

/* Part of src/classify: the test that an entry of a log goes through before it is laid open. */

/* The same text with the escapes of all levels undone at once; itself where it has none. */
struct str screen_plain(struct arena *arena, struct str text);

/* A pattern that is valid without what it asks of the beginning and end of its text, without what
 * it denies around a match, and without what its matches may begin with but need not: where the
 * pattern matches in a part of a text, this one matches somewhere in the whole. (Edges of words may
 * stay: parts begin and end at quotes, blanks and signs.) It has no captures to count on. Unset for
 * a pattern of a form that is not read here, such as one that refers to its own groups or gives
 * nothing back. */
struct str screen_loosened(struct arena *arena, struct str pattern);

#endif
