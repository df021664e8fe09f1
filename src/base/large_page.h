#ifndef BASE_LARGE_PAGE_H
#define BASE_LARGE_PAGE_H

#include <stddef.h>

#define LARGE_PAGE_BYTES ((size_t)2 * 1024 * 1024)

/* Wants large pages for those parts of the memory that fill them. A wish: where the system has
 * none, nothing changes but speed. */
void large_pages_want(void *start, size_t bytes);

/* Zeroed memory that begins with a large page, bytes a multiple of LARGE_PAGE_BYTES. What is never
 * written takes none. NULL where the system gives none; else it goes back by large_pages_give, with
 * the same bytes. */
void *large_pages_take(size_t bytes);
void large_pages_give(void *start, size_t bytes);

/* A constant of the program is not needed any more: the whole pages of it leave memory, and come
 * back from the program's file if it is read after all. */
void pages_leave(const void *start, size_t bytes);

#endif
