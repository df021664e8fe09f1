/* Literals that a regular expression cannot match without. Takes the text of a pattern, walks it
 * once, and carries two sets along each branch:
 *
 *     rate[ _-]?limit(?:ed)? (?:was |)(?:hit|reached)
 *     exact so far:  {rate} -> {ratelimit, rate limit, ...} -> ...        what was matched, whole
 *     tree:          the sets met before something unknown (.*, \d, a big class)
 *
 * A set grows by the product with the next atom's and is put away when that gets too big. */
#include "classify/literals.h"

#include "base/text.h"
#include "classify/literal_set.h"
#include "classify/literal_tree.h"

#include <string.h>

#define DEPTH_MAX 12
#define CLASS_MAX 10

/* What one piece of a pattern must match. */
struct piece {
    struct literal_set exact;        /* all that it can match, where that is known */
    const struct literal_tree *tree; /* of what is in every match */
};

struct walker {
    struct arena *arena;
    struct str text;
    size_t at;
    bool minds_case; /* outside ASCII; within it every match is of a literal in lower case */
    bool is_lost;    /* syntax that is not followed */
};

static char peek(const struct walker *w)
{
    return w->at < w->text.len ? w->text.ptr[w->at] : '\0';
}

static bool take(struct walker *w, struct str word)
{
    bool is_here = str_starts(str_slice(w->text, w->at, w->text.len), word);
    w->at += is_here ? word.len : 0;
    return is_here;
}

/* A character that stands for itself: ASCII, or one of a script without case. Others have cases
 * that only the regex engine knows, unless the pattern minds case. */
static struct literal_set read_character(struct walker *w)
{
    const struct literal_set unknown = {.is_known = false};
    uint32_t c = 0;
    size_t length = utf8_decode(w->text, w->at, &c);
    struct str raw = str_slice(w->text, w->at, w->at + length);
    w->at += length ? length : 1;
    w->is_lost = w->is_lost || length == 0;
    if (length == 1) {
        return literal_set_of(w->arena, arena_lower(w->arena, raw));
    }
    bool is_caseless = w->minds_case || (c >= 0x2010 && c < 0x2070) ||
                       (c >= 0x3000 && c < 0xA000) || (c >= 0xAC00 && c < 0xD7A4) ||
                       (c >= 0xFF00 && c < 0xFF20);
    return is_caseless ? literal_set_of(w->arena, raw) : unknown;
}

static int hex_digit(const struct walker *w, size_t at)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    char c = at < w->text.len ? w->text.ptr[at] : '\0';
    const char *digit = c ? strchr(digits, c) : NULL;
    return !digit ? -1 : digit - digits < 16 ? (int)(digit - digits) : (int)(digit - digits) - 6;
}

/* What follows a backslash. */
static struct literal_set read_escape(struct walker *w)
{
    const struct literal_set unknown = {.is_known = false};
    char c = peek(w);
    if (str_is_of(c, "bBAzZG")) {
        w->at++;
        return literal_set_of(w->arena, STR(""));
    }
    if (str_is_of(c, "dDwWsSRhHvVNnrtfae")) { /* controls: no literal is looked for beyond a line */
        w->at++;
        return unknown;
    }
    int high = c == 'x' ? hex_digit(w, w->at + 1) : -1, low = hex_digit(w, w->at + 2);
    if (high > 1 && high < 8 && low >= 0) { /* \xHH of ASCII */
        char *byte = arena_alloc(w->arena, 1);
        *byte = (char)(high * 16 + low);
        w->at += 3;
        return literal_set_of(w->arena, arena_lower(w->arena, (struct str){byte, 1}));
    }
    bool is_word = str_is_alnum(c);
    w->is_lost = w->is_lost || is_word || c == '\0';
    return read_character(w);
}

