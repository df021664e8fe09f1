/* The building of a sieve. Takes rules, marks and a sample of what will come; gives the tables that
 * sieve.c scans with. */
#include "base/fastest.h"
#include "classify/literals.h"
#include "classify/sieve_forms.h"
#include "classify/sieve_parts.h"
#include "classify/sieve_stock.h"

#define SAMPLE_STEP ((size_t)1024) /* grams of a phase that are hashed in one */

/* Literals of a stock that follow one another; `text` is where the bytes of the first begin. */
struct span {
    size_t first, count, text;
};

/* What a sieve is built with. */
struct building {
    struct sieve *sieve;
    struct arena *arena;   /* the sieve's */
    struct arena *scratch; /* until it is built */
    const struct sieve_sample *sample;
    const struct sieve_stock *stock; /* of the rules at hand */
    size_t node;                     /* of it that comes next */
    struct span next;                /* and literals that do, none */
    struct needle *needles;          /* that the sieve is to have */
    size_t needle_room;
    struct span *chosen; /* of the rule at hand */
    size_t chosen_count, chosen_room;
};

static bool is_short(const struct needle *needle)
{
    return needle->length < WINDOW_BYTES;
}

static size_t gram_count(const struct needle *needle)
{
    return is_short(needle) ? 1 : STRIDE;
}

/* Hash of gram `n` of a needle. */
static uint32_t gram_hash(const struct needle *needle, size_t n)
{
    uint64_t word = word_at(needle->bytes + needle->grams[n]);
    return is_short(needle) ? hash_of_short(word) : hash_of_word(word);
}

/* Notes in a slot what stands around gram `n` of a needle. */
static void add_neighbours(const struct needle *needle, size_t n, struct slot *slot)
{
    size_t from = needle->grams[n], to = from + (is_short(needle) ? SHORT_BYTES : GRAM_BYTES);
    slot->before |= from > 0 ? bit_of_byte(needle->bytes[from - 1]) : UINT32_MAX;
    slot->behind |= to < needle->length ? bit_of_byte(needle->bytes[to]) : UINT32_MAX;
}

/* The bytes of a needle around its gram `n`. */
static struct window window_of(const struct sieve *sieve, uint32_t number, size_t n)
{
    const struct needle *needle = &sieve->needles[number];
    size_t last = is_short(needle) ? 0 : needle->length - WINDOW_BYTES, at = needle->grams[n];
    size_t offset = at < last ? at : last;
    const struct table *table = is_short(needle) ? sieve->dense : sieve->sampled;
    return (struct window){
        .hash = hash_of_window(table, word_at(needle->bytes + offset)),
        .needle = number & (NEEDLES_MAX - 1),
        .offset = offset & LENGTH_MAX,
        .gram = (at - offset) & (STRIDE - 1),
    };
}

/* Orders the windows of the short literals, or of the others, by their grams' hashes. */
FASTEST static void fill_table(struct building *b, struct table *table, bool of_short)
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
    uint32_t lowest[STRIDE] = {0};
    for (size_t at = 0; at + GRAM_BYTES <= needle->length; at++) {
        uint32_t hash = hash_of_word(word_at(needle->bytes + at));
        uint32_t cost = b->sample->seen[hash] * UINT32_C(2) + !has_bit(b->sieve->sampled, hash);
        size_t phase = at % STRIDE;
        if (at < STRIDE || cost < lowest[phase]) {
            lowest[phase] = cost;
            needle->grams[phase] = (uint16_t)at;
        }
    }
}

static void add_needle(struct building *b, struct str literal, size_t owner, bool is_mark)
{
    struct sieve *sieve = b->sieve;
    char *bytes = arena_alloc(b->arena, literal.len + PAD_BYTES);
    struct needle needle = {.bytes = memcpy(bytes, literal.ptr, literal.len),
                            .owner = (uint32_t)owner,
                            .length = literal.len < LENGTH_MAX ? (uint16_t)literal.len : LENGTH_MAX,
                            .is_mark = is_mark};
    struct table *table = is_short(&needle) ? sieve->dense : sieve->sampled;
    sieve->is_open = sieve->is_open || sieve->needle_count == NEEDLES_MAX;
    if (sieve->is_open) {
        return;
    }
    if (!is_short(&needle)) {
        choose_grams(b, &needle);
    }
    for (size_t n = 0; n < gram_count(&needle); n++) {
        uint32_t hash = gram_hash(&needle, n);
        table->bits[hash / 32] |= UINT32_C(1) << (hash % 32);
    }
    b->needles = arena_grow(b->scratch, b->needles, sieve->needle_count, &b->needle_room,
                            sizeof *b->needles);
    b->needles[sieve->needle_count++] = needle;
}

/* Adds a literal in all forms that strings in strings give it. */
static void add_literal(struct building *b, struct str literal, size_t rule)
{
    size_t count = sieve_forms_count(literal);
    add_needle(b, literal, rule, false);
    for (size_t i = 1; i < count; i++) {
        add_needle(b, sieve_form_of(b->scratch, literal, i), rule, false);
    }
}

/* The first literal of a span, which begins behind it then. */
static struct str take_literal(const struct sieve_stock *stock, struct span *span)
{
    struct str literal = {(const char *)stock->text + span->text, stock->length[span->first]};
    span->first++;
    span->text += literal.len;
    return literal;
}

/* How often a literal turns up in the sample at most, as far as its grams tell. */
static uint64_t cost_of(const struct building *b, struct str literal)
{
    uint32_t rarest = UINT16_MAX;
    for (size_t at = 0; at + GRAM_BYTES <= literal.len && rarest; at++) {
        uint32_t count = b->sample->seen[hash_of_word(word_at(literal.ptr + at))];
        rarest = count < rarest ? count : rarest;
    }
    return rarest * UINT64_C(64) + 1;
}

