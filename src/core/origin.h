#ifndef CORE_ORIGIN_H
#define CORE_ORIGIN_H

#include "base/arena.h"

enum origin_kind {
    ORIGIN_NONE,    /* not set anywhere */
    ORIGIN_DEFAULT, /* built in; name says where from: "providers.toml" or "documented cheap model"
                     */
    ORIGIN_FILE, /* name = path as the user would write it (~ for the home), line and column from 1
                  */
    ORIGIN_ENV,  /* name = variable */
    ORIGIN_OPTION, /* name = option: --model */
};

/* Where a value was said. */
struct origin {
    enum origin_kind kind;
    struct str name;
    unsigned line, column;
};

/* One setting: its text, where it was said, and the values it hides, nearest first. text unset =
 * not set. */
struct value {
    struct str text;
    struct origin origin;
    const struct value *shadowed; /* next lower value of the same setting, or NULL */
};

/* "config.toml:1:9", "env:NAME", "option:--model", "default: NAME"; unset for ORIGIN_NONE. */
struct str origin_text(struct arena *arena, struct origin origin);

#endif
