/* The keyword filter. Takes sets of literals once, then texts; gives which sets have one there. Of
 * each literal four bytes are hashed, those that it shares with the fewest others; wherever a text
 * has bytes of such a hash, the whole literal is compared.
 *
 *     literal   too_many_requests        hashed: any four bytes in a row, here "ny_r"
 *     text      ...error: too_many_requests in...
 *                               ^ hash of "ny_r": bit of the filter -> bucket -> compare
 */
#include "classify/keywords.h"

#include "base/buf.h"

#include <string.h>

#define LITERALS_MAX UINT16_MAX
#define ENTRY_BYTES_MAX INT16_MAX /* so that distances fit */

/* A literal on its way into the table. */
struct entry {
    struct str literal;
    size_t set, gram_at;
    uint32_t bucket;
};

/* Four bytes without case. What is equal without case is equal here; so are some signs besides. */
static uint32_t word_at(const char *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word | UINT32_C(0x20202020);
}

static uint32_t hash_of(const char *bytes)
{
    return word_at(bytes) * UINT32_C(0x9E3779B1) >> (32 - KEYWORDS_HASH_BITS);
}

static uint32_t bucket_of(uint32_t hash)
{
    return hash >> (KEYWORDS_HASH_BITS - KEYWORDS_BUCKET_BITS);
}

static bool is_short(struct str literal)
{
    return literal.len < KEYWORDS_GRAM;
}

/* Lists the literals, and how many of their grams have which hash. */
static size_t list_entries(const struct literals *sets, size_t count, struct entry *entries,
                           uint32_t *uses)
{
    size_t listed = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < sets[i].count && listed < LITERALS_MAX; k++) {
            struct str literal = str_slice(sets[i].items[k], 0, ENTRY_BYTES_MAX);
            if (literal.len == 0) {
                continue;
            }
            entries[listed++] = (struct entry){.literal = literal, .set = i};
            for (size_t at = 0; at + KEYWORDS_GRAM <= literal.len; at++) {
                uses[hash_of(literal.ptr + at)]++;
            }
        }
    }
    return listed;
}

/* The gram of a literal that has the fewest like it. */
static void choose_gram(struct entry *entry, const uint32_t *uses)
{
    uint32_t fewest = UINT32_MAX;
    entry->bucket = KEYWORDS_BUCKETS;
    for (size_t at = 0; at + KEYWORDS_GRAM <= entry->literal.len; at++) {
        uint32_t hash = hash_of(entry->literal.ptr + at);
        if (uses[hash] < fewest) {
            fewest = uses[hash];
            entry->gram_at = at;
            entry->bucket = bucket_of(hash);
        }
    }
}

/* The arrays while they are filled. */
struct table {
    struct keywords sizes;
#define ARRAY(type, name, length) type *name;
#include "classify/keywords.def"
#undef ARRAY
};

static void lay_entry(struct table *table, const struct entry *entry, size_t at)
{
    uint32_t bytes = (uint32_t)table->sizes.text_bytes;
    table->text_at[at] = bytes;
    table->length[at] = (uint16_t)entry->literal.len;
    table->gram_at[at] = (uint16_t)entry->gram_at;
    table->set[at] = (uint32_t)entry->set;
    memcpy(table->text + bytes, entry->literal.ptr, entry->literal.len);
    table->sizes.text_bytes += entry->literal.len;
    if (!is_short(entry->literal)) {
        uint32_t hash = hash_of(entry->literal.ptr + entry->gram_at);
        table->filter[hash / 32] |= UINT32_C(1) << hash % 32;
        size_t last = entry->literal.len - KEYWORDS_GRAM;
        size_t end_at = entry->gram_at * 2 < last ? last : 0;
        table->gram[at] = word_at(entry->literal.ptr + entry->gram_at);
        table->end[at] = word_at(entry->literal.ptr + end_at);
        table->end_at[at] = (uint16_t)(end_at - entry->gram_at);
        table->sizes.hashed_count++;
    }
}

/* Bucket by bucket; what is short comes behind the last one. */
static void lay_entries(struct table *table, const struct entry *entries, size_t count)
{
    size_t places[KEYWORDS_BUCKETS + 2] = {0};
    for (size_t i = 0; i < count; i++) {
        places[entries[i].bucket + 1]++;
    }
    for (size_t bucket = 0; bucket <= KEYWORDS_BUCKETS; bucket++) {
        places[bucket + 1] += places[bucket];
        table->first[bucket] = (uint16_t)places[bucket];
    }
    for (size_t i = 0; i < count; i++) {
        lay_entry(table, &entries[i], places[entries[i].bucket]++);
    }
}

