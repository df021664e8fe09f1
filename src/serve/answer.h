#ifndef SERVE_ANSWER_H
#define SERVE_ANSWER_H

#include "serve/request.h"

/* Answers request->reply, or with a 404 when that is NULL. False when the connection is to be
 * dropped without an answer. */
bool answer_request(struct request *request, const struct script *script);
/* Answers with 413, worded as the vendors' edge does. */
bool answer_too_large(struct request *request, const struct script *script);

/* The descriptor that becomes readable when the server stops. Belongs to serve.c. */
int serve_stop_fd(const struct serve *serve);

#endif
