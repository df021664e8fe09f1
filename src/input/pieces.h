#ifndef INPUT_PIECES_H
#define INPUT_PIECES_H

#include "base/arena.h"

#define PIECES_MAX 64 /* of one paste; more than that is a document or a log */

/* A stretch of a paste that was printed or written at one time. */
struct piece {
    struct str text;        /* a slice of the paste, without blank lines around it */
    unsigned line, line_to; /* of the paste, from 1 */
};

/* Where somebody pasted several things, one below the other, the things: parted by blank lines, by
 * the prompt of a shell, a number or a mark in front, by the status line of an answer, or by
 * objects of JSON that follow each other. What leads on from the line above, such as a cause, a
 * detail or a note, stays with it. *count gets their number: 1 where nothing parts them, 0 of
 * blanks and where there are more than PIECES_MAX. Judges nothing. */
const struct piece *input_pieces(struct arena *arena, struct str text, size_t *count);

#endif
