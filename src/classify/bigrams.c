/* Pairs of bytes. Takes a text, gives the set of pairs that it has. */
#include "classify/bigrams.h"

#define CHUNK_BYTES ((size_t)32)
#define SHORT_BYTES_MAX ((size_t)1024) /* more than that has most pairs of a language */

void bigrams_read(struct bigrams *bigrams, struct str text)
{
    uint16_t pairs[CHUNK_BYTES];
    memset(bigrams->has, 0, sizeof bigrams->has);
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

static bool is_short(struct str text)
{
    return text.len <= SHORT_BYTES_MAX;
}

void bigrams_begin(struct bigram_lines *lines, struct str text)
{
    lines->text = text;
    lines->rest = text;
    if (is_short(text)) {
        bigrams_read(&lines->bigrams, text);
    }
}

bool bigrams_next_line(struct bigram_lines *lines, struct str *line)
{
    if (!str_split(&lines->rest, '\n', line)) {
        return false;
    }
    if (!is_short(lines->text) && line->len) {
        bigrams_read(&lines->bigrams, *line);
    }
    return true;
}

void bigrams_rewind(struct bigram_lines *lines)
{
    lines->rest = lines->text;
}
