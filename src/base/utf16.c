/* Descriptors and texts that hold UTF-16. Takes bytes as they come, however they are cut, gives
 * UTF-8. Bytes of what does not begin with the mark are given as they are. */
#include "base/utf16.h"

#include "base/file.h"
#include "base/text.h"

#include <string.h>

#define RAW_BYTES ((size_t)16 * 1024)
#define REPLACEMENT 0xFFFDU
#define MARK STR("\xFF\xFE")

static bool is_high(uint32_t unit)
{
    return unit >= 0xD800 && unit < 0xDC00;
}

static bool is_low(uint32_t unit)
{
    return unit >= 0xDC00 && unit < 0xE000;
}

static uint32_t unit_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8;
}

/* Writes the character that state->kept begins with, if all of it is there; the bytes written. */
static size_t put_character(struct utf16 *state, char *out)
{
    uint32_t first = unit_at(state->kept), second = unit_at(state->kept + 2);
    if (state->kept_bytes < 2 || (is_high(first) && state->kept_bytes < 4)) {
        return 0;
    }
    bool is_pair = is_high(first) && is_low(second);
    bool is_alone = !is_pair && (is_high(first) || is_low(first));
    size_t taken = is_pair ? 4 : 2;
    state->kept_bytes -= taken;
    state->kept[0] = state->kept[taken % 4];
    state->kept[1] = state->kept[(taken + 1) % 4];
    uint32_t pair = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    return utf8_encode(is_pair ? pair : is_alone ? REPLACEMENT : first, out);
}

static size_t decode(struct utf16 *state, const char *raw, size_t count, char *out)
{
    size_t length = 0;
    for (size_t at = 0; at < count; at++) {
        state->kept[state->kept_bytes++] = (unsigned char)raw[at];
        size_t written = put_character(state, out + length);
        while (written) {
            length += written;
            written = put_character(state, out + length);
        }
    }
    return length;
}

struct str utf16_text(struct arena *arena, struct str text)
{
    struct utf16 state = {0};
    struct str units = str_slice(text, MARK.len, text.len);
    if (!str_starts(text, MARK)) {
        return text;
    }
    char *out = arena_alloc(arena, units.len / 2 * 3 + 1); /* two bytes give three at most */
    return (struct str){out, decode(&state, units.ptr, units.len, out)};
}

/* The first bytes, which tell what the rest is. */
static ssize_t begin(struct utf16 *state, int fd, char *bytes, size_t room)
{
    size_t have = 0;
    while (have < 2) {
        ssize_t got = file_read_some(fd, bytes + have, room - have);
        if (got <= 0 && have == 0) {
            return got;
        }
        if (got <= 0) {
            break;
        }
        have += (size_t)got;
    }
    state->is_begun = true;
    state->is_wide = str_starts((struct str){bytes, have}, MARK);
    return (ssize_t)have;
}

ssize_t utf16_read(struct utf16 *state, int fd, char *bytes, size_t room)
{
    char raw[RAW_BYTES];
    size_t fits = (room - 8) / 3 * 2; /* two bytes give three at most, what was kept four */
    size_t part = fits < sizeof raw ? fits : sizeof raw;
    if (state->is_begun && !state->is_wide) {
        return file_read_some(fd, bytes, room);
    }
    size_t mark = state->is_begun ? 0 : 2;
    ssize_t got = state->is_begun ? file_read_some(fd, raw, part) : begin(state, fd, raw, part);
    for (; got > 0; got = file_read_some(fd, raw, part), mark = 0) {
        if (!state->is_wide) {
            memcpy(bytes, raw, (size_t)got);
            return got;
        }
        size_t length = decode(state, raw + mark, (size_t)got - mark, bytes);
        if (length) {
            return (ssize_t)length;
        }
    }
    return got;
}