/* [...]: known where it is a short list. */
static struct literal_set read_class(struct walker *w)
{
    struct literal_set all = {.is_known = true};
    bool is_negated = take(w, STR("^"));
    for (bool is_first = true; peek(w) != ']' || is_first; is_first = false) {
        if (w->at >= w->text.len) {
            w->is_lost = true;
            return all;
        }
        bool is_escape = take(w, STR("\\")), is_posix = take(w, STR("[:"));
        w->is_lost = w->is_lost || is_posix;
        struct literal_set one = is_escape ? read_escape(w) : read_character(w);
        bool is_range = peek(w) == '-' && w->at + 1 < w->text.len && w->text.ptr[w->at + 1] != ']';
        bool is_plain = one.is_known && one.count == 1 && one.items[0].len && !is_range;
        all.is_known = all.is_known && is_plain;
        if (is_plain && all.is_known) {
            literal_set_add(w->arena, &all, one.items[0]);
        }
    }
    w->at++;
    all.is_known = all.is_known && !is_negated && all.count <= CLASS_MAX;
    return all;
}

static bool is_plain(char c)
{
    return str_is_alnum(c) || str_is_of(c, " _-,:;'\"/");
}

/* A run of characters that stand for themselves; one that is repeated is left for the next atom. */
static struct literal_set read_run(struct walker *w)
{
    size_t begin = w->at;
    do {
        w->at++;
    } while (is_plain(peek(w)) && w->at - begin < LITERAL_BYTES_MAX / 2 &&
             !(w->at + 1 < w->text.len && str_is_of(w->text.ptr[w->at + 1], "*+?{")));
    return literal_set_of(w->arena, arena_lower(w->arena, str_slice(w->text, begin, w->at)));
}

static struct piece read_branches(struct walker *w, unsigned depth);

/* (...): the group's kind decides whether it takes up anything. */
static struct piece read_group(struct walker *w, unsigned depth)
{
    static const struct str asides[] = {STR_INIT("?="), STR_INIT("?!"), STR_INIT("?<="),
                                        STR_INIT("?<!")};
    bool is_aside = false;
    for (size_t i = 0; i < sizeof asides / sizeof asides[0] && !is_aside; i++) {
        is_aside = take(w, asides[i]);
    }
    bool is_mere =
        take(w, STR("?:")) || take(w, STR("?s:")); /* in which a dot may be the end of a line */
    if (!is_aside && !is_mere && peek(w) == '?') {
        bool is_named = take(w, STR("?<")) || take(w, STR("?P<"));
        while (is_named && w->at < w->text.len && peek(w) != '>') {
            w->at++;
        }
        w->is_lost = w->is_lost || !is_named;
        w->at++;
    }
    w->is_lost = w->is_lost || peek(w) == '*';
    struct piece inner = read_branches(w, depth + 1);
    w->is_lost = w->is_lost || !take(w, STR(")"));
    if (is_aside) {
        inner = (struct piece){.exact = literal_set_of(w->arena, STR(""))};
    }
    return inner;
}

static struct piece read_atom(struct walker *w, unsigned depth)
{
    struct piece piece = {.exact.is_known = false};
    char c = peek(w);
    if (take(w, STR("("))) {
        return read_group(w, depth);
    }
    if (take(w, STR("["))) {
        piece.exact = read_class(w);
    } else if (take(w, STR("\\"))) {
        piece.exact = read_escape(w);
    } else if (c == '.') {
        w->at++;
    } else if (c == '^' || c == '$') {
        w->at++;
        piece.exact = literal_set_of(w->arena, STR(""));
    } else if (is_plain(c)) {
        piece.exact = read_run(w);
    } else {
        w->is_lost = w->is_lost || str_is_of(c, "*+?");
        piece.exact = read_character(w);
    }
    piece.tree = literal_tree_of(w->arena, literal_set_needs(&piece.exact));
    return piece;
}

