/* The building of a sieve. Takes rules, marks and a sample of what will come; gives the tables that
 * sieve.c scans with. */
#include "base/buf.h"
#include "base/text.h"
#include "classify/literals.h"
#include "classify/sieve_parts.h"

#define SETS_MAX 8 /* of a rule's literals, of which one is taken */

/* Hash of the gram at literal[at], of which there may be fewer bytes. */
static uint32_t hash_at(struct str literal, size_t at)
{
    char bytes[PAD_BYTES] = {0};
    size_t rest = literal.len - at;
    memcpy(bytes, literal.ptr + at, rest < PAD_BYTES ? rest : PAD_BYTES);
    return hash_of_word(word_at(bytes));
}

/* What a sieve is built with. */
struct building {
    struct sieve *sieve;
    struct arena *arena;   /* the sieve's */
    struct arena *scratch; /* until it is built */
    struct arena *trial;   /* of the rule at hand */
    uint16_t *seen; /* by hash of a gram, how often it is in the sample, UINT16_MAX at most */
};

static bool is_short(const struct needle *needle)
{
    return needle->literal.len < WINDOW_BYTES;
}

static size_t gram_count(const struct needle *needle)
{
    return is_short(needle) ? 1 : STRIDE;
}

/* Hash of gram `n` of a needle. */
static uint32_t gram_hash(const struct needle *needle, size_t n)
{
    uint64_t word = word_at(needle->literal.ptr + needle->grams[n]);
    return is_short(needle) ? hash_of_short(word) : hash_of_word(word);
}

/* Notes in a slot what stands around gram `n` of a needle. */
static void add_neighbours(const struct needle *needle, size_t n, struct slot *slot)
{
    struct str literal = needle->literal;
    size_t from = needle->grams[n], to = from + (is_short(needle) ? SHORT_BYTES : GRAM_BYTES);
    slot->before |= from > 0 ? bit_of_byte(literal.ptr[from - 1]) : UINT32_MAX;
    slot->behind |= to < literal.len ? bit_of_byte(literal.ptr[to]) : UINT32_MAX;
}

/* The bytes of a needle around its gram `n`. */
static struct window window_of(const struct sieve *sieve, uint32_t number, size_t n)
{
    const struct needle *needle = &sieve->needles[number];
    size_t last = is_short(needle) ? 0 : needle->literal.len - WINDOW_BYTES, at = needle->grams[n];
    size_t offset = at < last ? at : last;
    const struct table *table = is_short(needle) ? sieve->dense : sieve->sampled;
    return (struct window){
        .word = word_at(needle->literal.ptr + offset) & table->mask,
        .needle = number,
        .offset = (uint16_t)offset,
        .gram = (uint16_t)(at - offset),
    };
}

/* Orders the windows of the short literals, or of the others, by their grams' hashes. */
static void fill_table(struct building *b, struct table *table, bool of_short)
{
    const struct sieve *sieve = b->sieve;
    uint32_t rank = 0, count = 0;
    for (size_t i = 0; i < HASHES / 32; i++) {
        table->ranks[i] = rank;
        rank += (uint32_t)__builtin_popcount(table->bits[i]);
    }
    struct slot *slots = ARENA_ARRAY(b->arena, rank + 2, struct slot);
    for (uint32_t i = 0; i < sieve->needle_count; i++) {
        const struct needle *needle = &sieve->needles[i];
        for (size_t n = 0; is_short(needle) == of_short && n < gram_count(needle); n++) {
            struct slot *slot = &slots[rank_of(table, gram_hash(needle, n))];
            add_neighbours(needle, n, slot);
            slot[2].start++;
            count++;
        }
    }
    for (size_t i = 2; i < rank + 2; i++) {
        slots[i].start += slots[i - 1].start;
    }
    struct window *windows = ARENA_ARRAY(b->arena, count + 1, struct window);
    for (uint32_t i = 0; i < sieve->needle_count; i++) {
        const struct needle *needle = &sieve->needles[i];
        for (size_t n = 0; is_short(needle) == of_short && n < gram_count(needle); n++) {
            /* slot n + 1 moves from its begin to its end */
            struct slot *slot = &slots[rank_of(table, gram_hash(needle, n)) + 1];
            windows[slot->start++] = window_of(sieve, i, n);
        }
    }
    table->slots = slots;
    table->windows = windows;
}

