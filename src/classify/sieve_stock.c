/* The stock of literals for sieves. Takes rules, reads their patterns once; gives arrays. */
#include "classify/sieve_stock.h"

#include "base/large_page.h"
#include "classify/literal_tree.h"
#include "classify/sieve_parts.h"

#define STOCK_BYTES_MAX UINT8_MAX /* of a literal: what a longer one begins with does as well */
#define TELLING_BYTES 12          /* of a part; a shorter one may be a common word */

/* The arrays while they grow. */
struct stocking {
    struct arena *arena;
    struct sieve_stock *sizes;
    size_t node_room, literal_room, text_room;
    uint16_t *nodes;
    uint8_t *length, *text;
};

static void add_node(struct stocking *s, uint16_t node)
{
    s->nodes =
        arena_grow(s->arena, s->nodes, s->sizes->node_count, &s->node_room, sizeof *s->nodes);
    s->nodes[s->sizes->node_count++] = node;
}

/* The longest part of a literal that no escape can stand in. */
static struct str plain_part(struct str literal)
{
    struct str best = {literal.ptr, 0};
    for (size_t at = 0, from = 0; at <= literal.len; at++) {
        bool is_end = at == literal.len || str_is_of(literal.ptr[at], "\"'\\/<>&");
        if (is_end && at - from > best.len) {
            best = str_slice(literal, from, at);
        }
        from = is_end ? at + 1 : from;
    }
    return best;
}

static void add_literal(struct stocking *s, struct str literal)
{
    struct sieve_stock *sizes = s->sizes;
    struct str part = plain_part(literal);
    bool is_telling = part.len >= TELLING_BYTES;
    part = str_slice(is_telling && literal_is_usable(part) ? part : literal, 0, STOCK_BYTES_MAX);
    s->length =
        arena_grow(s->arena, s->length, sizes->literal_count, &s->literal_room, sizeof *s->length);
    s->length[sizes->literal_count++] = (uint8_t)part.len;
    for (size_t i = 0; i < part.len; i++) {
        s->text = arena_grow(s->arena, s->text, sizes->text_bytes, &s->text_room, 1);
        s->text[sizes->text_bytes++] = (uint8_t)part.ptr[i];
    }
}

static void add_tree(struct stocking *s, const struct literal_tree *tree)
{
    struct literals set = tree ? tree->set : (struct literals){NULL, 0};
    if (!tree || tree->kind == TREE_SET) {
        add_node(s, (uint16_t)set.count);
        for (size_t i = 0; i < set.count; i++) {
            add_literal(s, set.items[i]);
        }
        return;
    }
    add_node(s, tree->kind == TREE_EITHER ? STOCK_EITHER : STOCK_BOTH);
    add_tree(s, tree->first);
    add_tree(s, tree->second);
}

/* A set of a rule's literals is enough, be it its keywords or what one condition needs. */
static const struct literal_tree *tree_of_rule(struct arena *arena, const struct rule *rule)
{
    const struct literals keywords = {rule->keywords, rule->keyword_count};
    const struct literal_tree *tree = literal_tree_of(arena, keywords);
    for (size_t i = 0; i < rule->condition_count; i++) {
        tree = literal_tree_either(arena, tree, literals_tree(arena, rule->conditions[i].pattern));
    }
    return literal_tree_usable(arena, literal_tree_written(arena, tree));
}

struct sieve_stock sieve_stock_create(struct arena *arena, const struct rules *rules, size_t from,
                                      size_t to)
{
    struct sieve_stock stock = {.rule_count = to - from};
    struct stocking s = {.arena = arena, .sizes = &stock};
    struct arena *scratch = arena_create();
    uint32_t *node_at = ARENA_ARRAY(arena, to - from + 1, uint32_t);
    uint32_t *literal_at = ARENA_ARRAY(arena, to - from + 1, uint32_t);
    uint32_t *text_at = ARENA_ARRAY(arena, to - from + 1, uint32_t);
    for (size_t i = from; i < to; i++) {
        const struct rule *rule = rules_at(rules, i);
        node_at[i - from] = (uint32_t)stock.node_count;
        literal_at[i - from] = (uint32_t)stock.literal_count;
        text_at[i - from] = (uint32_t)stock.text_bytes;
        add_tree(&s, tree_of_rule(scratch, rule));
        arena_reset(scratch);
    }
    for (size_t i = 0; i < PAD_BYTES; i++) {
        s.text = arena_grow(arena, s.text, stock.text_bytes, &s.text_room, 1);
        s.text[stock.text_bytes++] = 0;
    }
    arena_free(scratch);
    stock.node_at = node_at;
    stock.literal_at = literal_at;
    stock.nodes = s.nodes;
    stock.text_at = text_at;
    stock.length = s.length;
    stock.text = s.text;
    return stock;
}

void sieve_stock_leave(const struct sieve_stock *stock)
{
#define ARRAY(type, name, length) pages_leave(stock->name, (length) * sizeof(type));
#include "classify/sieve_stock.def"
#undef ARRAY
}
