/* Cost of patterns, read off their text. Takes a pattern of PCRE2, gives what makes matching slow;
 * knows only as much of the syntax as it needs to find groups, classes and quantifiers. */
#include "rules/pattern.h"

#define DEPTH_MAX 32
#define REPEATS_MAX 20 /* a group repeated more often counts as repeated without bound */
#define GAP_MAX 200    /* a run longer than this counts as a wide gap */

struct scan {
    struct str pattern;
    size_t at;
    struct group {
        bool holds_unbounded; /* an unbounded quantifier is inside */
        unsigned gaps;        /* of the alternative at hand */
        unsigned worst_gaps;  /* of the alternatives before it */
    } groups[DEPTH_MAX + 1];  /* open ones; the first is the whole pattern */
    unsigned depth;
    bool has_nested_quantifier;
};

/* One thing that a quantifier may follow. */
struct atom {
    bool is_any;   /* matches nearly any character */
    bool is_group; /* a group that closes here */
    bool holds_unbounded;
};

static char peek(const struct scan *s)
{
    return s->at < s->pattern.len ? s->pattern.ptr[s->at] : '\0';
}

static int64_t read_number(struct str pattern, size_t *at)
{
    int64_t number = 0;
    for (; *at < pattern.len && pattern.ptr[*at] >= '0' && pattern.ptr[*at] <= '9'; ++*at) {
        number = number < 100000 ? number * 10 + (pattern.ptr[*at] - '0') : number;
    }
    return number;
}

static char char_at(struct str pattern, size_t at)
{
    return at < pattern.len ? pattern.ptr[at] : '\0';
}

/* {2}, {2,} or {2,5}, *at then on the closing brace; false when the brace is plain text. */
static bool read_braces(struct str pattern, size_t *at, struct quantifier *quantifier)
{
    size_t next = *at + 1;
    bool has_digits = char_at(pattern, next) >= '0' && char_at(pattern, next) <= '9';
    quantifier->least = read_number(pattern, &next);
    quantifier->most = quantifier->least;
    if (has_digits && char_at(pattern, next) == ',') {
        next++;
        quantifier->most = char_at(pattern, next) == '}' ? -1 : read_number(pattern, &next);
    }
    if (!has_digits || char_at(pattern, next) != '}') {
        return false;
    }
    *at = next;
    return true;
}

struct quantifier pattern_quantifier(struct str pattern, size_t *at)
{
    struct quantifier found = {1, 1};
    switch (char_at(pattern, *at)) {
    case '*':
        found = (struct quantifier){0, -1};
        break;
    case '+':
        found = (struct quantifier){1, -1};
        break;
    case '?':
        found = (struct quantifier){0, 1};
        break;
    case '{':
        if (!read_braces(pattern, at, &found)) {
            return (struct quantifier){1, 1};
        }
        break;
    default:
        return found;
    }
    ++*at;
    char behind = char_at(pattern, *at);
    *at += behind == '?' || behind == '+'; /* lazy or possessive */
    return found;
}

/* [...]: negated classes and those of both a class and its opposite match nearly anything. */
static bool read_class(struct scan *s)
{
    bool is_negated, has_lower = false, has_upper = false;
    s->at++;
    is_negated = peek(s) == '^';
    s->at += is_negated;
    s->at += peek(s) == ']';
    while (s->at < s->pattern.len && peek(s) != ']') {
        if (peek(s) == '\\') {
            s->at++;
            char c = peek(s);
            has_lower = has_lower || c == 's' || c == 'd' || c == 'w';
            has_upper = has_upper || c == 'S' || c == 'D' || c == 'W';
        }
        s->at++;
    }
    s->at++;
    return is_negated || (has_lower && has_upper);
}

static void open_group(struct scan *s)
{
    s->at++;
    if (peek(s) == '?') {
        /* Flags and names up to the sign that ends them hold no quantifier. */
        s->at++;
        while (s->at < s->pattern.len && peek(s) != ':' && peek(s) != '>' && peek(s) != '=' &&
               peek(s) != '!' && peek(s) != ')') {
            s->at++;
        }
        s->at += peek(s) != ')';
    }
    if (s->depth < DEPTH_MAX) {
        s->groups[++s->depth] = (struct group){.gaps = 0};
    }
}

static void end_alternative(struct group *group)
{
    group->worst_gaps = group->gaps > group->worst_gaps ? group->gaps : group->worst_gaps;
    group->gaps = 0;
}

static struct atom close_group(struct scan *s)
{
    struct group *group = &s->groups[s->depth];
    struct atom atom = {.is_group = true, .holds_unbounded = group->holds_unbounded};
    s->at++;
    if (s->depth > 0) {
        end_alternative(group);
        s->depth--;
        s->groups[s->depth].holds_unbounded |= group->holds_unbounded;
        s->groups[s->depth].gaps += group->worst_gaps;
    }
    return atom;
}

static struct atom read_escape(struct scan *s)
{
    s->at++;
    char c = peek(s);
    s->at++;
    return (struct atom){.is_any = c == 'S' || c == 'D' || c == 'W' || c == 'N'};
}

static void judge_atom(struct scan *s, struct atom atom)
{
    int64_t most = pattern_quantifier(s->pattern, &s->at).most;
    bool is_repeated = most < 0 || most > REPEATS_MAX;
    if (atom.is_group && atom.holds_unbounded && is_repeated) {
        s->has_nested_quantifier = true;
    }
    if (most < 0) {
        s->groups[s->depth].holds_unbounded = true;
    }
    s->groups[s->depth].gaps += atom.is_any && (most < 0 || most > GAP_MAX);
}

struct pattern_cost pattern_scan(struct str pattern)
{
    struct scan s = {.pattern = pattern};
    while (s.at < pattern.len) {
        switch (peek(&s)) {
        case '(':
            open_group(&s);
            break;
        case ')':
            judge_atom(&s, close_group(&s));
            break;
        case '[':
            judge_atom(&s, (struct atom){.is_any = read_class(&s)});
            break;
        case '\\':
            judge_atom(&s, read_escape(&s));
            break;
        case '|':
            s.at++;
            end_alternative(&s.groups[s.depth]);
            break;
        default: {
            struct atom atom = {.is_any = peek(&s) == '.'};
            s.at++;
            judge_atom(&s, atom);
        }
        }
    }
    while (s.depth > 0) {
        close_group(&s); /* left open: no pattern that compiles */
    }
    end_alternative(&s.groups[0]);
    return (struct pattern_cost){.has_nested_quantifier = s.has_nested_quantifier,
                                 .wide_gaps = s.groups[0].worst_gaps};
}
