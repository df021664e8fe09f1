/* Patterns for a glance. Takes a pattern, gives one that matches wherever the pattern matches in a
 * part of the text, and finds soon that it does not:
 *
 *     (?m)(?:^|: )\W{0,4}no (?:chat )?model\b|^[^\n]{0,60}error: no model\b
 *     (?m)no (?:chat )?model\b|error: no model\b
 *
 * What asks for the beginning or end of a text goes, with what is denied around a match, for
 * another part may hold it; and so does what a match may begin with but need not: where the match
 * is looked for anywhere it is found behind that as well. */
#include "classify/screen.h"

#include "base/buf.h"

#define DEPTH_MAX 250 /* of groups, as PCRE2 has it; each is a call below */

/* Length of the "[:alpha:]" that begins at pattern[at] in a class, 0 where none does: "[[:]" is a
 * class of two signs. */
static size_t named_length(struct str pattern, size_t at)
{
    struct str rest = str_slice(pattern, at, pattern.len);
    size_t end = 2;
    while (end < rest.len && (str_is_letter(rest.ptr[end]) || rest.ptr[end] == '^')) {
        end++;
    }
    bool is_named =
        str_starts(rest, STR("[:")) && str_starts(str_slice(rest, end, rest.len), STR(":]"));
    return is_named ? end + 2 : 0;
}

/* Offset behind the class that begins at pattern[at]: its first sign may be a bracket. */
static size_t class_end(struct str pattern, size_t at)
{
    at += at + 1 < pattern.len && pattern.ptr[at + 1] == '^' ? 2 : 1;
    for (size_t first = at; at < pattern.len && (pattern.ptr[at] != ']' || at == first); at++) {
        size_t named = named_length(pattern, at);
        at += named ? named - 1 : (size_t)(pattern.ptr[at] == '\\');
    }
    return at + 1;
}

/* Offset behind the escape that begins at pattern[at]: \d, \x22, \x{4e00}, \p{Han}. */
static size_t escape_end(struct str pattern, size_t at)
{
    char kind = at + 1 < pattern.len ? pattern.ptr[at + 1] : '\0';
    at += 2;
    if (at < pattern.len && pattern.ptr[at] == '{' && str_is_of(kind, "xopPN")) {
        return str_next_char(pattern, at, '}') + 1;
    }
    for (unsigned i = 0; kind == 'x' && i < 2 && at < pattern.len; i++) {
        at += str_hex_value(pattern.ptr[at]) >= 0;
    }
    return at;
}

static size_t item_end(struct str pattern, size_t at);

/* Offset of what ends the branch that begins at pattern[at]: "|", ")" or the end. */
static size_t branch_end(struct str pattern, size_t at)
{
    while (at < pattern.len && !str_is_of(pattern.ptr[at], "|)")) {
        at = item_end(pattern, at);
    }
    return at < pattern.len ? at : pattern.len;
}

/* Offset of what closes the group whose inside begins at pattern[at]. */
static size_t inside_end(struct str pattern, size_t at)
{
    at = branch_end(pattern, at);
    while (at < pattern.len && pattern.ptr[at] == '|') {
        at = branch_end(pattern, at + 1);
    }
    return at;
}

/* Offset behind the sign, class, escape or group that begins at pattern[at]. */
static size_t item_end(struct str pattern, size_t at)
{
    switch (pattern.ptr[at]) {
    case '[':
        return class_end(pattern, at);
    case '\\':
        return escape_end(pattern, at);
    case '(':
        return inside_end(pattern,
                          at + 1 + str_starts(str_slice(pattern, at + 1, pattern.len), STR("?"))) +
               1;
    default:
        for (at++; at < pattern.len && ((unsigned char)pattern.ptr[at] & 0xC0) == 0x80; at++) {
        }
        return at;
    }
}

/* Offset behind the quantifier at pattern[at], `at` where none stands there; *may_lack: it takes
 * nothing at all as well. */
