/* What terminals did to a text is undone here. Takes bytes as somebody pasted them, gives text
 * whose lines are those that the program printed. */
#include "classify/clean.h"

#include "base/buf.h"
#include "base/fastest.h"
#include "base/text.h"

#define REPEATS_MAX 20 /* attempts; more is a document */
#define ESC '\x1b'
#define WRAP_COLUMNS_MIN 40 /* no terminal in use wraps earlier */

/* Bytes of the escape sequence at text[at], which is ESC: CSI up to its final byte, OSC and other
 * strings up to BEL or ESC \, two bytes else. */
static size_t escape_length(struct str text, size_t at)
{
    size_t end = at + 1;
    if (end >= text.len) {
        return 1;
    }
    char kind = text.ptr[end++];
    if (kind == '[') {
        while (end < text.len && (unsigned char)text.ptr[end] >= 0x20 &&
               (unsigned char)text.ptr[end] < 0x40) {
            end++;
        }
        return end - at + (end < text.len);
    }
    if (kind == ']' || kind == 'P' || kind == '_' || kind == '^') {
        while (end < text.len && text.ptr[end] != '\a' && text.ptr[end] != '\n') {
            if (text.ptr[end] == ESC && end + 1 < text.len && text.ptr[end + 1] == '\\') {
                return end + 2 - at;
            }
            end++;
        }
        return end - at + (end < text.len && text.ptr[end] == '\a');
    }
    return 2;
}

static bool is_control(char c)
{
    return ((unsigned char)c < 0x20 && c != '\n' && c != '\t') || c == '\x7f';
}

/* Takes the bars of a frame off; a row of a table has more of them within, and keeps them. */
static struct str strip_bars(struct str line)
{
    static const struct str bars[] = {STR_INIT("│"), STR_INIT("┃"), STR_INIT("║")};
    struct str whole = line, inner = str_trim(line);
    for (size_t i = 0; i < sizeof bars / sizeof bars[0]; i++) {
        if (str_starts(inner, bars[i])) {
            line = inner = str_slice(inner, bars[i].len, inner.len);
        }
        if (str_ends(inner, bars[i])) {
            inner.len -= bars[i].len;
            line = inner;
        }
        if (line.ptr != whole.ptr && str_find(inner, bars[i]) >= 0) {
            return whole;
        }
    }
    return line;
}

/* Whether a text has any, in vectors: few have. */
FASTEST static bool has_controls(struct str text)
{
    unsigned char has_any = 0;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        has_any |= ((c < 0x20) & (c != '\n') & (c != '\t')) | (c == 0x7f);
    }
    return has_any;
}

/* Bytes from text[at] on that stay as they are. */
static size_t plain_run(struct str text, size_t at)
{
    size_t end = at;
    while (end < text.len && !is_control(text.ptr[end])) {
        end++;
    }
    return end - at;
}

/* Without escape sequences and control characters; a lone CR ends a line. */
static struct str without_controls(struct arena *arena, struct str text)
{
    struct buf plain = buf_create(text.len);
    for (size_t at = 0; at < text.len;) {
        size_t run = plain_run(text, at);
        buf_add(&plain, str_slice(text, at, at + run));
        at += run;
        if (at < text.len && text.ptr[at] == ESC) {
            at += escape_length(text, at);
        } else if (at < text.len) {
            bool is_end = text.ptr[at] == '\r' && (at + 1 == text.len || text.ptr[at + 1] != '\n');
            if (is_end) {
                buf_add_char(&plain, '\n');
            }
            at++;
        }
    }
    struct str cleaned = arena_dup(arena, buf_str(&plain));
    buf_free(&plain);
    return cleaned;
}

static struct str without_bars(struct arena *arena, struct str text)
{
    struct buf out = buf_create(text.len + 1);
    struct str rest = text, line;
    while (str_split(&rest, '\n', &line)) {
        buf_add(&out, strip_bars(line));
        if (str_is_set(rest)) {
            buf_add_char(&out, '\n');
        }
    }
    struct str cleaned = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return cleaned;
}

struct str clean_controls(struct arena *arena, struct str text)
{
    text = has_controls(text) ? without_controls(arena, text) : text;
    /* All bars begin with the same byte. */
    return str_find_char(text, '\xE2') < 0 ? text : without_bars(arena, text);
}

/* A date or a clock at the front: a new line of a log. */
static bool has_time_in_front(struct str line)
{
    size_t digits = 0;
    while (digits < line.len && str_is_digit(line.ptr[digits])) {
        digits++;
    }
    return digits >= 2 && digits < line.len && str_is_of(line.ptr[digits], "-/:");
}

