/* Prose with values in it: "API Error: 529 {"type":"error",...}", a Python repr behind "Error code:
 * 429 - ", events of a stream, a page behind a status. Takes text, adds the fields of all that is
 * found, gives the text without what models and users wrote. */
#include "classify/lift.h"

#include <string.h>

#define VALUES_MAX 64 /* values read out of one text */

/* A value begins with a brace, or a bracket with a table in it; "[1]" and "{name}" are prose. */
static bool may_begin_value(struct str text, size_t at)
{
    size_t next = at + 1;
    while (next < text.len && str_is_of(text.ptr[next], " \t\r\n")) {
        next++;
    }
    char c = next < text.len ? text.ptr[next] : '\0';
    if (text.ptr[at] == '[') {
        bool is_escaped = next + 1 < text.len && text.ptr[next + 1] == '\\'; /* [{\"a\": */
        return (c == '{' && !is_escaped) || c == '"';
    }
    return c == '"' || c == '\'' || str_is_letter(c) || c == '[';
}

/* Reads all values of a text. Two copies of it are overwritten with blanks: bytes where models and
 * users wrote, prose where values stand. Gives how many bytes stand beside the values, blanks at
 * their edges left off. */
static size_t lift_values(struct lift *lift, struct str text, char *bytes, char *prose,
                          unsigned depth)
{
    bool is_wrapped = !lift->observation->is_log; /* the lines of a log are its program's */
    size_t found = 0, beside = 0, behind = 0, brace = str_next_char(text, 0, '{'),
           bracket = str_next_char(text, 0, '[');
    while ((brace < text.len || bracket < text.len) && found < VALUES_MAX) {
        size_t at = brace < bracket ? brace : bracket, next = at + 1;
        struct loose *root = may_begin_value(text, at)
                                 ? loose_parse(lift->arena, &lift->budget, text, at, is_wrapped)
                                 : NULL;
        if (root) {
            lift_value(lift, root, bytes, depth);
            memset(prose + root->begin, ' ', root->end - root->begin);
            beside += str_trim(str_slice(text, behind, root->begin)).len;
            behind = root->end;
            found++;
            next = root->end > at ? root->end : next;
        }
        brace = brace < next ? str_next_char(text, next, '{') : brace;
        bracket = bracket < next ? str_next_char(text, next, '[') : bracket;
    }
    return beside + str_trim(str_slice(text, behind, text.len)).len;
}

static struct str unescape(struct arena *arena, struct str text)
{
    char *bytes = arena_alloc(arena, text.len + 1);
    size_t length = 0;
    for (size_t at = 0; at < text.len; at++) {
        char next = at + 1 < text.len ? text.ptr[at + 1] : '\0';
        at += text.ptr[at] == '\\' && (next == '"' || next == '\\' || next == '/');
        bytes[length++] = text.ptr[at];
    }
    return (struct str){bytes, length};
}

/* One level of backslashes taken off: a log that prints a body as part of a quoted string. */
static void lift_unescaped(struct lift *lift, struct str text, unsigned depth)
{
    struct bigrams bigrams;
    text = unescape(lift->arena, text);
    bigrams_read(&bigrams, text);
    lift_text(lift, &bigrams, text, depth);
}

/* Whether quoted_message may find something in a line of a text. */
static bool may_quote(const struct bigrams *bigrams)
{
    static const struct str leads[] = {STR_INIT(": '"), STR_INIT(": \""), STR_INIT("='"),
                                       STR_INIT("=\""), STR_INIT("= '"),  STR_INIT("= \""),
                                       STR_INIT(" b'"), STR_INIT(" b\"")};
    bool may_hold = false;
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
        may_hold = may_hold || bigrams_may_hold(bigrams, leads[i]);
    }
    return may_hold;
}

/* What stands in quotes as all that a line says behind the name of an exception, or as the value of
 * one that holds errors, or as bytes: "Exception: 'x'", "lastError=\"x\"", "body: b'x'". Unset
 * where there is none. */
