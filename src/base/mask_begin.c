/* Where a secret may begin in a text. Takes a mask, then a text, gives place after place that is
 * worth a look; knows no secret whole. */
#include "base/mask_begin.h"

#include "base/mask_letter.h"
#include "base/shape.h"

#define NAME_MIN 6         /* letters of the shortest name that a secret follows */
#define OPENING_BYTES 3    /* nothing that is hidden is shorter */
#define ESCAPE_BYTES_MAX 7 /* \u003a, and the letter behind it */

/* What bytes are. */
enum {
    KIND_WORD = 1,      /* a key's letter */
    KIND_JOINT = 2,     /* one that a word may begin behind */
    KIND_OPENING = 4,   /* the first byte of something hidden */
    KIND_ANYWHERE = 8,  /* that may stand within a word */
    KIND_ESCAPE = 16,   /* a letter in another guise may begin here */
    KIND_SEQUENCE = 32, /* figures of a terminal's sequence may follow */
    KIND_BREAK = 64,    /* ends a line, which may part a key */
};

static const struct str names[] = {
    STR_INIT("authorization"),    STR_INIT("proxy-authorization"),
    STR_INIT("x-api-key"),        STR_INIT("api-key"),
    STR_INIT("x-goog-api-key"),   STR_INIT("bearer"),
    STR_INIT("access_token"),     STR_INIT("refresh_token"),
    STR_INIT("id_token"),         STR_INIT("session_token"),
    STR_INIT("client_secret"),    STR_INIT("secret_key"),
    STR_INIT("api_key"),          STR_INIT("apikey"),
    STR_INIT("subscription-key"), STR_INIT("x-amz-signature"),
};
static const struct str parameters[] = {
    STR_INIT("key="),    STR_INIT("token="), STR_INIT("sig="),      STR_INIT("signature="),
    STR_INIT("secret="), STR_INIT("auth="),  STR_INIT("password="),
};

size_t mask_begin_name(struct str s, size_t at, size_t run)
{
    struct str rest = str_slice(s, at, s.len);
    char first = (char)(s.ptr[at] | 0x20);
    for (size_t i = 0; run >= NAME_MIN && i < sizeof names / sizeof names[0]; i++) {
        if (names[i].ptr[0] == first && str_istarts(rest, names[i])) {
            return names[i].len;
        }
    }
    bool is_parameter = at == 0 || str_is_of(s.ptr[at - 1], "?&;");
    for (size_t i = 0; is_parameter && i < sizeof parameters / sizeof parameters[0]; i++) {
        if (str_istarts(rest, parameters[i])) {
            return parameters[i].len - 1;
        }
    }
    return 0;
}

/* ---- reading a mask ---- */

static uint32_t bit_of(char c)
{
    return UINT32_C(1) << ((unsigned char)c & 31);
}

/* Adds a text that begins with these bytes, whatever follows them. */
static void add_opening(struct mask_begin *begin, struct str bytes, unsigned char kind)
{
    if (bytes.len) {
        unsigned char first = (unsigned char)bytes.ptr[0];
        begin->kinds[first] |= KIND_OPENING | kind;
        begin->second[first] |= bytes.len > 1 ? bit_of(bytes.ptr[1]) : UINT32_MAX;
        begin->third[first] |= bytes.len > 2 ? bit_of(bytes.ptr[2]) : UINT32_MAX;
    }
}

/* A name is one in whatever case. */
static void add_name(struct mask_begin *begin, struct str name)
{
    const char capital = (char)(name.ptr[0] & ~0x20);
    const char front[OPENING_BYTES] = {capital, name.ptr[1], name.ptr[2]};
    add_opening(begin, name, 0);
    add_opening(begin, (struct str){front, OPENING_BYTES}, 0);
}

/* The letters that a shape begins with, or the lengths of words where it has none in front. */
static void add_shape(struct mask_begin *begin, struct str shape)
{
    const size_t longest = MASK_WORD_BYTES - 1;
    size_t least, most;
    ptrdiff_t brace = str_find_char(shape, '{');
    if (brace != 0) {
        add_opening(begin, str_slice(shape, 0, brace < 0 ? shape.len : (size_t)brace), 0);
        return;
    }
    shape_lengths(shape, &least, &most);
    for (size_t length = least < longest ? least : longest; length <= most && length <= longest;
         length++) {
        begin->lengths[length] = true;
    }
}

static void list_bytes(unsigned char kinds[MASK_BYTE_VALUES])
{
    memset(kinds, 0, MASK_BYTE_VALUES);
    memset(&kinds['a'], KIND_WORD, 'z' - 'a' + 1);
    memset(&kinds['A'], KIND_WORD, 'Z' - 'A' + 1);
    memset(&kinds['0'], KIND_WORD, '9' - '0' + 1);
    kinds['_'] = KIND_WORD;
    kinds['-'] = kinds['.'] = KIND_WORD | KIND_JOINT;
    kinds['\\'] = kinds['%'] = kinds['&'] = KIND_ESCAPE;
    kinds['\n'] = kinds['\r'] = KIND_BREAK;
    kinds['['] = kinds['('] = kinds[0x9B] = KIND_SEQUENCE;
}