static size_t quantifier_end(struct str pattern, size_t at, bool *may_lack)
{
    char c = at < pattern.len ? pattern.ptr[at] : '\0';
    size_t end = at + (c != '\0' && str_is_of(c, "?*+")), least = at + 1;
    *may_lack = c == '?' || c == '*';
    if (c == '{' && least < pattern.len && str_is_digit(pattern.ptr[least])) {
        while (least < pattern.len && pattern.ptr[least] == '0') {
            least++;
        }
        *may_lack = least > at + 1 && least < pattern.len && str_is_of(pattern.ptr[least], ",}");
        end = str_next_char(pattern, at, '}') + 1;
    }
    return end + (end > at && end < pattern.len && str_is_of(pattern.ptr[end], "?+"));
}

/* Offset of the inside of a group: behind "(", "(?:", "(?<name>", "(?!" and their like. */
static size_t inside_of(struct str group)
{
    size_t at = 1;
    if (at < group.len && group.ptr[at] == '?') {
        at++;
        bool is_behind =
            at + 1 < group.len && group.ptr[at] == '<' && str_is_of(group.ptr[at + 1], "=!");
        at += is_behind;
        while (at < group.len && !str_is_of(group.ptr[at], ":=!>)")) {
            at++;
        }
        at += at < group.len && group.ptr[at] != ')';
    }
    return at;
}

static bool is_denial(struct str group)
{
    return str_starts(group, STR("(?!")) || str_starts(group, STR("(?<!"));
}

/* "(?i)", "(?m)": says how the rest is read. */
static bool is_option(struct str item)
{
    return str_starts(item, STR("(?")) && inside_of(item) + 1 == item.len &&
           !str_is_of(item.ptr[item.len - 2], ":=!>");
}

/* A group that matches what its inside matches: (?:a), (a), (?<name>a). */
static bool is_plain(struct str item)
{
    bool is_name = str_starts(item, STR("(?<")) && item.len > 3 && str_is_letter(item.ptr[3]);
    return str_starts(item, STR("(")) &&
           (!str_starts(item, STR("(?")) || str_starts(item, STR("(?:")) || is_name);
}

static struct str inside(struct str group)
{
    return str_slice(group, inside_of(group), group.len - 1);
}

/* Where the item that begins a branch ends, and its quantifier. */
struct lead {
    struct str item;
    size_t next;
    bool may_lack; /* the branch may do without it */
};

static bool may_be_empty(struct str pattern);

static struct lead lead_at(struct str branch, size_t at)
{
    bool may_lack;
    size_t end = item_end(branch, at), next = quantifier_end(branch, end, &may_lack);
    struct str item = str_slice(branch, at, end);
    return (struct lead){item, next, may_lack || (is_plain(item) && may_be_empty(inside(item)))};
}

/* Offset of what a branch cannot do without; options stand before it. */
static size_t needed_at(struct str branch, struct buf *options)
{
    size_t at = 0;
    while (at < branch.len) {
        struct lead lead = lead_at(branch, at);
        if (is_option(lead.item) && options) {
            buf_add(options, lead.item);
        } else if (!is_option(lead.item) && !lead.may_lack) {
            break;
        }
        at = lead.next;
    }
    return at < branch.len ? at : branch.len;
}

/* Whether a branch of a pattern can do without anything. */
static bool may_be_empty(struct str pattern)
{
    size_t at = 0, end;
    do {
        end = branch_end(pattern, at);
        struct str branch = str_slice(pattern, at, end);
        if (needed_at(branch, NULL) == branch.len) {
            return true;
        }
        at = end + 1;
    } while (end < pattern.len);
    return false;
}

