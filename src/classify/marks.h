#ifndef CLASSIFY_MARKS_H
#define CLASSIFY_MARKS_H

#include "base/arena.h"

/* Marks: places where a log quotes a machine, an error object, a code or a status of a failure.
 * What an entry of a log says without any is mere words. */

#define MARK_BYTES_MIN 8 /* of every literal */

/* A literal that a mark begins with, and where in it the value begins that decides. */
struct mark {
    struct str literal; /* lower case */
    unsigned char check;
    unsigned char value_at;
};

struct marks;

/* All literals of marks.def, spelled out to at least MARK_BYTES_MIN bytes. Lives in arena. */
const struct marks *marks_create(struct arena *arena);
size_t marks_count(const struct marks *marks);
const struct mark *marks_at(const struct marks *marks, size_t index);

/* Whether the mark whose literal stands at text[at] holds: its value is that of a failure. */
bool mark_holds(const struct mark *mark, struct str text, size_t at);

/* Whether a text has any mark that holds. */
bool marks_find(const struct marks *marks, struct str text);

#endif
