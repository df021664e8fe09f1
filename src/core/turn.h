#ifndef CORE_TURN_H
#define CORE_TURN_H

#include "base/arena.h"

/* What is kept of a record of turns, whoever keeps it. */
#define TURNS_MAX 100000
#define TURNS_BYTES_MAX ((size_t)16 * 1024 * 1024) /* of all their texts */
#define TURN_NAME_BYTES_MAX ((size_t)256)
#define TURN_ERROR_BYTES_MAX ((size_t)8 * 1024)

enum turn_end {
    TURN_OPEN, /* under way, or cut off by the end of its process: it has no end on record */
    TURN_ANSWERED,
    TURN_FAILED,
    TURN_STOPPED, /* by the person */
};

/* One request of a person to an agent, as the agent's own session record tells it. Texts that are
 * not told are unset, numbers -1. */
struct turn {
    struct str id; /* the same in every record of the agent */
    struct str session, model, provider, client_version;
    enum turn_end end;
    int64_t started_ms, ended_ms, duration_ms;
    int64_t session_ms;                     /* age of the session when the turn ended */
    int64_t context_tokens, context_window; /* that the session held then */
    int64_t limit_permille;                 /* used of the tightest limit */
    struct str error; /* JSON of what the agent noted of a failure; unset when it noted nothing */
};

struct turns {
    struct turn *items;
    size_t count, capacity;
};

/* A turn of which nothing is known yet. */
struct turn turn_blank(void);
struct turn *turns_add(struct arena *arena, struct turns *turns, struct turn turn);
/* The turn of that id among the newest thousand, or NULL. */
struct turn *turns_find(const struct turns *turns, struct str id);

#endif
