/* Bounded growable bytes. Takes pieces, gives one run of at most `max` bytes; never grows past it.
 */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct buf buf_create(size_t max_bytes)
{
    return (struct buf){.max = max_bytes};
}

void buf_free(struct buf *buf)
{
    if (buf) {
        free(buf->ptr);
        *buf = (struct buf){.max = buf->max};
    }
}

/* Room for `bytes` more and a NUL; gives how many of them fit. */
static size_t reserve(struct buf *buf, size_t bytes)
{
    size_t room = buf->max - buf->len;
    if (bytes > room) {
        buf->is_full = true;
        bytes = room;
    }
    if (buf->len + bytes + 1 > buf->cap) {
        size_t cap = buf->cap ? buf->cap * 2 : 256;
        while (cap < buf->len + bytes + 1) {
            cap *= 2;
        }
        char *bigger = realloc(buf->ptr, cap);
        if (!bigger) {
            buf->is_full = true;
            return 0;
        }
        buf->ptr = bigger;
        buf->cap = cap;
    }
    return bytes;
}

bool buf_add(struct buf *buf, struct str s)
{
    size_t fits = reserve(buf, s.len);
    if (fits) {
        memcpy(buf->ptr + buf->len, s.ptr, fits);
        buf->len += fits;
    }
    if (buf->ptr) {
        buf->ptr[buf->len] = '\0';
    }
    return fits == s.len;
}

bool buf_printf(struct buf *buf, const char *format, ...)
{
    char small[512];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    bool is_whole = false;
    if (length >= 0 && (size_t)length < sizeof small) {
        is_whole = buf_add(buf, (struct str){small, (size_t)length});
    } else if (length >= 0) {
        char *big = malloc((size_t)length + 1);
        if (big) {
            vsnprintf(big, (size_t)length + 1, format, again);
            is_whole = buf_add(buf, (struct str){big, (size_t)length});
            free(big);
        } else {
            buf->is_full = true;
        }
    }
    va_end(again);
    return is_whole;
}

struct str buf_str(const struct buf *buf)
{
    return (struct str){buf->ptr ? buf->ptr : "", buf->len};
}
