/* The front of a line of a log: time, level, and where the message begins. Takes one line; judges
 * no message. */
#include "input/log_time.h"

#include "input/log_carrier.h"
#include "input/log_level.h"
#include "input/log_moment.h"
#include "input/log_record.h"
#include "input/log_source.h"

#define SPRING_BYTES_MAX ((size_t)200) /* of its columns */
#define ESC '\x1b'
#define TOKENS_MAX 8        /* of the front: brackets, time, level, "level=" ... */
#define NAMES_MAX 3         /* between the time and the level */
#define SOURCE_BYTES_MAX 80 /* of a thread and a file in klog */
#define HEADER_WORDS 4
#define SOURCES_MAX 3       /* names of those that a line is of */
#define FRONT_BYTES_MAX 512 /* in which a level's pair and a web server's time are looked for */

/* Bytes of the name of a logger in front of its message: "app.llm: ", "codex_core::client: ". Names
 * of exceptions have capitals and stay. */
static size_t logger_length(struct str rest)
{
    size_t at = 0;
    bool is_path = false;
    while (at < rest.len &&
           (str_is_lower(rest.ptr[at]) || str_is_of(rest.ptr[at], "_.:0123456789"))) {
        is_path = is_path || rest.ptr[at] == '.' ||
                  (rest.ptr[at] == ':' && rest.ptr[at - (at > 0)] == ':');
        at++;
    }
    bool is_led = at > 0 && at + 1 < rest.len && rest.ptr[at - 1] == ':' && rest.ptr[at] == ' ';
    return is_path && is_led && rest.ptr[0] >= 'a' ? at + 1 : 0;
}

/* The same of Spring Boot: "4711 --- [app] [nio-exec-1] com.acme.ChatService   : ". */
static size_t spring_length(struct str rest)
{
    size_t at = 0;
    while (at < rest.len && str_is_digit(rest.ptr[at])) {
        at++;
    }
    struct str columns = str_slice(rest, at, at + SPRING_BYTES_MAX);
    ptrdiff_t colon = at && str_starts(columns, STR(" --- [")) ? str_find(columns, STR(" : ")) : -1;
    return colon < 0 ? 0 : at + (size_t)colon + 3;
}

/* Blanks, brackets and colour codes between the words of a front. */
static size_t skip_signs(struct str line, size_t at)
{
    while (at < line.len) {
        char c = line.ptr[at];
        if (c == ESC && at + 1 < line.len && line.ptr[at + 1] == '[') {
            at += 2;
            while (at < line.len && !str_is_letter(line.ptr[at])) {
                at++;
            }
            at += at < line.len;
        } else if (str_is_of(c, " \t[](|,;:-\"")) {
            at++;
        } else {
            return at;
        }
    }
    return at;
}

/* "time=", "level=" and their like of logfmt. */
static size_t key_length(struct str rest)
{
    static const struct str keys[] = {
        STR_INIT("time="), STR_INIT("ts="),       STR_INIT("timestamp="), STR_INIT("level="),
        STR_INIT("t="),    STR_INIT("severity="), STR_INIT("lvl="),       STR_INIT("date="),
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && rest.len > 1; i++) {
        if (rest.ptr[1] == keys[i].ptr[1] && str_starts(rest, keys[i])) {
            return keys[i].len;
        }
    }
    return 0;
}

/* What a level's value in a record says; Node's pino writes numbers: 30 is information, 40 a
 * warning. */
static void take_value(struct str value, struct log_front *front)
{
    int64_t number = 0;
    size_t quote = value.len > 0 && value.ptr[0] == '"';
    const struct log_level *level = log_level_at(str_slice(value, quote, value.len), true);
    bool is_number = str_to_i64(value, &number);
    front->is_ordinary =
        (is_number && number >= 10 && number <= 30) || (level && level->is_ordinary);
    front->is_warning = (is_number && number == 40) || (level && level->is_warning);
    front->has_level = is_number || level;
}

