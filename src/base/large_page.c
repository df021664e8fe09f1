/* Large pages: memory that costs one fault where small pages cost 512. Takes sizes, gives memory of
 * the system's, beside the C library's heap. */
#include "base/large_page.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void large_pages_want(void *start, size_t bytes)
{
    uintptr_t first = (uintptr_t)start, end = (first + bytes) & ~(LARGE_PAGE_BYTES - 1);
    first = (first + LARGE_PAGE_BYTES - 1) & ~(LARGE_PAGE_BYTES - 1);
    if (end > first) {
        madvise((void *)first, end - first, MADV_HUGEPAGE);
    }
}

void *large_pages_take(size_t bytes)
{
    char *room = bytes > SIZE_MAX - LARGE_PAGE_BYTES
                     ? MAP_FAILED
                     : mmap(NULL, bytes + LARGE_PAGE_BYTES, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) {
        return NULL;
    }
    size_t before = -(uintptr_t)room & (LARGE_PAGE_BYTES - 1);
    if (before) {
        munmap(room, before);
    }
    munmap(room + before + bytes, LARGE_PAGE_BYTES - before);
    large_pages_want(room + before, bytes);
    return room + before;
}

void large_pages_give(void *start, size_t bytes)
{
    munmap(start, bytes);
}

void pages_leave(const void *start, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)start;
    uintptr_t end = (first + bytes) & ~(page - 1);
    first = (first + page - 1) & ~(page - 1);
    if (end > first) {
        madvise((void *)first, end - first, MADV_DONTNEED);
    }
}
