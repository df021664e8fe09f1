/* Cutting of text to a width in columns: at its end, in its middle, or around a place that must
 * stay. Takes text that is fit to be shown; what was left out is always "...". */
#include "base/text.h"

#define DOTS_COLUMNS 3
#define MIDDLE_COLUMNS_MIN 8
#define AROUND_COLUMNS_MIN 20

/* Bytes of the longest beginning of s that is at most `columns` wide. */
static size_t beginning(struct str s, size_t columns)
{
    size_t at = 0, width = 0;
    while (at < s.len) {
        uint32_t c;
        size_t length = utf8_decode(s, at, &c);
        length = length ? length : 1;
        width += text_columns(str_slice(s, at, at + length));
        if (width > columns) {
            break;
        }
        at += length;
    }
    return at;
}

/* First byte of the longest end of s that is at most `columns` wide. */
static size_t ending(struct str s, size_t width, size_t columns)
{
    size_t at = beginning(s, width > columns ? width - columns : 0);
    if (text_columns(str_slice(s, at, s.len)) > columns) {
        uint32_t c;
        size_t length = utf8_decode(s, at, &c);
        at += length ? length : 1;
    }
    return at;
}

struct str text_cut_end(struct arena *arena, struct str text, size_t columns)
{
    if (text_columns(text) <= columns) {
        return text;
    }
    size_t kept = beginning(text, columns > DOTS_COLUMNS ? columns - DOTS_COLUMNS : 0);
    return arena_printf(arena, "%.*s...", (int)kept, text.ptr);
}

struct str text_cut_middle(struct arena *arena, struct str text, size_t columns)
{
    size_t width = text_columns(text);
    if (width <= columns || columns < MIDDLE_COLUMNS_MIN) {
        return text_cut_end(arena, text, columns);
    }
    size_t head_columns = (columns - DOTS_COLUMNS + 1) / 2;
    size_t head = beginning(text, head_columns);
    size_t tail = ending(text, width, columns - DOTS_COLUMNS - head_columns);
    return arena_printf(arena, "%.*s...%.*s", (int)head, text.ptr, (int)(text.len - tail),
                        text.ptr + tail);
}

struct str text_cut_around(struct arena *arena, struct str text, size_t columns, size_t at)
{
    size_t width = text_columns(text);
    if (width <= columns || columns < AROUND_COLUMNS_MIN || at >= text.len) {
        return text_cut_middle(arena, text, columns);
    }
    size_t third = (columns - 2 * DOTS_COLUMNS) / 3;
    size_t place = text_columns(str_slice(text, 0, at));
    size_t from = beginning(text, place > third / 4 ? place - third / 4 : 0);
    size_t head = beginning(text, third), tail = ending(text, width, third);
    size_t to = from + beginning(str_slice(text, from, text.len), third);
    if (from <= head || from >= tail) {
        return text_cut_middle(arena, text, columns);
    }
    struct str ahead = arena_printf(arena, "%.*s...", (int)head, text.ptr);
    if (to >= tail) {
        return arena_printf(arena, "%.*s%.*s", STR_ARG(ahead), (int)(text.len - from),
                            text.ptr + from);
    }
    return arena_printf(arena, "%.*s%.*s...%.*s", STR_ARG(ahead), (int)(to - from), text.ptr + from,
                        (int)(text.len - tail), text.ptr + tail);
}