/* {n}, {n,}, {n,m}: whether it may be left out, and whether it is once. */
static bool read_counts(struct walker *w, bool *may_be_none, bool *is_once)
{
    size_t at = w->at + 1;
    struct str rest = str_slice(w->text, at, w->text.len), inside;
    int64_t least;
    if (peek(w) != '{' || !str_split(&rest, '}', &inside) || !str_is_set(rest)) {
        return false;
    }
    struct str numbers = inside, first;
    if (!str_split(&numbers, ',', &first) || !str_to_i64(first, &least)) {
        return false;
    }
    w->at = at + inside.len + 1;
    *may_be_none = least == 0;
    *is_once = least == 1 && !str_is_set(numbers);
    return true;
}

/* An atom with what says how often it stands there. */
static struct piece read_item(struct walker *w, unsigned depth)
{
    struct piece piece = read_atom(w, depth);
    bool may_be_none = false, is_once = true;
    if (take(w, STR("?"))) {
        struct literal_set with_none = piece.exact;
        literal_set_add(w->arena, &with_none, STR(""));
        piece.exact = with_none;
        piece.tree = NULL;
    } else {
        bool is_star = take(w, STR("*")), is_plus = !is_star && take(w, STR("+"));
        if (is_star || is_plus) {
            may_be_none = is_star;
            is_once = false;
        } else {
            (void)read_counts(w, &may_be_none, &is_once);
        }
        piece.exact.is_known = piece.exact.is_known && is_once;
        piece.tree = may_be_none ? NULL : piece.tree;
    }
    (void)(take(w, STR("?")) || take(w, STR("+"))); /* lazy, possessive */
    return piece;
}

/* One alternative, up to '|', ')' or the end. */
static struct piece read_branch(struct walker *w, unsigned depth)
{
    struct piece whole = {.exact = literal_set_of(w->arena, STR(""))};
    struct literal_set run = literal_set_of(w->arena, STR(""));
    while (w->at < w->text.len && peek(w) != '|' && peek(w) != ')' && !w->is_lost) {
        struct piece item = read_item(w, depth);
        whole.tree = literal_tree_either(w->arena, whole.tree, item.tree);
        struct literal_set longer = literal_set_product(w->arena, &run, &item.exact);
        if (!longer.is_known) {
            whole.tree = literal_tree_either(w->arena, whole.tree,
                                             literal_tree_of(w->arena, literal_set_needs(&run)));
            whole.exact.is_known = false;
            longer = item.exact.is_known ? item.exact : literal_set_of(w->arena, STR(""));
        }
        run = longer;
    }
    whole.tree = literal_tree_either(w->arena, whole.tree,
                                     literal_tree_of(w->arena, literal_set_needs(&run)));
    if (whole.exact.is_known) {
        whole.exact = run;
    }
    return whole;
}

static struct piece read_branches(struct walker *w, unsigned depth)
{
    struct piece all = read_branch(w, depth);
    w->is_lost = w->is_lost || depth > DEPTH_MAX;
    while (!w->is_lost && take(w, STR("|"))) {
        struct piece next = read_branch(w, depth);
        all.tree = literal_tree_both(w->arena, all.tree, next.tree);
        all.exact.is_known = all.exact.is_known && next.exact.is_known;
        for (size_t i = 0; all.exact.is_known && i < next.exact.count; i++) {
            literal_set_add(w->arena, &all.exact, next.exact.items[i]);
        }
    }
    return all;
}

const struct literal_tree *literals_tree(struct arena *arena, struct str pattern)
{
    struct walker w = {.arena = arena, .text = pattern};
    w.minds_case = take(&w, STR("(?-i)"));
    if (!w.minds_case) {
        (void)take(&w, STR("(?i)")); /* the rule without it */
    }
    struct piece whole = read_branches(&w, 0);
    const struct literal_tree *tree = literal_tree_either(
        arena, whole.tree, literal_tree_of(arena, literal_set_needs(&whole.exact)));
    return w.is_lost || w.at != pattern.len ? NULL : tree;
}

struct literals literals_of_pattern(struct arena *arena, struct str pattern)
{
    return literal_tree_choose(arena, literals_tree(arena, pattern));
}
