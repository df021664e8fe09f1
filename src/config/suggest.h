#ifndef CONFIG_SUGGEST_H
#define CONFIG_SUGGEST_H

#include "base/arena.h"
#include "base/env.h"

/* Name of a variable that is set to something and was probably meant by `name`: OPENAI_KEY for
 * OPENAI_API_KEY. Only names of keys and tokens count. Unset when there is none. */
struct str suggest_key_variable(const struct env *env, struct str name);
/* "a, b or c". */
struct str suggest_choices(struct arena *arena, const struct str *words, size_t count);

#endif
