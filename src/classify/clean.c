/* What terminals did to a text is undone here. Takes bytes as somebody pasted them, gives text
 * whose lines are those that the program printed. */
#include "classify/clean.h"

#include "base/buf.h"
#include "base/fastest.h"

#define REPEATS_MAX 20 /* attempts; more is a document */
#define ESC '\x1b'

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
