/* Trees of what patterns need: made bottom up, and read as one list of literals. */
#include "classify/literal_tree.h"

static const struct literal_tree *node(struct arena *arena, struct literal_tree tree)
{
    struct literal_tree *made = ARENA_NEW(arena, struct literal_tree);
    *made = tree;
    return made;
}

const struct literal_tree *literal_tree_of(struct arena *arena, struct literals set)
{
    return set.count ? node(arena, (struct literal_tree){.kind = TREE_SET, .set = set}) : NULL;
}

const struct literal_tree *literal_tree_either(struct arena *arena,
                                               const struct literal_tree *first,
                                               const struct literal_tree *second)
{
    const struct literal_tree either = {.kind = TREE_EITHER, .first = first, .second = second};
    return !first ? second : !second ? first : node(arena, either);
}

const struct literal_tree *literal_tree_both(struct arena *arena, const struct literal_tree *first,
                                             const struct literal_tree *second)
{
    const struct literal_tree both = {.kind = TREE_BOTH, .first = first, .second = second};
    return first && second ? node(arena, both) : NULL;
}

bool literal_is_usable(struct str literal)
{
    return literal.len >= 8 || (literal.len >= 6 && (unsigned char)literal.ptr[0] >= 0xE0 &&
                                (unsigned char)literal.ptr[3] >= 0xE0);
}

static bool are_usable(struct literals set)
{
    for (size_t i = 0; i < set.count; i++) {
        if (!literal_is_usable(set.items[i])) {
            return false;
        }
    }
    return true;
}

const struct literal_tree *literal_tree_usable(struct arena *arena, const struct literal_tree *tree)
{
    if (!tree || tree->kind == TREE_SET) {
        return tree && are_usable(tree->set) ? tree : NULL;
    }
    const struct literal_tree *first = literal_tree_usable(arena, tree->first);
    const struct literal_tree *second = literal_tree_usable(arena, tree->second);
    return tree->kind == TREE_BOTH ? literal_tree_both(arena, first, second)
                                   : literal_tree_either(arena, first, second);
}

/* Whether a value of a record begins at literal[at]. */
static bool is_value(struct str literal, size_t at)
{
    struct str before = str_slice(literal, 0, at);
    return str_ends(before, STR("\":")) || str_ends(before, STR("\": ")) ||
           str_ends(before, STR("="));
}

/* Bytes at literal[at] that may stand in an entry of a log only as it is judged: an empty value, or
 * the end of the message that was put before a record. */
static size_t gap_length(struct str literal, size_t at)
{
    static const struct str empty[] = {STR_INIT("\"\""), STR_INIT("{}"), STR_INIT("[]"),
                                       STR_INIT("0"), STR_INIT(" ")};
    struct str rest = str_slice(literal, at, literal.len);
    if (rest.ptr[0] == '\n') {
        return 1;
    }
    if (at == 0 && str_starts(rest, empty[0])) {
        return empty[0].len; /* what stands before it is not known */
    }
    for (size_t i = 0; is_value(literal, at) && i < sizeof empty / sizeof empty[0]; i++) {
        struct str behind = str_slice(rest, empty[i].len, rest.len);
        if (str_starts(rest, empty[i]) && !(behind.len && str_is_digit(behind.ptr[0]))) {
            return empty[i].len;
        }
    }
    return 0;
}

/* The longest part without such a gap. */
static struct str written_part(struct str literal)
{
    struct str best = {literal.ptr, 0};
    for (size_t at = 0, from = 0; at <= literal.len;) {
        size_t gap = at < literal.len ? gap_length(literal, at) : 1;
        if (gap && at - from > best.len) {
            best = str_slice(literal, from, at);
        }
        from = gap ? at + gap : from;
        at += gap ? gap : 1;
    }
    return best;
}

const struct literal_tree *literal_tree_written(struct arena *arena,
                                                const struct literal_tree *tree)
{
    if (!tree) {
        return NULL;
    }
    struct literal_tree written = *tree;
    if (tree->kind == TREE_SET) {
        struct str *items = ARENA_ARRAY(arena, tree->set.count + 1, struct str);
        for (size_t i = 0; i < tree->set.count; i++) {
            items[i] = written_part(tree->set.items[i]);
        }
        written.set.items = items;
    } else {
        written.first = literal_tree_written(arena, tree->first);
        written.second = literal_tree_written(arena, tree->second);
    }
    return node(arena, written);
}

static double weight_of(struct str literal)
{
    static const struct str common[] = {
        STR_INIT("error"),   STR_INIT("token"),    STR_INIT("model"),      STR_INIT("request"),
        STR_INIT("limit"),   STR_INIT("response"), STR_INIT("connection"), STR_INIT("stream"),
        STR_INIT("context"), STR_INIT("server"),   STR_INIT("status"),     STR_INIT("session"),
        STR_INIT("timeout"), STR_INIT("message"),  STR_INIT("content"),    STR_INIT("http"),
        STR_INIT("https"),   STR_INIT("invalid"),  STR_INIT("provider"),   STR_INIT("api key"),
    };
    struct str bare = literal;
    if (!literal_is_usable(literal)) {
        return (double)literal.len / 100; /* the longest of those that are too short */
    }
    while (bare.len && str_is_of(bare.ptr[0], " _-:\"/.")) {
        bare = str_slice(bare, 1, bare.len);
    }
    while (bare.len && str_is_of(bare.ptr[bare.len - 1], " _-:\"/.")) {
        bare.len--;
    }
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        if (str_eq(bare, common[i])) {
            return 3;
        }
    }
    return literal.len < 14 ? (double)literal.len : 14;
}

/* Its weakest literal counts, and that there are few of them. */
double literals_score(struct literals set)
{
    double lowest = set.count ? 100 : -100, halves = 0;
    for (size_t i = 0; i < set.count; i++) {
        double weight = weight_of(set.items[i]);
        lowest = weight < lowest ? weight : lowest;
    }
    for (size_t n = set.count; n > 1; n /= 2) {
        halves++;
    }
    return lowest - 0.4 * halves;
}

static struct literals joined(struct arena *arena, struct literals a, struct literals b)
{
    struct str *items = ARENA_ARRAY(arena, a.count + b.count + 1, struct str);
    for (size_t i = 0; i < a.count + b.count; i++) {
        items[i] = i < a.count ? a.items[i] : b.items[i - a.count];
    }
    return (struct literals){items, a.count + b.count};
}

struct literals literal_tree_choose(struct arena *arena, const struct literal_tree *tree)
{
    if (!tree || tree->kind == TREE_SET) {
        return tree ? tree->set : (struct literals){NULL, 0};
    }
    struct literals first = literal_tree_choose(arena, tree->first);
    struct literals second = literal_tree_choose(arena, tree->second);
    if (tree->kind == TREE_BOTH) {
        return joined(arena, first, second);
    }
    return literals_score(second) > literals_score(first) ? second : first;
}
