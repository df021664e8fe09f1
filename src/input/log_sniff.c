/* Whether a text is a log. Takes the front of a file, counts the lines that begin with a time or a
 * level, or are records of JSON. */
#include "input/input.h"
#include "input/log_time.h"

#define STAMPED_LINES_MIN 3 /* fewer are a paste of somebody's error */

bool input_is_log(struct str text)
{
    struct str rest = text, line;
    size_t lines = 0, stamped = 0;
    while (str_split(&rest, '\n', &line)) {
        bool is_indented = line.len == 0 || line.ptr[0] == ' ' || line.ptr[0] == '\t' ||
                           line.ptr[0] == '}' || line.ptr[0] == ']' || line.ptr[0] == '\r';
        if (!is_indented) {
            lines++;
            stamped += log_front_read(line, 0).is_stamped;
        }
    }
    return stamped >= STAMPED_LINES_MIN && stamped * 2 >= lines;
}