/* The level of the line that a record without one of its own holds: {"log":"INFO: ready\n"}. */
static void take_level_of_message(struct str record, struct log_front *front)
{
    static const struct str names[] = {
        STR_INIT("log"),     STR_INIT("message"), STR_INIT("msg"),  STR_INIT("textPayload"),
        STR_INIT("MESSAGE"), STR_INIT("Log_s"),   STR_INIT("_msg"), STR_INIT("@message")};
    struct str value = log_record_member(record, names, sizeof names / sizeof names[0]);
    if (value.len > 2 && value.ptr[0] == '"' && value.ptr[1] != '{') {
        struct log_front inner = log_front_read(str_slice(value, 1, value.len - 1), 0);
        front->is_ordinary = inner.is_ordinary;
        front->is_warning = inner.is_warning;
        front->has_level = inner.has_level;
    }
}

/* The level of a record of Python's loguru: {"text":...,"record":{"level":{"name":"ERROR"}}}. */
static struct str level_inside(struct str record)
{
    static const struct str path[] = {STR_INIT("record"), STR_INIT("level"), STR_INIT("name")};
    for (size_t i = 0; i < sizeof path / sizeof path[0] && record.len; i++) {
        record = log_record_member(record, &path[i], 1);
    }
    return record;
}

/* The level in a member of a JSON record or behind "level=" of logfmt, further back. */
static void take_level_behind(struct str line, struct log_front *front)
{
    static const struct str names[] = {
        STR_INIT("level"),     STR_INIT("severity"), STR_INIT("levelname"),
        STR_INIT("lvl"),       STR_INIT("@l"),       STR_INIT("log.level"),
        STR_INIT("log_level"), STR_INIT("loglevel"), STR_INIT("severityText")};
    static const struct str leads[] = {STR_INIT(" level="), STR_INIT(" lvl="),
                                       STR_INIT(" severity=")};
    if (log_is_record(line)) {
        struct str value = log_record_member(line, names, sizeof names / sizeof names[0]);
        value = value.len ? value : level_inside(line);
        if (value.len) {
            take_value(value, front);
        }
        if (!front->has_level) { /* "severity": "DEFAULT" of a cloud tells none */
            take_level_of_message(line, front);
        }
        return;
    }
    line = str_slice(line, 0, FRONT_BYTES_MAX);
    take_value(log_pair_value(line, leads, sizeof leads / sizeof leads[0]), front);
}

/* "[29/Nov/2026:13:00:00 +0000]" of a web server's access log. */
static int64_t web_time(struct str line, int64_t now_ms, bool *is_web)
{
    struct log_moment moment;
    line = str_slice(line, 0, FRONT_BYTES_MAX);
    ptrdiff_t open = str_find(line, STR(" ["));
    *is_web =
        open > 0 && log_moment_read(line, (size_t)open + 2, now_ms, &moment) && moment.ms >= 0;
    return *is_web ? moment.ms : -1;
}

/* klog: the letter of a level stands before the date, its thread and its source behind the clock:
 * "I1129 10:00:00.123456       1 controller.go:88] ready". */
static bool take_klog(struct str line, size_t at, struct log_front *front)
{
    bool is_letter_of_level =
        str_is_of(line.ptr[at], "IWEF") && at + 1 < line.len && str_is_digit(line.ptr[at + 1]);
    struct str behind = str_slice(line, front->message_at, front->message_at + SOURCE_BYTES_MAX);
    ptrdiff_t close = is_letter_of_level ? str_find(behind, STR("] ")) : -1;
    if (close >= 0) {
        front->is_ordinary = line.ptr[at] == 'I';
        front->is_warning = line.ptr[at] == 'W';
        front->has_level = true;
        front->message_at += (size_t)close + 2;
    }
    return close >= 0;
}

static void note_level(const struct log_level *level, struct log_front *front)
{
    front->is_ordinary = level->is_ordinary;
    front->is_warning = level->is_warning;
    front->has_level = front->has_word = true;
}

/* The level that stands at line[at]; the message begins behind it. */
static void take_level(struct str line, size_t at, const struct log_level *level,
                       struct log_front *front)
{
    note_level(level, front);
    size_t end = at + level->name.len;
    while (end < line.len && line.ptr[at + level->name.len] == '/' && line.ptr[end] != ' ') {
        end++; /* "INFO/Worker-1]" */
    }
    front->message_at = skip_signs(line, end);
}

