/* Fits text to a terminal's width: padding, cutting, wrapping, colour. Knows nothing of reports. */
#include "report/layout.h"

#include "base/text.h"

#define CJK_FIRST 0x2E80

size_t layout_columns(const struct report_style *style)
{
    size_t columns = style->columns ? style->columns : 80;
    if (columns < LAYOUT_COLUMNS_MIN) {
        return LAYOUT_COLUMNS_MIN;
    }
    return columns > LAYOUT_COLUMNS_MAX ? LAYOUT_COLUMNS_MAX : columns;
}

void layout_blanks(struct buf *out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        buf_add_char(out, ' ');
    }
}

/* Adds the text and gives its columns. Two colons behind nothing but blanks would be a command to
 * GitHub's runner, which reads what a job prints. */
static size_t add_guarded(struct buf *out, struct str text)
{
    size_t at = out->len;
    while (at > 0 && out->ptr[at - 1] == ' ') {
        at--;
    }
    bool begins_line = at == 0 || out->ptr[at - 1] == '\n';
    bool is_command = begins_line && str_starts(text, STR("::"));
    buf_add(out, is_command ? STR("\\") : STR(""));
    buf_add(out, text);
    return text_columns(text) + is_command;
}

void layout_pad(struct buf *out, struct str text, size_t columns)
{
    size_t width = add_guarded(out, text);
    layout_blanks(out, width < columns ? columns - width : 0);
}

/* Marks that must not begin a line, and those that must not end one. */
static bool is_one_of(uint32_t c, const uint32_t *set, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (set[i] == c) {
            return true;
        }
    }
    return false;
}

static bool may_break_between(uint32_t left, uint32_t right)
{
    static const uint32_t closing[] = {0xFF0C, 0x3002, 0x3001, 0xFF1B, 0xFF1A, 0xFF01, 0xFF1F,
                                       0xFF09, 0x300D, 0x300F, 0x300B, 0x201D, 0x2019, ',',
                                       '.',    ';',    ':',    '!',    '?',    ')',    '%'};
    static const uint32_t opening[] = {0xFF08, 0x300C, 0x300E, 0x300A, 0x201C, 0x2018, '(', '['};
    return (left >= CJK_FIRST || right >= CJK_FIRST) &&
           !is_one_of(right, closing, sizeof closing / sizeof closing[0]) &&
           !is_one_of(left, opening, sizeof opening / sizeof opening[0]);
}

/* The blank at s[at] stands between a number and its unit: "0.4 s", "10 min". */
static bool is_before_unit(struct str s, size_t at)
{
    size_t end = at + 1;
    while (end < s.len && str_is_lower(s.ptr[end])) {
        end++;
    }
    return at > 0 && str_is_digit(s.ptr[at - 1]) && end > at + 1 && end <= at + 4;
}

/* End of the line that begins at `from` and is at most `room` wide; *next gets the beginning of the
 * line after it. A word that is wider than a line is broken where the line ends. */
static size_t line_end(struct str s, size_t from, size_t room, size_t *next)
{
    size_t at = from, width = 0, end = 0, after = 0;
    uint32_t left = 0;
    while (at < s.len) {
        uint32_t c = 0;
        size_t length = utf8_decode(s, at, &c);
        length = length ? length : 1;
        if (c == ' ' && !is_before_unit(s, at)) {
            end = at;
            after = at + 1;
        } else if (at > from && left != ' ' && may_break_between(left, c)) {
            end = after = at;
        }
        width += text_columns(str_slice(s, at, at + length));
        if (width > room && at > from) {
            *next = end > from ? after : at;
            return end > from ? end : at;
        }
        left = c;
        at += length;
    }
    *next = s.len;
    return s.len;
}

static void add_tail(struct buf *out, size_t used, size_t columns, struct str tail)
{
    size_t width = text_columns(tail);
    if (used + 2 + width > columns) {
        buf_add_char(out, '\n');
        used = 0;
    }
    layout_blanks(out, columns > used + width ? columns - used - width : 0);
    buf_add(out, tail);
}

void layout_wrap(struct buf *out, struct str text, size_t indent, size_t columns, struct str tail)
{
    size_t room = columns > indent + 8 ? columns - indent : 8;
    size_t at = 0, used = indent;
    do {
        size_t next, end = line_end(text, at, room, &next);
        if (at > 0) {
            buf_add_char(out, '\n');
            layout_blanks(out, indent);
        }
        struct str line = str_slice(text, at, end);
        used = indent + add_guarded(out, line);
        at = next;
    } while (at < text.len);
    if (!str_is_empty(tail)) {
        add_tail(out, used, columns, tail);
    }
    buf_add_char(out, '\n');
}

enum tint layout_step_tint(enum step_status status)
{
    static const enum tint tints[] = {[STEP_SKIP] = TINT_DIM,
                                      [STEP_OK] = TINT_GOOD,
                                      [STEP_WARN] = TINT_WARN,
                                      [STEP_FAIL] = TINT_BAD};
    return tints[status];
}

void layout_tinted(struct buf *out, const struct report_style *style, enum tint tint,
                   struct str text)
{
    static const char *const codes[] = {
        [TINT_NONE] = "",   [TINT_GOOD] = "32", [TINT_BAD] = "1;31",
        [TINT_WARN] = "33", [TINT_DIM] = "2",   [TINT_STRONG] = "1",
    };
    if (!style->has_color || tint == TINT_NONE) {
        buf_add(out, text);
        return;
    }
    buf_printf(out, "\033[%sm", codes[tint]);
    buf_add(out, text);
    buf_add(out, STR("\033[0m"));
}
