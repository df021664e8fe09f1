/* The literal filter of logs. Takes the rules' literals once, then blocks of text; gives the lines
 * that hold one. It looks at every fourth byte only:
 *
 *     literal      insufficient_quota          at least 8 bytes
 *     its grams     nsuf                       of each of the 4 phases that the fourth bytes can
 *                    fici      _quo            fall into, the 5 bytes that a sample of the input
 *                          t_qu                has least; hashed into a bitmap
 *     text         ...x"code":"insufficient_quota","p...
 *     sampled         ^   ^   ^   ^   ^   ^   ^         meets the gram of its phase
 *
 * A gram that is in the bitmap leads to the literals that have it: the byte before and the byte
 * behind it are looked at, then 8 bytes around it are compared, then the whole literal. Shorter
 * literals of Chinese (two characters) are tested at every character, where the text is not ASCII.
 * A pass of its own over the same bytes looks for what may hide a literal. */
#include "base/fastest.h"
#include "classify/hiding.h"
#include "classify/sieve_parts.h"
#include "input/log_entry.h"

#include <stdlib.h>

#define PART_BYTES ((size_t)16 * 1024) /* scanned twice while it is near */
#define CHUNK_BYTES 128
#define LEADS_AHEAD 4 /* whose windows are fetched while one is looked at */

/* The 8 bytes at block[at], of which there may be fewer. */
static inline uint64_t padded_word(struct str block, size_t at)
{
    char tail[PAD_BYTES] = {0};
    if (block.len - at >= PAD_BYTES) {
        return word_at(block.ptr + at);
    }
    memcpy(tail, block.ptr + at, block.len - at);
    return word_at(tail);
}

static void add_hit(struct sieve_hits *hits, size_t at)
{
    hits->items =
        arena_grow(hits->arena, hits->items, hits->count, &hits->capacity, sizeof *hits->items);
    hits->items[hits->count++] = at;
}

/* The last bytes are compared first: many literals begin alike. */
static bool stands_at(const struct sieve *sieve, const struct needle *needle, struct str block,
                      size_t at)
{
    size_t last = needle->length < PAD_BYTES ? 0 : needle->length - PAD_BYTES;
    if (at > block.len || block.len - at < needle->length) {
        return false;
    }
    if (last && word_at(block.ptr + at + last) != word_at(needle->bytes + last)) {
        return false;
    }
    for (size_t i = 0; i < needle->length; i++) {
        if (str_lower(block.ptr[at + i]) != needle->bytes[i]) {
            return false;
        }
    }
    return !needle->is_mark || mark_holds(marks_at(sieve->marks, needle->owner), block, at);
}

static size_t behind_line(struct str block, size_t at)
{
    const char *newline = memchr(block.ptr + at, '\n', block.len - at);
    return newline ? (size_t)(newline - block.ptr) + 1 : block.len;
}

/* One scan of a block. */
struct sifting {
    const struct sieve *sieve;
    const struct sieve_judge *judge;
    struct str block;
    struct sieve_hits *hits;
    size_t line_from, line_to; /* the stretch that was asked of last */
};

/* Bytes of a block that one hit is enough for: a line, or a step of one that is judged in pieces.
 */
struct stretch {
    size_t from, to;
};

static struct stretch stretch_at(struct stretch line, size_t at)
{
    if (line.to - line.from <= LOG_PIECE_BYTES) {
        return line;
    }
    size_t from = line.from + (at - line.from) / LOG_STEP_BYTES * LOG_STEP_BYTES;
    bool is_last = line.to - from <= LOG_STEP_BYTES;
    return (struct stretch){from, is_last ? line.to : from + LOG_STEP_BYTES};
}

static struct stretch line_at(struct str block, size_t at)
{
    const char *before = memrchr(block.ptr, '\n', at);
    return (struct stretch){before ? (size_t)(before - block.ptr) + 1 : 0, behind_line(block, at)};
}

static bool may_match(struct sifting *s, size_t rule, size_t at)
{
    if (at < s->line_from || at >= s->line_to) {
        struct stretch line = line_at(s->block, at), stretch = stretch_at(line, at);
        s->line_from = stretch.from;
        s->line_to = stretch.to;
        s->judge->begin_line(s->judge->context, s->block, line.from, line.to);
    }
    return s->judge->may_match(s->judge->context, rule);
}

/* Whether the needle of a window stands where its gram was met at block[at], and its rule may match
 * there. */
static bool is_met(struct sifting *s, const struct window *window, size_t at)
{
    const struct needle *needle = &s->sieve->needles[window->needle];
    size_t before = (size_t)window->offset + window->gram;
    return at >= before && stands_at(s->sieve, needle, s->block, at - before) &&
           (needle->is_mark || may_match(s, needle->owner, at));
}

/* Whether a slot knows the bytes around the `bytes` at block[at]. No branch depends on them, as it
 * could not be foreseen. */
