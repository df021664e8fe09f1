#ifndef RULES_USER_FILES_H
#define RULES_USER_FILES_H

#include "rules/rules.h"

/* Reads the user's rule files: *.toml of a directory in order of name, hidden ones left out. Adds
 * what can be read to texts (room for USER_FILES_MAX), content in arena. A directory that is not
 * there is fine; what cannot be read, and what is past a bound, is a problem of that file. Private
 * to src/rules. */
#define USER_FILES_MAX ((size_t)256)
void user_files_read(struct arena *arena, struct str dir, struct rules_text *texts, size_t *count,
                     struct problems *problems, struct arena *problem_arena);

#endif
