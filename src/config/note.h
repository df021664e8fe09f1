#ifndef CONFIG_NOTE_H
#define CONFIG_NOTE_H

#include "config/config.h"
#include "syntax/node.h"

/* A file of settings while it is read: for origins, and for the lines shown beside problems. */
struct source {
    struct str path;       /* as it is shown */
    struct str file;       /* as the system takes it, or unset */
    enum origin_kind kind; /* ORIGIN_NONE stands for ORIGIN_FILE; else lines do not count */
    struct str text;
    struct mask mask; /* shapes of keys */
    /* Names that may stand on the left of "=" with a value that is no secret; on any other line the
     * value is shown as stars. */
    const struct str *plain_keys;
    size_t plain_key_count;
    unsigned lines_left; /* lines that may still be looked up: each costs a walk over the text */
};

/* Shapes of keys of all providers, for texts that are shown before the secrets are known. */
struct mask note_mask(const struct rules *rules);

struct origin note_origin(const struct source *source, struct pos pos);
/* Gives a problem the line around a place of the file, masked, each character in its column. Past
 * lines_left it gets none. */
void note_line(struct arena *arena, struct source *source, struct pos pos, struct problem *problem);
/* The same for a line that a parser has cut out already. */
struct str note_hide(struct arena *arena, const struct source *source, struct str line);
/* A text of the user's in quotes, fit for a message: bounded, masked, no control characters. */
struct str note_quote(struct arena *arena, const struct mask *mask, struct str text);

/* Adds a problem of a file, with its line. Gives it, so that the caller may add a suggestion; past
 * PROBLEMS_MAX of one list it is not added. */
#define PROBLEMS_MAX 100
struct problem *note_at(struct arena *arena, struct problems *problems, struct source *source,
                        struct pos pos, struct str code, bool is_warning, struct str message);
/* Adds a problem of any origin. */
struct problem *note_add(struct arena *arena, struct problems *problems, struct origin origin,
                         struct str code, bool is_warning, struct str message);

#endif