void mask_begin_read(struct mask_begin *begin, const struct mask *mask)
{
    *begin = (struct mask_begin){.lengths = {false}};
    list_bytes(begin->kinds);
    add_opening(begin, STR("://"), KIND_ANYWHERE);
    add_opening(begin, STR("eyJ"), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        add_name(begin, names[i]);
    }
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
        add_name(begin, parameters[i]);
    }
    for (size_t i = 0; i < mask->prefix_count; i++) {
        add_opening(begin, mask->key_prefixes[i], 0);
    }
    for (size_t i = 0; i < mask->shape_count; i++) {
        add_shape(begin, mask->key_shapes[i]);
    }
    for (size_t i = 0; i < mask->secret_count; i++) {
        add_opening(begin, mask->secrets[i].value, KIND_ANYWHERE);
    }
}

/* ---- going through a text ---- */

/* Whether an opening may stand at text[at], as it is or with a letter in another guise. */
static inline bool may_open(const struct mask_begin *begin, struct str text, size_t at)
{
    const unsigned char *bytes = (const unsigned char *)text.ptr + at;
    if (!(begin->kinds[bytes[0]] & KIND_OPENING) || text.len - at < OPENING_BYTES) {
        return false;
    }
    if (!(begin->second[bytes[0]] >> (bytes[1] & 31) & 1)) {
        return begin->kinds[bytes[1]] & (KIND_ESCAPE | KIND_BREAK);
    }
    return begin->third[bytes[0]] >> (bytes[2] & 31) & 1 ||
           (begin->kinds[bytes[1]] | begin->kinds[bytes[2]]) & (KIND_ESCAPE | KIND_BREAK);
}

/* Behind the figures of a terminal's sequence and the letter that ends it. */
static size_t behind_sequence(struct str text, size_t at)
{
    size_t end = at + 1;
    while (end < text.len && end - at <= MASK_SEQUENCE_BYTES_MAX && text.ptr[end] &&
           str_is_of(text.ptr[end], "0123456789;:?")) {
        end++;
    }
    return end + 2;
}

/* The letters of keys from `at` on. */
static void read_run(struct mask_walk *walk, size_t at)
{
    const unsigned char *kinds = walk->begin->kinds, *begin = (const unsigned char *)walk->text.ptr,
                        *byte = begin + at, *end = begin + walk->text.len;
    unsigned all = 0;
    while (byte < end && kinds[*byte] & KIND_WORD) {
        all |= kinds[*byte++];
    }
    walk->run_end = (size_t)(byte - begin);
    walk->is_plain = !(all & (KIND_JOINT | KIND_ANYWHERE));
}

/* Whether a word that begins at a letter of a key may be hidden. */
static inline bool may_begin_word(const struct mask_walk *walk, size_t at)
{
    size_t length = walk->run_end - at;
    length = length < MASK_WORD_BYTES ? length : MASK_WORD_BYTES - 1;
    return walk->begin->lengths[length] || may_open(walk->begin, walk->text, at);
}

/* Whether something may begin at a letter of a key. */
static inline bool may_begin_at_letter(struct mask_walk *walk, size_t at, unsigned kind)
{
    bool is_first = at >= walk->run_end;
    if (is_first) {
        read_run(walk, at);
    }
    walk->at = walk->is_plain && at + 1 >= walk->loose ? walk->run_end : at + 1;
    bool is_start = is_first || at < walk->loose ||
                    walk->begin->kinds[(unsigned char)walk->text.ptr[at - 1]] & KIND_JOINT;
    return is_start ? may_begin_word(walk, at)
                    : kind & KIND_ANYWHERE && may_open(walk->begin, walk->text, at);
}

/* The same at another sign. Words that look like the rest of one may begin behind it. */
static bool may_begin_at_sign(struct mask_walk *walk, size_t at, unsigned kind)
{
    char letter;
    size_t loose = kind & KIND_ESCAPE     ? at + ESCAPE_BYTES_MAX
                   : kind & KIND_SEQUENCE ? behind_sequence(walk->text, at)
                                          : 0;
    walk->loose = loose > walk->loose ? loose : walk->loose;
    walk->at = at + 1;
    return may_open(walk->begin, walk->text, at) ||
           (kind & KIND_ESCAPE && mask_letter(walk->text, at, &letter) > 1);
}

bool mask_walk_next(struct mask_walk *walk, size_t *place)
{
    const unsigned char *kinds = walk->begin->kinds, *bytes = (const unsigned char *)walk->text.ptr;
    bool is_found = false;
    for (size_t at = walk->at; at < walk->text.len && !is_found; at = walk->at) {
        unsigned kind = kinds[bytes[at]];
        while (!kind && ++at < walk->text.len) {
            kind = kinds[bytes[at]];
        }
        walk->at = at;
        *place = at;
        is_found = kind & KIND_WORD ? may_begin_at_letter(walk, at, kind)
                                    : kind && may_begin_at_sign(walk, at, kind);
    }
    return is_found;
}

void mask_walk_leave(struct mask_walk *walk, size_t at)
{
    walk->at = at;
    walk->loose = at + ESCAPE_BYTES_MAX;
}
