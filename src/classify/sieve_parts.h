#ifndef CLASSIFY_SIEVE_PARTS_H
#define CLASSIFY_SIEVE_PARTS_H

#include "classify/sieve.h"

#include <endian.h>
#include <string.h>

/* What a sieve is made of, for who builds it and who scans with it. Private to src/classify. */

#define GRAM_BYTES 5
#define WINDOW_BYTES 8
#define STRIDE ((size_t)(WINDOW_BYTES - GRAM_BYTES + 1))
#define SHORT_BYTES 6 /* of two Chinese characters */
#define HASH_BITS 18
#define HASHES ((size_t)1 << HASH_BITS)
#define PAD_BYTES 8 /* readable behind every literal */
#define LENGTH_MAX 1023
#define NEEDLES_MAX ((size_t)1 << 20)

/* Of each hash of a gram how often it was seen, as far as that is counted. */
struct sieve_sample {
    uint16_t seen[HASHES];
};

/* A literal that is looked for. */
struct needle {
    const char *bytes;      /* lower case; PAD_BYTES behind them are readable */
    uint32_t owner;         /* the rule or the mark */
    uint16_t length;        /* LENGTH_MAX at most */
    uint16_t grams[STRIDE]; /* offsets of those looked for; of a short literal the first alone */
    bool is_mark;
};

/* The bytes of a needle around one of its grams. */
struct window {
    uint32_t hash; /* of as many bytes of the literal as the table's windows have */
    uint32_t needle : 20;
    uint32_t offset : 10; /* of the window in the literal */
    uint32_t gram : 2;    /* offset of the gram in the window */
};

/* The windows of one hash, up to those of the next slot; and which bytes stand before and behind
 * their grams in the literals, by the low five bits, which upper and lower case share. */
struct slot {
    uint32_t start;
    uint32_t before, behind;
};

/* Windows by the hashes of their grams: the n-th hash whose bit is set has the n-th slot. */
struct table {
    uint32_t bits[HASHES / 32];
    uint32_t ranks[HASHES / 32]; /* bits set in the words before */
    const struct slot *slots;
    const struct window *windows;
    uint64_t mask; /* of a window's bytes */
};

struct sieve {
    const struct marks *marks;
    struct needle *needles;
    size_t needle_count;
    struct table *sampled, *dense;
    bool is_open; /* a rule has no literal that can be looked for: every line is found */
};

/* The 8 bytes at p, case of ASCII ignored. */
static inline uint64_t word_at(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return le64toh(word) | UINT64_C(0x2020202020202020);
}

/* Hash of a gram, by its first four bytes and its last four: operations that vectors have. */
static inline uint32_t hash_of_gram(uint32_t first, uint32_t last)
{
    return (first * UINT32_C(0x9E3779B1) + last * UINT32_C(0x85EBCA77)) >> (32 - HASH_BITS);
}

/* Hash of the gram that a word begins with. */
static inline uint32_t hash_of_word(uint64_t word)
{
    return hash_of_gram((uint32_t)word, (uint32_t)(word >> 8));
}

/* Hash of the two Chinese characters that a word begins with. */
static inline uint32_t hash_of_short(uint64_t word)
{
    return (uint32_t)((word << (64 - 8 * SHORT_BYTES)) * UINT64_C(0x9E3779B97F4A7C15) >>
                      (64 - HASH_BITS));
}

/* Hash of the bytes of a window that a word begins with. */
static inline uint32_t hash_of_window(const struct table *table, uint64_t word)
{
    return (uint32_t)((word & table->mask) * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

/* Whether the bit of that hash is set. */
static inline bool has_bit(const struct table *table, size_t hash)
{
    return table->bits[hash / 32] >> (hash % 32) & 1;
}

/* The bit of a byte in a slot. */
static inline uint32_t bit_of_byte(char byte)
{
    return UINT32_C(1) << ((unsigned char)byte & 31);
}

/* How many hashes with a bit come before one. */
static inline size_t rank_of(const struct table *table, size_t hash)
{
    uint32_t before = table->bits[hash / 32] & ((UINT32_C(1) << (hash % 32)) - 1);
    return table->ranks[hash / 32] + (size_t)__builtin_popcount(before);
}

#endif
