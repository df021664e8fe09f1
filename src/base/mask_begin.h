#ifndef BASE_MASK_BEGIN_H
#define BASE_MASK_BEGIN_H

#include "base/mask.h"

#include <limits.h>

#define MASK_BEGIN_BYTES (UCHAR_MAX + 1)

/* What may begin at a byte, by its value: most of a text begins nothing. */
enum beginning {
    BEGINS_SECRET = 1,      /* a known secret, wherever it stands */
    BEGINS_NAME = 2,        /* a name that a secret follows */
    BEGINS_LOGIN = 4,       /* "://" */
    BEGINS_WORD = 8,        /* a key's letter: at the beginning of a word it may be of a shape */
    BEGINS_ESCAPE = 16,     /* a letter in another guise, of any of these */
    BEGINS_PREFIX = 32,     /* the beginning of a key, at that of a word */
    BEGINS_ODD_PREFIX = 64, /* and one that goes on behind the word */
};

/* Sets begins[c] for each byte c to what may begin at it: to none or several of the above. */
void mask_begin_list(const struct mask *mask, unsigned char begins[MASK_BEGIN_BYTES]);

/* For places where no escape is near, whose letters look like those of words.
 *
 * Whether s[at] stands within a word, where nothing begins but a known secret. Whatever else looks
 * like the end of a word is two dashes, a dot, or, behind a terminal's sequence, one letter that
 * follows a figure or no letter at all. */
bool mask_begin_is_inside(const unsigned char begins[MASK_BEGIN_BYTES], struct str s, size_t at);
/* The next place behind s[at] where something may begin. */
size_t mask_begin_next(const unsigned char begins[MASK_BEGIN_BYTES], struct str s, size_t at);

#endif
