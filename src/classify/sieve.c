/* The literal filter of logs. Takes the rules' literals once, then blocks of text; gives the lines
 * that hold one. It looks at every fourth byte only:
 *
 *     literal        insufficient_quota            at least 8 bytes
 *     its window            nt_quota               the 8 bytes that a sample of the input has least
 *     grams of it           nt_qu                  all 4 of 5 bytes, hashed into a bitmap
 *                            t_quo
 *                             _quot
 *                              quota
 *     text           ...x"code":"insufficient_quota","p...
 *     sampled           ^   ^   ^   ^   ^   ^   ^         one of four offsets is hit wherever it
 * stands
 *
 * A gram that is in the bitmap leads to the literals that have it, and the whole literal is
 * compared. Shorter literals of Chinese (two characters) are tested at every character, where the
 * text is not ASCII. A pass of its own over the same bytes looks for what may hide a literal. */
#include "classify/sieve.h"

#include "base/buf.h"
#include "classify/hiding.h"
#include "classify/literals.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#define GRAM_BYTES 5
#define WINDOW_BYTES 8
#define STRIDE (WINDOW_BYTES - GRAM_BYTES + 1)
#define SHORT_BYTES 6 /* of two Chinese characters */
#define HASH_BITS 18
#define HASHES ((size_t)1 << HASH_BITS)
#define PART_BYTES ((size_t)16 * 1024) /* scanned twice while it is near */
#define CHUNK_BYTES 64
#define SETS_MAX 8
#define PAD_BYTES 8 /* readable behind every literal */

#if defined(__x86_64__) && defined(__GLIBC__)
#define FASTEST __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define FASTEST
#endif

struct needle {
    struct str literal;      /* lower case, PAD_BYTES behind it */
    const struct mark *mark; /* NULL for a rule's literal */
    size_t rule;
};

/* A gram of a needle, in the list of its hash. */
struct gram {
    uint32_t needle, next; /* next: 1 + index, 0 at the end */
    uint16_t offset;       /* within the literal */
};

struct table {
    uint64_t bits[HASHES / 64];
    uint32_t first[HASHES]; /* 1 + index of a gram */
};

struct sieve {
    struct needle *needles;
    struct gram *grams;
    size_t needle_count, needle_capacity, gram_count, gram_capacity;
    size_t rule_count;
    struct table *sampled, *dense;
    bool is_open; /* a rule has a literal too short to look for: every line is found */
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Hash of the first `bytes` of the 8 at p, case of ASCII ignored. */
static inline size_t hash_of(const char *p, unsigned bytes)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    word = (le64toh(word) | UINT64_C(0x2020202020202020)) << (64 - 8 * bytes);
    return (size_t)(word * UINT64_C(0x9E3779B97F4A7C15) >> (64 - HASH_BITS));
}

/* Hash of the first gram of a literal that may be shorter than 8 bytes. */
static size_t hash_of_end(struct str literal)
{
    char bytes[PAD_BYTES] = {0};
    memcpy(bytes, literal.ptr, literal.len < PAD_BYTES ? literal.len : PAD_BYTES);
    return hash_of(bytes, GRAM_BYTES);
}

static inline bool has_bit(const struct table *table, size_t hash)
{
    return table->bits[hash / 64] >> (hash % 64) & 1;
}

/* ---- building ---- */

static void add_gram(struct arena *arena, struct sieve *sieve, struct table *table, size_t hash,
                     size_t needle, size_t offset)
{
    sieve->grams = arena_grow(arena, sieve->grams, sieve->gram_count, &sieve->gram_capacity,
                              sizeof *sieve->grams);
    sieve->grams[sieve->gram_count] = (struct gram){
        .needle = (uint32_t)needle, .offset = (uint16_t)offset, .next = table->first[hash]};
    table->first[hash] = (uint32_t)++sieve->gram_count;
    table->bits[hash / 64] |= UINT64_C(1) << (hash % 64);
}

/* The window that costs least: by how often its grams turn up in the sample, then by how many new
 * bits it takes. */
