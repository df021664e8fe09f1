/* Room for many allocations. Takes how much is expected, lets the heap of glibc grow by it; asks
 * nothing of other C libraries. */
#include "base/heap.h"

#include <limits.h> /* tells whether the C library is glibc */

#ifdef __GLIBC__

#include "base/large_page.h"

#include <malloc.h>
#include <stdlib.h>

#define WORTH_IT_BYTES (2 * LARGE_PAGE_BYTES)
#define PIECE_BYTES_MAX ((size_t)32 * 1024 * 1024) /* malloc takes no longer ones from it */

void heap_expect(size_t bytes)
{
    if (bytes < WORTH_IT_BYTES) {
        return;
    }
    bytes = bytes < PIECE_BYTES_MAX ? bytes : PIECE_BYTES_MAX - LARGE_PAGE_BYTES;
    mallopt(M_MMAP_THRESHOLD, (int)PIECE_BYTES_MAX); /* from the heap, not from beside it */
    mallopt(M_TRIM_THRESHOLD, INT_MAX);              /* which keeps what it got */
    void *room = malloc(bytes);
    if (room) {
        large_pages_want(room, bytes);
    }
    free(room);
}

#else

void heap_expect(size_t bytes)
{
    (void)bytes;
}

#endif
