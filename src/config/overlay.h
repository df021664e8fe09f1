#ifndef CONFIG_OVERLAY_H
#define CONFIG_OVERLAY_H

#include "config/note.h"

/* Variables as a client sees them that reads a .env file over those of its shell. */
struct overlay {
    const struct env *shell;
    struct env merged; /* for lookups by name alone; the clock is the shell's */
    struct source source;
    struct document document; /* of the file; root NULL without one */
    struct str
        dropped_prefix; /* names of the file that begin so (any case) are not taken, or unset */
};

/* Takes the parsed file of *overlay over the shell's variables. */
void overlay_make(struct arena *arena, struct overlay *overlay);
/* A variable with its origin, and the shell's value as its shadow where the file hides it. */
struct value overlay_get(struct arena *arena, const struct overlay *overlay, struct str name);

#endif
