/* What may be sent as a header that the user wrote. A line end in one would begin another header.
 */
#include "config/header.h"

#define VALUE_BYTES_MAX 4096

bool header_is_name(struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (!str_is_alnum(c) && !str_is_of(c, "!#$%&'*+-.^_`|~")) {
            return false;
        }
    }
    return name.len > 0;
}

bool header_is_value(struct str value)
{
    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.ptr[i];
        if ((c < 0x20 && c != '\t') || c == 0x7F) {
            return false;
        }
    }
    return value.len <= VALUE_BYTES_MAX;
}
