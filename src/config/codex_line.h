#ifndef CONFIG_CODEX_LINE_H
#define CONFIG_CODEX_LINE_H

#include "base/arena.h"

/* The options of a line of Codex. Private to the reader of Codex's settings. */

enum codex_option_kind {
    KIND_FLAG, /* nothing that a request is made of */
    KIND_VALUE,
    KIND_VALUES, /* takes all words up to the next option */
    KIND_MODEL,
    KIND_PROFILE,
    KIND_DIRECTORY,
    KIND_OVERRIDE,
    KIND_ENABLE,
    KIND_DISABLE,
    KIND_OSS,
    KIND_OSS_PROVIDER,
    KIND_NO_USER_FILE,
    KIND_TRUST,
    KIND_STRICT
};

struct codex_option {
    struct str name;
    char letter; /* '\0' = none */
    enum codex_option_kind kind;
};

/* One option of the line with what it says. */
struct codex_said {
    const struct codex_option *option;
    struct str shown, text; /* shown: "-m", "--model" */
    unsigned level;         /* 0 before the subcommand, 1 behind it, 2 behind one of its own */
};

struct codex_line {
    const struct codex_said *said; /* in order */
    size_t said_count;
    unsigned level;        /* how many subcommands there are, at most 2 */
    struct str subcommand; /* the last one */
};

/* Reads the words behind the program's name. The line borrows them; the rest is in arena. */
struct codex_line codex_read_line(struct arena *arena, const struct str *words, size_t count);

#endif
