/* Entries of a log as evidence. Takes the lines of one entry, gives the observation that a paste of
 * its message would give:
 *
 *     2026-11-29T13:00:00Z ERROR call failed            call failed
 *     {"ts":1,"msg":"a \\u4f59","code":"x"}             a 余, and below it the record
 *     ts=1 level=error msg="a \\"b\\"" dur=1ms          a "b", and below it the pairs
 *
 * Of the record what is no evidence goes (input/log_bare.h), and so does a message that holds more
 * than prose: it stands there once. */
#include "input/log_observe.h"

#include "input/bound.h"
#include "input/log_bare.h"
#include "input/log_carrier.h"
#include "input/log_record.h"

#include <string.h>

/* The Kelvin sign and the long s are k and s to a caseless pattern; no log means them so. */
static struct str plain_letters(struct arena *arena, struct str text)
{
    static const struct str odd[] = {STR_INIT("\xE2\x84\xAA"), STR_INIT("\xC5\xBF")};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        ptrdiff_t hit = str_find(text, odd[i]);
        if (hit < 0) {
            continue;
        }
        char *bytes = arena_alloc(arena, text.len + 1);
        memcpy(bytes, text.ptr, text.len);
        for (struct str rest = text; hit >= 0; hit = str_find(rest, odd[i])) {
            size_t at = (size_t)(rest.ptr - text.ptr) + (size_t)hit;
            memset(bytes + at, '?', odd[i].len);
            rest = str_slice(text, at + odd[i].len, text.len);
        }
        text.ptr = bytes;
    }
    return text;
}

/* Lines end in LF alone. */
static struct str plain_ends(struct arena *arena, struct str text)
{
    size_t kept = 0;
    if (str_find_char(text, '\r') < 0) {
        return text;
    }
    char *bytes = arena_alloc(arena, text.len + 1);
    for (size_t at = 0; at < text.len; at++) {
        bool is_end = text.ptr[at] == '\r' && (at + 1 == text.len || text.ptr[at + 1] == '\n');
        if (!is_end) {
            bytes[kept++] = text.ptr[at];
        }
    }
    return (struct str){bytes, kept};
}

/* Raw value of the message in a line of a structured log, or unset. */
static struct str message_value(struct str line)
{
    static const struct str names[] = {STR_INIT("message"),
                                       STR_INIT("msg"),
                                       STR_INIT("log"),
                                       STR_INIT("@message"),
                                       STR_INIT("event"),
                                       STR_INIT("MESSAGE"),
                                       STR_INIT("Message"),
                                       STR_INIT("Log_s"),
                                       STR_INIT("textPayload"),
                                       STR_INIT("_msg"),
                                       STR_INIT("short_message"),
                                       STR_INIT("@m"),
                                       STR_INIT("RenderedMessage"),
                                       STR_INIT("Body")};
    static const struct str leads[] = {STR_INIT("msg=\""), STR_INIT("message=\"")};
    if (log_is_record(line)) {
        return log_record_member(line, names, sizeof names / sizeof names[0]);
    }
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
        ptrdiff_t hit = str_find(line, leads[i]);
        if (hit == 0 || (hit > 0 && line.ptr[hit - 1] == ' ')) {
            struct str pair = str_slice(line, (size_t)hit, line.len);
            return log_pair_value(pair, &(struct str){leads[i].ptr, leads[i].len - 1}, 1);
        }
    }
    return (struct str){NULL, 0};
}

struct str log_message(struct str line, const struct log_front *front)
{
    struct str record = log_carried_record(line);
    struct str value = message_value(record.len ? record : line);
    return value.len > 1 && value.ptr[0] == '"' ? str_slice(value, 1, value.len - 1)
                                                : str_slice(line, front->message_at, line.len);
}

/* The message of a record in front of the record itself. */
static struct str unfold(struct arena *arena, struct str line, int64_t now_ms)
{
    struct str value = message_value(line);
    if (value.len < 3 || value.ptr[0] != '"') {
        return line;
    }
    struct str message = log_unquote(arena, value);
    if (log_is_stamped(message)) { /* docker keeps whole lines so */
        message = str_slice(message, log_front_read(message, now_ms).message_at, message.len);
    }
    message = str_trim(message);
    bool is_more = str_find_char(message, '{') >= 0 || str_find_char(message, '<') >= 0 ||
                   str_find_char(message, '\n') >= 0;
    struct str record = log_record_bare(arena, line, is_more ? value : (struct str){NULL, 0});
    size_t length = message.len + 1 + record.len;
    char *bytes = arena_alloc(arena, length + 1);
    memcpy(bytes, message.ptr, message.len);
    bytes[message.len] = '\n';
    memcpy(bytes + message.len + 1, record.ptr, record.len);
    return (struct str){bytes, length};
}

struct str log_entry_line(struct str entry)
{
    ptrdiff_t newline = str_find_char(entry, '\n');
    return str_slice(entry, 0, newline < 0 ? entry.len : (size_t)newline);
}

struct observation log_entry_observe(struct arena *arena, struct str entry,
                                     const struct log_front *front, int64_t now_ms)
{
    struct observation observation = observation_blank(OBSERVATION_TEXT);
    bool is_line = log_entry_line(entry).len == entry.len;
    struct str text = str_slice(entry, front->message_at, entry.len);
    while (str_starts(text, STR("\xFF\xFE"))) { /* no mark of UTF-16 within a log of bytes */
        text = str_slice(text, 2, text.len);
    }
    text = text_repair(arena, plain_letters(arena, plain_ends(arena, text)));
    observation.body = is_line ? unfold(arena, text, now_ms) : text;
    observation.is_log = true;
    observation.is_unfolded = observation.body.ptr != text.ptr;
    observation.is_ordinary = front->is_ordinary;
    observation.is_bare = front->is_stamped && !front->has_level;
    observation.origin.line = 1;
    observation.origin.column = 1;
    return observation;
}
