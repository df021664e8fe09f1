#ifndef INPUT_LOG_REQUEST_H
#define INPUT_LOG_REQUEST_H

#include "base/str.h"

/* A request that an entry names. Its address borrows from the entry. */
struct log_request {
    struct str address; /* unset where it names none */
    bool is_served;     /* a status stands behind it, as in an access log: /a HTTP/1.1" 404 */
    bool is_line;       /* it is that of a request's whole line: "GET /a HTTP/1.1" */
};

/* The request whose address stands behind a word at text[at], of `lead` bytes where it is a method
 * or the name of a value of a server, of `call` bytes where it is one of a caller: GET /a,
 * "url":"https://b/a"; and the address itself with the cause of a failure behind it, "http://b/a:
 * refused". *end_before is where the address before ended, and so do those in it. */
struct log_request log_request_at(struct str text, size_t at, size_t lead, size_t call,
                                  size_t *end_before);

/* The part of an address that names what is asked for, without the query, which may hold another
 * address. Empty where it has none. */
struct str log_path_of(struct str address);
/* Whether a path is that of the root of a host or of an API, which tells nothing. */
bool log_path_is_bare(struct str path);
/* Whether it is what browsers, those who scan for holes and those who change an app's settings ask
 * for, whatever the host. */
bool log_path_is_page(struct str path);

/* Whether an address may stand behind a lead: none does where no slash has a sign before it. */
bool log_may_hold_address(struct str text);

/* Behind the name of a machine, "hostname":"chat-7f9c", or of a source file, "path":"/chat/a.py",
 * whose words tell nothing; `end` where none stands behind text[end]. *end_before as above. */
size_t log_place_end(struct str text, size_t end, size_t *end_before);

#endif
