#ifndef INPUT_INPUT_H
#define INPUT_INPUT_H

#include "base/mask.h"
#include "core/observation.h"

#define INPUT_BYTES_MAX ((size_t)1024 * 1024)
#define INPUT_SNIFF_BYTES ((size_t)64 * 1024) /* of a file, by which its kind is told */

enum input_kind { INPUT_AUTO, INPUT_TEXT, INPUT_HTTP };

/* Makes one observation of pasted text: plain text, or an HTTP answer as `curl -i` and `curl -v`
 * print it (status line, headers, body; the last answer of several). Masked, bounded, invalid UTF-8
 * replaced. origin.line is 1. */
struct observation input_paste(struct arena *arena, const struct mask *mask, struct str text,
                               enum input_kind kind);

/* Whether the front of a file is that of a log: many lines begin with a time or a level, or are
 * records of JSON, or most of twenty and more begin with one of a few words, or there are forty and
 * more of what is no document, page, script, session or answer of HTTP. */
bool input_is_log(struct str text);

/* Makes one observation of a line of `classify --ndjson` (members: id, kind, provider, status,
 * headers, curl_code, errno, body or text). *id gets the id as JSON text ("null" when there is
 * none). False with a message when the line is no such object; *id holds what can be read of it. */
bool input_ndjson(struct arena *arena, const struct mask *mask, struct str line,
                  struct observation *observation, struct str *id, struct str *error);

#endif
