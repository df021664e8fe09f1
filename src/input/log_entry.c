/* Entries of a log. Takes a block of lines, tells which of them belong together:
 *
 *     2026-11-29 13:00:00 ERROR call failed        begins an entry: it is stamped
 *     Traceback (most recent call last):           goes on: a marker behind a stamped line
 *       File "app.py", line 7, in call             goes on: indented
 *     openai.RateLimitError: Error code: 429       goes on: the line that a traceback ends with
 *     13:00:01 ERROR Traceback (most recent ...    begins an entry, with its traceback open
 *     }                                            goes on: it closes something
 *     13:00:02 WARN chat failed                    begins an entry that tells of trouble
 *     HttpException: HTTP 429                      goes on: a plain line behind trouble
 *     13:00:03 INFO ready                          begins an entry
 *     plain line                                   begins an entry
 *     13:00:04 ERROR chat failed, response:        begins an entry that announces a body
 *     {"error":{"message":"no"}}                   goes on: the body, which names no time or level
 *
 * What a collector put before each line is no part of it: "worker-1  | Traceback ...", nor is what
 * Docker keeps a line in: {"log":"Traceback ...\n","stream":"stderr"}. Lines of
 * several sources are no entry. An entry ends by length as well, so that indented text without an
 * end is no single entry. */
#include "input/log_entry.h"

#include "input/log_carrier.h"
#include "input/log_record.h"
#include "input/log_time.h"

#include <string.h>

#define ENTRY_LINES_MAX                                                                            \
    400 /* as many has a traceback with its values, of one call that tried again */
#define PLAIN_LINES_MAX 40 /* among which plain ones go on */
#define PAUSE_MS 1000      /* between lines of one message, at most */
#define KNOWN_LINES_MAX 16 /* that are kept on the way up for the way down */

enum line_kind {
    LINE_PLAIN,
    LINE_STAMPED,
    LINE_OPENING,   /* stamped, and ends in Python's marker */
    LINE_TRACEBACK, /* Python's marker: an unindented line ends what it opens */
    LINE_CHAIN,     /* says that another traceback follows, or a cause */
    LINE_INDENTED,  /* or blank, or a closing bracket */
};

/* One line as what it says of the lines around it. */
struct line {
    struct log_carrier carrier;
    enum line_kind kind;
    struct str text, own; /* the whole of it, and what the program printed */
    bool is_exported;     /* a record of a collector that holds what many programs printed */
};

static size_t line_end(struct str block, size_t at)
{
    const char *newline = at < block.len ? memchr(block.ptr + at, '\n', block.len - at) : NULL;
    return newline ? (size_t)(newline - block.ptr) : block.len;
}

/* Beginning of the line before the one that begins at `at`, which is over `from`. */
static size_t line_before(struct str block, size_t from, size_t at)
{
    const char *newline = at - 1 > from ? memrchr(block.ptr + from, '\n', at - 1 - from) : NULL;
    return newline ? (size_t)(newline - block.ptr) + 1 : from;
}

static bool is_chain(struct str line)
{
    static const struct str marks[] = {
        STR_INIT("Caused by:"),
        STR_INIT("During handling of the above exception"),
        STR_INIT("The above exception was the direct cause"),
        STR_INIT("... "),
    };
    return STARTS_ANY(line, marks);
}

/* "<head>", "</p>" and "<!--", but no "<14>" of syslog. */
static bool is_markup(struct str line)
{
    return line.len > 1 && line.ptr[0] == '<' &&
           (str_is_letter(line.ptr[1]) || str_is_of(line.ptr[1], "/!"));
}

/* "#0 /srv/a.php(7): b()", "> File "a.py", line 7" where a tool marks the frame. */
static bool is_frame(struct str line)
{
    bool is_numbered = line.len > 1 && line.ptr[0] == '#' && str_is_digit(line.ptr[1]);
    return is_numbered || str_starts(line, STR("> File \"")) ||
           str_starts(line, STR("> File \\\""));
}

static bool is_indented(struct str line)
{
    struct str inner = str_trim(line);
    return inner.len == 0 || str_is_of(line.ptr[0], " \t}])") || str_starts(line, STR("\"}")) ||
           str_starts(line, STR("\\t")) || str_eq(inner, STR("{")) || str_eq(inner, STR("[")) ||
           is_markup(line) || is_frame(line);
}

