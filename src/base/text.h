#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/arena.h"

/* Decodes the UTF-8 character at s[at]. Gives its length in bytes (1 to 4) and its code point, or 0
 * when the bytes there are not valid UTF-8 (overlong forms, surrogates and values over U+10FFFF are
 * not valid). */
size_t utf8_decode(struct str s, size_t at, uint32_t *code_point);
/* Writes code_point as UTF-8 to out[4]; gives the length, 0 for a value that has none. */
size_t utf8_encode(uint32_t code_point, char out[4]);
/* Offset of the first byte that is not valid UTF-8, or -1. */
ptrdiff_t utf8_find_invalid(struct str s);

/* s without a byte order mark in front. */
struct str text_without_bom(struct str s);

/* Columns that s takes on a terminal: East Asian wide characters count 2, combining marks 0. */
size_t text_columns(struct str s);

/* Characters that steer a terminal or reorder what is read: C0, DEL, C1, bidirectional and other
 * invisible controls, line and paragraph separators, byte order mark, tags. */
bool text_is_unsafe(uint32_t code_point);

/* Makes untrusted bytes fit to be shown: at most max_columns wide (0 = no limit; cut text ends in
 * "..."), one line (CR, LF and TAB become a blank, runs of blanks one), other control characters,
 * ESC, C1 and bidirectional overrides as \xNN or \u{N}, invalid UTF-8 as \xNN. */
struct str text_show(struct arena *arena, struct str s, size_t max_columns);

/* Of text that is fit to be shown, at most `columns` of it; the text itself where it is no wider.
 * A longer one loses its end: "gpt-x-..." */
struct str text_cut_end(struct arena *arena, struct str text, size_t columns);
/* Or its middle: "gpt-x...at-host". */
struct str text_cut_middle(struct arena *arena, struct str text, size_t columns);
/* Or all but its ends and what stands at byte `at`, which begins a character: "gpt...-b-...host".
 * For texts that the middle tells apart. */
struct str text_cut_around(struct arena *arena, struct str text, size_t columns, size_t at);

#endif
