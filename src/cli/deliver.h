#ifndef CLI_DELIVER_H
#define CLI_DELIVER_H

#include "cli/cli.h"

/* Chooses the form that results take from here on. */
void deliver_set_format(struct cli *cli, struct str format);

/* Whether the files that the command line names can be written, as far as can be told before there
 * is anything to write. ERR_FILE with the first that cannot. */
enum err_code deliver_check(struct cli *cli, struct err *err);

/* Calls `show` for each form of the result that was asked for: for the one on standard output (or
 * in --output), then for each --format FORMAT:FILE. While it runs, cli->options.format, is_json,
 * is_human and style say which, and cli->out takes it. Gives what the first call gave. */
int deliver_all(struct cli *cli, int (*show)(void *context), void *context);

/* The form under way goes to standard output, so that its own exit code is the process's. */
bool deliver_is_on_stdout(const struct cli *cli);

/* Has `content`, which it takes over, written to path when the command is done. */
void deliver_later(struct cli *cli, struct str path, struct buf content, bool is_appended);

/* Writes what has gathered where it is much and goes to standard output: of a long list, behind one
 * of its items. A failure is told when the rest is written. */
void deliver_part(struct cli *cli);

/* Writes all of it out: each file, then standard output or --output, each whole or not at all. What
 * can be written is, also where something cannot; the first failure is given. */
enum err_code deliver(struct cli *cli, struct err *err);
void deliver_free(struct cli *cli);

#endif
