#ifndef CLASSIFY_CLEAN_H
#define CLASSIFY_CLEAN_H

#include "base/arena.h"

/* text without the escape sequences and control characters of terminals, CRLF and lone CR as LF,
 * and without the bars that text boxes draw at both ends of a line. */
struct str clean_controls(struct arena *arena, struct str text);

/* text with the lines that a terminal wrapped put together again, one blank in place of the line
 * end and the indent, also where only the indent is left. Lines that begin something of their own
 * stay apart. */
struct str clean_rejoin(struct arena *arena, struct str text);

/* text without what programs put in front of each line that they show, the signs of a quotation and
 * line numbers, and without a page's tags around the whole. */
struct str clean_margin(struct arena *arena, struct str text);

/* The one line that a text says over and over, as attempts that end alike do; else the text. */
struct str clean_repeats(struct str text);

#endif
