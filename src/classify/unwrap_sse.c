/* Streams of server-sent events. Takes a body, says whether it is one and whether it came to its
 * end; counts the events that a text around a stream holds. The values in its data lines are read
 * like any other value in a text. */
#include "classify/lift.h"

/* The name of an event that is told within its data only: {"type":"message_stop"}. */
static struct str type_of_data(struct str value)
{
    static const struct str lead = STR_INIT("{\"type\":");
    if (!str_starts(value, lead)) {
        return (struct str){NULL, 0};
    }
    struct str name, rest = str_trim(str_slice(value, lead.len, value.len));
    rest = str_slice(rest, str_starts(rest, STR("\"")), rest.len);
    str_split(&rest, '"', &name);
    return name;
}

/* Last words of a stream of any API: an event's name or the text of a data line. */
static bool is_last_word(struct str field, struct str value)
{
    static const struct str names[] = {STR_INIT("message_stop"),    STR_INIT("response.completed"),
                                       STR_INIT("response.done"),   STR_INIT("response.incomplete"),
                                       STR_INIT("response.failed"), STR_INIT("done")};
    bool is_data = str_eq(field, STR("data"));
    struct str name = is_data ? type_of_data(value) : value;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (str_eq(name, names[i])) {
            return true;
        }
    }
    return is_data && str_starts(value, STR("[DONE]"));
}

/* Names of the fields that an event has; llama.cpp's server writes its errors into one of its own.
 */
static bool is_field(struct str name)
{
    static const struct str names[] = {STR_INIT("data"), STR_INIT("event"), STR_INIT("id"),
                                       STR_INIT("retry"), STR_INIT("error")};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (str_eq(name, names[i])) {
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
        if (has_colon && is_field(field)) {
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

void lift_failed_event(struct lift *lift, struct str text)
{
    struct str rest = text, line, field;
    bool is_failed = false;
    while (str_split(&rest, '\n', &line)) {
        struct str value = str_trim(line);
        str_split(&value, ':', &field);
        value = str_trim(value);
        if (str_is_empty(str_trim(line))) {
            is_failed = false; /* the event ends here, and its name with it */
        } else if (str_eq(field, STR("event"))) {
            is_failed = str_eq(value, STR("error"));
        } else if (str_eq(field, STR("data")) && is_failed && value.len) {
            lift->has_error = true;
            if (!str_is_of(value.ptr[0], "{[\"")) {
                lift_add(lift, FIELD_ERROR_MESSAGE, value);
            }
        }
    }
}

/* Takes a line off the front; the \\n of a log's or a program's quoted string ends one as well. */
static bool take_line(struct str *rest, struct str *line)
{
    if (!str_is_set(*rest)) {
        return false;
    }
    ptrdiff_t real = str_find_char(*rest, '\n'), quoted = str_find(*rest, STR("\\n"));
    bool is_real = real >= 0 && (quoted < 0 || real < quoted);
    ptrdiff_t end = is_real ? real : quoted;
    *line = end < 0 ? *rest : str_slice(*rest, 0, (size_t)end);
    *rest = end < 0 ? (struct str){NULL, 0}
                    : str_slice(*rest, (size_t)end + (is_real ? 1 : 2), rest->len);
    return true;
}

void lift_count_events(struct lift *lift, struct str text)
{
    static const struct str data = STR_INIT("data:"), event = STR_INIT("event:");
    struct str rest = text, line;
    if (str_find(text, data) < 0) {
        return;
    }
    while (take_line(&rest, &line)) {
        /* The first event stands behind the quote or the words of whoever printed the stream. */
        ptrdiff_t at = str_find(line, data), named = str_find(line, event);
        if (named >= 0) {
            struct str name = str_trim(str_slice(line, (size_t)named + event.len, line.len));
            lift->has_event_end = lift->has_event_end || is_last_word(event, name);
        }
        if (at < 0) {
            continue;
        }
        struct str value = str_trim(str_slice(line, (size_t)at + data.len, line.len));
        lift->event_count += value.len > 0 && value.ptr[0] == '{';
        lift->has_event_end = lift->has_event_end || is_last_word(STR("data"), value);
    }
}
