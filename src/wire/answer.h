#ifndef WIRE_ANSWER_H
#define WIRE_ANSWER_H

#include "core/observation.h"
#include "wire/parse.h"

/* Body without a byte order mark and blanks around it. */
struct str answer_text(const struct observation *observation);
/* Decides what needs no knowledge of the API: no status, an HTML page, any status that is not 2xx
 * (a 400 about nothing but the cap is CAPPED), a body with nothing in it. True when decided. Lifts
 * the request id of the headers, and of an error's body. */
bool answer_settle(struct arena *arena, bool is_whole, struct observation *observation);
/* Parses a 2xx body as JSON. NULL when it is none, and then the outcome is filled: an error inside
 * an event stream, a cut or broken off document, another shape. Free with cJSON_Delete. mark is a
 * member that every answer of the API has: a body that our bound cut and that holds it was an
 * answer (CAPPED). */
cJSON *answer_parse(struct arena *arena, bool is_whole, struct str mark,
                    struct observation *observation);
/* Fills request_id from the body's id where nothing better was found. */
void answer_lift_id(struct arena *arena, const cJSON *body, struct observation *observation);

#endif
