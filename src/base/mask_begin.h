#ifndef BASE_MASK_BEGIN_H
#define BASE_MASK_BEGIN_H

#include "base/mask.h"

#include <limits.h>

#define MASK_BYTE_VALUES (UCHAR_MAX + 1)
#define MASK_WORD_BYTES 128 /* lengths of words that are told apart */

/* Where in a text something to hide may begin, told by three bytes and by the length of a word:
 *
 *     openings     sk-  eyJ  ://  bearer ...   by their first byte: the second and third ones
 *     bare shapes  {32h}  {8h}-{4h}-...        by the lengths that a word of them can have
 *
 * Nearly every word of a text is passed over so. */
struct mask_begin {
    unsigned char kinds[MASK_BYTE_VALUES]; /* of bytes, see mask_begin.c */
    uint32_t second[MASK_BYTE_VALUES];     /* a bit for the low five of a byte's: no case */
    uint32_t third[MASK_BYTE_VALUES];
    bool lengths[MASK_WORD_BYTES]; /* the last stands for all that are longer */
};

/* Reads it out of a mask. */
void mask_begin_read(struct mask_begin *begin, const struct mask *mask);

/* A way through a text: start from {begin, text}. */
struct mask_walk {
    const struct mask_begin *begin;
    struct str text;
    size_t at;
    size_t run_end; /* of the letters of keys that `at` stands in */
    bool is_plain;  /* nothing begins within them */
    size_t loose;   /* before it a word may begin anywhere: an escape is near */
};

/* The next place where something may begin, to *place; false when there is none. */
bool mask_walk_next(struct mask_walk *walk, size_t *place);
/* Goes on at a place further on: what stands before it was hidden. */
void mask_walk_leave(struct mask_walk *walk, size_t at);

/* The bytes of a name at s[at] that a secret follows, 0 when there is none; run: those of the word
 * there. A parameter has its name at the beginning of a query, too. */
size_t mask_begin_name(struct str s, size_t at, size_t run);

#endif
