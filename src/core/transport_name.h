#ifndef CORE_TRANSPORT_NAME_H
#define CORE_TRANSPORT_NAME_H

#include "base/str.h"

/* Names of transport numbers, as rules test them and JSON shows them; transport_name.def is the
 * list. The _name functions give the unset str for a number without a name (0 included); the
 * _from_name functions give false for an unknown name and leave *number alone. */
struct str curl_code_name(int number); /* "COULDNT_RESOLVE_HOST" */
bool curl_code_from_name(struct str name, int *number);

struct str os_errno_name(int number); /* "ECONNREFUSED" */
bool os_errno_from_name(struct str name, int *number);

struct str tls_verify_name(long number); /* "CERT_HAS_EXPIRED" */
bool tls_verify_from_name(struct str name, long *number);

#endif
