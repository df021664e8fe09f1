#ifndef SYNTAX_PLACE_H
#define SYNTAX_PLACE_H

#include "syntax/node.h"

/* Turns byte offsets into lines and columns. Offsets asked for in rising order cost one pass over
 * the text in all, whatever the length of its lines. */
struct place_cursor {
    struct str text;
    size_t offset;
    struct pos pos;
};

struct place_cursor place_start(struct str text);
/* The place of an offset (of the character it lies in); offsets past the end give the end. */
struct pos place_of(struct place_cursor *cursor, size_t offset);
/* The other way round: the offset of a place, one pass over the text before it. */
size_t place_offset(struct str text, struct pos pos);

#endif
