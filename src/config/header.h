#ifndef CONFIG_HEADER_H
#define CONFIG_HEADER_H

#include "base/str.h"

/* Is it what RFC 9110 calls a token: no blanks, no colon, nothing that ends a line? */
bool header_is_name(struct str name);
/* Can it stand behind the name: no control character but TAB, at most 4096 bytes? */
bool header_is_value(struct str value);

#endif
