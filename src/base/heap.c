/* Room for many allocations. Takes how much is expected, lets the heap of glibc grow by it; asks
 * nothing of other C libraries. */
#include "base/heap.h"

#include <limits.h> /* tells whether the C library is glibc */

#ifdef __GLIBC__

#include "base/large_page.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define WORTH_IT_BYTES (2 * LARGE_PAGE_BYTES)
#define PIECE_BYTES_MAX ((size_t)32 * 1024 * 1024) /* malloc takes no longer ones from it */

/* Lets the heap go on a small page before a large one: there lies what malloc writes before a
 * piece, which would make small pages of the large one that it is on. Skips something always, so
 * that the piece does not begin in what was left of the heap. glibc's malloc reckons with others
 * that move the break, and goes on behind it ("foreign sbrk" in its malloc.c); up to a large page
 * of addresses, which were never written and take no memory, is lost. Where the break cannot be
 * moved, or another thread moves it in between, the piece begins elsewhere. */
static void skip_to_large_page(void)
{
    uintptr_t begin = (uintptr_t)sbrk(0) + (uintptr_t)sysconf(_SC_PAGESIZE);
    (void)sbrk((intptr_t)(LARGE_PAGE_BYTES - begin % LARGE_PAGE_BYTES));
}

void heap_expect(size_t bytes)
{
    if (bytes < WORTH_IT_BYTES) {
        return;
    }
    bytes = bytes < PIECE_BYTES_MAX ? bytes : PIECE_BYTES_MAX - LARGE_PAGE_BYTES;
    mallopt(M_MMAP_THRESHOLD, (int)PIECE_BYTES_MAX); /* from the heap, not from beside it */
    mallopt(M_TRIM_THRESHOLD, INT_MAX);              /* which keeps what it got */
    skip_to_large_page();
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
