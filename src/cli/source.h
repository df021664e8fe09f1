#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "base/utf16.h"
#include "cli/cli.h"

/* One operand that names evidence: a file, or "-" for standard input. Start from source_open, end
 * with source_close whatever happened in between. */
struct source {
    struct str name;  /* as it was given; masked by who opens it, before it is shown */
    struct str shown; /* for complaints */
    int fd;
    bool is_stdin;
    struct utf16 utf16;
    struct str text; /* what was read so far, in the run's arena */
    bool is_whole;   /* nothing stands behind text */
};

/* ERR_FILE when it cannot be opened. Says so when a person has to type. */
enum err_code source_open(struct cli *cli, struct str name, struct source *source, struct err *err);
void source_close(const struct source *source);

/* ERR_FILE by errno, for a source that cannot be opened or read. */
enum err_code source_refuse(const struct source *source, struct err *err);

/* Remarks that a source held nothing but blanks. */
void source_say_blank(struct cli *cli, const struct source *source);

/* Reads on until source->text has `bytes` bytes or a few more, or the end is reached. ERR_FILE when
 * the system refuses. */
enum err_code source_read(struct cli *cli, struct source *source, size_t bytes, struct err *err);

#endif