/* Adds the branches of a pattern without what each may lack at its beginning. */
static void add_needed(struct buf *out, struct str pattern)
{
    size_t at = 0, end;
    do {
        end = branch_end(pattern, at);
        struct str branch = str_slice(pattern, at, end);
        size_t from = needed_at(branch, out);
        struct lead lead = from < branch.len ? lead_at(branch, from) : (struct lead){.next = from};
        if (is_plain(lead.item) && lead.next == from + lead.item.len) { /* once */
            buf_add(out, STR("(?:"));
            add_needed(out, inside(lead.item));
            buf_add_char(out, ')');
            from = lead.next;
        }
        buf_add(out, str_slice(branch, from, branch.len));
        buf_add(out, end < pattern.len ? STR("|") : STR(""));
        at = end + 1;
    } while (end < pattern.len);
}

/* Adds a pattern without what asks for the beginning or end of a text, which is as good as there,
 * and without what it denies, which may stand in another part. */
static void add_unanchored(struct buf *out, struct str pattern)
{
    for (size_t at = 0; at < pattern.len;) {
        size_t end = item_end(pattern, at);
        struct str item = str_slice(pattern, at, end);
        bool is_escape = item.len == 2 && item.ptr[0] == '\\' && str_is_of(item.ptr[1], "AzZG");
        bool is_anchor = is_escape || str_eq(item, STR("^")) || str_eq(item, STR("$"));
        if (is_anchor || is_denial(item)) {
            buf_add(out, STR("(?:)"));
        } else if (item.ptr[0] == '(') {
            buf_add(out, str_slice(item, 0, inside_of(item)));
            add_unanchored(out, inside(item));
            buf_add_char(out, ')');
        } else {
            buf_add(out, item);
        }
        at = end;
    }
}

/* What stands behind "(?" in groups, assertions and options that change nothing but case and lines.
 * A group that gives nothing back, "(?>", may take more of a whole text than of a part. */
static bool is_known_kind(struct str kind)
{
    size_t at = 0;
    while (at < kind.len && str_is_of(kind.ptr[at], "imsn-")) {
        at++;
    }
    bool is_options = at > 0 && at < kind.len && str_is_of(kind.ptr[at], ":)");
    return is_options || (kind.len && str_is_of(kind.ptr[0], ":=!<"));
}

/* Nothing in it refers to another part of it, or changes how it is written. */
static bool is_simple(struct str pattern)
{
    size_t depth = 0;
    for (size_t at = 0; at < pattern.len;) {
        char c = pattern.ptr[at];
        depth += c == '(';
        depth -= c == ')' && depth > 0;
        if (depth > DEPTH_MAX) {
            return false;
        }
        struct str behind = str_slice(pattern, at + 1, pattern.len);
        if (c == '[') {
            at = class_end(pattern, at);
            continue;
        }
        if (c == '\\' && (behind.len == 0 || str_is_of(behind.ptr[0], "kgQEcK0123456789"))) {
            return false;
        }
        if (c == '(' &&
            (str_starts(behind, STR("*")) ||
             (str_starts(behind, STR("?")) && !is_known_kind(str_slice(behind, 1, behind.len))))) {
            return false;
        }
        if (c == '+' && at > 0 && str_is_of(pattern.ptr[at - 1], "*+?}")) { /* as "(?>" */
            return false;
        }
        at = c == '\\' ? escape_end(pattern, at) : at + 1;
    }
    return inside_end(pattern, 0) == pattern.len;
}

struct str screen_loosened(struct arena *arena, struct str pattern)
{
    if (!is_simple(pattern)) {
        return (struct str){NULL, 0};
    }
    struct buf unanchored = buf_create(pattern.len * 4 + 1); /* "^" becomes "(?:)" */
    struct buf needed = buf_create(pattern.len * 6 + 1);     /* "(" may become "(?:" */
    add_unanchored(&unanchored, pattern);
    add_needed(&needed, buf_str(&unanchored));
    struct str loosened = arena_dup(arena, buf_str(&needed));
    buf_free(&unanchored);
    buf_free(&needed);
    return loosened;
}
