#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/cli.h"

/* The texts made of the records of commands and options. */

/* What --help prints: the command's, or the overview of all when the line names no command. */
void help_write(struct cli *cli);
void help_write_command(const struct command *command, struct buf *out);
void help_write_overview(struct buf *out);

/* The sections COMMANDS, OPTIONS and EXIT STATUS of the manual page, in mdoc (help_mdoc.c). */
void help_write_mdoc(struct arena *arena, struct buf *out);

/* The versions of the program and of its libraries (version.c). */
void help_write_version(struct buf *out);

/* The table of exit codes. */
struct exit_row {
    enum exit_code code;
    const char *text;
};
const struct exit_row *help_exit_rows(size_t *count);

/* "auto, always or never"; unset when the row has no choices. */
struct str help_choices(struct arena *arena, const struct opt *opt);

#endif
