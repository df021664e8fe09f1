/* The building of a sieve. Takes rules, marks and a sample of what will come; gives the tables that
 * sieve.c scans with. */
#include "base/buf.h"
#include "classify/literals.h"
#include "classify/sieve_parts.h"

#define SETS_MAX 8 /* of a rule's literals, of which one is taken */

/* Hash of the first gram of a literal that may be shorter than 8 bytes. */
static size_t hash_of_end(struct str literal)
{
    char bytes[PAD_BYTES] = {0};
    memcpy(bytes, literal.ptr, literal.len < PAD_BYTES ? literal.len : PAD_BYTES);
    return hash_of(bytes, GRAM_BYTES);
}

static void add_gram(struct arena *arena, struct sieve *sieve, struct table *table, size_t hash,
                     size_t needle, size_t offset)
{
    sieve->grams = arena_grow(arena, sieve->grams, sieve->gram_count, &sieve->gram_capacity,
                              sizeof *sieve->grams);
    sieve->grams[sieve->gram_count] = (struct gram){
        .needle = (uint32_t)needle, .offset = (uint16_t)offset, .next = table->first[hash]};
    table->first[hash] = (uint32_t)++sieve->gram_count;
    table->bits[hash / 64] |= UINT64_C(1) << (hash % 64);
}

/* The window that costs least: by how often its grams turn up in the sample, then by how many new
 * bits it takes. */
static size_t choose_window(const struct sieve *sieve, struct str literal, const uint32_t *seen)
{
    size_t best = 0;
    uint64_t lowest = UINT64_MAX;
    for (size_t at = 0; at + WINDOW_BYTES <= literal.len; at++) {
        uint64_t cost = 0;
        for (size_t k = 0; k < STRIDE; k++) {
            size_t hash = hash_of(literal.ptr + at + k, GRAM_BYTES);
            cost += (uint64_t)seen[hash] * 256 + !has_bit(sieve->sampled, hash);
        }
        if (cost < lowest) {
            lowest = cost;
            best = at;
        }
    }
    return best;
}

static void add_needle(struct arena *arena, struct sieve *sieve, const uint32_t *seen,
                       struct str literal, const struct mark *mark, size_t rule)
{
    char *bytes = arena_alloc(arena, literal.len + PAD_BYTES);
    size_t number = sieve->needle_count;
    memcpy(bytes, literal.ptr, literal.len);
    literal.ptr = bytes;
    sieve->needles =
        arena_grow(arena, sieve->needles, number, &sieve->needle_capacity, sizeof *sieve->needles);
    sieve->needles[sieve->needle_count++] = (struct needle){literal, mark, rule};
    if (literal.len >= WINDOW_BYTES) {
        size_t window = choose_window(sieve, literal, seen);
        for (size_t k = window; k < window + STRIDE; k++) {
            add_gram(arena, sieve, sieve->sampled, hash_of(bytes + k, GRAM_BYTES), number, k);
        }
    } else {
        add_gram(arena, sieve, sieve->dense, hash_of(bytes, SHORT_BYTES), number, 0);
    }
}

/* A literal as JSON writes it in ASCII: \uXXXX for what is none, `slashes` backslashes each. */
static struct str escaped(struct arena *arena, struct str literal, size_t slashes)
{
    struct buf out = buf_create(LITERAL_BYTES_MAX * 12);
    for (size_t at = 0; at < literal.len;) {
        unsigned char c = (unsigned char)literal.ptr[at];
        bool is_wide = c >= 0xE0 && c < 0xF0 && at + 2 < literal.len;
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
        bool is_quote = strchr("\"'/", literal.ptr[at]) != NULL;
        for (size_t i = 0; is_quote && i < slashes; i++) {
            buf_add_char(&out, '\\');
        }
        buf_add_char(&out, literal.ptr[at]);
    }
    struct str text = arena_dup(arena, buf_str(&out));
    buf_free(&out);
    return text;
}

static void add_literal(struct arena *arena, struct arena *scratch, struct sieve *sieve,
                        const uint32_t *seen, struct str literal, size_t rule)
{
    struct str part = plain_part(literal);
    bool has_part = literal_is_usable(part);
    if (!has_part && !literal_is_usable(literal)) {
        sieve->is_open = true;
        return;
    }
    part = has_part ? part : literal;
    add_needle(arena, sieve, seen, part, NULL, rule);
    for (size_t slashes = 1; slashes <= 4; slashes++) {
        struct str wide = escaped(scratch, part, slashes);
        struct str quoted = slashed(scratch, part, slashes);
        if (wide.len > part.len && slashes != 3) {
            add_needle(arena, sieve, seen, wide, NULL, rule);
        }
        if (quoted.len > part.len && slashes != 2 && slashes != 4) {
            add_needle(arena, sieve, seen, quoted, NULL, rule);
        }
    }
}

/* How often a set turns up in the sample, as far as its grams tell. */
static uint64_t frequency_of(struct literals set, const uint32_t *seen)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < set.count; i++) {
        struct str literal = set.items[i];
        uint64_t rarest = UINT64_MAX;
        for (size_t at = 0; at + PAD_BYTES <= literal.len; at++) {
            uint64_t often = seen[hash_of(literal.ptr + at, GRAM_BYTES)];
            rarest = often < rarest ? often : rarest;
        }
        sum += rarest == UINT64_MAX ? seen[hash_of_end(literal)] : rarest;
    }
    return sum * 64 + set.count;
}

/* Adds the rarest set of a rule's literals. A rule without keywords needs a mark, and has those. */
static void add_rule(struct arena *arena, struct sieve *sieve, const uint32_t *seen,
                     const struct rule *rule, size_t number)
{
    struct arena *scratch = arena_create();
    struct literals sets[SETS_MAX], best = {NULL, 0};
    size_t count = literals_of_rule(scratch, rule, sets, SETS_MAX);
    for (size_t i = 0; i < count; i++) {
        bool is_rarer = best.count == 0 || frequency_of(sets[i], seen) < frequency_of(best, seen);
        best = is_rarer ? sets[i] : best;
    }
    sieve->is_open = sieve->is_open || best.count == 0;
    for (size_t i = 0; i < best.count; i++) {
        add_literal(arena, scratch, sieve, seen, best.items[i], number);
    }
    arena_free(scratch);
}

const struct sieve *sieve_create(struct arena *arena, const struct rules *rules,
                                 const struct marks *marks, struct str sample)
{
    struct sieve *sieve = ARENA_NEW(arena, struct sieve);
    struct arena *scratch = arena_create();
    uint32_t *seen = ARENA_ARRAY(scratch, HASHES, uint32_t);
    sieve->rule_count = rules_count(rules);
    sieve->sampled = ARENA_NEW(arena, struct table);
    sieve->dense = ARENA_NEW(arena, struct table);
    for (size_t at = 0; at + PAD_BYTES <= sample.len; at++) {
        seen[hash_of(sample.ptr + at, GRAM_BYTES)]++;
    }
    for (size_t i = 0; i < rules_count(rules); i++) {
        const struct rule *rule = rules_at(rules, i);
        if (rule->keyword_count && !rule->status_count) {
            add_rule(arena, sieve, seen, rule, i);
        }
    }
    for (size_t i = 0; i < marks_count(marks); i++) {
        const struct mark *mark = marks_at(marks, i);
        add_needle(arena, sieve, seen, mark->literal, mark, 0);
    }
    arena_free(scratch);
    return sieve;
}