static inline bool fits(const struct slot *slot, struct str block, size_t at, size_t bytes)
{
    size_t to = at + bytes;
    uint32_t before = at > 0 ? bit_of_byte(block.ptr[at - 1]) : UINT32_MAX;
    uint32_t behind = to < block.len ? bit_of_byte(block.ptr[to]) : UINT32_MAX;
    bool fits_before = slot->before & before, fits_behind = slot->behind & behind;
    return fits_before & fits_behind;
}

/* Whether a needle stands around the gram of a slot at block[at]. */
static bool leads_to_needle(struct sifting *s, const struct table *table, const struct slot *slot,
                            size_t at)
{
    const struct window *window = &table->windows[slot->start],
                        *end = &table->windows[slot[1].start];
    uint32_t hashes[STRIDE];
    for (size_t gram = 0; gram < STRIDE; gram++) {
        hashes[gram] = hash_of_window(table, padded_word(s->block, at - (at < gram ? at : gram)));
    }
    for (; window < end; window++) {
        if (hashes[window->gram] == window->hash && at >= window->gram && is_met(s, window, at)) {
            return true;
        }
    }
    return false;
}

/* Behind the stretch of a hit at block[at], on a byte that is sampled. */
static size_t leave_stretch(struct sifting *s, size_t at)
{
    bool is_known = at >= s->line_from && at < s->line_to;
    size_t next = is_known ? s->line_to : stretch_at(line_at(s->block, at), at).to;
    add_hit(s->hits, at);
    return at + (next - at + STRIDE - 1) / STRIDE * STRIDE;
}

/* Whether one stands around the `bytes` at block[at], which have a hash. */
static bool is_hit(struct sifting *s, const struct table *table, uint32_t hash, size_t at,
                   size_t bytes)
{
    if (!has_bit(table, hash)) {
        return false;
    }
    const struct slot *slot = &table->slots[rank_of(table, hash)];
    return fits(slot, s->block, at, bytes) && leads_to_needle(s, table, slot, at);
}

/* Which of `count` sampled bytes begin a gram of the table: 1 or 0 of each. GRAM_BYTES behind the
 * last are readable. */
FASTEST static void sample(const struct table *table, const char *bytes, size_t count,
                           unsigned char *restrict is_gram)
{
    const uint32_t *bits = table->bits;
    for (size_t i = 0; i < count; i++) {
        uint32_t first, last;
        memcpy(&first, bytes + i * STRIDE, sizeof first);
        memcpy(&last, bytes + i * STRIDE + 1, sizeof last);
        uint32_t hash = hash_of_gram(le32toh(first) | UINT32_C(0x20202020),
                                     le32toh(last) | UINT32_C(0x20202020));
        is_gram[i] = (unsigned char)(bits[hash / 32] >> (hash % 32) & 1);
    }
}

/* Of 64 bytes that are 1 or 0 a bit each. */
static inline uint64_t bits_of(const unsigned char *bytes)
{
    uint64_t bits = 0, eight;
    for (unsigned i = 0; i < 8; i++) {
        memcpy(&eight, bytes + (size_t)i * 8, sizeof eight);
        bits |= (le64toh(eight) * UINT64_C(0x0102040810204080) >> 56) << (i * 8);
    }
    return bits;
}

/* The offsets in the block of the grams among `count` sampled bytes at block[from]. */
FASTEST static size_t list_grams(const unsigned char *is_gram, size_t from, size_t count,
                                 size_t *offsets)
{
    size_t grams = 0;
    for (size_t i = 0; i < count; i += 64) {
        for (uint64_t bits = bits_of(is_gram + i); bits; bits &= bits - 1) {
            offsets[grams++] = from + (i + (size_t)__builtin_ctzll(bits)) * STRIDE;
        }
    }
    return grams;
}

/* A gram of the text and its slot. */
struct lead {
    size_t at;
    const struct slot *slot;
};

/* Those of the grams that stand between bytes which a needle has around them. PAD_BYTES are
 * readable at each. */
FASTEST static size_t list_leads(const struct table *table, struct str block, const size_t *grams,
                                 size_t count, struct lead *leads)
{
    size_t fitting = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t hash = hash_of_word(word_at(block.ptr + grams[i]));
        const struct slot *slot = &table->slots[rank_of(table, hash)];
        leads[fitting] = (struct lead){grams[i], slot};
        fitting += fits(slot, block, grams[i], GRAM_BYTES);
    }
    return fitting;
}

/* Looks at the sampled bytes of block[from, to); the rest of a line that was found is left out.
 * Gives where to go on. */
