/* Lines of a program that others carried. Takes a line, gives the length of what they put before
 * it: the name of a container, a time, the header of a journal. */
#include "input/log_carrier.h"

#include "base/buf.h"
#include "input/log_moment.h"
#include "input/log_month.h"
#include "input/log_record.h"
#include "input/log_source.h"

#define LAYERS_MAX 4
#define NAME_BYTES_MAX 64
#define COLLECTOR_DIGITS_MIN 7                         /* of a second's fraction */
#define DAY_BYTES (sizeof "2026-11-29" - 1)            /* up to the T or the blank */
#define STAMP_BYTES (sizeof "2026-11-29 13:00:00" - 1) /* with the clock */
#define MONTH_BYTES (sizeof "2026-11-" - 1)
#define LEAP_YEAR_MS INT64_C(978307199000) /* the end of 2000, for times that name no year */

size_t log_stream_length(struct str rest)
{
    static const struct str streams[] = {STR_INIT("stdout "), STR_INIT("stderr ")};
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        struct str tag = str_slice(rest, streams[i].len, streams[i].len + 2);
        if (str_starts(rest, streams[i]) && (str_eq(tag, STR("F ")) || str_eq(tag, STR("P ")))) {
            return streams[i].len + tag.len;
        }
    }
    return 0;
}

bool log_names_exception(struct str line)
{
    size_t end = 0;
    while (end < line.len && (str_is_alnum(line.ptr[end]) || str_is_of(line.ptr[end], "._$"))) {
        end++;
    }
    struct str name = str_slice(line, 0, end);
    return str_ends(name, STR("Error")) || str_ends(name, STR("Exception"));
}

static size_t word_end(struct str line, size_t at)
{
    while (at < line.len && !str_is_blank(line.ptr[at]) && line.ptr[at] != '\n') {
        at++;
    }
    return at;
}

/* "host app[7]: " or "app[web.1]: ", which stands behind the time of a journal: the length, and the
 * program. */
static size_t header_length(struct str rest, struct str *name)
{
    size_t begin = 0, end = word_end(rest, 0);
    if (end < 2 || !str_ends(str_slice(rest, 0, end), STR("]:"))) {
        begin = end + 1;
        end = word_end(rest, begin);
    }
    bool is_header = end > begin + 1 && end < rest.len && end <= 2 * NAME_BYTES_MAX &&
                     rest.ptr[end - 1] == ':' && rest.ptr[end] == ' ' &&
                     str_is_alnum(rest.ptr[0]) &&
                     (str_is_letter(rest.ptr[begin]) || rest.ptr[begin] == '(');
    *name = is_header ? str_slice(rest, begin, end) : (struct str){NULL, 0};
    return is_header ? end + 1 : 0;
}

/* Digits behind the seconds of the time that ends at rest[end]: a collector writes seven or nine.
 */
static size_t fraction_digits(struct str rest, size_t end)
{
    ptrdiff_t dot = str_find_char(str_slice(rest, 0, end), '.');
    size_t at = dot < 0 ? end : (size_t)dot + 1, from = at;
    while (at < end && str_is_digit(rest.ptr[at])) {
        at++;
    }
    return at - from;
}

/* "api/web/4f1c ", "2026/11/29/[$LATEST]4f1c ": the name of a stream that CloudWatch prints behind
 * a time of six digits and the offset of UTC. Its bytes, 0 where none stands there. */
static size_t stream_name_length(struct str rest, size_t at)
{
    struct str time = str_slice(rest, 0, at), behind = str_slice(rest, at, rest.len);
    size_t end = word_end(behind, 0);
    struct str name = str_slice(behind, 0, end);
    bool is_name = end < behind.len && behind.ptr[end] == ' ' && str_find_char(name, '/') > 0 &&
                   str_find_char(name, ':') < 0 && str_find_char(name, '"') < 0;
    return is_name && str_ends(time, STR("+00:00 ")) ? end + 1 : 0;
}

/* "2026-11-29T13:00:00.1234567Z ", "2026-11-29T13:00:00Z stdout F ", "2026-11-29T13:00:00: ",
 * "Nov 29 13:00:00 host app[7]: ". */
