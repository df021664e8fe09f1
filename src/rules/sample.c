/* Texts made from patterns. Takes a pattern of PCRE2, walks it and writes what each part stands
 * for. An atom is walked once in silence to find its quantifier, then once for each repetition; an
 * alternation is counted first, then one of its parts is written and the others are walked in
 * silence. What silent walks find is kept for the next text, since groups in groups would multiply
 * them. */
#include "rules/sample.h"

#include "base/buf.h"
#include "base/text.h"
#include "rules/pattern.h"
#include "rules/sample_class.h"

#define SAMPLE_BYTES_MAX 512
#define DEPTH_MAX 48
#define LOOPS_MAX 8
#define STEPS_MAX 100000 /* atoms walked for one text */

struct sampler {
    struct str pattern;
    struct piece {
        size_t behind; /* the atom and its quantifier; 0 before they were walked */
        struct quantifier quantifier;
        uint32_t parts; /* of the alternation that begins here; 0 before they were counted */
    } * pieces;         /* by where they begin in the pattern */
};

struct maker {
    const struct sampler *sampler;
    struct str pattern;
    size_t at;
    uint32_t random;
    unsigned depth, steps;
    bool is_pumping; /* each repetition happens at least once */
    struct buf out;
    struct loop {
        size_t begin, end; /* of one round of a repetition without bound, in out */
    } loops[LOOPS_MAX];
    size_t loop_count;
};

static void make_alternatives(struct maker *m, bool is_told);

static uint32_t draw(struct maker *m)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 17;
    m->random ^= m->random << 5;
    return m->random >> 4;
}

static char peek(const struct maker *m)
{
    return m->at < m->pattern.len ? m->pattern.ptr[m->at] : '\0';
}

/* Steps over what may stand behind "(" before the content of a group. False when the group writes
 * nothing: assertions, comments, settings, conditions. */
static bool open_group(struct maker *m)
{
    m->at++;
    if (peek(m) == '*') {
        return false;
    }
    if (peek(m) != '?') {
        return true;
    }
    m->at++;
    char next = m->at + 1 < m->pattern.len ? m->pattern.ptr[m->at + 1] : '\0';
    if (peek(m) == '=' || peek(m) == '!' || peek(m) == '#' || peek(m) == '(' ||
        (peek(m) == '<' && (next == '=' || next == '!'))) {
        m->at++;
        return false;
    }
    bool is_named = peek(m) == '<' || peek(m) == 'P' || peek(m) == '\'';
    m->at += peek(m) == 'P' ? 2 : is_named ? 1 : 0;
    while (m->at < m->pattern.len &&
           !(is_named ? peek(m) == '>' || peek(m) == '\''
                      : peek(m) == ':' || peek(m) == '>' || peek(m) == '|' || peek(m) == ')')) {
        m->at++;
    }
    m->at += peek(m) != ')';
    return true;
}

static void make_group(struct maker *m, bool is_told)
{
    bool writes = open_group(m);
    make_alternatives(m, is_told && writes);
    m->at += peek(m) == ')';
}

static void make_atom(struct maker *m, bool is_told)
{
    struct str text = {NULL, 0};
    uint32_t code_point;
    switch (peek(m)) {
    case '(':
        make_group(m, is_told);
        return;
    case '[':
        text = sample_class(m->pattern, &m->at, is_told ? draw(m) : 0);
        break;
    case '\\':
        text = sample_escape(m->pattern, &m->at, is_told ? draw(m) : 0);
        break;
    case '.':
        m->at++;
        text = is_told && !m->is_pumping && draw(m) % 2 ? STR(" ") : STR("x"); /* \b or none */
        break;
    case '^':
    case '$':
        m->at++;
        break;
    default: {
        size_t length = utf8_decode(m->pattern, m->at, &code_point);
        text = str_slice(m->pattern, m->at, m->at + (length ? length : 1));
        m->at += length ? length : 1;
    }
    }
    if (is_told) {
        buf_add(&m->out, text);
    }
}

static int64_t repetitions(struct maker *m, struct quantifier quantifier)
{
    int64_t least = quantifier.least;
    if (quantifier.most >= 0 && least >= quantifier.most) {
        return least;
    }
    return m->is_pumping && least == 0 ? 1 : m->is_pumping ? least : least + draw(m) % 2;
}

static struct piece *known_at(const struct maker *m)
{
    size_t end = m->pattern.len; /* a group that is cut off may end behind it */
    return &m->sampler->pieces[m->at < end ? m->at : end];
}

/* The piece that begins at m->at, which stays there. One that the steps do not suffice for is not
 * kept. */
static struct piece walk_piece(struct maker *m)
{
    struct piece *known = known_at(m), piece = *known;
    if (!piece.behind) {
        size_t begin = m->at;
        make_atom(m, false);
        piece.quantifier = pattern_quantifier(m->pattern, &m->at);
        piece.behind = m->at;
        m->at = begin;
        known->behind = m->steps > STEPS_MAX ? 0 : piece.behind;
        known->quantifier = piece.quantifier;
    }
    return piece;
}

static void make_piece(struct maker *m, bool is_told)
{
    size_t begin = m->at;
    if (++m->steps > STEPS_MAX) {
        m->at = m->pattern.len;
        return;
    }
    struct piece piece = walk_piece(m);
    struct quantifier quantifier = piece.quantifier;
    int64_t count = is_told ? repetitions(m, quantifier) : 0;
    for (int64_t i = 0; i < count && !m->out.is_full; i++) {
        size_t from = m->out.len;
        m->at = begin;
        make_atom(m, true);
        if (quantifier.most < 0 && i == 0 && m->out.len > from && m->loop_count < LOOPS_MAX) {
            m->loops[m->loop_count++] = (struct loop){from, m->out.len};
        }
    }
    m->at = piece.behind;
}

