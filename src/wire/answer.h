#ifndef WIRE_ANSWER_H
#define WIRE_ANSWER_H

#include "base/buf.h"
#include "core/observation.h"

#include <cjson/cJSON.h>

/* What the wires share: JSON that is not trusted, server-sent events, and the judgements that do
 * not depend on the API. */

/* Appends s as a JSON string with its quotes. */
void json_write_string(struct buf *out, struct str s);
/* Member of that exact name, or NULL; object may be NULL or of any type. */
const cJSON *json_member(const cJSON *object, const char *name);
/* Copy of a string member, or unset. */
struct str json_string(struct arena *arena, const cJSON *object, const char *name);
/* The body says that something failed: a non-null error, a vendor's code that is not success. */
bool json_has_error(const cJSON *body);

/* Reads one server-sent event after the other; start from {body}. */
struct sse {
    struct str rest;
};
/* The next event that has something in it: its name (unset when there is none) and its data, lines
 * joined by LF. An event that the end of the body cuts off is given as it is. False at the end. */
bool sse_next(struct arena *arena, struct sse *sse, struct str *name, struct str *text);
/* The first line that is not blank is one of an event stream. */
bool sse_is_stream(struct str body);
/* The body so far ends at the end of an event. */
bool sse_is_at_boundary(struct str body);

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
