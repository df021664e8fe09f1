#ifndef SERVE_RECORDER_H
#define SERVE_RECORDER_H

#include "serve/record.h"
#include "serve/serve.h"

/* Starts a provider on a free port of loopback that answers as the script says for one kind of
 * answer, writes down what comes, is a proxy to every other host that refuses all of them, and
 * refuses other protocols. The script must outlive it. */
enum err_code recorder_start(const struct script *script, struct str answer, struct serve **serve,
                             unsigned short *port, struct err *err);
/* How many requests of a kind came so far. */
size_t recorder_count(struct serve *serve, enum recorded_kind kind);
/* Stops it and gives what it wrote down, in the arena. */
void recorder_stop(struct arena *arena, struct serve *serve, struct recording *recording);

#endif
