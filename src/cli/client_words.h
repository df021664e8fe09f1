#ifndef CLI_CLIENT_WORDS_H
#define CLI_CLIENT_WORDS_H

#include "cli/street.h"

/* In whose words advice is given where nothing is probed. */

/* The client that --client names, *client NULL where it is not given. Any of the table will do,
 * also one whose settings are not read; ERR_USAGE names them all. */
enum err_code client_asked(const struct street *street, const struct client **client,
                           struct err *err);

/* Gives evidence without a target that client, else the one whose marks the text holds. */
void client_recognise(const struct street *street, struct str text,
                      struct observation *observation);

#endif