static size_t scan_sampled(struct sifting *s, size_t from, size_t to)
{
    const struct table *table = s->sieve->sampled;
    unsigned char is_gram[PART_BYTES / STRIDE + 64];
    size_t grams[PART_BYTES / STRIDE + 1];
    struct lead leads[PART_BYTES / STRIDE + 1];
    size_t count = to - from < PAD_BYTES ? 0 : (to - from - PAD_BYTES) / STRIDE;
    sample(table, s->block.ptr + from, count, is_gram);
    memset(is_gram + count, 0, 64);
    size_t gram_count = list_grams(is_gram, from, count, grams);
    size_t lead_count = list_leads(table, s->block, grams, gram_count, leads), at = from;
    for (size_t i = 0; i < lead_count; i++) {
        const struct lead *ahead = &leads[i + LEADS_AHEAD < lead_count ? i + LEADS_AHEAD : i];
        __builtin_prefetch(&table->windows[ahead->slot->start]);
        if (leads[i].at >= at && leads_to_needle(s, table, leads[i].slot, leads[i].at)) {
            at = leave_stretch(s, leads[i].at);
        }
    }
    size_t rest = from + count * STRIDE;
    for (at = at < rest ? rest : at; at < to;) {
        uint32_t hash = hash_of_word(padded_word(s->block, at));
        at = is_hit(s, table, hash, at, GRAM_BYTES) ? leave_stretch(s, at) : at + STRIDE;
    }
    return at;
}

/* Every character of three or more bytes, where the text is not ASCII. */
static void scan_dense(struct sifting *s, size_t from, size_t to)
{
    const struct table *table = s->sieve->dense;
    struct str block = s->block;
    size_t end = block.len < SHORT_BYTES ? 0 : block.len - SHORT_BYTES + 1;
    const unsigned char *bytes = (const unsigned char *)block.ptr;
    end = end < to ? end : to;
    for (size_t at = from; at < end; at++) {
        if (bytes[at] < 0xE0) {
            continue;
        }
        uint32_t hash = hash_of_short(padded_word(block, at));
        if (has_bit(table, hash) && is_hit(s, table, hash, at, SHORT_BYTES)) {
            add_hit(s->hits, at);
            at = behind_line(block, at) - 1;
        } else if (bytes[at + 1] < 0xC0 && bytes[at + 2] < 0xC0) {
            at += 2;
        }
    }
}

/* Which of the odd kinds of bytes a chunk has. */
enum { ODD_HIDING = 1, ODD_HIGH = 2 };

FASTEST static void sort_chunks(const unsigned char *bytes, size_t chunks, unsigned char *kinds)
{
    for (size_t i = 0; i < chunks; i++) {
        unsigned char hiding = 0, high = 0;
        for (size_t k = 0; k < CHUNK_BYTES; k++) {
            unsigned char c = bytes[i * CHUNK_BYTES + k];
            unsigned char is_control = (c < 0x20) & (c != '\n') & (c != '\t');
            hiding |= (unsigned char)(is_control | (c == '\\') | (c == '<') | (c == 0x7F));
            high |= c & 0x80;
        }
        kinds[i] = (unsigned char)((hiding ? ODD_HIDING : 0) | (high ? ODD_HIGH : 0));
    }
}

static void scan_hiding(struct str block, size_t from, size_t to, struct sieve_hits *hits)
{
    for (size_t at = from; at < to; at++) {
        if (hiding_at(block, at)) {
            add_hit(hits, at);
            at = behind_line(block, at) - 1;
        }
    }
}

const struct marks *sieve_marks(const struct sieve *sieve)
{
    return sieve->marks;
}

static int by_offset(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Chunk by chunk what is odd in block[from, to). */
static void scan_odd(struct sifting *s, size_t from, size_t to)
{
    struct str block = s->block;
    unsigned char kinds[PART_BYTES / CHUNK_BYTES];
    size_t chunks = (to - from) / CHUNK_BYTES;
    sort_chunks((const unsigned char *)block.ptr + from, chunks, kinds);
    for (size_t i = 0; i <= chunks; i++) {
        size_t begin = from + i * CHUNK_BYTES;
        size_t end = begin + CHUNK_BYTES < to ? begin + CHUNK_BYTES : to;
        unsigned kind = i < chunks ? kinds[i] : ODD_HIDING | ODD_HIGH;
        if (kind & ODD_HIDING) {
            scan_hiding(block, begin, end, s->hits);
        }
        if (kind & ODD_HIGH) {
            scan_dense(s, begin, end);
        }
    }
}

/* Each step of each line. */
static void find_every_line(struct str block, struct sieve_hits *hits)
{
    for (size_t from = 0, to; from < block.len; from = to) {
        to = behind_line(block, from);
        for (size_t at = from; at < to; at += LOG_STEP_BYTES) {
            add_hit(hits, at);
        }
    }
}

void sieve_scan(const struct sieve *sieve, struct str block, const struct sieve_judge *judge,
                struct sieve_hits *hits)
{
    struct sifting s = {.sieve = sieve, .judge = judge, .block = block, .hits = hits};
    size_t at = 0;
    hits->count = 0;
    if (sieve->is_open) {
        find_every_line(block, hits);
        return;
    }
    for (size_t from = 0; from < block.len; from += PART_BYTES) {
        size_t to = block.len - from < PART_BYTES ? block.len : from + PART_BYTES;
        size_t first = hits->count;
        scan_odd(&s, from, to);
        at = at < to ? scan_sampled(&s, at, to) : at;
        if (hits->count - first > 1) {
            qsort(hits->items + first, hits->count - first, sizeof *hits->items, by_offset);
        }
    }
}
