/* What stands in front of the words of a line. Takes a line, gives what it says:
 *
 *     2026-11-29 10:00:00 INFO [app] 429 means ...     of a log, but for the level of an error
 *     [10:01] kim: 429 means ...                       of a talk
 *     1. 429 means ...                                 of a list
 */
#include "classify/mention.h"

#include "input/log_observe.h"
#include "input/log_time.h"

#define SPEAKER_BYTES_MAX 32

/* Behind "[app] ", the name of who says it. */
static struct str behind_name(struct str line)
{
    ptrdiff_t close = str_starts(line, STR("["))
                          ? str_find(str_slice(line, 0, SPEAKER_BYTES_MAX), STR("] "))
                          : -1;
    return close > 1 ? str_slice(line, (size_t)close + 2, line.len) : line;
}

/* Behind a log's front that calls nothing wrong. */
static struct str behind_front(struct str line)
{
    struct log_front front = log_front_read(line, 0);
    bool is_harmless = front.is_stamped && (front.is_ordinary || !front.has_level);
    bool is_record = line.len && line.ptr[0] == '{';
    return is_harmless && (front.is_ordinary || !is_record) ? behind_name(log_message(line, &front))
                                                            : line;
}

/* Whether a text is a clock: "10:01", "10:01:22 AM". */
static bool is_clock(struct str text)
{
    size_t colons = 0;
    for (size_t i = 0; i < text.len; i++) {
        colons += text.ptr[i] == ':';
        if (!str_is_of(text.ptr[i], "0123456789: APMapm")) {
            return false;
        }
    }
    return colons > 0 && str_is_digit(text.ptr[0]);
}

/* Behind "[10:01] kim: " and "<kim> ". */
static struct str behind_speaker(struct str line)
{
    ptrdiff_t close =
        str_find_char(str_slice(line, 0, SPEAKER_BYTES_MAX), line.ptr[0] == '[' ? ']' : '>');
    struct str name = str_slice(line, 1, close < 1 ? 1 : (size_t)close);
    struct str rest = str_slice(line, close < 1 ? line.len : (size_t)close + 1, line.len);
    if (!str_starts(rest, STR(" "))) {
        return line;
    }
    if (line.ptr[0] == '<') {
        return str_find_char(name, ' ') < 0 ? str_trim(rest) : line;
    }
    ptrdiff_t colon = str_find(str_slice(rest, 0, SPEAKER_BYTES_MAX), STR(": "));
    return is_clock(name) && colon > 1 ? str_trim(str_slice(rest, (size_t)colon + 1, rest.len))
                                       : line;
}

/* A time, a level in capitals, the name of a month or of a day; a record with a level. */
static bool may_have_front(struct str line)
{
    char first = line.len ? line.ptr[0] : '\0', second = line.len > 1 ? line.ptr[1] : '\0';
    bool is_name = str_is_upper(first) && line.len > 3 && str_is_of(line.ptr[3], " ,");
    return str_is_digit(first) || first == '[' || is_name ||
           (str_is_upper(first) && str_is_upper(second)) ||
           (first == '{' && str_find(line, STR("evel\"")) >= 0);
}

struct str mention_behind_lead(struct str line)
{
    struct str inner = str_trim(line);
    if (str_find(inner, STR("\\n")) >= 0) { /* several lines, of which the first tells little */
        return inner;
    }
    char first = inner.len ? inner.ptr[0] : '\0';
    if (str_is_of(first, "[<")) {
        inner = behind_speaker(inner);
    }
    if (may_have_front(inner)) {
        inner = behind_front(inner);
    }
    return mention_without_mark(inner);
}
