/* Findings remembered. Takes entries of a log with what was found in them, gives the finding of
 * one that says the same again; judges nothing.
 *
 *     entry -> template -> key -> slot -> answer, its holes filled with the ids of the entry
 *
 * Slots are many and small, answers few: the same thing is found behind many templates. */
#include "classify/memo.h"

#include "classify/memo_answer.h"
#include "input/bound.h"
#include "input/log_template.h"

#include <string.h>

#define WAYS 4 /* slots that a key may have */
#define SETS (MEMO_KEYS / WAYS)
#define ANSWERS ((size_t)4096) /* slots of them; one in two is free at least */

_Static_assert(MEMO_TEXT_MAX <= LOG_TEMPLATE_BYTES_MAX, "templates are read of all that is kept");

/* Stands for a template and what is told of the entry, which are compared with nothing else: low
 * chooses the set, high is looked for in it. An entry gets the finding of another one by chance in
 * WAYS of 2^64 cases. The hashes have no secret, so whoever writes a log could make two entries of
 * it collide, and would mislead about nothing but his own. */
struct key {
    uint64_t high, low;
};

struct slot {
    uint64_t key; /* high; 0: free */
    /* Hash of the shape of the answer found first, 0 where another one was found later. By 32 bits
     * a template is trusted to give one answer: of those that give two, one in 2^32 is kept. */
    uint32_t shape;
    uint32_t answer; /* 1 + its number, 0 until it was found twice */
};

struct memo {
    struct arena *arena; /* of the answers */
    const struct mask *mask;
    bool takes_all;
    struct slot slots[SETS][WAYS];
    const struct answer *answers[ANSWERS]; /* by the hash of their shape */
    size_t count, bytes;
    struct arena *asking; /* of what follows */
    struct str text;      /* of the entry asked for last, not sealed */
    struct log_template asked;
    struct key key; /* of that entry; high 0: it cannot be kept */
};

struct memo *memo_create(struct arena *arena, const struct mask *mask, bool takes_all)
{
    struct memo *memo = ARENA_NEW(arena, struct memo);
    memo->arena = arena_create();
    memo->asking = arena_create();
    memo->mask = mask;
    memo->takes_all = takes_all;
    return memo;
}

void memo_free(struct memo *memo)
{
    if (memo) {
        arena_free(memo->arena);
        arena_free(memo->asking);
    }
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

/* Two hashes of a text at once, of which the second goes another way. */
static struct key hash_of(struct str text, uint64_t seed)
{
    struct key hash = {mix(seed, text.len), mix(~seed, text.len)};
    uint64_t word = 0;
    for (size_t at = 0; at < text.len; at += sizeof word) {
        size_t rest = text.len - at;
        word = 0;
        if (rest >= sizeof word) {
            memcpy(&word, text.ptr + at, sizeof word);
        } else {
            memcpy(&word, text.ptr + at, rest);
        }
        hash.high = mix(hash.high, word);
        hash.low = mix(hash.low + hash.high, word << 32 | word >> 32);
    }
    return hash;
}

static struct key key_of(const struct observation *entry, struct str template)
{
    unsigned traits = (entry->is_ordinary ? 1U : 0) | (entry->is_bare ? 2U : 0) |
                      (entry->is_talk ? 4U : 0) | (entry->is_marked ? 8U : 0);
    struct key key = hash_of(template, hash_of(entry->about, traits).high);
    key.high += key.high == 0;
    return key;
}

/* The slot of a key, or NULL. */
static struct slot *slot_of(struct memo *memo, struct key key)
{
    struct slot *set = memo->slots[key.low % SETS];
    size_t way = 0;
    while (way < WAYS && set[way].key != key.high) {
        way++;
    }
    return way < WAYS ? &set[way] : NULL;
}

/* One for a new key, the first of its set. The oldest without an answer gives way, where each has
 * one the oldest. */
static struct slot *slot_for(struct memo *memo, struct key key)
{
    struct slot *set = memo->slots[key.low % SETS];
    size_t way = WAYS - 1;
    while (way > 0 && set[way].answer) {
        way--;
    }
    way = set[way].answer ? WAYS - 1 : way;
    memmove(&set[1], &set[0], way * sizeof *set);
    set[0] = (struct slot){.key = key.high};
    return &set[0];
}

/* Whether the same ids are hidden when the entry is sealed as in those that had the answer: one may
 * be a key of the owner's. What shows none of any need not be asked. */
static bool may_show(struct memo *memo, const struct observation *entry,
                     const struct answer *answer)
{
    struct observation sealed = *entry;
    if (answer->hole_count == 0 && answer->hidden == 0) {
        return true;
    }
    observation_seal(memo->asking, memo->mask, &sealed);
    return answer_hidden(&memo->asked, entry->body, sealed.body) == answer->hidden;
}

bool memo_recall(struct memo *memo, struct arena *arena, const struct observation *entry,
                 struct finding *finding)
{
    memo->key = (struct key){0};
    if (entry->body.len > MEMO_TEXT_MAX) {
        return false;
    }
    arena_reset(memo->asking);
    memo->text = entry->body;
    log_template_read(memo->asking, entry->body, memo->takes_all, &memo->asked);
    memo->key = key_of(entry, memo->asked.text);
    const struct slot *slot = slot_of(memo, memo->key);
    const struct answer *answer = slot && slot->answer ? memo->answers[slot->answer - 1] : NULL;
    if (!answer || !may_show(memo, entry, answer)) {
        return false;
    }
    *finding = answer_fill(arena, answer, &memo->asked);
    finding->observation = entry;
    return true;
}

static void forget_all(struct memo *memo)
{
    arena_reset(memo->arena);
    memset(memo->slots, 0, sizeof memo->slots);
    memset(memo->answers, 0, sizeof memo->answers);
    memo->count = 0;
    memo->bytes = 0;
}

/* Keeps an answer, if there is none of its shape, and gives 1 + its number. */
static uint32_t keep_answer(struct memo *memo, const struct answer *answer, uint32_t shape)
{
    size_t at = (size_t)shape % ANSWERS;
    while (memo->answers[at] && !str_eq(memo->answers[at]->shape, answer->shape)) {
        at = (at + 1) % ANSWERS;
    }
    if (!memo->answers[at]) {
        memo->answers[at] = answer_copy(memo->arena, answer, &memo->bytes);
        memo->count++;
    }
    return (uint32_t)at + 1;
}

void memo_keep(struct memo *memo, const struct finding *finding)
{
    struct answer answer;
    bool may_vary = str_is_set(finding->skipped_rule) && memo->asked.count; /* with each id */
    if (memo->key.high == 0 || finding->is_momentary || may_vary) {
        return;
    }
    uint32_t hidden = answer_hidden(&memo->asked, memo->text, finding->observation->body);
    if (!answer_read(memo->asking, &memo->asked, hidden, finding, &answer)) {
        return;
    }
    if (memo->count >= ANSWERS / 2 || memo->bytes >= MEMO_BYTES_MAX) {
        forget_all(memo);
    }
    uint32_t shape = (uint32_t)(hash_of(answer.shape, 0).high >> 32);
    struct slot *slot = slot_of(memo, memo->key);
    if (!slot) {
        slot = slot_for(memo, memo->key);
        slot->shape = shape;
    } else if (slot->shape != shape) {
        slot->shape = 0;
        slot->answer = 0;
    } else {
        slot->answer = keep_answer(memo, &answer, shape);
    }
}

size_t memo_count(const struct memo *memo)
{
    return memo->count;
}

size_t memo_bytes(const struct memo *memo)
{
    return memo->bytes;
}
