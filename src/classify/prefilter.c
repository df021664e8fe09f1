/* The keyword automaton. Takes the keywords of a rule table once, then texts; gives which rules may
 * match. Nodes keep their children in a list, since most have one; the root has a table.
 *
 *     root -o-v-e-r-l-o-a-d-e-d*        * ends a keyword: its rules are in `ends`
 *          -l-o-a-d-...   <- fail of "over-load": the longest other beginning that fits */
#include "classify/prefilter.h"

struct ending {
    size_t rule;
    const struct ending *next;
};

struct state {
    struct state *child, *sibling; /* first child, next child of the same parent */
    struct state *fail;            /* longest proper suffix that is a beginning, too */
    struct state *shorter;         /* nearest state over `fail` at which a keyword ends, or NULL */
    struct state *queued;          /* next in order of depth, while building */
    const struct ending *ends;
    unsigned char byte;
};

struct prefilter {
    struct state root;
    struct state *starts[256]; /* children of the root by byte */
};

static struct state *find_child(const struct prefilter *prefilter, const struct state *state,
                                unsigned char byte)
{
    if (state == &prefilter->root) {
        return prefilter->starts[byte];
    }
    for (struct state *child = state->child; child; child = child->sibling) {
        if (child->byte == byte) {
            return child;
        }
    }
    return NULL;
}

static void add_keyword(struct arena *arena, struct prefilter *prefilter, struct str keyword,
                        size_t rule)
{
    struct state *state = &prefilter->root;
    for (size_t i = 0; i < keyword.len; i++) {
        unsigned char byte = (unsigned char)keyword.ptr[i];
        struct state *child = find_child(prefilter, state, byte);
        if (!child) {
            child = ARENA_NEW(arena, struct state);
            child->byte = byte;
            child->sibling = state->child;
            state->child = child;
            if (state == &prefilter->root) {
                prefilter->starts[byte] = child;
            }
        }
        state = child;
    }
    if (state != &prefilter->root) {
        struct ending *ending = ARENA_NEW(arena, struct ending);
        *ending = (struct ending){.rule = rule, .next = state->ends};
        state->ends = ending;
    }
}

/* Goes over the states in order of depth: the fail of a child is found through its parent's. */
static void link_states(struct prefilter *prefilter)
{
    struct state *root = &prefilter->root, *last = root;
    for (struct state *parent = root; parent; parent = parent->queued) {
        for (struct state *child = parent->child; child; child = child->sibling) {
            struct state *fail = parent->fail;
            struct state *next = NULL;
            while (fail && !(next = find_child(prefilter, fail, child->byte))) {
                fail = fail->fail;
            }
            child->fail = next ? next : root;
            child->shorter = child->fail->ends ? child->fail : child->fail->shorter;
            last->queued = child;
            last = child;
        }
    }
}

struct prefilter *prefilter_create(struct arena *arena, const struct rules *rules)
{
    struct prefilter *prefilter = ARENA_NEW(arena, struct prefilter);
    for (size_t i = 0; i < rules_count(rules); i++) {
        const struct rule *rule = rules_at(rules, i);
        for (size_t k = 0; k < rule->keyword_count; k++) {
            add_keyword(arena, prefilter, rule->keywords[k], i);
        }
    }
    link_states(prefilter);
    return prefilter;
}

static const struct state *step(const struct prefilter *prefilter, const struct state *state,
                                unsigned char byte, bool *hits)
{
    const struct state *next = NULL;
    while (state && !(next = find_child(prefilter, state, byte))) {
        state = state->fail;
    }
    next = next ? next : &prefilter->root;
    for (const struct state *end = next; end; end = end->shorter) {
        for (const struct ending *ending = end->ends; ending; ending = ending->next) {
            hits[ending->rule] = true;
        }
    }
    return next;
}

void prefilter_scan(const struct prefilter *prefilter, struct str text, bool *hits)
{
    static const struct str kelvin = STR_INIT("\xE2\x84\xAA"), long_s = STR_INIT("\xC5\xBF");
    const struct state *state = &prefilter->root;
    for (size_t at = 0; at < text.len; at++) {
        unsigned char byte = (unsigned char)text.ptr[at];
        if (byte >= 'A' && byte <= 'Z') {
            byte |= 0x20;
        } else if (byte == 0xE2 && str_starts(str_slice(text, at, text.len), kelvin)) {
            byte = 'k';
            at += kelvin.len - 1;
        } else if (byte == 0xC5 && str_starts(str_slice(text, at, text.len), long_s)) {
            byte = 's';
            at += long_s.len - 1;
        }
        state = step(prefilter, state, byte, hits);
    }
}
