/* Which rules a text may be matched by. Takes a rule table and then texts. The filter of built-in
 * rules is part of the program; that of all other rules is made here. */
#include "classify/prefilter.h"

#include "classify/built_keywords.h"
#include "classify/needs.h"

#include <string.h>

struct prefilter {
    struct keywords read; /* of the rules that were read, which stand first */
    size_t read_count;
    bool has_built; /* the others are those of built_keywords */
};

struct prefilter *prefilter_create(struct arena *arena, const struct rules *rules)
{
    struct prefilter *prefilter = ARENA_NEW(arena, struct prefilter);
    size_t built = rules_built_count(rules);
    prefilter->read_count = rules_count(rules) - built;
    prefilter->has_built = built > 0;
    if (prefilter->read_count) {
        const struct literals *sets = needs_said_by_rules(arena, rules, 0, prefilter->read_count);
        prefilter->read = keywords_create(arena, sets, prefilter->read_count);
    }
    return prefilter;
}

_Static_assert(sizeof(bool) == sizeof(uint8_t), "an array of 0 and 1 is one of claims");

void prefilter_begin(const struct prefilter *prefilter, bool *hits)
{
    if (prefilter->read_count) {
        memcpy(hits, prefilter->read.is_unknown, prefilter->read_count);
    }
    if (prefilter->has_built) {
        memcpy(hits + prefilter->read_count, built_keywords.is_unknown, built_keywords.set_count);
    }
}

void prefilter_scan(const struct prefilter *prefilter, struct str text, bool *hits)
{
    if (prefilter->read.literal_count) {
        keywords_scan(&prefilter->read, text, hits);
    }
    if (prefilter->has_built) {
        keywords_scan(&built_keywords, text, hits + prefilter->read_count);
    }
}
