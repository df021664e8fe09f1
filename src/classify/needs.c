/* What evidence must hold for a rule to match. Takes rules, gives literals to look for. */
#include "classify/needs.h"

#include "classify/keywords.h"

const struct literals *needs_said_by_rules(struct arena *arena, const struct rules *rules,
                                           size_t from, size_t to)
{
    struct literals *needs = ARENA_ARRAY(arena, to - from + 1, struct literals);
    for (size_t i = from; i < to; i++) {
        const struct rule *rule = rules_at(rules, i);
        needs[i - from] = (struct literals){rule->keywords, rule->keyword_count};
    }
    return needs;
}

static size_t shortest(struct literals set)
{
    size_t bytes = set.count ? set.items[0].len : 0;
    for (size_t i = 1; i < set.count; i++) {
        bytes = set.items[i].len < bytes ? set.items[i].len : bytes;
    }
    return bytes;
}

/* Of the keywords and of all conditions, each of which must match, those that tell the most; what
 * is so short that to look for it takes longer than to try the rule is left out. */
static struct literals needs_of_rule(struct arena *arena, const struct rule *rule)
{
    struct literals best = {rule->keywords, rule->keyword_count};
    for (size_t i = 0; i < rule->condition_count; i++) {
        struct literals set = literals_of_pattern(arena, rule->conditions[i].pattern);
        if (shortest(set) >= KEYWORDS_GRAM && literals_score(set) > literals_score(best)) {
            best = set;
        }
    }
    return best;
}

const struct literals *needs_of_rules(struct arena *arena, const struct rules *rules, size_t from,
                                      size_t to)
{
    struct literals *needs = ARENA_ARRAY(arena, to - from + 1, struct literals);
    for (size_t i = 0; i < to - from; i++) {
        needs[i] = needs_of_rule(arena, rules_at(rules, from + i));
    }
    return needs;
}
