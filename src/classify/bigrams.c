/* Pairs of bytes. Takes a text, gives the set of pairs that it has. */
#include "classify/bigrams.h"

#define CHUNK_BYTES ((size_t)32)
#define LINES_BYTES ((size_t)1024) /* read at once; more has most pairs of a language */

void bigrams_read(struct bigrams *bigrams, struct str text)
{
    *bigrams = (struct bigrams){.tables = NULL};
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

/* A bit for each phrase that the pairs allow; of 64 at most. */
static uint64_t list_allowed(const struct bigrams *bigrams, const struct str *phrases, size_t count)
{
    uint64_t may_stand = 0;
    for (size_t i = 0; i < count; i++) {
        may_stand |= (uint64_t)bigrams_may_hold(bigrams, phrases[i]) << i;
    }
    return may_stand;
}

/* The same, kept for who asks again. */
static uint64_t allowed(const struct bigrams *bigrams, const struct str *phrases, size_t count)
{
    size_t hash = (uintptr_t)phrases / sizeof *phrases % BIGRAM_TABLES;
    if (!bigrams->tables) {
        return list_allowed(bigrams, phrases, count);
    }
    if (bigrams->tables->kept[hash].phrases != phrases) {
        bigrams->tables->kept[hash].phrases = phrases;
        bigrams->tables->kept[hash].may_stand = list_allowed(bigrams, phrases, count);
    }
    return bigrams->tables->kept[hash].may_stand;
}

bool bigrams_find_any(const struct bigrams *bigrams, struct str part, const struct str *phrases,
                      size_t count)
{
    for (size_t from = 0; from < count; from += 64) {
        const struct str *some = phrases + from;
        uint64_t left = allowed(bigrams, some, count - from < 64 ? count - from : 64);
        for (; left; left &= left - 1) {
            if (str_find(part, some[__builtin_ctzll(left)]) >= 0) {
                return true;
            }
        }
    }
    return false;
}

/* Reads the pairs of text[from, to), where nobody has asked for a table yet. */
static void read_pairs(struct bigram_lines *lines, size_t from, size_t to)
{
    lines->from = from;
    lines->to = to;
    bigrams_read(&lines->bigrams, str_slice(lines->text, from, to));
    lines->tables = (struct bigram_tables){{{NULL, 0}}};
    lines->bigrams.tables = &lines->tables;
}

void bigrams_begin(struct bigram_lines *lines, struct str text)
{
    lines->text = text;
    lines->rest = text;
    lines->from = lines->to = 0;
    if (!str_is_set(text)) { /* it has no line with which they would be read */
        read_pairs(lines, 0, 0);
    }
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
        read_pairs(lines, begin, end > least ? end : least);
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
        read_pairs(lines, 0, lines->text.len);
    }
}