/* The grams that cost least, one of every phase of the sampling: by how often each turns up in the
 * sample, then by whether it takes a new bit. */
static void choose_grams(const struct building *b, struct needle *needle)
{
    struct str literal = needle->literal;
    uint32_t lowest[STRIDE] = {0};
    for (size_t at = 0; at + GRAM_BYTES <= literal.len; at++) {
        uint32_t hash = hash_of_word(word_at(literal.ptr + at));
        uint32_t cost = b->seen[hash] * UINT32_C(2) + !has_bit(b->sieve->sampled, hash);
        size_t phase = at % STRIDE;
        if (at < STRIDE || cost < lowest[phase]) {
            lowest[phase] = cost;
            needle->grams[phase] = (uint16_t)at;
        }
    }
}

static void add_needle(struct building *b, struct str literal, const struct mark *mark, size_t rule)
{
    struct sieve *sieve = b->sieve;
    char *bytes = arena_alloc(b->arena, literal.len + PAD_BYTES);
    memcpy(bytes, literal.ptr, literal.len);
    struct needle needle = {{bytes, literal.len}, mark, (uint32_t)rule, {0}};
    struct table *table = is_short(&needle) ? sieve->dense : sieve->sampled;
    if (!is_short(&needle)) {
        choose_grams(b, &needle);
    }
    for (size_t n = 0; n < gram_count(&needle); n++) {
        uint32_t hash = gram_hash(&needle, n);
        table->bits[hash / 32] |= UINT32_C(1) << (hash % 32);
    }
    sieve->needles = arena_grow(b->arena, sieve->needles, sieve->needle_count,
                                &sieve->needle_capacity, sizeof *sieve->needles);
    sieve->needles[sieve->needle_count++] = needle;
}

/* A byte of a sign that JSON writes as \uXXXX where it keeps to ASCII. */
static bool is_wide_byte(char c)
{
    return (unsigned char)c >= 0x80;
}

/* A byte that a string may write with a backslash before it. */
static bool is_escaped_byte(char c)
{
    return c == '"' || c == '\'' || c == '/';
}

static bool has_any(struct str literal, bool (*is_one)(char))
{
    for (size_t at = 0; at < literal.len; at++) {
        if (is_one(literal.ptr[at])) {
            return true;
        }
    }
    return false;
}

static void add_unit(struct buf *out, uint32_t unit, size_t slashes)
{
    for (size_t i = 0; i < slashes; i++) {
        buf_add_char(out, '\\');
    }
    buf_printf(out, "u%04x", unit);
}

/* A literal as JSON writes it in ASCII: \uXXXX for what is none, `slashes` backslashes each, and
 * twice where a sign needs a pair. */
static struct str escaped(struct arena *arena, struct str literal, size_t slashes)
{
    struct buf out = buf_create(LITERAL_BYTES_MAX * 12);
    for (size_t at = 0; at < literal.len;) {
        uint32_t sign = 0;
        size_t length = is_wide_byte(literal.ptr[at]) ? utf8_decode(literal, at, &sign) : 0;
        if (length == 0) {
            buf_add_char(&out, literal.ptr[at]);
        } else if (sign < 0x10000) {
            add_unit(&out, sign, slashes);
        } else {
            add_unit(&out, 0xD800 + ((sign - 0x10000) >> 10), slashes);
            add_unit(&out, 0xDC00 + ((sign - 0x10000) & 0x3FF), slashes);
        }
        at += length ? length : 1;
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
        for (size_t i = 0; is_escaped_byte(literal.ptr[at]) && i < slashes; i++) {
            buf_add_char(&out, '\\');
        }
        buf_add_char(&out, literal.ptr[at]);
    }
    struct str text = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return text;
}

