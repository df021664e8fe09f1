#ifndef BASE_MASK_LETTER_H
#define BASE_MASK_LETTER_H

#include "base/str.h"

#define MASK_SEQUENCE_BYTES_MAX 32 /* of the figures of a terminal's sequence: more are none */

/* What the text at s[at] reads as once the escapes of JSON, URLs and HTML are undone: one letter to
 * *letter; gives the bytes that it takes, 0 at the end. Escapes of anything beyond ASCII are left.
 */
size_t mask_letter(struct str s, size_t at, char *letter);

/* Bytes at s[at] of a line's end and what indents the next line, as they are or escaped; 0 = there
 * is none. A key that is shown over two lines is the same key. */
size_t mask_break(struct str s, size_t at);

/* The bytes right before s[at] are an escape with digits, such as \\u003a or %3A. */
bool mask_ends_escape(struct str s, size_t at);

/* Keys are made of such letters. */
static inline bool mask_is_key_char(char c)
{
    char letter = (char)(c | 0x20);
    return str_is_lower(letter) || str_is_digit(c) || c == '-' || c == '_' || c == '.';
}

/* Only at these bytes a letter may be written in another way. */
static inline bool mask_may_escape(char c)
{
    return c == '\\' || c == '%' || c == '&';
}

#endif
