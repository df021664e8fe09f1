/* Which configured target answers now, so that the user of one that does not can switch to it. */
#include "triage/answering.h"

#include "triage/fill.h"
#include "triage/words.h"

static bool answers(const struct result *result)
{
    return result->target && result->observation && result->finding &&
           result->finding->diagnosis->is_healthy;
}

size_t answering_count(const struct triage_input *input)
{
    size_t count = 0;
    for (size_t i = input->key_count; i < input->result_count; i++) {
        count += input->results[i].status == TARGET_OK ? 1 : 0;
    }
    return count;
}

/* Place in a chain: the primary is 0, fallbacks follow by number, other roles come last. */
static unsigned place_in_chain(const struct target *target)
{
    if (target->role == ROLE_PRIMARY) {
        return 0;
    }
    return target->role == ROLE_FALLBACK ? target->fallback_number : 10000;
}

/* Lower is nearer. */
static unsigned distance(const struct target *from, const struct target *to)
{
    if (!str_is_empty(from->chain) && str_eq(from->chain, to->chain)) {
        return place_in_chain(to);
    }
    return str_eq(from->client, to->client) ? 20000 : 30000;
}

const struct result *answering_for(const struct result *results, size_t count,
                                   const struct result *failed)
{
    const struct result *nearest = NULL;
    for (size_t i = 0; i < count && failed->target; i++) {
        const struct result *result = &results[i];
        if (result == failed || !answers(result)) {
            continue;
        }
        if (nearest == NULL ||
            distance(failed->target, result->target) < distance(failed->target, nearest->target)) {
            nearest = result;
        }
    }
    return nearest;
}

struct str answering_text(struct arena *arena, enum lang lang, const struct result *failed,
                          const struct result *other, struct str name, int64_t now_ms)
{
    const char *mine = failed->target->key.fingerprint, *its = other->target->key.fingerprint;
    bool is_same_key = mine[0] != '\0' && str_eq(str_from(mine), str_from(its));
    int64_t ended_ms = other->observation->started_ms + other->observation->total_ms;
    const char *shown = arena_cstr(arena, name);
    if (now_ms - ended_ms < 100) {
        return words_say(arena, lang,
                         is_same_key ? WORD_ANSWERED_JUST_NOW_SAME_KEY : WORD_ANSWERED_JUST_NOW,
                         shown);
    }
    struct str ago = fill_duration(arena, lang, now_ms - ended_ms);
    return words_say(arena, lang, is_same_key ? WORD_ANSWERED_SAME_KEY : WORD_ANSWERED, shown,
                     arena_cstr(arena, ago));
}