static enum line_kind kind_of(struct str own, bool is_carried)
{
    struct str front = str_slice(own, 0, LOG_OVERLAP_BYTES);
    if (is_indented(own)) {
        /* Levels are set in columns: "2026-11-29T13:00:00Z  INFO ready". */
        bool is_column = is_carried && str_trim(own).len && log_is_stamped(str_trim(front));
        return is_column ? LINE_STAMPED : LINE_INDENTED;
    }
    if (str_starts(own, STR("Traceback (most recent call last)"))) {
        return LINE_TRACEBACK;
    }
    if (is_chain(own)) {
        return LINE_CHAIN;
    }
    if (!log_is_stamped(front)) {
        return LINE_PLAIN;
    }
    return str_ends(str_trim(own), STR("Traceback (most recent call last):")) ? LINE_OPENING
                                                                              : LINE_STAMPED;
}

static struct line line_at(struct str block, size_t at)
{
    struct str text = str_slice(block, at, line_end(block, at));
    struct line line = {.text = text,
                        .carrier = log_carrier_read(str_slice(text, 0, LOG_OVERLAP_BYTES))};
    line.own = str_slice(text, line.carrier.length, text.len);
    struct str kept = log_kept_text(text);
    bool is_exported = !str_starts(text, STR("{\"log\":"));
    /* What such a record has of several lines is whole. */
    if (str_is_set(kept) && !(is_exported && str_find(kept, STR("\\n")) >= 0)) {
        line.own = kept;
        line.is_exported = is_exported;
        line.carrier.length = (size_t)(kept.ptr - text.ptr);
    }
    line.kind = kind_of(line.own, line.carrier.length > 0);
    return line;
}

/* Lines that were read one above the other, the highest last; those past count are not set. */
struct known {
    struct line lines[KNOWN_LINES_MAX];
    size_t count;
};

static void keep(struct known *known, const struct line *line)
{
    if (known->count == KNOWN_LINES_MAX) {
        known->count--;
        memmove(&known->lines[0], &known->lines[1], known->count * sizeof *line);
    }
    known->lines[known->count++] = *line;
}

/* The line at block[at], which is below those that were asked for before. */
static struct line line_below(struct known *known, struct str block, size_t at)
{
    const char *begin = block.ptr + at;
    while (known->count && known->lines[known->count - 1].text.ptr < begin) {
        known->count--;
    }
    bool is_known = known->count && known->lines[known->count - 1].text.ptr == begin;
    return is_known ? known->lines[known->count - 1] : line_at(block, at);
}

static bool is_stamped(const struct line *line)
{
    return line->kind == LINE_STAMPED || line->kind == LINE_OPENING;
}

static bool is_carried(const struct line *line)
{
    return line->carrier.length > 0;
}

/* Whether a plain line was carried long after the one above it: it is no part of a message. */
static bool is_later(const struct line *line, const struct line *above)
{
    return line->kind == LINE_PLAIN && line->carrier.time_ms >= 0 && above->carrier.time_ms >= 0 &&
           line->carrier.time_ms - above->carrier.time_ms > PAUSE_MS;
}

/* Whether a record opens that a program printed over several lines, right behind the one before:
 * "}", "{". */
static bool opens_record(const struct line *line, const struct line *above)
{
    return line->kind == LINE_INDENTED && str_starts(line->own, STR("{")) &&
           str_starts(above->own, STR("}")) && str_trim(line->own).len == 1 &&
           str_trim(above->own).len == 1;
}

/* Whether a terminal's client shows another outcome below the one above, and no cause of that:
 * "  ⎿  API Error". */
static bool opens_outcome(const struct line *line, const struct line *above)
{
    static const struct str mark = STR_INIT("\xE2\x8E\xBF");
    struct str own = str_trim(line->own), before = str_trim(above->own);
    return line->kind == LINE_INDENTED && str_starts(own, mark) && str_starts(before, mark) &&
           own.ptr - line->own.ptr <= before.ptr - above->own.ptr;
}

/* Whether a line ends as one does that announces a body: "failed, response:", "error: Status 429".
 * end: at least the last eight bytes of it. */
