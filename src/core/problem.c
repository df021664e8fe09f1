/* Codes of problems, and lists of them. */
#include "core/problem.h"

static const struct str codes[] = {
#define PROBLEM(code) STR_INIT(#code),
#include "core/problem.def"
#undef PROBLEM
};

size_t problem_code_count(void)
{
    return sizeof codes / sizeof codes[0];
}

struct str problem_code_at(size_t index)
{
    return codes[index];
}

bool problem_code_exists(struct str code)
{
    for (size_t i = 0; i < problem_code_count(); i++) {
        if (str_eq(codes[i], code)) {
            return true;
        }
    }
    return false;
}

struct problem *problems_add(struct arena *arena, struct problems *problems, struct problem problem)
{
    problems->items =
        arena_grow(arena, problems->items, problems->count, &problems->capacity, sizeof problem);
    problems->items[problems->count] = problem;
    return &problems->items[problems->count++];
}