static size_t time_length(struct str rest, struct str *name, int64_t *time_ms)
{
    struct log_moment moment;
    int64_t month;
    bool is_day =
        rest.len > STAMP_BYTES + 1 && str_is_digit(rest.ptr[0]) && rest.ptr[DAY_BYTES] == 'T';
    if (!(is_day || log_month_read(rest, &month)) ||
        !log_moment_read(rest, 0, LEAP_YEAR_MS, &moment) || moment.end >= rest.len) {
        return 0;
    }
    if (is_day && str_starts(str_slice(rest, moment.end, rest.len), STR(": "))) {
        *time_ms = moment.ms;
        return moment.end + 2;
    }
    if (rest.ptr[moment.end] != ' ') {
        return 0;
    }
    size_t end = moment.end + 1;
    size_t digits = is_day ? fraction_digits(rest, end) : 0;
    size_t group = digits == COLLECTOR_DIGITS_MIN - 1 ? stream_name_length(rest, end) : 0;
    if (group) {
        *time_ms = moment.ms;
        return end + group;
    }
    struct str behind = str_slice(rest, end, rest.len);
    size_t header = header_length(behind, name), stream = is_day ? log_stream_length(behind) : 0;
    if (!header && !stream && digits < COLLECTOR_DIGITS_MIN) {
        return 0;
    }
    *time_ms = moment.ms;
    return end + header + stream;
}

/* "2026-11-29 13:00:00 " before a line of a traceback or another time of that month, as desktop
 * tools copy logs; before anything else such a time may be the program's own. */
static size_t copied_length(struct str rest)
{
    static const struct str marks[] = {STR_INIT("Traceback (most recent "), STR_INIT("  File \""),
                                       STR_INIT("    "), STR_INIT("\tat "),
                                       STR_INIT("During handling of the above ")};
    struct log_moment moment, inner;
    bool is_time = rest.len > STAMP_BYTES + 1 && str_is_digit(rest.ptr[0]) &&
                   rest.ptr[DAY_BYTES] == ' ' && rest.ptr[STAMP_BYTES] == ' ' &&
                   log_moment_read(rest, 0, 0, &moment) && moment.end == STAMP_BYTES;
    if (!is_time) {
        return 0;
    }
    struct str own = str_slice(rest, STAMP_BYTES + 1, rest.len);
    bool has_time =
        str_starts(own, str_slice(rest, 0, MONTH_BYTES)) && log_moment_read(own, 0, 0, &inner);
    bool is_copied = has_time || STARTS_ANY(own, marks) || log_names_exception(own);
    return is_copied ? STAMP_BYTES + 1 : 0;
}

/* "ERROR 11-29 13:00:00 [a.py:7] ": level, time and place of a program that repeats them. */
static size_t repeated_length(struct str rest)
{
    static const struct str levels[] = {STR_INIT("ERROR "), STR_INIT("WARNING "),
                                        STR_INIT("CRITICAL "), STR_INIT("INFO ")};
    struct log_moment moment;
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        if (!str_starts(rest, levels[i]) || !log_moment_read(rest, levels[i].len, 0, &moment)) {
            continue;
        }
        size_t end = word_end(rest, moment.end + 1);
        struct str place = str_slice(rest, moment.end + 1, end);
        bool is_place = str_find(place, STR(".py:")) > 0 && str_ends(place, STR("]"));
        return is_place && end < rest.len ? end + 1 : 0;
    }
    return 0;
}

struct log_carrier log_carrier_read(struct str line)
{
    struct log_carrier carrier = {.time_ms = -1};
    for (unsigned i = 0; i < LAYERS_MAX; i++) {
        struct str rest = str_slice(line, carrier.length, line.len), name = {NULL, 0};
        size_t length = log_source_length(rest);
        name = str_slice(rest, 0, length);
        length = length ? length : time_length(rest, &name, &carrier.time_ms);
        length = length ? length : copied_length(rest);
        if (!length) {
            length = repeated_length(rest);
            name = str_slice(rest, 0, length);
            carrier.is_repeated = length > 0;
        }
        carrier.name = name.len ? name : carrier.name;
        carrier.length += length;
        if (!length || carrier.is_repeated) {
            break;
        }
    }
    return carrier;
}