/* "Error:", "Caused by:", "Details:": a capitalised word or two with a colon in front. */
static bool has_label_in_front(struct str line)
{
    ptrdiff_t colon = str_find_char(line, ':');
    return colon > 0 && colon < 40 && str_is_upper(line.ptr[0]) &&
           ((size_t)colon + 1 == line.len || line.ptr[colon + 1] == ' ');
}

static bool begins_anew(struct str line)
{
    static const struct str starts[] = {
        STR_INIT("at "),      STR_INIT("File \""),  STR_INIT("Traceback"),
        STR_INIT("in "),      STR_INIT("data:"),    STR_INIT("event:"),
        STR_INIT("See http"), STR_INIT("https://"), STR_INIT("http://"),
    };
    if (STARTS_ANY(line, starts)) {
        return true;
    }
    char c = line.ptr[0];
    bool is_word = str_is_alnum(c) || str_is_of(c, "\"'`(") ||
                   ((unsigned char)c >= 0xE3 && (unsigned char)c <= 0xE9); /* CJK */
    return !is_word || has_time_in_front(line) || has_label_in_front(line);
}

/* Whether a sentence cannot end here, however narrow the terminal was. */
static bool is_open(struct str line)
{
    static const struct str words[] = {
        STR_INIT(" has been"), STR_INIT(" have been"), STR_INIT(" has"),
        STR_INIT(" is"),       STR_INIT(" is not"),    STR_INIT(" was"),
        STR_INIT(" the"),      STR_INIT(" your"),      STR_INIT(" to"),
        STR_INIT(" of"),       STR_INIT(" does not"),  STR_INIT(" could not"),
        STR_INIT(" cannot"),   STR_INIT(" too")};
    return ENDS_ANY(line, words);
}

static bool is_wrapped(struct str line, struct str next)
{
    struct str inner = str_trim(next);
    line = str_trim(line);
    if (is_open(line) && inner.len && str_is_lower(inner.ptr[0])) {
        return true;
    }
    if (line.len == 0 || inner.len == 0 || text_columns(line) < WRAP_COLUMNS_MIN ||
        begins_anew(inner)) {
        return false;
    }
    bool ends_sentence = str_is_of(line.ptr[line.len - 1], ".!?:;>}])");
    return !ends_sentence || str_is_lower(inner.ptr[0]);
}

static bool is_wide(char c)
{
    return (unsigned char)c >= 0x80;
}

static bool is_within_sentence(char c)
{
    return str_is_lower(c) || c == '`' || c == ',';
}

/* The indent of a wrapped line whose end was lost on the way is one blank again: "Output blocked
 * by" with six blanks in its middle, as pages show what a terminal wrapped. */
static struct str without_gaps(struct arena *arena, struct str text)
{
    if (str_find(text, STR("   ")) < 0) {
        return text;
    }
    struct buf out = buf_create(text.len);
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        while (end < text.len && text.ptr[end] == ' ') {
            end++;
        }
        bool is_gap = end - at > 2 && at > 0 && end < text.len &&
                      is_within_sentence(text.ptr[at - 1]) && is_within_sentence(text.ptr[end]);
        end = end > at ? end : at + 1;
        buf_add(&out, is_gap ? STR(" ") : str_slice(text, at, end));
        at = end;
    }
    struct str joined = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return joined;
}

struct str clean_rejoin(struct arena *arena, struct str text)
{
    text = without_gaps(arena, text);
    if (str_find_char(text, '\n') < 0) {
        return text;
    }
    struct buf out = buf_create(text.len + 1);
    struct str rest = text, line, previous = {NULL, 0};
    while (str_split(&rest, '\n', &line)) {
        if (str_is_set(previous) && is_wrapped(previous, line)) {
            struct str part = str_trim(line);
            while (out.len && (out.ptr[out.len - 1] == ' ' || out.ptr[out.len - 1] == '\t')) {
                out.len--;
            }
            /* Chinese is wrapped between any two characters. */
            if (!(out.len && is_wide(out.ptr[out.len - 1]) && is_wide(part.ptr[0]))) {
                buf_add_char(&out, ' ');
            }
            buf_add(&out, part);
        } else {
            if (str_is_set(previous)) {
                buf_add_char(&out, '\n');
            }
            buf_add(&out, line);
        }
        previous = line;
    }
    struct str joined = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return joined;
}

struct str clean_repeats(struct str text)
{
    struct str rest = str_trim(text), line, first = {NULL, 0};
    if (!str_split(&rest, '\n', &first)) {
        return text;
    }
    first = str_trim(first);
    size_t lines = 1;
    while (str_split(&rest, '\n', &line)) {
        line = str_trim(line);
        if ((line.len && !str_eq(line, first)) || ++lines > REPEATS_MAX) {
            return text;
        }
    }
    return first.len ? first : text;
}
