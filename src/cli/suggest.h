#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include "base/arena.h"

/* A growing list of names; start from {0}. */
struct names {
    struct str *items;
    size_t count, capacity;
};

void names_add(struct arena *arena, struct names *names, struct str name);
/* "a, b, c" */
struct str names_list(struct arena *arena, const struct names *names);

/* "; did you mean \"a\" or \"b\"?" with at most three names near to text, or "" when none is. The
 * nearest comes first; a name that begins with text counts as near, text itself does not. */
struct str suggest_nearest(struct arena *arena, const struct names *names, struct str text);
/* "; there are a, b, c", with the first names of many, or "" when there is none. */
struct str suggest_any(struct arena *arena, const struct names *names);
/* As suggest_nearest for options: names are shown with their dashes, and without any near one the
 * text points to --help. */
struct str suggest_option(struct arena *arena, const struct names *names, struct str text);

#endif