static size_t choose_window(const struct sieve *sieve, struct str literal, const uint32_t *seen)
{
    size_t best = 0;
    uint64_t lowest = UINT64_MAX;
    for (size_t at = 0; at + WINDOW_BYTES <= literal.len; at++) {
        uint64_t cost = 0;
        for (size_t k = 0; k < STRIDE; k++) {
            size_t hash = hash_of(literal.ptr + at + k, GRAM_BYTES);
            cost += (uint64_t)seen[hash] * 256 + !has_bit(sieve->sampled, hash);
        }
        if (cost < lowest) {
            lowest = cost;
            best = at;
        }
    }
    return best;
}

static void add_needle(struct arena *arena, struct sieve *sieve, const uint32_t *seen,
                       struct str literal, const struct mark *mark, size_t rule)
{
    char *bytes = arena_alloc(arena, literal.len + PAD_BYTES);
    size_t number = sieve->needle_count;
    memcpy(bytes, literal.ptr, literal.len);
    literal.ptr = bytes;
    sieve->needles =
        arena_grow(arena, sieve->needles, number, &sieve->needle_capacity, sizeof *sieve->needles);
    sieve->needles[sieve->needle_count++] = (struct needle){literal, mark, rule};
    if (literal.len >= WINDOW_BYTES) {
        size_t window = choose_window(sieve, literal, seen);
        for (size_t k = window; k < window + STRIDE; k++) {
            add_gram(arena, sieve, sieve->sampled, hash_of(bytes + k, GRAM_BYTES), number, k);
        }
    } else {
        add_gram(arena, sieve, sieve->dense, hash_of(bytes, SHORT_BYTES), number, 0);
    }
}

/* A literal as JSON writes it in ASCII: \uXXXX for what is none, `slashes` backslashes each. */
static struct str escaped(struct arena *arena, struct str literal, size_t slashes)
{
    struct buf out = buf_create(LITERAL_BYTES_MAX * 12);
    for (size_t at = 0; at < literal.len;) {
        unsigned char c = (unsigned char)literal.ptr[at];
        bool is_wide = c >= 0xE0 && c < 0xF0 && at + 2 < literal.len;
        for (size_t i = 0; is_wide && i < slashes; i++) {
            buf_add_char(&out, '\\');
        }
        if (is_wide) {
            unsigned point = (c & 0x0Fu) << 12 | ((unsigned char)literal.ptr[at + 1] & 0x3Fu) << 6 |
                             ((unsigned char)literal.ptr[at + 2] & 0x3Fu);
            buf_printf(&out, "u%04x", point);
        } else {
            buf_add_char(&out, (char)c);
        }
        at += is_wide ? 3 : 1;
    }
    struct str text = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return text;
}

/* The longest part of a literal that no escape can stand in. */
static struct str plain_part(struct str literal)
{
    struct str best = {literal.ptr, 0};
    for (size_t at = 0, from = 0; at <= literal.len; at++) {
        bool is_end = at == literal.len || strchr("\"'\\/<>&", literal.ptr[at]) != NULL;
        if (is_end && at - from > best.len) {
            best = str_slice(literal, from, at);
        }
        from = is_end ? at + 1 : from;
    }
    return best;
}

/* A literal with backslashes before its quotes and slashes. */
static struct str slashed(struct arena *arena, struct str literal, size_t slashes)
{
    struct buf out = buf_create(LITERAL_BYTES_MAX * 4);
    for (size_t at = 0; at < literal.len; at++) {
        bool is_quote = strchr("\"'/", literal.ptr[at]) != NULL;
        for (size_t i = 0; is_quote && i < slashes; i++) {
            buf_add_char(&out, '\\');
        }
        buf_add_char(&out, literal.ptr[at]);
    }
    struct str text = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return text;
}