static void add_literal(struct building *b, struct str literal, size_t rule)
{
    struct str part = plain_part(literal);
    bool has_part = literal_is_usable(part);
    if (!has_part && !literal_is_usable(literal)) {
        b->sieve->is_open = true;
        return;
    }
    part = has_part ? part : literal;
    add_needle(b, part, NULL, rule);
    bool is_wide = has_any(part, is_wide_byte), is_quoted = has_any(part, is_escaped_byte);
    for (size_t slashes = 1; slashes <= 4; slashes++) {
        if (is_wide && slashes != 3) {
            add_needle(b, escaped(b->trial, part, slashes), NULL, rule);
        }
        if (is_quoted && slashes != 2 && slashes != 4) {
            add_needle(b, slashed(b->trial, part, slashes), NULL, rule);
        }
    }
}

/* How seldom a set turns up in the sample, as far as its grams tell. */
static double rarity_of(const void *context, struct literals set)
{
    const uint16_t *seen = context;
    double often = 0;
    for (size_t i = 0; i < set.count; i++) {
        struct str literal = set.items[i];
        size_t grams = literal_is_usable(literal) ? literal.len - GRAM_BYTES + 1 : 0;
        uint32_t rarest = UINT32_MAX;
        for (size_t at = 0; at < grams && rarest; at++) {
            uint32_t count = seen[hash_at(literal, at)];
            rarest = count < rarest ? count : rarest;
        }
        often += (double)rarest * 64 + 1;
    }
    return -often;
}

/* Adds the rarest set of a rule's literals. A rule without keywords needs a mark, and has those. */
static void add_rule(struct building *b, const struct rule *rule, size_t number)
{
    struct literals sets[SETS_MAX], best = {NULL, 0};
    const struct literals_choice rarest = {rarity_of, b->seen};
    size_t count = literals_of_rule(b->trial, rule, sets, SETS_MAX, &rarest);
    for (size_t i = 0; i < count; i++) {
        bool is_rarer = best.count == 0 || rarity_of(b->seen, sets[i]) > rarity_of(b->seen, best);
        best = is_rarer ? sets[i] : best;
    }
    b->sieve->is_open = b->sieve->is_open || best.count == 0;
    for (size_t i = 0; i < best.count; i++) {
        add_literal(b, best.items[i], number);
    }
    arena_reset(b->trial);
}

static struct table *table_create(struct arena *arena, unsigned window_bytes)
{
    struct table *table = ARENA_NEW(arena, struct table);
    table->mask = UINT64_MAX >> (64 - 8 * window_bytes);
    return table;
}

const struct sieve *sieve_create(struct arena *arena, const struct rules *rules,
                                 const struct marks *marks, struct str sample)
{
    struct sieve *sieve = ARENA_NEW(arena, struct sieve);
    struct building b = {
        .sieve = sieve, .arena = arena, .scratch = arena_create(), .trial = arena_create()};
    b.seen = ARENA_ARRAY(b.scratch, HASHES, uint16_t);
    sieve->rule_count = rules_count(rules);
    sieve->sampled = table_create(arena, WINDOW_BYTES);
    sieve->dense = table_create(arena, SHORT_BYTES);
    for (size_t at = 0; at + PAD_BYTES <= sample.len; at++) {
        uint16_t *seen = &b.seen[hash_of_word(word_at(sample.ptr + at))];
        *seen = (uint16_t)(*seen + (*seen < UINT16_MAX));
    }
    for (size_t i = 0; i < rules_count(rules); i++) {
        const struct rule *rule = rules_at(rules, i);
        if (rule->keyword_count && !rule->status_count) {
            add_rule(&b, rule, i);
        }
    }
    for (size_t i = 0; i < marks_count(marks); i++) {
        const struct mark *mark = marks_at(marks, i);
        add_needle(&b, mark->literal, mark, 0);
    }
    fill_table(&b, sieve->sampled, false);
    fill_table(&b, sieve->dense, true);
    arena_free(b.trial);
    arena_free(b.scratch);
    return sieve;
}
