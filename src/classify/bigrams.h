#ifndef CLASSIFY_BIGRAMS_H
#define CLASSIFY_BIGRAMS_H

#include "base/str.h"

#define SIGN_COUNT ((size_t)64)
#define BIGRAM_COUNT (SIGN_COUNT * SIGN_COUNT)

/* Which pairs of neighbouring bytes a text has. Read once, they say of nearly every phrase that is
 * not there that it is not, without a look at the text. Signs that differ in the bits which tell
 * ASCII's capitals from small letters, and its own from other scripts', count as one: a pair may
 * seem to be there, none is missed. Private to src/classify. */
struct bigrams {
    bool has[BIGRAM_COUNT];
};

/* Six bits of an unsigned byte, without case. */
#define BIGRAM_SIGN(c) (((c)&0x1Fu) | ((c)&0x40u) >> 1)

/* The same of each byte: quicker where not many are looked at together. */
extern const uint8_t bigram_signs[UINT8_MAX + 1];

/* The number of a pair of signs. */
static inline uint16_t bigram_of(unsigned first, unsigned second)
{
    return (uint16_t)(first | second * SIGN_COUNT);
}

void bigrams_read(struct bigrams *bigrams, struct str text);
/* The same with those that it has already. */
void bigrams_add(struct bigrams *bigrams, struct str text);

/* Whether the phrase may stand in the text, in whatever case; one of a single byte always may. */
static inline bool bigrams_may_hold(const struct bigrams *bigrams, struct str phrase)
{
    /* Phrases end in signs that few texts have, and begin like words that many have. */
    for (size_t i = phrase.len; i-- > 1;) {
        unsigned second = bigram_signs[(unsigned char)phrase.ptr[i]];
        if (!bigrams->has[bigram_of(bigram_signs[(unsigned char)phrase.ptr[i - 1]], second)]) {
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

/* Whether one of the phrases stands in the part. */
bool bigrams_find_any(const struct bigrams *bigrams, struct str part, const struct str *phrases,
                      size_t count);
#define HAS_ANY(bigrams, part, table)                                                              \
    bigrams_find_any((bigrams), (part), (table), sizeof(table) / sizeof(table)[0])

/* The lines of a text one by one. Bigrams are those of the line and of some that follow. */
struct bigram_lines {
    struct str text, rest;
    size_t from, to; /* what they were read of */
    struct bigrams bigrams;
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
/* Bigrams are those of the whole text, and of what it becomes where parts of it are blanked. */
void bigrams_read_whole(struct bigram_lines *lines);

#endif
