#ifndef CLASSIFY_RESPELL_H
#define CLASSIFY_RESPELL_H

#include "base/arena.h"

/* A text as it read before it was put into another format, in the arena; itself where nothing in it
 * was spelled anew: bytes outside ASCII that a Python literal or a C string names (\xe6, \346), and
 * but for logs entities of markup and the quotes that CSV and YAML double. A page is left as it is:
 * its reader knows entities. */
struct str respell_plain(struct arena *arena, struct str text, bool is_log);

/* The bytes of the entity that a text begins with, 0 when it is none we know; *meant: what it
 * stands for. */
size_t respell_entity(struct str text, struct str *meant);

#endif
