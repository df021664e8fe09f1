#ifndef BASE_UTF16_H
#define BASE_UTF16_H

#include "base/arena.h"

#include <sys/types.h>

#define UTF16_ROOM_MIN ((size_t)16)

/* How far a descriptor was read that may hold UTF-16 in place of UTF-8. Start from zeros. */
struct utf16 {
    bool is_begun; /* its mark was looked for */
    bool is_wide;
    unsigned char kept[4]; /* bytes of a character whose rest is still to come */
    size_t kept_bytes;
};

/* As file_read_some, but what begins with the mark of UTF-16, little endian, which PowerShell
 * writes for `program > file`, comes as UTF-8 and without the mark. room: UTF16_ROOM_MIN or more.
 */
ssize_t utf16_read(struct utf16 *state, int fd, char *bytes, size_t room);

/* The same of a whole text; itself where it does not begin with the mark. */
struct str utf16_text(struct arena *arena, struct str text);

#endif
