#ifndef REPORT_LAYOUT_H
#define REPORT_LAYOUT_H

#include "report/report.h"

/* Text on a terminal: widths are columns, wide characters count two. Texts given here are fit to be
 * shown and on one line. */

#define LAYOUT_COLUMNS_MIN 40
#define LAYOUT_COLUMNS_MAX 120 /* longer lines are hard to read */

/* The width that a style asks for, within bounds. */
size_t layout_columns(const struct report_style *style);

void layout_blanks(struct buf *out, size_t count);
/* The text with blanks behind it up to `columns`. */
void layout_pad(struct buf *out, struct str text, size_t columns);

/* Writes the text over as many lines as it takes, broken at blanks and between CJK characters. The
 * cursor stands at column `indent`; further lines begin there. tail (may be empty) is put at the
 * right end of the last line, or on a line of its own. Ends with a newline. */
void layout_wrap(struct buf *out, struct str text, size_t indent, size_t columns, struct str tail);

/* Colours, only where the style has them; meaning never rests on them. */
enum tint { TINT_NONE, TINT_GOOD, TINT_BAD, TINT_WARN, TINT_DIM, TINT_STRONG };
/* That of a step which ended so. */
enum tint layout_step_tint(enum step_status status);
/* The text in a colour; padding must be added by the caller, outside. */
void layout_tinted(struct buf *out, const struct report_style *style, enum tint tint,
                   struct str text);

#endif
