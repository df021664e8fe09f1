#ifndef CLI_HISTORY_PART_H
#define CLI_HISTORY_PART_H

#include "cli/cli.h"
#include "history/history.h"

struct cJSON;

/* Parts of diagnose history; each gives the exit code. */

/* A record as JSON, in show, export and import: its members by name where they are known, keys
 * masked, the time as "at" in RFC 3339. cJSON owns the tree. */
struct cJSON *history_record_json(struct cli *cli, struct arena *arena,
                                  const struct record *record);

/* Says that there is no row, or none that the filter lets through. */
int history_say_none(struct cli *cli, const struct history_filter *filter);

/* Prints the heat map of the week. */
int history_show_hours(struct cli *cli, struct history *history,
                       const struct history_filter *filter);
/* Writes all records as JSON lines. */
int history_write_lines(struct cli *cli, struct history *history,
                        const struct history_filter *filter);
/* Adds records of files that history_write_lines made, or what a client recorded itself when the
 * one name is an importer's. Lines that are none are said, with their
 * place, and the rest is taken; then the exit code is EXIT_USAGE. */
int history_read_lines(struct cli *cli, const struct str *names, size_t count);

#endif