struct keywords keywords_create(struct arena *arena, const struct literals *sets, size_t count)
{
    struct arena *scratch = arena_create();
    size_t literals = 0, bytes = 0;
    for (size_t i = 0; i < count; i++) {
        literals += sets[i].count;
        for (size_t k = 0; k < sets[i].count; k++) {
            bytes += sets[i].items[k].len;
        }
    }
    struct entry *entries = ARENA_ARRAY(scratch, literals + 1, struct entry);
    uint32_t *uses = ARENA_ARRAY(scratch, 1u << KEYWORDS_HASH_BITS, uint32_t);
    struct keywords made = {.literal_count = list_entries(sets, count, entries, uses),
                            .text_bytes = bytes,
                            .set_count = count};
    struct table table = {.sizes = {.literal_count = made.literal_count}};
    const struct keywords *keywords = &made;
#define ARRAY(type, name, length)                                                                  \
    made.name = table.name = ARENA_ARRAY(arena, (size_t)(length) + 1, type);
#include "classify/keywords.def"
#undef ARRAY
    for (size_t i = 0; i < count; i++) {
        table.is_unknown[i] = sets[i].count == 0;
    }
    for (size_t i = 0; i < made.literal_count; i++) {
        choose_gram(&entries[i], uses);
    }
    lay_entries(&table, entries, made.literal_count);
    made.hashed_count = table.sizes.hashed_count;
    made.text_bytes = table.sizes.text_bytes;
    arena_free(scratch);
    return made;
}

static struct str literal_at(const struct keywords *keywords, size_t i)
{
    return (struct str){(const char *)keywords->text + keywords->text_at[i], keywords->length[i]};
}

/* Whether the end of a literal stands in the text where its hashed bytes are those at text[at]:
 * most that share these differ there. */
static bool may_stand_at(const struct keywords *keywords, size_t i, struct str text, size_t at)
{
    size_t end_at = at + (size_t)(int16_t)keywords->end_at[i]; /* a huge one in front of the text */
    return end_at <= text.len - KEYWORDS_GRAM && word_at(text.ptr + end_at) == keywords->end[i];
}

/* Whether all of it does. */
static bool stands_at(const struct keywords *keywords, size_t i, struct str text, size_t at)
{
    struct str literal = literal_at(keywords, i);
    size_t before = keywords->gram_at[i];
    return at >= before && str_istarts(str_slice(text, at - before, text.len), literal);
}

/* Compares the literals of a hash with the text whose bytes at `at` have it. Few of a bucket have
 * these bytes. */
static void compare(const struct keywords *keywords, uint32_t hash, struct str text, size_t at,
                    bool *hits)
{
    uint32_t bucket = bucket_of(hash), word = word_at(text.ptr + at);
    for (size_t i = keywords->first[bucket]; i < keywords->first[bucket + 1]; i++) {
        if (keywords->gram[i] == word && may_stand_at(keywords, i, text, at) &&
            !hits[keywords->set[i]] && stands_at(keywords, i, text, at)) {
            hits[keywords->set[i]] = true;
        }
    }
}

/* The next place from bytes[at] on, of `count`, where bytes stand that a literal may have; count
 * when there is none. */
static size_t next_gram(const uint32_t *filter, const char *bytes, size_t at, size_t count)
{
    for (; at < count; at++) {
        uint32_t hash = hash_of(bytes + at);
        if (filter[hash / 32] >> hash % 32 & 1) {
            break;
        }
    }
    return at;
}

static void scan(const struct keywords *keywords, struct str text, bool *hits)
{
    const uint32_t *filter = keywords->filter;
    size_t count = text.len < KEYWORDS_GRAM ? 0 : text.len - KEYWORDS_GRAM + 1;
    for (size_t at = next_gram(filter, text.ptr, 0, count); at < count;
         at = next_gram(filter, text.ptr, at + 1, count)) {
        compare(keywords, hash_of(text.ptr + at), text, at, hits);
    }
    for (size_t i = keywords->hashed_count; i < keywords->literal_count; i++) {
        if (str_ifind(text, literal_at(keywords, i)) >= 0) {
            hits[keywords->set[i]] = true;
        }
    }
}

/* Adds the text up to the next sign that stands for a letter, and that letter; gives the rest. */
static struct str add_plain(struct buf *out, struct str text)
{
    static const struct {
        struct str sign;
        char letter;
    } signs[] = {{STR_INIT("\xE2\x84\xAA"), 'k'}, {STR_INIT("\xC5\xBF"), 's'}};
    ptrdiff_t first = -1;
    size_t which = 0;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        ptrdiff_t at = str_find(text, signs[i].sign);
        which = at >= 0 && (first < 0 || at < first) ? i : which;
        first = at >= 0 && (first < 0 || at < first) ? at : first;
    }
    if (first < 0) {
        buf_add(out, text);
        return (struct str){NULL, 0};
    }
    buf_add(out, str_slice(text, 0, (size_t)first));
    buf_add_char(out, signs[which].letter);
    return str_slice(text, (size_t)first + signs[which].sign.len, text.len);
}

void keywords_scan(const struct keywords *keywords, struct str text, bool *hits)
{
    if (str_find(text, STR("\xE2\x84\xAA")) < 0 && str_find(text, STR("\xC5\xBF")) < 0) {
        scan(keywords, text, hits);
        return;
    }
    struct buf plain = buf_create(text.len);
    while (str_is_set(text)) {
        text = add_plain(&plain, text);
    }
    scan(keywords, buf_str(&plain), hits);
    buf_free(&plain);
}