static void add_literal(struct arena *arena, struct sieve *sieve, const uint32_t *seen,
                        struct str literal, size_t rule)
{
    struct str part = plain_part(literal);
    bool has_part = literal_is_usable(part);
    if (!has_part && !literal_is_usable(literal)) {
        sieve->is_open = true;
        return;
    }
    part = has_part ? part : literal;
    add_needle(arena, sieve, seen, part, NULL, rule);
    for (size_t slashes = 1; slashes <= 4; slashes++) {
        struct str wide = escaped(arena, part, slashes);
        struct str quoted = slashed(arena, part, slashes);
        if (wide.len > part.len && slashes != 3) {
            add_needle(arena, sieve, seen, wide, NULL, rule);
        }
        if (quoted.len > part.len && slashes != 2 && slashes != 4) {
            add_needle(arena, sieve, seen, quoted, NULL, rule);
        }
    }
}

/* How often a set turns up in the sample, as far as its grams tell. */
static uint64_t frequency_of(struct literals set, const uint32_t *seen)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < set.count; i++) {
        struct str literal = set.items[i];
        uint64_t rarest = UINT64_MAX;
        for (size_t at = 0; at + PAD_BYTES <= literal.len; at++) {
            uint64_t often = seen[hash_of(literal.ptr + at, GRAM_BYTES)];
            rarest = often < rarest ? often : rarest;
        }
        sum += rarest == UINT64_MAX ? seen[hash_of_end(literal)] : rarest;
    }
    return sum * 64 + set.count;
}

/* Adds the rarest set of a rule's literals. A rule without keywords needs a mark, and has those. */
static void add_rule(struct arena *arena, struct arena *scratch, struct sieve *sieve,
                     const uint32_t *seen, const struct rule *rule, size_t number)
{
    struct literals sets[SETS_MAX], best = {NULL, 0};
    size_t count = literals_of_rule(scratch, rule, sets, SETS_MAX);
    for (size_t i = 0; i < count; i++) {
        bool is_rarer = best.count == 0 || frequency_of(sets[i], seen) < frequency_of(best, seen);
        best = is_rarer ? sets[i] : best;
    }
    sieve->is_open = sieve->is_open || best.count == 0;
    for (size_t i = 0; i < best.count; i++) {
        add_literal(arena, sieve, seen, best.items[i], number);
    }
}

const struct sieve *sieve_create(struct arena *arena, const struct rules *rules,
                                 const struct marks *marks, struct str sample)
{
    struct sieve *sieve = ARENA_NEW(arena, struct sieve);
    struct arena *scratch = arena_create();
    uint32_t *seen = ARENA_ARRAY(scratch, HASHES, uint32_t);
    sieve->rule_count = rules_count(rules);
    sieve->sampled = ARENA_NEW(arena, struct table);
    sieve->dense = ARENA_NEW(arena, struct table);
    for (size_t at = 0; at + PAD_BYTES <= sample.len; at++) {
        seen[hash_of(sample.ptr + at, GRAM_BYTES)]++;
    }
    for (size_t i = 0; i < rules_count(rules); i++) {
        const struct rule *rule = rules_at(rules, i);
        if (rule->keyword_count && !rule->status_count) {
            add_rule(arena, scratch, sieve, seen, rule, i);
        }
    }
    for (size_t i = 0; i < marks_count(marks); i++) {
        const struct mark *mark = marks_at(marks, i);
        add_needle(arena, sieve, seen, mark->literal, mark, 0);
    }
    arena_free(scratch);
    return sieve;
}

/* ---- scanning ---- */

static void add_hit(struct sieve_hits *hits, size_t at)
{
    hits->items =
        arena_grow(hits->arena, hits->items, hits->count, &hits->capacity, sizeof *hits->items);
    hits->items[hits->count++] = at;
}

static bool stands_at(const struct needle *needle, struct str block, size_t at)
{
    struct str literal = needle->literal;
    if (at > block.len || block.len - at < literal.len) {
        return false;
    }
    for (size_t i = 0; i < literal.len; i++) {
        if (lower(block.ptr[at + i]) != literal.ptr[i]) {
            return false;
        }
    }
    return !needle->mark || mark_holds(needle->mark, block, at);
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
    size_t line_from, line_to; /* of the rules that were asked last */
};

