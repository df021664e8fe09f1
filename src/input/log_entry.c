/* Entries of a log. Takes a block of lines, tells which of them belong together:
 *
 *     2026-11-29 13:00:00 ERROR call failed        begins an entry: it is stamped
 *     Traceback (most recent call last):           goes on: a marker behind a stamped line
 *       File "app.py", line 7, in call             goes on: indented
 *     openai.RateLimitError: Error code: 429       goes on: the line that a traceback ends with
 *     13:00:01 ERROR Traceback (most recent ...    begins an entry, with its traceback open
 *     plain line                                   begins an entry
 *     }                                            goes on: it closes something
 *
 * An entry ends by length as well, so that indented text without an end is no single entry. */
#include "input/log_entry.h"

#include "input/log_time.h"

#include <string.h>

#define ENTRY_LINES_MAX 200

enum line_kind {
    LINE_PLAIN,
    LINE_STAMPED,
    LINE_OPENING,   /* stamped, and ends in Python's marker */
    LINE_TRACEBACK, /* Python's marker: an unindented line ends what it opens */
    LINE_CHAIN,     /* says that another traceback follows, or a cause */
    LINE_INDENTED,  /* or blank, or a closing bracket */
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

static bool begins_entry(enum line_kind kind)
{
    return kind == LINE_STAMPED || kind == LINE_OPENING;
}

static enum line_kind kind_of(struct str line)
{
    struct str inner = str_trim(line);
    if (inner.len == 0 || line.ptr[0] == ' ' || line.ptr[0] == '\t' || line.ptr[0] == '}' ||
        line.ptr[0] == ']' || line.ptr[0] == ')' || str_eq(inner, STR("{")) ||
        str_eq(inner, STR("["))) {
        return LINE_INDENTED;
    }
    if (str_starts(line, STR("Traceback (most recent call last)"))) {
        return LINE_TRACEBACK;
    }
    if (is_chain(line)) {
        return LINE_CHAIN;
    }
    if (!log_is_stamped(str_slice(line, 0, LOG_OVERLAP_BYTES))) {
        return LINE_PLAIN;
    }
    return str_ends(inner, STR("Traceback (most recent call last):")) ? LINE_OPENING : LINE_STAMPED;
}

/* What the lines of an entry so far say about the next one. */
struct course {
    bool is_stamped;    /* the last unindented line is stamped */
    bool is_chained;    /* a chain's marker stands behind it */
    bool has_traceback; /* a traceback is open */
};

/* Whether a line of that kind goes on with what stands above it; keeps account. */
static bool goes_on(struct course *course, enum line_kind kind)
{
    struct course before = *course;
    switch (kind) {
    case LINE_INDENTED:
        return true;
    case LINE_CHAIN:
        course->is_chained = true;
        return true;
    case LINE_TRACEBACK:
        course->has_traceback = true;
        return before.is_stamped || before.is_chained || before.has_traceback;
    case LINE_STAMPED:
    case LINE_OPENING:
        *course = (struct course){.is_stamped = true, .has_traceback = kind == LINE_OPENING};
        return false;
    default:
        *course = (struct course){.is_stamped = false};
        return before.has_traceback;
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

struct log_entry log_entry_at(struct str block, size_t at)
{
    size_t end = line_end(block, at), lines = 1;
    struct course course = {.is_stamped = false};
    if (end - at > LOG_PIECE_BYTES) {
        return piece_at(block, at, end);
    }
    struct log_entry entry = {.begin = at, .end = end, .next = end + (end < block.len)};
    (void)goes_on(&course, kind_of(str_slice(block, at, end)));
    while (entry.next < block.len && lines < ENTRY_LINES_MAX) {
        end = line_end(block, entry.next);
        struct str line = str_slice(block, entry.next, end);
        if (end - at > LOG_PIECE_BYTES || !goes_on(&course, kind_of(line))) {
            break;
        }
        lines++;
        entry.next = end + (end < block.len);
        entry.end = str_trim(line).len ? end : entry.end;
    }
    return entry;
}

/* Beginning of the nearest line at or before the one that begins at `at` that goes on with nothing,
 * whatever stands above. */
static size_t sure_begin(struct str block, size_t from, size_t at)
{
    while (at > from) {
        enum line_kind kind = kind_of(str_slice(block, at, line_end(block, at))), kind_above;
        if (begins_entry(kind)) {
            return at;
        }
        size_t above = line_before(block, from, at);
        kind_above = kind == LINE_PLAIN ? kind_of(str_slice(block, above, at)) : LINE_INDENTED;
        if (kind_above == LINE_PLAIN || kind_above == LINE_STAMPED) {
            return at;
        }
        at = above;
    }
    return from;
}

struct log_entry log_entry_holding(struct str block, size_t from, size_t at)
{
    const char *newline = at > from ? memrchr(block.ptr + from, '\n', at - from) : NULL;
    size_t begin = newline ? (size_t)(newline - block.ptr) + 1 : from;
    begin = sure_begin(block, from, begin);
    for (;;) {
        struct log_entry entry = log_entry_at(block, begin);
        if (entry.end > at || entry.next > at || entry.next >= block.len) {
            return entry;
        }
        begin = entry.next;
    }
}

size_t log_entry_begin(struct str block, size_t from, size_t at)
{
    return log_entry_holding(block, from, at).begin;
}
