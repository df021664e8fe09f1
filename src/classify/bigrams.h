#ifndef CLASSIFY_BIGRAMS_H
#define CLASSIFY_BIGRAMS_H

#include "base/str.h"

#include <string.h>

#define BIGRAM_BITS 12
#define BIGRAM_COUNT ((size_t)1 << BIGRAM_BITS)

/* Which pairs of neighbouring bytes a text has, as hashes without ASCII's case. Read once, they say
 * of nearly every phrase that is not there that it is not, without a look at the text. Pairs may
 * share a hash: one may seem to be there, none is missed. Private to src/classify. */
struct bigrams {
    bool has[BIGRAM_COUNT];
    struct bigram_tables *tables; /* NULL where each table of phrases is asked for once or twice */
};

/* The hash of the pair at p. */
static inline uint16_t bigram_at(const char *p)
{
    uint16_t pair;
    memcpy(&pair, p, sizeof pair);
    pair = (uint16_t)((pair | 0x2020U) * 0x9E35U);
    return pair >> (16 - BIGRAM_BITS);
}

void bigrams_read(struct bigrams *bigrams, struct str text);
/* The same with those that it has already; of pairs that keep no tables. */
void bigrams_add(struct bigrams *bigrams, struct str text);

/* Whether the phrase may stand in the text, in whatever case; one of a single byte always may. */
static inline bool bigrams_may_hold(const struct bigrams *bigrams, struct str phrase)
{
    /* Phrases end in signs that few texts have, and begin like words that many have. */
    for (size_t i = phrase.len; i-- > 1;) {
        if (!bigrams->has[bigram_at(phrase.ptr + i - 1)]) {
            return false;
        }
    }
    return true;
}

/* str_find and str_ifind in a text that the bigrams were read of, or in a part of it. */
static inline ptrdiff_t bigrams_find(const struct bigrams *bigrams, struct str part,
                                     struct str phrase)
{
    return bigrams_may_hold(bigrams, phrase) ? str_find(part, phrase) : -1;
}

/* The same for letters of either case. */
static inline ptrdiff_t bigrams_ifind(const struct bigrams *bigrams, struct str part,
                                      struct str phrase)
{
    return bigrams_may_hold(bigrams, phrase) ? str_ifind(part, phrase) : -1;
}

/* Whether one of the phrases stands in the part. They are a constant of the program: which of them
 * the pairs allow is kept by the address. */
bool bigrams_find_any(const struct bigrams *bigrams, struct str part, const struct str *phrases,
                      size_t count);
#define HAS_ANY(bigrams, part, table)                                                              \
    bigrams_find_any((bigrams), (part), (table), sizeof(table) / sizeof(table)[0])

#define BIGRAM_TABLES ((size_t)64)

/* Tables of phrases that were asked for since the pairs were read, by a hash of the address; a bit
 * is set for each phrase that may stand there. */
struct bigram_tables {
    struct {
        const struct str *phrases;
        uint64_t may_stand;
    } kept[BIGRAM_TABLES];
};

/* The lines of a text one by one. Bigrams are those of the line and of some that follow. It stays
 * where it was begun: a part of it points at another. */
struct bigram_lines {
    struct str text, rest;
    size_t from, to; /* what they were read of */
    struct bigrams bigrams;
    struct bigram_tables tables;
};

/* str_find in the text or a part of it, by the pairs where they are those of all of it. */
static inline ptrdiff_t bigram_lines_find(const struct bigram_lines *lines, struct str part,
                                          struct str phrase)
{
    bool are_of_all = lines->from == 0 && lines->to > 0 && lines->to >= lines->text.len;
    return are_of_all ? bigrams_find(&lines->bigrams, part, phrase) : str_find(part, phrase);
}

/* Starts in front of the first line; the text is borrowed. Then each line, false at the end. */
void bigrams_begin(struct bigram_lines *lines, struct str text);
bool bigrams_next_line(struct bigram_lines *lines, struct str *line);
/* The first line is next once more. */
void bigrams_rewind(struct bigram_lines *lines);
/* Bigrams are those of the whole text. */
void bigrams_read_whole(struct bigram_lines *lines);

#endif
