/* Pairs of bytes. Takes a text, gives the set of pairs that it has. */
#include "classify/bigrams.h"

#define CHUNK_BYTES ((size_t)32)
#define LINES_BYTES ((size_t)1024) /* read at once; more has most pairs of a language */

#define SIGNS4(c) BIGRAM_SIGN(c), BIGRAM_SIGN((c) + 1), BIGRAM_SIGN((c) + 2), BIGRAM_SIGN((c) + 3)
#define SIGNS16(c) SIGNS4(c), SIGNS4((c) + 4), SIGNS4((c) + 8), SIGNS4((c) + 12)
#define SIGNS64(c) SIGNS16(c), SIGNS16((c) + 16), SIGNS16((c) + 32), SIGNS16((c) + 48)

const uint8_t bigram_signs[] = {SIGNS64(0), SIGNS64(64), SIGNS64(128), SIGNS64(192)};

static uint16_t bigram_at(const char *p)
{
    return bigram_of(BIGRAM_SIGN((unsigned char)p[0]), BIGRAM_SIGN((unsigned char)p[1]));
}

void bigrams_read(struct bigrams *bigrams, struct str text)
{
    memset(bigrams->has, 0, sizeof bigrams->has);
    bigrams_add(bigrams, text);
}

void bigrams_add(struct bigrams *bigrams, struct str text)
{
    uint16_t pairs[CHUNK_BYTES];
    size_t at = 0;
    for (; at + CHUNK_BYTES < text.len; at += CHUNK_BYTES) {
        for (size_t i = 0; i < CHUNK_BYTES; i++) { /* in vectors, which writing the set is not */
            pairs[i] = bigram_at(text.ptr + at + i);
        }
        for (size_t i = 0; i < CHUNK_BYTES; i++) {
            bigrams->has[pairs[i]] = true;
        }
    }
    for (; at + 1 < text.len; at++) {
        bigrams->has[bigram_at(text.ptr + at)] = true;
    }
}

bool bigrams_find_any(const struct bigrams *bigrams, struct str part, const struct str *phrases,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bigrams_find(bigrams, part, phrases[i]) >= 0) {
            return true;
        }
    }
    return false;
}

void bigrams_begin(struct bigram_lines *lines, struct str text)
{
    lines->text = text;
    lines->rest = text;
    lines->from = lines->to = 0;
}

bool bigrams_next_line(struct bigram_lines *lines, struct str *line)
{
    if (!str_split(&lines->rest, '\n', line)) {
        return false;
    }
    size_t begin = (size_t)(line->ptr - lines->text.ptr), end = begin + line->len;
    bool is_first = lines->to == 0; /* which may be empty */
    if (is_first || (line->len && (begin < lines->from || end > lines->to))) {
        size_t least = begin + LINES_BYTES;
        lines->from = begin;
        lines->to = end > least ? end : least;
        bigrams_read(&lines->bigrams, str_slice(lines->text, lines->from, lines->to));
    }
    return true;
}

void bigrams_rewind(struct bigram_lines *lines)
{
    lines->rest = lines->text;
}

void bigrams_read_whole(struct bigram_lines *lines)
{
    if (lines->from > 0 || lines->to == 0 || lines->to < lines->text.len) {
        lines->from = 0;
        lines->to = lines->text.len;
        bigrams_read(&lines->bigrams, lines->text);
    }
    for (size_t sign = 0; sign < SIGN_COUNT; sign++) { /* a blank is sign 0 */
        lines->bigrams.has[sign] = lines->bigrams.has[sign * SIGN_COUNT] = true;
    }
}
