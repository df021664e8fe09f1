/* The building of a sieve. Takes rules, marks and a sample of what will come; gives the tables that
 * sieve.c scans with. */
#include "base/buf.h"
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

/* A gram of a window, until the tables are filled. */
struct gram {
    struct window window;
    uint32_t hash;
    uint32_t before, behind; /* as in a slot */
};

struct grams {
    struct gram *items;
    size_t count, capacity;
};

/* What a sieve is built with. */
struct building {
    struct sieve *sieve;
    struct arena *arena;   /* the sieve's */
    struct arena *scratch; /* until it is built */
    struct arena *trial;   /* of the rule at hand */
    uint32_t *seen;        /* by hash of a gram, how often it is in the sample */
    struct grams sampled, dense;
};

/* Adds the `bytes` of a literal at `at`, which have a hash. */
static void add_gram(struct building *b, struct grams *grams, struct table *table,
                     struct window window, uint32_t hash, struct str literal, size_t bytes)
{
    size_t from = (size_t)window.offset + window.gram, to = from + bytes;
    struct gram gram = {
        .window = window,
        .hash = hash,
        .before = from > 0 ? bit_of_byte(literal.ptr[from - 1]) : UINT32_MAX,
        .behind = to < literal.len ? bit_of_byte(literal.ptr[to]) : UINT32_MAX,
    };
    grams->items =
        arena_grow(b->scratch, grams->items, grams->count, &grams->capacity, sizeof *grams->items);
    grams->items[grams->count++] = gram;
    table->bits[hash / 32] |= UINT32_C(1) << (hash % 32);
}

/* Orders the windows of a table by their grams' hashes. */
static void fill_table(struct building *b, const struct grams *grams, struct table *table)
{
    uint32_t rank = 0;
    for (size_t i = 0; i < HASHES / 32; i++) {
        table->ranks[i] = rank;
        rank += (uint32_t)__builtin_popcount(table->bits[i]);
    }
    struct slot *slots = ARENA_ARRAY(b->arena, rank + 2, struct slot);
    struct window *windows = ARENA_ARRAY(b->arena, grams->count + 1, struct window);
    for (size_t i = 0; i < grams->count; i++) {
        const struct gram *gram = &grams->items[i];
        struct slot *slot = &slots[rank_of(table, gram->hash)];
        slot->before |= gram->before;
        slot->behind |= gram->behind;
        slot[2].start++;
    }
    for (size_t i = 2; i < rank + 2; i++) {
        slots[i].start += slots[i - 1].start;
    }
    for (size_t i = 0; i < grams->count; i++) { /* slot n + 1 moves from its begin to its end */
        windows[slots[rank_of(table, grams->items[i].hash) + 1].start++] = grams->items[i].window;
    }
    table->slots = slots;
    table->windows = windows;
}

/* The grams that cost least, one of every phase of the sampling: by how often each turns up in the
 * sample, then by whether it takes a new bit. Gives their offsets and hashes. */
static void choose_grams(const struct building *b, struct str literal, size_t offsets[STRIDE],
                         uint32_t hashes[STRIDE])
{
    uint64_t lowest[STRIDE] = {0};
    for (size_t at = 0; at + GRAM_BYTES <= literal.len; at++) {
        uint32_t hash = hash_of_word(word_at(literal.ptr + at));
        size_t phase = at % STRIDE;
        uint64_t cost = (uint64_t)b->seen[hash] * 2 + !has_bit(b->sieve->sampled, hash);
        if (at < STRIDE || cost < lowest[phase]) {
            lowest[phase] = cost;
            offsets[phase] = at;
            hashes[phase] = hash;
        }
    }
}

static void add_needle(struct building *b, struct str literal, const struct mark *mark, size_t rule)
{
    struct sieve *sieve = b->sieve;
    char *bytes = arena_alloc(b->arena, literal.len + PAD_BYTES);
    struct window window = {.needle = (uint32_t)sieve->needle_count};
    memcpy(bytes, literal.ptr, literal.len);
    literal.ptr = bytes;
    sieve->needles = arena_grow(b->arena, sieve->needles, sieve->needle_count,
                                &sieve->needle_capacity, sizeof *sieve->needles);
    sieve->needles[sieve->needle_count++] = (struct needle){literal, mark, rule};
    if (literal.len < WINDOW_BYTES) {
        window.word = word_at(bytes) & sieve->dense->mask;
        add_gram(b, &b->dense, sieve->dense, window, hash_of_short(word_at(bytes)), literal,
                 SHORT_BYTES);
        return;
    }
    size_t offsets[STRIDE], last = literal.len - WINDOW_BYTES;
    uint32_t hashes[STRIDE];
    choose_grams(b, literal, offsets, hashes);
    for (size_t i = 0; i < STRIDE; i++) {
        window.offset = (uint16_t)(offsets[i] < last ? offsets[i] : last);
        window.gram = (uint16_t)(offsets[i] - window.offset);
        window.word = word_at(bytes + window.offset);
        add_gram(b, &b->sampled, sieve->sampled, window, hashes[i], literal, GRAM_BYTES);
    }
}

/* The first byte of a sign that JSON writes as \uXXXX where it keeps to ASCII. */
static bool is_wide_byte(char c)
{
    return (unsigned char)c >= 0xE0 && (unsigned char)c < 0xF0;
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

/* A literal as JSON writes it in ASCII: \uXXXX for what is none, `slashes` backslashes each. */
static struct str escaped(struct arena *arena, struct str literal, size_t slashes)
{
    struct buf out = buf_create(LITERAL_BYTES_MAX * 12);
    for (size_t at = 0; at < literal.len;) {
        unsigned char c = (unsigned char)literal.ptr[at];
        bool is_wide = is_wide_byte(literal.ptr[at]) && at + 2 < literal.len;
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
    const uint32_t *seen = context;
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
    b.seen = ARENA_ARRAY(b.scratch, HASHES, uint32_t);
    sieve->rule_count = rules_count(rules);
    sieve->sampled = table_create(arena, WINDOW_BYTES);
    sieve->dense = table_create(arena, SHORT_BYTES);
    for (size_t at = 0; at + PAD_BYTES <= sample.len; at++) {
        b.seen[hash_of_word(word_at(sample.ptr + at))]++;
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
    fill_table(&b, &b.sampled, sieve->sampled);
    fill_table(&b, &b.dense, sieve->dense);
    arena_free(b.trial);
    arena_free(b.scratch);
    return sieve;
}