/* "<14>" of syslog, a facility and a severity, and "1 " behind it, its newer form. Gives the offset
 * behind both, 0 where there is none. */
static size_t take_priority(struct str line, struct log_front *front, bool *is_new)
{
    ptrdiff_t close =
        line.len && line.ptr[0] == '<' ? str_find_char(str_slice(line, 0, 5), '>') : -1;
    int64_t priority;
    *is_new = false;
    if (close < 2 || !str_to_i64(str_slice(line, 1, (size_t)close), &priority)) {
        return 0;
    }
    front->is_ordinary = priority % 8 >= 5;
    front->is_warning = priority % 8 == 4;
    front->has_level = true;
    *is_new = str_starts(str_slice(line, (size_t)close + 1, line.len), STR("1 "));
    return (size_t)close + 1 + (*is_new ? 2 : 0);
}

/* Host, program, process and kind behind the time of syslog's newer form, and its pairs. */
static void skip_header(struct str line, struct log_front *front)
{
    struct str rest = str_slice(line, front->message_at, line.len), word;
    for (unsigned i = 0; i < HEADER_WORDS && str_split(&rest, ' ', &word); i++) {
    }
    if (str_starts(rest, STR("["))) {
        ptrdiff_t close = str_find(rest, STR("] "));
        rest = str_slice(rest, close < 0 ? 0 : (size_t)close + 2, rest.len);
    } else {
        (void)str_split(&rest, ' ', &word);
    }
    front->message_at = rest.ptr ? (size_t)(rest.ptr - line.ptr) : line.len;
}

/* "13:00:00 info: ready": a level that may as well be the first word of the message, and stays. */
static bool take_spoken(struct str line, size_t at, struct log_front *front)
{
    size_t end = str_next_char(line, at, ':');
    const struct log_level *level = log_level_at(str_slice(line, at, end), true);
    bool is_whole = level && end < line.len && end == at + level->name.len;
    if (is_whole) {
        note_level(level, front);
    }
    return is_whole;
}

/* Reads times, levels and their keys off the front, one after the other, at most so many. True when
 * a level was among them. */
static bool read_tokens(struct str line, size_t begin, int64_t now_ms, unsigned most,
                        struct log_front *front)
{
    size_t at = skip_signs(line, begin);
    bool has_level = false;
    for (unsigned i = 0; i < most && at < line.len; i++) {
        struct str rest = str_slice(line, at, line.len);
        size_t key = key_length(rest);
        struct log_moment moment;
        at += key + (key && key < rest.len && rest.ptr[key] == '"');
        bool may_be_lower = front->is_stamped || key || (at > 0 && line.ptr[at - 1] == '[');
        const struct log_level *level = log_level_at(str_slice(line, at, line.len), may_be_lower);
        if (log_moment_read(line, at, now_ms, &moment)) {
            front->time_ms = front->time_ms >= 0 ? front->time_ms : moment.ms;
            front->has_clock = true;
            front->message_at = skip_signs(line, moment.end);
            front->message_at += log_stream_length(str_slice(line, front->message_at, line.len));
            has_level = has_level || take_klog(line, at, front);
        } else if (level && !has_level) {
            take_level(line, at, level, front);
            has_level = true;
        } else {
            has_level = has_level || (front->has_clock && take_spoken(line, at, front));
            break;
        }
        front->is_stamped = true;
        at = front->message_at;
    }
    return has_level;
}

/* A level that stands behind a few names: "13:00:00 [main] INFO  com.x.Y - ", "- app:run:7 - WARN
 * - ", "- Proxy:INFO: ", "production.ERROR: ". Then the message begins behind it. */
static void seek_level(struct str line, struct log_front *front)
{
    size_t at = front->message_at;
    for (unsigned i = 0; i < NAMES_MAX && at < line.len; i++) {
        while (at < line.len && line.ptr[at] != ' ' && line.ptr[at] != '\t' &&
               (!str_is_of(line.ptr[at], ":.") ||
                !log_level_at(str_slice(line, at + 1, line.len), false))) {
            at++;
        }
        at = skip_signs(line, at + (at < line.len && line.ptr[at] == '.'));
        bool may_be_lower = at > 0 && line.ptr[at - 1] == '[';
        const struct log_level *level = log_level_at(str_slice(line, at, line.len), may_be_lower);
        if (level) {
            take_level(line, at, level, front);
            return;
        }
    }
}

