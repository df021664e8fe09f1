#ifndef CLASSIFY_SIEVE_PARTS_H
#define CLASSIFY_SIEVE_PARTS_H

#include "classify/sieve.h"

#include <endian.h>
#include <string.h>

/* What a sieve is made of, for who builds it and who scans with it. Private to src/classify. */

#define GRAM_BYTES 5
#define WINDOW_BYTES 8
#define STRIDE (WINDOW_BYTES - GRAM_BYTES + 1)
#define SHORT_BYTES 6 /* of two Chinese characters */
#define HASH_BITS 18
#define HASHES ((size_t)1 << HASH_BITS)
#define PAD_BYTES 8 /* readable behind every literal */

struct needle {
    struct str literal;      /* lower case, PAD_BYTES behind it */
    const struct mark *mark; /* NULL for a rule's literal */
    size_t rule;
};

/* A gram of a needle, in the list of its hash. */
struct gram {
    uint64_t word, mask;   /* the literal's bytes from the gram on, as far as there are any */
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

/* The 8 bytes at p, case of ASCII ignored. */
static inline uint64_t word_at(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return le64toh(word) | UINT64_C(0x2020202020202020);
}

/* Hash of the first `bytes` of the 8 at p. */
static inline size_t hash_of(const char *p, unsigned bytes)
{
    return (size_t)((word_at(p) << (64 - 8 * bytes)) * UINT64_C(0x9E3779B97F4A7C15) >>
                    (64 - HASH_BITS));
}

static inline bool has_bit(const struct table *table, size_t hash)
{
    return table->bits[hash / 64] >> (hash % 64) & 1;
}

#endif