static bool announces(struct str end)
{
    end = str_trim(end);
    struct str code = str_slice(end, end.len > 4 ? end.len - 4 : 0, end.len);
    return str_ends(end, STR(":")) ||
           (code.len == 4 && code.ptr[0] == ' ' && str_is_of(code.ptr[1], "45") &&
            str_is_digit(code.ptr[2]) && str_is_digit(code.ptr[3]));
}

/* Whether a record stands behind a line that announces it, and is none of a log's own. */
static bool is_body(const struct line *line, const struct line *above)
{
    bool may_announce = above->kind == LINE_STAMPED || above->kind == LINE_PLAIN;
    if (!may_announce || !str_starts(line->own, STR("{")) || !announces(above->own)) {
        return false;
    }
    struct log_front front = log_front_read(str_slice(line->own, 0, LOG_OVERLAP_BYTES), 0);
    return !front.has_clock && !front.has_level;
}

/* Whether nothing above can hold the line: it is stamped, or later, or another source's than that
 * above, or opens a record of its own. A line that nobody carried may be anyone's. */
static bool begins_entry(const struct line *line, const struct line *above)
{
    bool is_same = is_carried(above) && str_eq(line->carrier.name, above->carrier.name);
    return (is_stamped(line) && !is_body(line, above)) ||
           (is_carried(line) && (!is_same || is_later(line, above))) || opens_record(line, above) ||
           opens_outcome(line, above);
}

/* Whether a message names the part of a program that says how something failed, which it shows
 * below: "[tools] web_fetch failed: <page>". */
static bool shows_failure(struct str message)
{
    return str_starts(message, STR("[")) && str_find(message, STR(" failed: ")) > 0;
}

/* Whether a plain line goes on with the one that the entry begins with: any behind one that has a
 * time and a level which says that something is wrong or shows a failure, the name of an exception
 * behind one that has a time alone. A collector's time counts for lines that it did not carry. */
static bool takes_plain(const struct line *first, const struct line *line)
{
    struct str head = is_carried(line) ? first->own : first->text;
    if (!is_stamped(first) && !is_carried(first)) {
        return false;
    }
    struct log_front front = log_front_read(str_slice(head, 0, LOG_OVERLAP_BYTES), 0);
    return front.is_stamped && front.has_clock && !front.is_ordinary &&
           (front.has_level || log_names_exception(line->own) ||
            shows_failure(str_slice(head, front.message_at, head.len)));
}

/* A traceback goes on with a stamped line, but for one whose level says that nothing is wrong; not
 * with what a collector alone stamped. */
static bool takes_traceback(const struct line *first, const struct line *line)
{
    if (!is_stamped(first)) {
        return first->carrier.is_repeated || (is_carried(first) && !is_carried(line));
    }
    struct log_front front = log_front_read(str_slice(first->own, 0, LOG_OVERLAP_BYTES), 0);
    return !front.is_ordinary || !front.has_word;
}

/* What the lines of an entry so far say about the next one. */
struct course {
    struct line first, above;
    unsigned lines;
    bool is_chained;    /* a chain's marker stands behind the last unindented line */
    bool has_traceback; /* a traceback is open */
    bool is_closed;     /* a traceback has ended */
};

static struct course course_of(const struct line *first)
{
    return (struct course){.first = *first,
                           .above = *first,
                           .lines = 1,
                           .is_chained = first->kind == LINE_CHAIN,
                           .has_traceback =
                               first->kind == LINE_OPENING || first->kind == LINE_TRACEBACK};
}

/* Whether a line goes on with what stands above it; keeps account. */
static bool goes_on(struct course *course, const struct line *line)
{
    struct course before = *course;
    course->above = *line;
    course->lines++;
    if (begins_entry(line, &before.above)) {
        return false;
    }
    switch (line->kind) {
    case LINE_INDENTED:
        return true;
    case LINE_CHAIN:
        course->is_chained = true;
        return true;
    case LINE_TRACEBACK:
        course->has_traceback = true;
        return before.is_chained || before.has_traceback ||
               (!before.is_closed && takes_traceback(&course->first, line));
    default:
        course->is_closed = before.is_closed || before.has_traceback;
        course->is_chained = course->has_traceback = false;
        return before.has_traceback || (before.lines < PLAIN_LINES_MAX &&
                                        (!line->is_exported || log_names_exception(line->own)) &&
                                        takes_plain(&course->first, line));
    }
}

