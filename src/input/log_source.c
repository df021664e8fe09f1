/* Who printed a line of a log that several programs write to. Takes a line, gives the length of the
 * name in front of it. */
#include "input/log_source.h"

#define NAME_BYTES_MAX 64
#define TAG_BYTES_MAX 20

/* Length of what sets the colour at text[at], 0 where nothing does. */
static size_t colour_length(struct str text, size_t at)
{
    size_t end = at + 2;
    while (end < text.len && (str_is_digit(text.ptr[end]) || text.ptr[end] == ';')) {
        end++;
    }
    return str_starts(str_slice(text, at, text.len), STR("\x1b[")) && end < text.len &&
                   text.ptr[end] == 'm'
               ? end + 1 - at
               : 0;
}

/* "(Server pid=7) ", "(Worker_TP0 pid=7, ip=10.0.0.1) ", in colours or not: a process among
 * several. */
static size_t process_length(struct str line)
{
    struct str front = str_slice(line, 0, NAME_BYTES_MAX);
    size_t open = colour_length(front, 0);
    bool is_open = str_starts(str_slice(front, open, front.len), STR("("));
    ptrdiff_t pid = is_open ? str_find(front, STR(" pid=")) : -1;
    ptrdiff_t close = pid > 0 ? str_find_char(front, ')') : -1;
    size_t end = close > pid ? (size_t)close + 1 : 0;
    end += end ? colour_length(front, end) : 0;
    return end && end < front.len && front.ptr[end] == ' ' ? end + 1 : 0;
}

static size_t run_length(struct str text, size_t at)
{
    size_t end = at;
    while (end < text.len &&
           (str_is_lower(text.ptr[end]) || str_is_digit(text.ptr[end]) || text.ptr[end] == '-')) {
        end++;
    }
    return end > at ? end - at : 0;
}

/* "chat-66669684bd-27fzq app ": a pod of a deployment, whose name ends in two hashes, and a
 * container of it. */
static size_t pod_length(struct str line)
{
    size_t end = run_length(line, 0), container = run_length(line, end + 1);
    struct str pod = str_slice(line, 0, end),
               behind = str_slice(line, end + 1 + container, line.len);
    size_t hash = pod.len > 16 && pod.ptr[pod.len - 6] == '-' ? pod.len - 6 : 0, begin = hash;
    bool has_digit = false;
    while (begin > 0 && pod.ptr[begin - 1] != '-') {
        begin--;
        has_digit = has_digit || str_is_digit(pod.ptr[begin]);
    }
    bool is_pod = begin > 1 && has_digit && hash - begin >= 8 && hash - begin <= 10;
    return is_pod && container && str_starts(str_slice(line, end, line.len), STR(" ")) &&
                   str_starts(behind, STR(" "))
               ? end + container + 2
               : 0;
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
    process = process ? process : pod_length(line);
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