/* Walks one part of an alternation, up to "|", ")" or the end. */
static void make_sequence(struct maker *m, bool is_told)
{
    while (m->at < m->pattern.len && peek(m) != '|' && peek(m) != ')') {
        make_piece(m, is_told);
    }
}

static uint32_t count_alternatives(struct maker *m)
{
    size_t begin = m->at;
    uint32_t *known = &known_at(m)->parts, count = 1;
    if (*known) {
        return *known;
    }
    make_sequence(m, false);
    for (; peek(m) == '|'; count++) {
        m->at++;
        make_sequence(m, false);
    }
    m->at = begin;
    *known = m->steps > STEPS_MAX ? 0 : count;
    return count;
}

static void make_alternatives(struct maker *m, bool is_told)
{
    if (++m->depth > DEPTH_MAX) {
        m->at = m->pattern.len; /* no pattern that anyone reads */
    }
    uint32_t chosen = is_told ? draw(m) % count_alternatives(m) : 0;
    make_sequence(m, is_told && chosen == 0);
    for (uint32_t i = 1; peek(m) == '|'; i++) {
        m->at++;
        make_sequence(m, is_told && i == chosen);
    }
    m->depth--;
}

const struct sampler *sampler_create(struct arena *arena, struct str pattern)
{
    struct sampler *sampler = ARENA_NEW(arena, struct sampler);
    sampler->pattern = pattern;
    sampler->pieces = ARENA_ARRAY(arena, pattern.len + 1, struct piece);
    return sampler;
}

static struct maker make(const struct sampler *sampler, uint32_t seed, bool is_pumping)
{
    struct str pattern = sampler->pattern;
    struct maker m = {.sampler = sampler,
                      .pattern = pattern,
                      .random = seed * 2654435761U + 97,
                      .is_pumping = is_pumping,
                      .out = buf_create(SAMPLE_BYTES_MAX)};
    while (m.at < pattern.len) {
        make_alternatives(&m, true);
        m.at += peek(&m) == ')'; /* one too many: no pattern that compiles */
    }
    return m;
}

struct str sample_match(struct arena *arena, const struct sampler *sampler, uint32_t seed)
{
    struct maker m = make(sampler, seed, false);
    struct str text = arena_dup(arena, m.out.len ? buf_str(&m.out) : STR(""));
    buf_free(&m.out);
    return text;
}

/* before, then round again and again, then what makes the match fail: nothing, a control character,
 * or a line end before the rest, for matchers that first look for its last letter. */
static struct str pumped(struct arena *arena, struct str before, struct str round, struct str end,
                         size_t bytes)
{
    struct buf text = buf_create(bytes + SAMPLE_BYTES_MAX);
    buf_add(&text, before);
    while (round.len && text.len + round.len <= bytes) {
        buf_add(&text, round);
    }
    buf_add(&text, end);
    struct str made = arena_dup(arena, text.len ? buf_str(&text) : STR(""));
    buf_free(&text);
    return made;
}

size_t sample_worst(struct arena *arena, const struct sampler *sampler, uint32_t seed, size_t bytes,
                    struct str texts[SAMPLE_WORST_MAX])
{
    struct maker m = make(sampler, seed, true);
    struct str whole = m.out.len ? buf_str(&m.out) : STR("");
    struct str last = str_slice(whole, whole.len ? whole.len - 1 : 0, whole.len);
    struct str broken = arena_printf(arena, "\n%.*s", STR_ARG(last));
    const struct str ends[] = {STR("\x01"), broken};
    size_t count = 0;
    for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
        struct str short_by_one = str_slice(whole, 0, whole.len ? whole.len - 1 : 0);
        texts[count++] = pumped(arena, STR(""), short_by_one, ends[e], bytes);
        for (size_t i = 0; i < m.loop_count && count < SAMPLE_WORST_MAX; i++) {
            texts[count++] =
                pumped(arena, str_slice(whole, 0, m.loops[i].end),
                       str_slice(whole, m.loops[i].begin, m.loops[i].end), ends[e], bytes);
        }
    }
    buf_free(&m.out);
    return count;
}

static uint32_t raised(uint32_t letter)
{
    bool is_near = (letter >= 0xE0 && letter <= 0xFE && letter != 0xF7) ||    /* Latin */
                   (letter >= 0x3B1 && letter <= 0x3C9 && letter != 0x3C2) || /* Greek */
                   (letter >= 0x430 && letter <= 0x44F);                      /* Cyrillic */
    return is_near ? letter - 0x20 : letter >= 0x450 && letter <= 0x45F ? letter - 0x50 : letter;
}

struct str sample_raised(struct arena *arena, struct str text)
{
    struct buf out = buf_create(text.len + 1);
    bool is_changed = false;
    for (size_t at = 0; at < text.len;) {
        uint32_t letter = 0;
        size_t length = utf8_decode(text, at, &letter);
        char bytes[4];
        if (length > 1) {
            is_changed = is_changed || raised(letter) != letter;
            buf_add(&out, (struct str){bytes, utf8_encode(raised(letter), bytes)});
        } else {
            buf_add_char(&out, text.ptr[at]);
        }
        at += length ? length : 1;
    }
    struct str result = is_changed ? arena_dup(arena, buf_str(&out)) : (struct str){NULL, 0};
    buf_free(&out);
    return result;
}
