/* Streams of server-sent events. Takes a body, says whether it is one and whether it came to its
 * end. The values in its data lines are read like any other value in a text. */
#include "classify/lift.h"

/* Last words of a stream of any API: an event's name or the text of a data line. */
static bool is_last_word(struct str field, struct str value)
{
    static const struct str names[] = {STR_INIT("message_stop"),    STR_INIT("response.completed"),
                                       STR_INIT("response.done"),   STR_INIT("response.incomplete"),
                                       STR_INIT("response.failed"), STR_INIT("done")};
    if (str_eq(field, STR("data"))) {
        return str_starts(value, STR("[DONE]"));
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (str_eq(value, names[i])) {
            return true;
        }
    }
    return false;
}

bool lift_is_stream(struct str text, bool *has_end)
{
    struct str rest = text, line, field;
    size_t fields = 0, others = 0;
    *has_end = false;
    while (str_split(&rest, '\n', &line)) {
        struct str value = str_trim(line);
        if (value.len == 0 || value.ptr[0] == ':') {
            continue; /* a comment keeps the connection open */
        }
        bool has_colon = str_find_char(value, ':') > 0;
        str_split(&value, ':', &field);
        if (has_colon && (str_eq(field, STR("data")) || str_eq(field, STR("event")) ||
                          str_eq(field, STR("id")) || str_eq(field, STR("retry")))) {
            fields++;
            *has_end = *has_end || is_last_word(field, str_trim(value));
        } else {
            others++;
        }
        if (fields == 0 && others > 0) {
            return false; /* a stream begins with a field */
        }
    }
    return fields > 0 && fields > others;
}
