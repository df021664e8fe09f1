#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/str.h"

/* Bytes that grow up to a stated maximum; what does not fit is dropped and is_full says so. Memory
 * is the buffer's own until buf_free. buf.ptr always has a NUL behind its len bytes once something
 * was added. */
struct buf {
    char *ptr;
    size_t len, cap, max;
    bool is_full;
};

struct buf buf_create(size_t max_bytes);
void buf_free(struct buf *buf); /* NULL is fine; the buffer is empty and usable afterwards */

/* Each returns false when something was dropped. */
bool buf_add(struct buf *buf, struct str s);
static inline bool buf_add_char(struct buf *buf, char c)
{
    if (buf->len + 1 >= buf->cap || buf->len == buf->max) {
        return buf_add(buf, (struct str){&c, 1});
    }
    buf->ptr[buf->len++] = c;
    buf->ptr[buf->len] = '\0';
    return true;
}
__attribute__((format(printf, 2, 3))) bool buf_printf(struct buf *buf, const char *format, ...);

/* A view of the content, good until the next change. */
struct str buf_str(const struct buf *buf);

#endif
