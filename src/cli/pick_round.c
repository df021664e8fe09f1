/* Rounds of diagnose pick --wait: which links are asked again, and when. Pauses and words are the
 * command's. */
#include "cli/pick_round.h"

#include <sys/random.h>

#define SECOND_MS ((int64_t)1000)
#define JITTER_PART 4 /* of the pause, at most that fraction more */

/* Pauses after the first, second ... round; the last one stays. Capacity usually lasts minutes, so
 * a single model is asked in minutes. */
static const int64_t chain_pauses_s[] = {2, 4, 8, 16, 32, 60};
static const int64_t single_pauses_s[] = {30, 120, 300};

void pick_rounds_begin(struct street *street, int64_t wait_ms, struct rounds *rounds)
{
    const struct env *env = street->cli->env;
    int64_t now_ms = env->monotonic_ms(env->clock);
    *rounds = (struct rounds){
        .links = ARENA_ARRAY(street->cli->arena, street->target_count, struct link),
        .link_count = street->target_count,
        .begun_ms = now_ms,
        .deadline_ms = now_ms + wait_ms,
    };
    for (size_t i = 0; i < street->target_count; i++) {
        rounds->links[i].result.target = street->targets[i];
    }
}

/* Takes what the run says of one link. */
static void take_result(struct link *link, const struct result *result, int64_t now_ms)
{
    const struct finding *finding = result->finding;
    link->result = *result;
    link->is_out = result->status != TARGET_OK && (finding == NULL || !finding->is_retryable);
    link->not_before_ms = finding && finding->wait_ms > 0 ? now_ms + finding->wait_ms : now_ms;
}

static void add_try(struct arena *arena, struct rounds *rounds, const struct result *result,
                    int64_t at_ms)
{
    rounds->tries = arena_grow(arena, rounds->tries, rounds->try_count, &rounds->try_capacity,
                               sizeof *rounds->tries);
    rounds->tries[rounds->try_count++] = (struct try){.result = *result, .at_ms = at_ms};
}

enum err_code pick_round(struct street *street, struct rounds *rounds, struct err *err)
{
    const struct env *env = street->cli->env;
    struct arena *arena = street->cli->arena;
    int64_t now_ms = env->monotonic_ms(env->clock);
    size_t *asked = ARENA_ARRAY(arena, rounds->link_count + 1, size_t), count = 0;
    street->targets = ARENA_ARRAY(arena, rounds->link_count + 1, const struct target *);
    for (size_t i = 0; i < rounds->link_count; i++) {
        const struct link *link = &rounds->links[i];
        if (rounds->round == 0 || (!link->is_out && link->not_before_ms <= now_ms)) {
            asked[count] = i;
            street->targets[count++] = link->result.target;
        }
    }
    street->target_count = count;
    enum err_code code = street_run(street, err);
    if (code) {
        return code;
    }
    for (size_t i = 0; i < count; i++) {
        add_try(arena, rounds, &street->report.results[i], now_ms - rounds->begun_ms);
    }
    now_ms = env->monotonic_ms(env->clock);
    for (size_t i = 0; i < count; i++) {
        take_result(&rounds->links[asked[i]], &street->report.results[i], now_ms);
    }
    struct result *results = ARENA_ARRAY(arena, rounds->link_count + 1, struct result);
    for (size_t i = 0; i < rounds->link_count; i++) {
        results[i] = rounds->links[i].result;
    }
    rounds->round++;
    street_judge(street, results, rounds->link_count);
    return ERR_OK;
}

const struct link *pick_answering(const struct rounds *rounds)
{
    for (size_t i = 0; i < rounds->link_count; i++) {
        if (rounds->links[i].result.status == TARGET_OK) {
            return &rounds->links[i];
        }
    }
    return NULL;
}

static int64_t pause_of(const struct rounds *rounds)
{
    bool is_chain = rounds->link_count > 1;
    const int64_t *pauses = is_chain ? chain_pauses_s : single_pauses_s;
    size_t count = is_chain ? sizeof chain_pauses_s / sizeof chain_pauses_s[0]
                            : sizeof single_pauses_s / sizeof single_pauses_s[0];
    size_t at = rounds->round - 1 < count ? rounds->round - 1 : count - 1;
    return pauses[at] * SECOND_MS;
}

int64_t pick_jitter_max_ms(int64_t pause_ms)
{
    return pause_ms / JITTER_PART;
}

static int64_t jitter_of(int64_t pause_ms)
{
    uint32_t random = 0;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != (ssize_t)sizeof random) {
        return 0;
    }
    return pick_jitter_max_ms(pause_ms) * (int64_t)(random % 1000) / 1000;
}

bool pick_is_live(const struct rounds *rounds)
{
    for (size_t i = 0; i < rounds->link_count; i++) {
        if (!rounds->links[i].is_out) {
            return true;
        }
    }
    return false;
}

struct pause pick_pause(const struct street *street, const struct rounds *rounds)
{
    const struct env *env = street->cli->env;
    int64_t now_ms = env->monotonic_ms(env->clock), earliest_ms = INT64_MAX;
    for (size_t i = 0; i < rounds->link_count; i++) {
        const struct link *link = &rounds->links[i];
        if (!link->is_out && link->not_before_ms < earliest_ms) {
            earliest_ms = link->not_before_ms;
        }
    }
    int64_t pause_ms = pause_of(rounds), asked_ms = earliest_ms - now_ms;
    bool is_asked = asked_ms >= pause_ms;
    return (struct pause){.ms = is_asked ? asked_ms : pause_ms, .is_asked = is_asked};
}

int64_t pick_next_ms(const struct street *street, const struct rounds *rounds)
{
    const struct env *env = street->cli->env;
    if (!pick_is_live(rounds)) {
        return -1;
    }
    int64_t pause_ms = pick_pause(street, rounds).ms;
    int64_t next_ms = env->monotonic_ms(env->clock) + pause_ms + jitter_of(pause_ms);
    return next_ms > rounds->deadline_ms ? -1 : next_ms;
}
