/* What every observation of this room has in common: valid UTF-8, bounded, masked. */
#include "input/bound.h"

#include "base/buf.h"
#include "base/text.h"
#include "base/utf16.h"

#define HEADER_BYTES_MAX ((size_t)2048)

struct str text_repair(struct arena *arena, struct str text)
{
    static const struct str replacement = STR_INIT("\xEF\xBF\xBD");
    text = text_without_bom(utf16_text(arena, text));
    if (utf8_find_invalid(text) < 0 && str_find_char(text, '\0') < 0) {
        return arena_dup(arena, str_is_set(text) ? text : STR(""));
    }
    struct buf out = buf_create(text.len * 3 + 1);
    for (size_t at = 0; at < text.len;) {
        uint32_t c;
        size_t length = utf8_decode(text, at, &c);
        if (length == 0) {
            buf_add(&out, replacement);
        } else if (c == 0) {
            buf_add_char(&out, ' ');
        } else {
            buf_add(&out, str_slice(text, at, at + length));
        }
        at += length ? length : 1;
    }
    struct str repaired = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return repaired;
}

/* First byte of a character at or behind `at`. */
static size_t character_start(struct str text, size_t at)
{
    while (at < text.len && ((unsigned char)text.ptr[at] & 0xC0) == 0x80) {
        at++;
    }
    return at;
}

/* The end of a long text, from the beginning of a line on where there is one. */
static struct str keep_end(struct str text, unsigned *line)
{
    size_t from = character_start(text, text.len - BODY_BYTES_MAX);
    ptrdiff_t newline = str_find_char(str_slice(text, from, text.len), '\n');
    from = newline >= 0 && (size_t)newline < BODY_BYTES_MAX / 2 ? from + (size_t)newline + 1 : from;
    for (size_t at = 0; at < from; at++) {
        *line += text.ptr[at] == '\n';
    }
    return str_slice(text, from, text.len);
}

static struct str keep_front(struct str text, size_t bytes)
{
    size_t end = text.len < bytes ? text.len : bytes;
    while (end > 0 && end < text.len && ((unsigned char)text.ptr[end] & 0xC0) == 0x80) {
        end--;
    }
    return str_slice(text, 0, end);
}

void observation_seal(struct arena *arena, const struct mask *mask, struct observation *observation)
{
    struct header *headers = ARENA_ARRAY(arena, observation->header_count, struct header);
    for (size_t i = 0; i < observation->header_count; i++) {
        headers[i].name = observation->headers[i].name;
        headers[i].value =
            mask_text(arena, mask, keep_front(observation->headers[i].value, HEADER_BYTES_MAX));
    }
    observation->headers = headers;
    /* Masked before it is cut: half a key would not be recognised. */
    struct str body = mask_text(arena, mask, observation->body);
    if (body.len > BODY_BYTES_MAX) {
        observation->is_body_cut = true;
        body = observation->kind == OBSERVATION_TEXT ? keep_end(body, &observation->origin.line)
                                                     : keep_front(body, BODY_BYTES_MAX);
    }
    observation->body = body;
}
