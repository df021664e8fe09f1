#ifndef CLASSIFY_KEYWORDS_H
#define CLASSIFY_KEYWORDS_H

#include "classify/literals.h"

#define KEYWORDS_GRAM                                                                              \
    4 /* bytes of a literal that are hashed; shorter ones take longer to look for */
#define KEYWORDS_HASH_BITS 16
#define KEYWORDS_FILTER_WORDS ((1u << KEYWORDS_HASH_BITS) / 32)
#define KEYWORDS_BUCKET_BITS 14
#define KEYWORDS_BUCKETS (1u << KEYWORDS_BUCKET_BITS)

/* A hash table of the literals of numbered sets, in arrays without a pointer in them, so that one
 * can be a constant of the program. Literals stand in order of their buckets, behind them those
 * that are shorter than a gram. */
struct keywords {
    size_t literal_count, hashed_count, text_bytes, set_count;
#define ARRAY(type, name, length) const type *name;
#include "classify/keywords.def"
#undef ARRAY
};

/* Of sets that stand for rules, say; of at most UINT16_MAX literals. Lives in arena. */
struct keywords keywords_create(struct arena *arena, const struct literals *sets, size_t count);

/* Sets hits[i] for each set i of which a literal occurs in text. Case of ASCII letters is ignored,
 * and the two signs outside ASCII that PCRE2 takes for k and s are too, so that no match of a
 * caseless pattern is missed. */
void keywords_scan(const struct keywords *keywords, struct str text, bool *hits);

#endif