static uint64_t choose_set(struct building *b, size_t count)
{
    uint64_t cost = 0;
    b->chosen =
        arena_grow(b->scratch, b->chosen, b->chosen_count, &b->chosen_room, sizeof *b->chosen);
    b->chosen[b->chosen_count++] = (struct span){b->next.first, count, b->next.text};
    for (size_t i = 0; i < count; i++) {
        cost += cost_of(b, take_literal(b->stock, &b->next));
    }
    return cost;
}

/* Chooses of the tree that comes next the sets that turn up most seldom; gives how often. */
static uint64_t choose(struct building *b)
{
    uint16_t node = b->stock->nodes[b->node++];
    if (node < STOCK_BOTH) {
        return choose_set(b, node);
    }
    size_t begin = b->chosen_count;
    uint64_t first = choose(b);
    size_t middle = b->chosen_count;
    uint64_t second = choose(b);
    if (node == STOCK_BOTH) {
        return first + second;
    }
    if (second < first) {
        b->chosen_count -= middle - begin;
        memmove(b->chosen + begin, b->chosen + middle,
                (b->chosen_count - begin) * sizeof *b->chosen);
        return second;
    }
    b->chosen_count = middle;
    return first;
}

/* Adds the rarest set of a rule's literals. Where there is none, every line is to be found. */
static void add_rule(struct building *b, size_t in_stock, size_t rule)
{
    size_t literals = 0;
    b->node = b->stock->node_at[in_stock];
    b->next =
        (struct span){.first = b->stock->literal_at[in_stock], .text = b->stock->text_at[in_stock]};
    b->chosen_count = 0;
    choose(b);
    for (size_t i = 0; i < b->chosen_count; i++) {
        struct span span = b->chosen[i];
        literals += span.count;
        for (size_t k = 0; k < span.count; k++) {
            add_literal(b, take_literal(b->stock, &span), rule);
        }
    }
    b->sieve->is_open = b->sieve->is_open || literals == 0;
}

/* Adds the rules of a stock, of which the first has that number. A rule without keywords needs a
 * mark, and has those. */
static void add_rules(struct building *b, const struct rules *rules,
                      const struct sieve_stock *stock, size_t first)
{
    b->stock = stock;
    for (size_t i = 0; i < stock->rule_count; i++) {
        const struct rule *rule = rules_at(rules, first + i);
        if (rule->keyword_count && !rule->status_count) {
            add_rule(b, i, first + i);
        }
    }
}

/* The hashes of `count` grams at bytes[0], bytes[STRIDE] ... */
FASTEST static void hash_grams(const char *bytes, size_t count, uint32_t *restrict hashes)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t first, last;
        memcpy(&first, bytes + i * STRIDE, sizeof first);
        memcpy(&last, bytes + i * STRIDE + 1, sizeof last);
        hashes[i] = hash_of_gram(le32toh(first) | UINT32_C(0x20202020),
                                 le32toh(last) | UINT32_C(0x20202020));
    }
}

struct sieve_sample *sieve_sample_create(struct arena *arena)
{
    return ARENA_NEW(arena, struct sieve_sample);
}

void sieve_sample_add(struct sieve_sample *sample, struct str text)
{
    uint32_t hashes[SAMPLE_STEP];
    size_t grams = text.len < PAD_BYTES ? 0 : (text.len - PAD_BYTES) / STRIDE;
    for (size_t from = 0; from < grams; from += SAMPLE_STEP) {
        size_t count = grams - from < SAMPLE_STEP ? grams - from : SAMPLE_STEP;
        for (size_t phase = 0; phase < STRIDE; phase++) {
            hash_grams(text.ptr + from * STRIDE + phase, count, hashes);
            for (size_t i = 0; i < count; i++) {
                uint16_t *times = &sample->seen[hashes[i]];
                *times = (uint16_t)(*times + (*times < UINT16_MAX));
            }
        }
    }
}

static struct table *table_create(struct arena *arena, unsigned window_bytes)
{
    struct table *table = ARENA_NEW(arena, struct table);
    table->mask = UINT64_MAX >> (64 - 8 * window_bytes);
    return table;
}

const struct sieve *sieve_create(struct arena *arena, const struct rules *rules,
                                 const struct marks *marks, const struct sieve_sample *sample)
{
    struct sieve *sieve = ARENA_NEW(arena, struct sieve);
    struct building b = {
        .sieve = sieve, .arena = arena, .scratch = arena_create(), .sample = sample};
    size_t built = rules_built_count(rules), read = rules_count(rules) - built;
    sieve->marks = marks;
    sieve->sampled = table_create(arena, WINDOW_BYTES);
    sieve->dense = table_create(arena, SHORT_BYTES);
    const struct sieve_stock stock = sieve_stock_create(arena, rules, 0, read);
    add_rules(&b, rules, &stock, 0);
    if (built) {
        add_rules(&b, rules, &built_stock, read);
        sieve_stock_leave(&built_stock);
    }
    for (size_t i = 0; i < marks_count(marks); i++) {
        add_needle(&b, marks_at(marks, i)->literal, i, true);
    }
    sieve->needles = ARENA_ARRAY(arena, sieve->needle_count + 1, struct needle);
    if (sieve->needle_count) {
        memcpy(sieve->needles, b.needles, sieve->needle_count * sizeof *b.needles);
    }
    fill_table(&b, sieve->sampled, false);
    fill_table(&b, sieve->dense, true);
    arena_free(b.scratch);
    return sieve;
}
