#ifndef CLI_EXPLAIN_LINES_H
#define CLI_EXPLAIN_LINES_H

#include "cli/street.h"
#include "cli/suggest.h"

/* Texts of the table without a case at hand. */

/* {key_name} becomes <key name>, {switch} what it stands for. */
struct str explain_text(struct cli *cli, struct str text);

/* Adds the lines in the run's language; one with {switch} becomes one for each way in which the
 * client can be switched, or one in general words where client is NULL. */
void explain_lines(struct cli *cli, const struct client *client, const struct phrases *phrases,
                   struct names *lines);

/* Adds what to do about the diagnosis in the client's own words and in general, in the order of a
 * report. client may be NULL. */
void explain_actions(const struct street *street, const struct client *client,
                     const struct diagnosis *diagnosis, const struct phrases *general,
                     struct names *lines);

/* What only this client's user can do; false when there is nothing of the kind. */
bool explain_own_actions(const struct street *street, const struct client *client,
                         const struct diagnosis *diagnosis, struct names *lines);

#endif