/* "fail: App.Chat[7]", a line by itself; its message follows on indented lines. */
static bool take_category(struct str line, struct log_front *front)
{
    const struct log_level *level = log_level_of_category(line);
    if (level) {
        note_level(level, front);
        front->is_stamped = true;
    }
    return level;
}

static struct log_front read_front(struct str line, int64_t now_ms)
{
    struct log_front front = {.is_stamped = log_is_record(line), .time_ms = -1};
    bool is_web = false, is_new = false;
    if (front.is_stamped) {
        take_level_behind(line, &front);
        return front;
    }
    if (take_category(line, &front)) {
        return front;
    }
    size_t begin = take_priority(line, &front, &is_new);
    bool has_level = read_tokens(line, begin, now_ms, TOKENS_MAX, &front);
    if (is_new && front.is_stamped && !has_level) {
        skip_header(line, &front);
    }
    if (!has_level && front.is_stamped) {
        size_t message_at = front.message_at;
        seek_level(line, &front);
        has_level = front.message_at != message_at;
    }
    if (!has_level && !front.has_level) { /* a collector's time may stand before a record */
        struct str record = front.is_stamped ? log_carried_record(line) : (struct str){NULL, 0};
        take_level_behind(record.len ? record : line, &front);
        front.message_at = record.len ? line.len - record.len : front.message_at;
    }
    if (front.is_stamped) {
        front.message_at += spring_length(str_slice(line, front.message_at, line.len));
        front.message_at += logger_length(str_slice(line, front.message_at, line.len));
    }
    if (!front.is_stamped) {
        front.time_ms = web_time(line, now_ms, &is_web);
        front.is_stamped = is_web;
    }
    /* The last sign before the message is part of it where it opens a value. */
    while (front.message_at > 0 && str_is_of(line.ptr[front.message_at - 1], "[(\"")) {
        front.message_at--;
    }
    return front;
}

/* Where the line begins that a program printed: behind the names of those that it is one of. */
static size_t line_begin(struct str line)
{
    size_t at = 0, length = log_source_length(line);
    for (unsigned i = 0; i < SOURCES_MAX && length; i++) {
        at += length;
        length = log_source_length(str_slice(line, at, line.len));
    }
    return at;
}

struct log_front log_front_read(struct str line, int64_t now_ms)
{
    struct log_front front = read_front(line, now_ms);
    size_t begin = front.is_stamped ? 0 : line_begin(line);
    struct str own = str_slice(line, begin, line.len);
    if (begin > 0) {
        struct log_front inner = read_front(own, now_ms);
        front = inner.is_stamped ? inner : front;
        front.message_at = begin + (inner.is_stamped ? inner.message_at : 0);
    }
    size_t tag = front.is_stamped ? 0 : log_tag_length(own);
    if (tag > 0) {
        struct log_front inner = read_front(str_slice(own, tag, own.len), now_ms);
        front = inner.is_stamped ? inner : front;
        front.message_at = inner.is_stamped ? begin : 0; /* the tag tells whose columns follow */
    }
    return front;
}

static bool is_stamped(struct str line)
{
    struct log_front front = {.is_stamped = log_is_record(line), .time_ms = -1};
    bool is_web = false, is_new;
    if (!front.is_stamped && !take_category(line, &front)) {
        size_t begin = take_priority(line, &front, &is_new);
        read_tokens(line, begin, 0, 1, &front);
    }
    if (!front.is_stamped) {
        web_time(line, 0, &is_web);
    }
    return front.is_stamped || is_web;
}

bool log_is_stamped(struct str line)
{
    if (is_stamped(line)) {
        return true;
    }
    size_t begin = line_begin(line);
    struct str own = str_slice(line, begin, line.len);
    if (begin > 0 && is_stamped(own)) {
        return true;
    }
    size_t tag = log_tag_length(own);
    return tag > 0 && is_stamped(str_slice(own, tag, own.len));
}