static bool may_match(struct sifting *s, size_t rule, size_t at)
{
    if (at < s->line_from || at >= s->line_to) {
        const char *before = memrchr(s->block.ptr, '\n', at);
        s->line_from = before ? (size_t)(before - s->block.ptr) + 1 : 0;
        s->line_to = behind_line(s->block, at);
    }
    size_t *denied = &s->hits->denied[rule];
    if (*denied == s->line_from + 1) {
        return false;
    }
    *denied = s->line_from + 1;
    return s->judge->may_match(s->judge->context, rule, s->block, s->line_from, s->line_to);
}

/* Whether a needle stands where one of its grams was met, and its rule may match there. */
static bool is_met(struct sifting *s, const struct table *table, size_t hash, size_t at)
{
    const struct sieve *sieve = s->sieve;
    for (uint32_t g = table->first[hash]; g; g = sieve->grams[g - 1].next) {
        const struct gram *gram = &sieve->grams[g - 1];
        const struct needle *needle = &sieve->needles[gram->needle];
        if (at >= gram->offset && stands_at(needle, s->block, at - gram->offset) &&
            (needle->mark || may_match(s, needle->rule, at))) {
            return true;
        }
    }
    return false;
}

/* Looks at the sampled bytes of block[from, to); the rest of a line that was found is left out.
 * Gives where to go on. */
static size_t scan_sampled(struct sifting *s, size_t from, size_t to)
{
    const struct table *table = s->sieve->sampled;
    struct str block = s->block;
    size_t at = from;
    while (at < to) {
        if (at + 4 * STRIDE + PAD_BYTES <= to) {
            const char *p = block.ptr + at;
            if (!(has_bit(table, hash_of(p, GRAM_BYTES)) |
                  has_bit(table, hash_of(p + STRIDE, GRAM_BYTES)) |
                  has_bit(table, hash_of(p + 2 * STRIDE, GRAM_BYTES)) |
                  has_bit(table, hash_of(p + 3 * STRIDE, GRAM_BYTES)))) {
                at += 4 * STRIDE;
                continue;
            }
        }
        size_t stop = at + 4 * STRIDE < to ? at + 4 * STRIDE : to;
        while (at < stop) {
            char tail[PAD_BYTES] = {0};
            const char *p = block.ptr + at;
            if (block.len - at < PAD_BYTES) {
                memcpy(tail, p, block.len - at);
                p = tail;
            }
            size_t hash = hash_of(p, GRAM_BYTES);
            if (has_bit(table, hash) && is_met(s, table, hash, at)) {
                add_hit(s->hits, at);
                size_t next = behind_line(block, at);
                at += (next - at + STRIDE - 1) / STRIDE * STRIDE;
                break;
            }
            at += STRIDE;
        }
    }
    return at;
}

/* Every character of two or more bytes, where the text is not ASCII. */
static void scan_dense(struct sifting *s, size_t from, size_t to)
{
    const struct table *table = s->sieve->dense;
    struct str block = s->block;
    for (size_t at = from; at < to && at + SHORT_BYTES <= block.len; at++) {
        size_t hash;
        char tail[PAD_BYTES] = {0};
        const char *p = block.ptr + at;
        if ((unsigned char)*p < 0xE0) {
            continue;
        }
        if (block.len - at < PAD_BYTES) {
            memcpy(tail, p, block.len - at);
            p = tail;
        }
        hash = hash_of(p, SHORT_BYTES);
        if (has_bit(table, hash) && is_met(s, table, hash, at)) {
            add_hit(s->hits, at);
            at = behind_line(block, at) - 1;
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

static void find_every_line(struct str block, struct sieve_hits *hits)
{
    for (size_t at = 0; at < block.len; at = behind_line(block, at)) {
        add_hit(hits, at);
    }
}

void sieve_scan(const struct sieve *sieve, struct str block, const struct sieve_judge *judge,
                struct sieve_hits *hits)
{
    struct sifting s = {.sieve = sieve, .judge = judge, .block = block, .hits = hits};
    size_t at = 0;
    hits->count = 0;
    if (!hits->denied) {
        hits->denied = ARENA_ARRAY(hits->arena, sieve->rule_count + 1, size_t);
    }
    memset(hits->denied, 0, sieve->rule_count * sizeof *hits->denied);
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
