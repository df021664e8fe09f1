#ifndef CONFIG_OPEN_H
#define CONFIG_OPEN_H

#include "config/note.h"

/* Opening of files of settings, the same for every client: each file that was looked for is listed
 * in config->files, and why it cannot be read becomes a problem. */
struct opening {
    struct arena *arena;
    struct config *config;
    struct str home;           /* for ~ in shown paths */
    struct problems *problems; /* where problems of the file go */
    size_t file_index;         /* in config->files, set by open_file */
};

/* Reads a whole file. True when its text and shown path, masked by source->mask, are in *source. A
 * missing file is a problem only when it is_named by the user. */
bool open_file(struct opening *opening, struct str path, bool is_named, struct source *source);

/* Adds the errors that a parser found in the file, and marks it as broken. format_name: "TOML".
 * Gives true when there was none. */
bool open_check_syntax(struct opening *opening, const struct source *source,
                       const struct document *document, const char *format_name);

#endif
