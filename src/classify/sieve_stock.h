#ifndef CLASSIFY_SIEVE_STOCK_H
#define CLASSIFY_SIEVE_STOCK_H

#include "rules/rules.h"

/* The literals that a sieve may be built of: of each rule the tree of those that every match holds
 * (classify/literal_tree.h), in arrays without a pointer in them, so that the stock of the built-in
 * rules can be a constant of the program. What can be written with an escape is left out of a
 * literal where enough remains. Private to src/classify. */
struct sieve_stock {
    size_t rule_count, node_count, literal_count, text_bytes;
#define ARRAY(type, name, length) const type *name;
#include "classify/sieve_stock.def"
#undef ARRAY
};

/* What a node is, where it is not the number of literals in a set; those follow one another. */
#define STOCK_EITHER UINT16_MAX
#define STOCK_BOTH (UINT16_MAX - 1)

/* Of the rules [from, to) of a table; a rule of which nothing is known has an empty set. Lives in
 * arena. */
struct sieve_stock sieve_stock_create(struct arena *arena, const struct rules *rules, size_t from,
                                      size_t to);

/* That of the built-in rules (rules/built.h), written by src/bake. Whoever has built a sieve of it
 * leaves it: it takes as much memory as the sieve. */
extern const struct sieve_stock built_stock;
void sieve_stock_leave(const struct sieve_stock *stock);

#endif
