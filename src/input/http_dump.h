#ifndef INPUT_HTTP_DUMP_H
#define INPUT_HTTP_DUMP_H

#include "core/observation.h"

/* Reads an HTTP answer as `curl -i` and `curl -v` print it: status line, headers, blank line, body.
 * Of several answers (100 Continue, redirects, a proxy's 200 to CONNECT) the last counts; a refused
 * CONNECT becomes the observation of a transport that failed, as a probe would have made it. Fills
 * kind, status, headers, body, curl_code and the proxy's part. False when the text is no such dump:
 * no status line near its front, or, unless `is_forced`, no end of the headers. */
bool http_dump_read(struct arena *arena, struct str text, bool is_forced,
                    struct observation *observation);

#endif