static struct str quoted_message(struct str line)
{
    static const struct str leads[] = {
        STR_INIT("Error: "), STR_INIT("Exception: "), STR_INIT("error="),   STR_INIT("Error="),
        STR_INIT("err="),    STR_INIT("reason="),     STR_INIT("error = "), STR_INIT("Error = "),
        STR_INIT("err = "),  STR_INIT("reason = "),   STR_INIT(": b")};
    struct str none = {NULL, 0};
    line = str_trim(line);
    char quote = line.len ? line.ptr[line.len - 1] : ' ';
    ptrdiff_t at = str_is_of(quote, "\"'") ? str_find_char(line, quote) : -1;
    if (at < 0 || (size_t)at + 1 == line.len || !ENDS_ANY(str_slice(line, 0, (size_t)at), leads)) {
        return none;
    }
    struct str message = str_slice(line, (size_t)at + 1, line.len - 1);
    size_t end = 0;
    while (end < message.len && message.ptr[end] != quote) {
        end += message.ptr[end] == '\\' ? 2 : 1;
    }
    return end == message.len ? message : none; /* else it ends before the line, or not at all */
}

/* A string without the escapes of its quotes, its line ends real ones. */
static struct str read_literal(struct arena *arena, struct str message)
{
    char *bytes = arena_alloc(arena, message.len + 1);
    size_t length = 0;
    for (size_t at = 0; at < message.len; at++) {
        bool is_escape = message.ptr[at] == '\\' && at + 1 < message.len;
        at += is_escape;
        bytes[length++] = is_escape && message.ptr[at] == 'n' ? '\n' : message.ptr[at];
    }
    return (struct str){bytes, length};
}

/* Values in what an exception quotes: their own escapes stand in those of the string. */
static void lift_quoted_values(struct lift *lift, struct str text, unsigned depth)
{
    for (struct str rest = text, line; str_split(&rest, '\n', &line);) {
        struct str message = quoted_message(line);
        if (str_find_char(message, '\\') >= 0 && str_find_char(message, '{') >= 0) {
            struct bigrams bigrams;
            message = read_literal(lift->arena, message);
            bigrams_read(&bigrams, message);
            lift_text(lift, &bigrams, message, depth);
        }
    }
}

struct str lift_text(struct lift *lift, const struct bigrams *bigrams, struct str text,
                     unsigned depth)
{
    struct str shown;
    if (bigrams_may_hold(bigrams, STR("data:"))) {
        lift_count_events(lift, text);
    }
    if (lift_html(lift, bigrams, text, &shown)) {
        return shown;
    }
    char *bytes = arena_alloc(lift->arena, text.len + 1);
    char *prose = arena_alloc(lift->arena, text.len + 1);
    if (text.len) {
        memcpy(bytes, text.ptr, text.len);
        memcpy(prose, text.ptr, text.len);
    }
    if (depth + 1 < LIFT_DEPTH_MAX && may_quote(bigrams)) {
        lift_quoted_values(lift, text, depth + 1);
    }
    size_t beside = lift_values(lift, text, bytes, prose, depth);
    struct str rest = {prose, text.len};
    /* A shell's sign for a missing line end is no prose. */
    lift->has_prose = lift->has_prose || (depth == 0 && beside > 1);
    bool is_escaped = bigrams_find(bigrams, rest, STR("{\\")) >= 0 ||
                      bigrams_find(bigrams, text, STR("\\\\\"")) >= 0;
    if (depth + 1 < LIFT_DEPTH_MAX && is_escaped) {
        lift_unescaped(lift, rest, depth + 1);
    }
    return (struct str){bytes, text.len};
}

void lift_quoted(struct lift *lift, const struct bigrams *bigrams, struct str shown)
{
    for (struct str rest = may_quote(bigrams) ? shown : STR(""), line;
         str_split(&rest, '\n', &line);) {
        struct str message = quoted_message(line);
        if (message.len) {
            lift_add(lift, FIELD_TEXT, read_literal(lift->arena, message));
        }
    }
}

void lift_folded(struct lift *lift, const struct bigrams *bigrams, struct str shown)
{
    if (bigrams_find(bigrams, shown, STR("\\n")) >= 0) {
        lift_add(lift, FIELD_TEXT, read_literal(lift->arena, shown));
    }
}
