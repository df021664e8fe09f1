/* Findings remembered. Takes entries of a log with what was found in them, gives the finding of
 * one that says the same again; judges nothing. */
#include "classify/memo.h"

#include <endian.h>
#include <string.h>

#define SLOTS (2 * MEMO_ENTRIES_MAX) /* one in two is free at least */
#define SIGHTINGS ((size_t)4096)

/* What is asked for. */
struct key {
    uint64_t hash;
    struct str text, about;
    unsigned traits; /* of the entry, a bit each */
};

struct kept {
    struct key key;
    struct str body;        /* sealed */
    struct finding finding; /* without its observation */
};

struct memo {
    struct arena *arena; /* of what is kept */
    struct kept *slots[SLOTS];
    size_t count, bytes;
    uint64_t sightings[SIGHTINGS]; /* hashes of what was seen last, by their low bits */
};

struct memo *memo_create(struct arena *arena)
{
    struct memo *memo = ARENA_NEW(arena, struct memo);
    memo->arena = arena_create();
    return memo;
}

void memo_free(struct memo *memo)
{
    if (memo) {
        arena_free(memo->arena);
    }
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static uint64_t hash_of(struct str text, uint64_t seed)
{
    uint64_t hash = mix(seed, text.len), word;
    size_t at = 0;
    for (; at + sizeof word <= text.len; at += sizeof word) {
        memcpy(&word, text.ptr + at, sizeof word);
        hash = mix(hash, word);
    }
    word = 0;
    memcpy(&word, text.len ? text.ptr + at : "", text.len - at);
    return mix(hash, word);
}

static struct key key_of(const struct observation *entry, struct str text)
{
    unsigned traits = (entry->is_ordinary ? 1U : 0) | (entry->is_bare ? 2U : 0) |
                      (entry->is_talk ? 4U : 0) | (entry->is_marked ? 8U : 0);
    return (struct key){.hash = hash_of(text, traits + entry->about.len * 16),
                        .text = text,
                        .about = entry->about,
                        .traits = traits};
}

static bool is_same(const struct key *a, const struct key *b)
{
    return a->hash == b->hash && a->traits == b->traits && str_eq(a->about, b->about) &&
           str_eq(a->text, b->text);
}

/* Where a key is kept, or the free slot where it would be. */
static size_t slot_of(const struct memo *memo, const struct key *key)
{
    size_t at = (size_t)(key->hash >> 32) % SLOTS;
    while (memo->slots[at] && !is_same(&memo->slots[at]->key, key)) {
        at = (at + 1) % SLOTS;
    }
    return at;
}

bool memo_recall(const struct memo *memo, struct observation *entry, struct finding *finding)
{
    struct key key = key_of(entry, entry->body);
    const struct kept *kept = memo->slots[slot_of(memo, &key)];
    if (!kept) {
        return false;
    }
    entry->body = kept->body;
    *finding = kept->finding;
    finding->observation = entry;
    return true;
}

/* Whether the key was seen of late; it is now. */
static bool is_seen(struct memo *memo, const struct key *key)
{
    uint64_t *sighting = &memo->sightings[key->hash % SIGHTINGS];
    bool is_known = *sighting == key->hash;
    *sighting = key->hash;
    return is_known;
}

static struct str take(struct memo *memo, struct str s)
{
    memo->bytes += s.len + 1;
    return arena_dup(memo->arena, s);
}

static struct finding take_finding(struct memo *memo, const struct finding *finding)
{
    struct finding copy = *finding;
    struct capture *captures = ARENA_ARRAY(memo->arena, copy.capture_count + 1, struct capture);
    for (size_t i = 0; i < copy.capture_count; i++) {
        captures[i].name = take(memo, finding->captures[i].name);
        captures[i].text = take(memo, finding->captures[i].text);
    }
    memo->bytes += (copy.capture_count + 1) * sizeof *captures;
    copy.captures = captures;
    copy.observation = NULL;
    copy.field = take(memo, finding->field);
    copy.evidence = take(memo, finding->evidence);
    return copy;
}

static void forget_all(struct memo *memo)
{
    arena_reset(memo->arena);
    memset(memo->slots, 0, sizeof memo->slots);
    memo->count = 0;
    memo->bytes = 0;
}

void memo_keep(struct memo *memo, struct str text, const struct finding *finding)
{
    const struct observation *entry = finding->observation;
    if (text.len > MEMO_TEXT_MAX || finding->is_momentary) {
        return;
    }
    struct key key = key_of(entry, text);
    size_t at = slot_of(memo, &key);
    if (!is_seen(memo, &key) || memo->slots[at]) {
        return;
    }
    if (memo->count == MEMO_ENTRIES_MAX || memo->bytes >= MEMO_BYTES_MAX) {
        forget_all(memo);
        at = slot_of(memo, &key);
    }
    struct kept *kept = ARENA_NEW(memo->arena, struct kept);
    memo->bytes += sizeof *kept;
    kept->key = key;
    kept->key.text = take(memo, text);
    kept->key.about = take(memo, entry->about);
    kept->body = str_eq(entry->body, text) ? kept->key.text : take(memo, entry->body);
    kept->finding = take_finding(memo, finding);
    memo->slots[at] = kept;
    memo->count++;
}

size_t memo_count(const struct memo *memo)
{
    return memo->count;
}

size_t memo_bytes(const struct memo *memo)
{
    return memo->bytes;
}
