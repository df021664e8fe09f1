/* Lines and columns. Takes byte offsets into a text, gives the place as an editor shows it and the
 * line around it. Knows nothing of any syntax. */
#include "syntax/place.h"

#include "base/text.h"

#include <string.h>

#define LINE_TEXT_BYTES ((size_t)200)

/* Length of the character at an offset inside the text; an invalid byte is a character. */
static size_t char_bytes(struct str text, size_t at)
{
    uint32_t ignored;
    if ((unsigned char)text.ptr[at] < 0x80) {
        return 1;
    }
    size_t length = utf8_decode(text, at, &ignored);
    return length ? length : 1;
}

struct place_cursor place_start(struct str text)
{
    return (struct place_cursor){
        .text = str_is_set(text) ? text : STR(""),
        .offset = text.len - text_without_bom(text).len,
        .pos = {1, 1},
    };
}

/* Bytes from text[at] on, before `end`, that are a column each: ASCII without a line end, looked at
 * eight by eight. */
static size_t plain_run(struct str text, size_t at, size_t end)
{
    static const uint64_t ones = 0x0101010101010101U, high_bits = 0x8080808080808080U;
    size_t begin = at;
    for (uint64_t word; at + sizeof word <= end; at += sizeof word) {
        memcpy(&word, text.ptr + at, sizeof word);
        uint64_t ends = word ^ ones * '\n'; /* a byte of it is 0 where a line end stands */
        if ((word & high_bits) || ((ends - ones) & ~ends & high_bits)) {
            break;
        }
    }
    return at - begin;
}

/* One character on; false at the offset, or when the character reaches over it. */
static bool step(struct place_cursor *cursor, size_t offset)
{
    size_t length = cursor->offset < offset ? char_bytes(cursor->text, cursor->offset) : 0;
    if (length == 0 || cursor->offset + length > offset) {
        return false;
    }
    if (cursor->text.ptr[cursor->offset] == '\n') {
        cursor->pos.line++;
        cursor->pos.column = 1;
    } else {
        cursor->pos.column++;
    }
    cursor->offset += length;
    return true;
}

struct pos place_of(struct place_cursor *cursor, size_t offset)
{
    struct place_cursor back;
    if (offset > cursor->text.len) {
        offset = cursor->text.len;
    }
    if (offset < cursor->offset) {
        /* Rare (errors only): the cursor itself stays where it is. */
        back = place_start(cursor->text);
        cursor = &back;
    }
    for (bool is_there = false; !is_there;) {
        size_t plain = plain_run(cursor->text, cursor->offset, offset);
        cursor->offset += plain;
        cursor->pos.column += (unsigned)plain;
        for (unsigned i = 0; i < 8 && !is_there; i++) {
            is_there = !step(cursor, offset);
        }
    }
    return cursor->pos;
}

size_t place_offset(struct str text, struct pos pos)
{
    size_t at = place_start(text).offset;
    for (unsigned line = 1; line < pos.line && at < text.len; line++) {
        ptrdiff_t end = str_find_char(str_slice(text, at, text.len), '\n');
        at = end < 0 ? text.len : at + (size_t)end + 1;
    }
    for (unsigned column = 1; column < pos.column && at < text.len; column++) {
        at += char_bytes(text, at);
    }
    return at;
}

struct pos pos_of_offset(struct str text, size_t offset)
{
    struct place_cursor cursor = place_start(text);
    return place_of(&cursor, offset);
}

/* The whole line of a number, without its line end; empty when there is no such line. */
static struct str line_of(struct str text, unsigned number)
{
    struct str rest = str_slice(text, place_start(text).offset, text.len);
    struct str line = STR("");
    for (unsigned n = 0; n < number; n++) {
        if (!str_split(&rest, '\n', &line)) {
            return STR("");
        }
    }
    if (str_ends(line, STR("\r"))) {
        line.len--;
    }
    return line;
}

/* True for what may be part of a key or token, which must be shown whole or not at all. */
static bool is_word_byte(char c)
{
    return strchr(" \t\"'`,;:=()[]{}<>#", c) == NULL || c == '\0';
}

struct str pos_line_text(struct arena *arena, struct str text, struct pos pos, unsigned *column)
{
    struct str line = line_of(text, pos.line);
    size_t place = 0;
    for (unsigned n = 1; n < pos.column && place < line.len; n++) {
        place += char_bytes(line, place);
    }
    *column = 1;
    if (line.len <= LINE_TEXT_BYTES) {
        return arena_dup(arena, line);
    }
    size_t from = place > LINE_TEXT_BYTES / 2 ? place - LINE_TEXT_BYTES / 2 : 0;
    size_t to = from + LINE_TEXT_BYTES < line.len ? from + LINE_TEXT_BYTES : line.len;
    while (from > 0 && from < to && is_word_byte(line.ptr[from - 1]) &&
           is_word_byte(line.ptr[from])) {
        from++;
    }
    while (to < line.len && to > from && is_word_byte(line.ptr[to]) &&
           is_word_byte(line.ptr[to - 1])) {
        to--;
    }
    if (from > place || to < place) {
        *column = pos.column; /* in the midst of a word too long to be shown */
        return STR("");
    }
    for (size_t at = 0; at < from; at += char_bytes(line, at)) {
        ++*column;
    }
    return arena_dup(arena, str_slice(line, from, to));
}
