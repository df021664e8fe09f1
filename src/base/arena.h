#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/str.h"

#include <stdarg.h>

/* Memory that lives and dies together. A function whose first parameter is an arena gives a result
 * that lives as long as that arena. Allocation never fails: when the system has no memory left the
 * process says so and ends, since every amount asked for from outside is bounded before it gets
 * here. */
struct arena;

struct arena *arena_create(void);
void arena_free(struct arena *arena); /* NULL is fine */
/* Says that about so many bytes will be allocated soon: room for them is taken at once, on large
 * pages where the system has them, in place of thousands of small ones that each cost a fault and
 * are zeroed twice. arena_reset gives it back. Changes speed and nothing else; too little for large
 * pages, and what nobody has, is ignored. */
void arena_expect(struct arena *arena, size_t bytes);
/* Everything in it is gone; a block of memory is kept for what comes next. */
void arena_reset(struct arena *arena);

/* Zeroed bytes, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t bytes);
/* Zeroed array; the product is checked. */
void *arena_array(struct arena *arena, size_t count, size_t bytes_each);
#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, count, type) ((type *)arena_array((arena), (count), sizeof(type)))

/* Makes room for one more element behind `count`: returns the array itself or a copy of twice the
 * capacity. Usage: list = arena_grow(arena, list, count, &capacity, sizeof *list); list[count++] =
 * x; */
void *arena_grow(struct arena *arena, const void *array, size_t count, size_t *capacity,
                 size_t bytes_each);

/* A copy of s with a NUL behind it; unset stays unset. */
struct str arena_dup(struct arena *arena, struct str s);
/* The same in lower case; only ASCII letters have one. */
struct str arena_lower(struct arena *arena, struct str s);
/* A copy as a C string; bytes behind an inner NUL are lost to C functions. Unset gives "". */
const char *arena_cstr(struct arena *arena, struct str s);
__attribute__((format(printf, 2, 3))) struct str arena_printf(struct arena *arena,
                                                              const char *format, ...);

#endif
