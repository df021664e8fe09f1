#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

#include "base/arena.h"
#include "base/env.h"

/* The path, from the root, of the program that a name stands for: the first plain file of that name
 * on the PATH in env that may be executed, or the file itself where the name is a path. Relative
 * parts of a PATH are left out: the working directory may be a stranger's. NULL when there is none.
 */
const char *program_find(struct arena *arena, const struct env *env, struct str name);

/* Runs a program of the PATH in env without a shell and with nothing on its standard
 * input, and gives the first max_bytes of its standard output; its errors are thrown away. Unset
 * when there is no such program, when it fails, or when it is not done after timeout_ms: then it is
 * ended with all that it started. argv[0] is its name; NULL stands at the end. */
struct str program_output(struct arena *arena, const struct env *env, const char *const *argv,
                          int64_t timeout_ms, size_t max_bytes);

/* Runs a program of the PATH in env in place of this one, with the same streams. Comes back only
 * when that fails; errno tells why. */
void program_become(const struct env *env, const char *const *argv);

#endif
