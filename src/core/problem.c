/* List of problems. */
#include "core/problem.h"

struct problem *problems_add(struct arena *arena, struct problems *problems, struct problem problem)
{
    problems->items =
        arena_grow(arena, problems->items, problems->count, &problems->capacity, sizeof problem);
    problems->items[problems->count] = problem;
    return &problems->items[problems->count++];
}
