/* Arena allocation: a list of blocks, each filled from the front. Takes sizes, gives zeroed memory;
 * ends the process when there is none. */
#include "base/arena.h"

#include "base/large_page.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_BYTES ((size_t)16 * 1024)
#define ALIGN _Alignof(max_align_t)

struct block {
    struct block *next;
    size_t used, size;
    size_t mapped_bytes; /* with this header, on large pages; 0 = from the heap */
    max_align_t bytes[];
};

struct arena {
    struct block *blocks; /* the newest first */
};

/* The one place where the program gives up: nothing above could do better without memory. */
static _Noreturn void out_of_memory(void)
{
    static const char text[] = "diagnose: out of memory\n";
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    _exit(5);
}

static void *take_zeroed(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (!memory) {
        out_of_memory();
    }
    return memory;
}

struct arena *arena_create(void)
{
    return take_zeroed(sizeof(struct arena));
}

static void free_block(struct block *block)
{
    if (block->mapped_bytes) {
        large_pages_give(block, block->mapped_bytes);
    } else {
        free(block);
    }
}

void arena_free(struct arena *arena)
{
    if (!arena) {
        return;
    }
    while (arena->blocks) {
        struct block *next = arena->blocks->next;
        free_block(arena->blocks);
        arena->blocks = next;
    }
    free(arena);
}

void arena_expect(struct arena *arena, size_t bytes)
{
    if (bytes < LARGE_PAGE_BYTES || bytes > SIZE_MAX / 2) {
        return;
    }
    bytes = (bytes + LARGE_PAGE_BYTES - 1) / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES;
    struct block *block = large_pages_take(bytes);
    if (block) {
        block->mapped_bytes = bytes;
        block->size = bytes - sizeof *block;
        block->next = arena->blocks;
        arena->blocks = block;
    }
}

void arena_reset(struct arena *arena)
{
    struct block *kept = NULL;
    while (arena->blocks) {
        struct block *block = arena->blocks;
        arena->blocks = block->next;
        if (!kept && block->size == BLOCK_BYTES) {
            kept = block;
        } else {
            free_block(block);
        }
    }
    if (kept) {
        memset(kept->bytes, 0, kept->used);
        kept->used = 0;
        kept->next = NULL;
    }
    arena->blocks = kept;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
    struct block *block = arena->blocks;
    if (bytes > SIZE_MAX / 2) {
        out_of_memory();
    }
    bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (!block || block->size - block->used < bytes) {
        size_t size = bytes > BLOCK_BYTES / 4 ? bytes : BLOCK_BYTES;
        struct block *fresh = take_zeroed(sizeof *fresh + size);
        fresh->size = size;
        if (block && size != BLOCK_BYTES) {
            /* A big piece gets a block of its own behind the one being filled. */
            fresh->next = block->next;
            block->next = fresh;
        } else {
            fresh->next = block;
            arena->blocks = fresh;
        }
        block = fresh;
    }
    void *result = (char *)block->bytes + block->used;
    block->used += bytes;
    return result;
}

void *arena_array(struct arena *arena, size_t count, size_t bytes_each)
{
    if (bytes_each && count > SIZE_MAX / bytes_each) {
        out_of_memory();
    }
    return arena_alloc(arena, count * bytes_each);
}

void *arena_grow(struct arena *arena, const void *array, size_t count, size_t *capacity,
                 size_t bytes_each)
{
    if (count < *capacity) {
        return (void *)(uintptr_t)array;
    }
    *capacity = *capacity ? *capacity * 2 : 8;
    void *bigger = arena_array(arena, *capacity, bytes_each);
    if (count) {
        memcpy(bigger, array, count * bytes_each);
    }
    return bigger;
}

struct str arena_dup(struct arena *arena, struct str s)
{
    if (!s.ptr) {
        return s;
    }
    char *copy = arena_alloc(arena, s.len + 1);
    if (s.len) {
        memcpy(copy, s.ptr, s.len);
    }
    return (struct str){copy, s.len};
}

struct str arena_lower(struct arena *arena, struct str s)
{
    char *copy = arena_alloc(arena, s.len + 1);
    for (size_t i = 0; i < s.len; i++) {
        copy[i] = str_lower(s.ptr[i]);
    }
    return (struct str){copy, s.len};
}

const char *arena_cstr(struct arena *arena, struct str s)
{
    return s.ptr ? arena_dup(arena, s).ptr : "";
}

struct str arena_printf(struct arena *arena, const char *format, ...)
{
    char small[256];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    struct str text = STR("");
    if (length >= 0 && (size_t)length < sizeof small) {
        text = arena_dup(arena, (struct str){small, (size_t)length});
    } else if (length >= 0) {
        char *big = arena_alloc(arena, (size_t)length + 1);
        vsnprintf(big, (size_t)length + 1, format, again);
        text = (struct str){big, (size_t)length};
    }
    va_end(again);
    return text;
}