/* One piece of the long line that begins at `at` or goes on there. */
static struct log_entry piece_at(struct str block, size_t at, size_t end)
{
    size_t rest = end - at;
    bool is_last = rest <= LOG_PIECE_BYTES;
    return (struct log_entry){.begin = at,
                              .end = is_last ? end : at + LOG_PIECE_BYTES,
                              .next = is_last ? end + (end < block.len) : at + LOG_STEP_BYTES,
                              .is_piece = !is_last};
}

/* The entry that begins with a line, which is the one at block[at]. */
static struct log_entry entry_from(struct str block, size_t at, struct line line,
                                   struct known *known)
{
    size_t end = at + line.text.len;
    if (end - at > LOG_PIECE_BYTES) {
        return piece_at(block, at, end);
    }
    struct log_entry entry = {.begin = at, .end = end, .next = end + (end < block.len)};
    struct course course = course_of(&line);
    while (entry.next < block.len && course.lines < ENTRY_LINES_MAX) {
        line = line_below(known, block, entry.next);
        end = entry.next + line.text.len;
        if (end - at > LOG_PIECE_BYTES || !goes_on(&course, &line)) {
            break;
        }
        entry.next = end + (end < block.len);
        entry.end = str_trim(line.own).len ? end : entry.end;
    }
    return entry;
}

static struct log_entry entry_at(struct str block, size_t at, struct known *known)
{
    return entry_from(block, at, line_below(known, block, at), known);
}

struct log_entry log_entry_at(struct str block, size_t at)
{
    struct known none;
    none.count = 0;
    return entry_at(block, at, &none);
}

/* Whether a line ends whatever stands above it, but for a plain line's head further above: plain
 * lines end tracebacks. */
static bool may_begin(const struct line *line, const struct line *above)
{
    return line->kind == LINE_PLAIN && above->kind == LINE_PLAIN &&
           (is_carried(line) || !is_carried(above));
}

/* Whether the line that begins at `at` may be a body, by the end of the one above it, which is over
 * `from`. */
static bool may_be_body(struct str block, size_t from, size_t at, const struct line *line)
{
    return str_starts(line->own, STR("{")) &&
           announces(str_slice(block, at - from > 8 ? at - 8 : from, at));
}

/* Beginning of the nearest line at or before the one that begins at `at` that goes on with nothing,
 * whatever stands above: a stamped one, or a plain one that no line near enough above can hold.
 * line: the one at `at`, then that one. */
static size_t sure_begin(struct str block, size_t from, size_t at, struct line *line,
                         struct known *known)
{
    size_t plain = 0, lines = 0; /* the plain one, and how many lines above it were looked at */
    struct line plain_line = *line;
    while (at > from && (!is_stamped(line) || may_be_body(block, from, at, line))) {
        size_t above_at = line_before(block, from, at);
        struct line above = line_at(block, above_at);
        if (begins_entry(line, &above)) {
            return at;
        }
        bool is_head = is_carried(line) && !is_carried(&plain_line); /* may hold what nobody did */
        if ((lines == 0 || is_head) && may_begin(line, &above)) {
            plain = at;
            lines = 1;
            plain_line = *line;
        } else if (lines && ++lines > PLAIN_LINES_MAX) {
            *line = plain_line;
            return plain;
        }
        keep(known, line);
        at = above_at;
        *line = above;
    }
    return at;
}

struct log_entry log_entry_holding(struct str block, size_t from, size_t at)
{
    const char *newline = at > from ? memrchr(block.ptr + from, '\n', at - from) : NULL;
    size_t begin = newline ? (size_t)(newline - block.ptr) + 1 : from;
    struct line line = line_at(block, begin);
    struct known known;
    known.count = 0;
    begin = sure_begin(block, from, begin, &line, &known);
    struct log_entry entry = entry_from(block, begin, line, &known);
    while (entry.end <= at && entry.next <= at && entry.next < block.len) {
        entry = entry_at(block, entry.next, &known);
    }
    return entry;
}

size_t log_entry_begin(struct str block, size_t from, size_t at)
{
    return log_entry_holding(block, from, at).begin;
}