struct str log_carried_record(struct str line)
{
    size_t brace = str_next_char(line, 0, '{');
    struct str record = str_slice(line, brace, line.len);
    bool is_one = brace > 0 && str_starts(record, STR("{\"")) && line.ptr[brace - 1] == ' ' &&
                  log_carrier_read(line).length == brace;
    return is_one ? record : (struct str){NULL, 0};
}

/* The value that holds what a program printed, quotes and all: of Docker's record the first one, of
 * those of other collectors the one of a name of theirs. Unset where the line is none. */
static struct str kept_value(struct str line)
{
    static const struct str names[] = {STR_INIT("\"textPayload\":"), STR_INIT("\"MESSAGE\":"),
                                       STR_INIT("\"Log_s\":")};
    struct log_member member;
    size_t at = 0, count = log_is_record(line) ? sizeof names / sizeof names[0] : 0;
    ptrdiff_t name = str_starts(line, STR("{\"log\":")) ? 0 : -1;
    for (size_t i = 0; i < count && name < 0; i++) {
        name = str_find(line, names[i]);
        at = name > 0 ? (size_t)name - 1 : 0;
    }
    bool is_one = name >= 0 && log_record_next(line, &at, &member);
    return is_one ? member.value : (struct str){NULL, 0};
}

struct str log_kept_text(struct str line)
{
    struct str value = kept_value(line);
    bool is_kept = value.len > 1 && value.ptr[0] == '"' && str_ends(value, STR("\""));
    struct str text = is_kept ? str_slice(value, 1, value.len - 1) : STR("");
    text = str_slice(text, 0, text.len - (str_ends(text, STR("\\n")) ? 2 : 0));
    text = str_slice(text, 0, text.len - (str_ends(text, STR("\\r")) ? 2 : 0));
    return is_kept ? text : (struct str){NULL, 0};
}

/* {"log":"a\n",...} and {"log":"b\n",...}: {"log":"a\nb",...}. The entry where one of its lines
 * is no such record. */
static struct str join_kept(struct arena *arena, struct str entry)
{
    struct str rest = entry, line, text = {NULL, 0}, first = {NULL, 0};
    struct buf out = buf_create(entry.len + 1);
    for (bool is_first = true; str_split(&rest, '\n', &line); is_first = false) {
        text = log_kept_text(line);
        if (!str_is_set(text)) {
            break;
        }
        first = is_first ? line : first;
        size_t end = (size_t)(text.ptr + text.len - line.ptr);
        buf_add(&out, is_first ? str_slice(line, 0, end) : STR("\\n"));
        buf_add(&out, is_first ? STR("") : text);
    }
    if (str_is_set(text)) {
        struct str head = log_kept_text(first);
        buf_add(&out, str_slice(first, (size_t)(head.ptr + head.len - first.ptr), first.len));
    }
    struct str joined = str_is_set(text) ? arena_dup(arena, buf_str(&out)) : entry;
    buf_free(&out);
    return joined;
}

struct str log_carrier_strip(struct arena *arena, struct str entry)
{
    size_t first_to = str_next_char(entry, 0, '\n');
    if (first_to < entry.len && str_is_set(log_kept_text(str_slice(entry, 0, first_to)))) {
        return join_kept(arena, entry);
    }
    struct str rest = entry, line;
    if (log_carrier_read(entry).length == 0 || str_find_char(entry, '\n') < 0) {
        return entry;
    }
    struct buf out = buf_create(entry.len + 1);
    for (bool is_first = true; str_split(&rest, '\n', &line); is_first = false) {
        size_t length = is_first ? 0 : log_carrier_read(line).length;
        buf_add(&out, is_first ? STR("") : STR("\n"));
        buf_add(&out, str_slice(line, length, line.len));
    }
    struct str stripped = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return stripped;
}
