/* Who printed a line of a log that several programs write to. Takes a line, gives the length of the
 * name in front of it. */
#include "input/log_source.h"

#define NAME_BYTES_MAX 64

size_t log_source_length(struct str line)
{
    bool is_pod = str_starts(line, STR("[pod/"));
    size_t at = is_pod, end;
    while (at < line.len && at < NAME_BYTES_MAX &&
           (str_is_letter(line.ptr[at]) || str_is_of(line.ptr[at], "_-./0123456789"))) {
        at++;
    }
    if (is_pod) {
        return str_starts(str_slice(line, at, line.len), STR("] ")) ? at + 2 : 0;
    }
    for (end = at; end < line.len && end < NAME_BYTES_MAX && line.ptr[end] == ' '; end++) {
    }
    return at > 0 && end > at && str_starts(str_slice(line, end, line.len), STR("| ")) ? end + 2
                                                                                       : 0;
}
