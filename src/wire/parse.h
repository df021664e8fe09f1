#ifndef WIRE_PARSE_H
#define WIRE_PARSE_H

#include "base/arena.h"
#include "base/buf.h"

#include <cjson/cJSON.h>

/* Appends s as a JSON string with its quotes. */
void body_write_string(struct buf *out, struct str s);
/* NULL when text is no JSON. Free with cJSON_Delete. */
cJSON *body_parse(struct str text);
/* A document that began as JSON and ends within a string or with brackets still open. */
bool body_is_broken_off(struct str text);
/* Member of that exact name, or NULL; object may be NULL or of any type. */
const cJSON *body_member(const cJSON *object, const char *name);
/* Copy of a string member, or unset. */
struct str body_string(struct arena *arena, const cJSON *object, const char *name);
/* The body says that something failed: a non-null error, a vendor's code that is not success. */
bool body_has_error(const cJSON *body);

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

#endif
