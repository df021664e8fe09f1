/* Who printed a line of a log that several programs write to. Takes a line, gives the length of the
 * name in front of it. */
#include "input/log_source.h"

#define NAME_BYTES_MAX 64
#define TAG_BYTES_MAX 20

/* "(Server pid=7) ", "(Worker_TP0 pid=7, ip=10.0.0.1) ": a process among several. */
static size_t process_length(struct str line)
{
    struct str front = str_slice(line, 0, NAME_BYTES_MAX);
    ptrdiff_t pid = str_starts(front, STR("(")) ? str_find(front, STR(" pid=")) : -1;
    ptrdiff_t close = pid > 0 ? str_find(front, STR(") ")) : -1;
    return close > pid ? (size_t)close + 2 : 0;
}

size_t log_tag_length(struct str line)
{
    size_t at = 1;
    while (at < line.len && at < TAG_BYTES_MAX &&
           (str_is_letter(line.ptr[at]) || str_is_of(line.ptr[at], "_-.0123456789"))) {
        at++;
    }
    bool is_tag = at > 1 && str_starts(line, STR("[")) &&
                  str_starts(str_slice(line, at, line.len), STR("] "));
    return is_tag ? at + 2 : 0;
}

size_t log_source_length(struct str line)
{
    bool is_pod = str_starts(line, STR("[pod/"));
    size_t at = is_pod, end, process = process_length(line);
    if (process) {
        return process;
    }
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
