/* The keyword automaton. Takes sets of literals once, then texts; gives which sets have one there.
 * A tree of beginnings is grown first and then laid down in arrays.
 *
 *     root -o-v-e-r-l-o-a-d-e-d*        * ends a literal: its sets are in end_set
 *          -l-o-a-d-...   <- fail of "over-load": the longest other beginning that fits */
#include "classify/keywords.h"

struct ending {
    size_t set;
    const struct ending *next;
};

/* A beginning of literals, while the tree grows. */
struct twig {
    struct twig *child, *sibling; /* first child, next child of the same parent */
    struct twig *queued;          /* next in order of depth */
    const struct ending *ends;
    uint32_t number;
    unsigned char byte;
};

/* What is being made: the tree, then the arrays. */
struct making {
    struct arena *arena;
    struct twig root, *starts[256]; /* children of the root by byte */
    size_t twigs, ends;
#define ARRAY(name, length) uint32_t *name;
#include "classify/keywords.def"
#undef ARRAY
};

static struct twig *find_child(const struct making *making, const struct twig *twig,
                               unsigned char byte)
{
    if (twig == &making->root) {
        return making->starts[byte];
    }
    struct twig *child = twig->child;
    while (child && child->byte != byte) {
        child = child->sibling;
    }
    return child;
}

static void add_literal(struct making *making, struct str literal, size_t set)
{
    struct twig *twig = &making->root;
    for (size_t i = 0; i < literal.len; i++) {
        unsigned char byte = (unsigned char)literal.ptr[i];
        struct twig *child = find_child(making, twig, byte);
        if (!child) {
            child = ARENA_NEW(making->arena, struct twig);
            child->byte = byte;
            child->sibling = twig->child;
            twig->child = child;
            making->twigs++;
            if (twig == &making->root) {
                making->starts[byte] = child;
            }
        }
        twig = child;
    }
    if (twig != &making->root) {
        struct ending *ending = ARENA_NEW(making->arena, struct ending);
        *ending = (struct ending){.set = set, .next = twig->ends};
        twig->ends = ending;
        making->ends++;
    }
}

/* Puts the twigs in order of depth and numbers them so. */
static void number_twigs(struct making *making)
{
    struct twig *last = &making->root;
    uint32_t number = 0;
    for (struct twig *parent = &making->root; parent; parent = parent->queued) {
        for (struct twig *child = parent->child; child; child = child->sibling) {
            child->number = ++number;
            last->queued = child;
            last = child;
        }
    }
}

static uint32_t edge_of(const uint32_t *first_edge, const uint32_t *edge_byte,
                        const uint32_t *edge_to, uint32_t state, unsigned char byte)
{
    for (uint32_t i = first_edge[state]; i < first_edge[state + 1]; i++) {
        if (edge_byte[i] == byte) {
            return edge_to[i];
        }
    }
    return 0;
}

/* Lays down the edges and ends of all twigs. */
static void lay_twigs(struct making *making)
{
    uint32_t edge = 0, end = 0;
    for (const struct twig *twig = &making->root; twig; twig = twig->queued) {
        making->first_edge[twig->number] = edge;
        making->first_end[twig->number] = end;
        for (const struct twig *child = twig->child; child; child = child->sibling) {
            making->edge_byte[edge] = child->byte;
            making->edge_to[edge++] = child->number;
            if (twig == &making->root) {
                making->root_to[child->byte] = child->number;
            }
        }
        for (const struct ending *ending = twig->ends; ending; ending = ending->next) {
            making->end_set[end++] = (uint32_t)ending->set;
        }
    }
    making->first_edge[making->twigs + 1] = edge;
    making->first_end[making->twigs + 1] = end;
}

static bool has_end(const struct making *making, uint32_t state)
{
    return making->first_end[state] < making->first_end[state + 1];
}

/* In order of depth: the fail of a child is found through its parent's. */
static void link_states(struct making *making)
{
    for (uint32_t parent = 0; parent <= making->twigs; parent++) {
        for (uint32_t i = making->first_edge[parent]; i < making->first_edge[parent + 1]; i++) {
            unsigned char byte = (unsigned char)making->edge_byte[i];
            uint32_t child = making->edge_to[i], fail = making->fail[parent], next = 0;
            while (fail && !(next = edge_of(making->first_edge, making->edge_byte, making->edge_to,
                                            fail, byte))) {
                fail = making->fail[fail];
            }
            if (!next && parent) {
                next = making->root_to[byte];
            }
            making->fail[child] = next;
            making->shorter[child] = has_end(making, next) ? next : making->shorter[next];
        }
    }
}

struct keywords keywords_create(struct arena *arena, const struct literals *sets, size_t count)
{
    struct arena *tree = arena_create();
    struct making *making = ARENA_NEW(tree, struct making);
    making->arena = tree;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < sets[i].count; k++) {
            add_literal(making, sets[i].items[k], i);
        }
    }
    struct keywords made = {.state_count = making->twigs + 1,
                            .edge_count = making->twigs,
                            .end_count = making->ends,
                            .set_count = count};
    const struct keywords *keywords = &made;
#define ARRAY(name, length) made.name = making->name = ARENA_ARRAY(arena, (length) + 1, uint32_t);
#include "classify/keywords.def"
#undef ARRAY
    for (size_t i = 0; i < count; i++) {
        making->is_known[i] = sets[i].count > 0;
    }
    number_twigs(making);
    lay_twigs(making);
    link_states(making);
    arena_free(tree);
    return made;
}

static uint32_t step(const struct keywords *keywords, uint32_t state, unsigned char byte,
                     bool *hits)
{
    uint32_t next = 0;
    while (state && !(next = edge_of(keywords->first_edge, keywords->edge_byte, keywords->edge_to,
                                     state, byte))) {
        state = keywords->fail[state];
    }
    next = next ? next : keywords->root_to[byte];
    for (uint32_t end = next; end; end = keywords->shorter[end]) {
        for (uint32_t i = keywords->first_end[end]; i < keywords->first_end[end + 1]; i++) {
            hits[keywords->end_set[i]] = true;
        }
    }
    return next;
}

void keywords_scan(const struct keywords *keywords, struct str text, bool *hits)
{
    static const struct str kelvin = STR_INIT("\xE2\x84\xAA"), long_s = STR_INIT("\xC5\xBF");
    uint32_t state = 0;
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
        state = step(keywords, state, byte, hits);
    }
}
