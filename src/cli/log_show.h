#ifndef CLI_LOG_SHOW_H
#define CLI_LOG_SHOW_H

#include "cli/log_digest.h"
#include "cli/street.h"

/* Whether events are written as they come: --format ndjson. */
bool log_show_is_streaming(const struct cli *cli);

/* How many events of a digest the forms that were asked for show. */
size_t log_show_events_max(const struct cli *cli);

/* Appends one event as a line of JSON to cli->out. */
void log_show_line(struct cli *cli, struct arena *arena, const struct log_event *event);

/* Judges what logs told: a result for each diagnosis, with room for one more. Without any all is
 * well, if there was a text at all. */
void log_show_judge(struct street *street, struct result *results, size_t count, bool has_text);

/* Judges what the digest holds and appends the result in the run's format: for people a table of
 * diagnoses and the verdicts, as JSON events and counts; every other form that was asked for, too.
 * What was streamed is not written again. Gives the exit code. */
int log_show(struct street *street, struct log_digest *digest);

#endif
