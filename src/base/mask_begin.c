/* Where a secret may begin in a text. Takes a mask, sorts bytes by what may begin at them; knows no
 * secret whole. */
#include "base/mask_begin.h"

#include "base/mask_index.h"
#include "base/mask_letter.h"

#include <string.h>

void mask_begin_list(const struct mask *mask, unsigned char begins[MASK_BEGIN_BYTES])
{
    static const char escapes[] = "\\%&";
    static const char names[] = "abcikprstxABCIKPRSTX"; /* of secret_name */
    memset(begins, 0, MASK_BEGIN_BYTES);
    memset(&begins['a'], BEGINS_WORD, 'z' - 'a' + 1);
    memset(&begins['A'], BEGINS_WORD, 'Z' - 'A' + 1);
    memset(&begins['0'], BEGINS_WORD, '9' - '0' + 1);
    begins['-'] = begins['_'] = begins['.'] = BEGINS_WORD;
    for (size_t i = 0; escapes[i]; i++) {
        begins[(unsigned char)escapes[i]] |=
            BEGINS_SECRET | BEGINS_ESCAPE | BEGINS_PREFIX | BEGINS_ODD_PREFIX;
    }
    for (size_t i = 0; names[i]; i++) {
        begins[(unsigned char)names[i]] |= BEGINS_NAME;
    }
    begins[':'] |= BEGINS_LOGIN;
    begins['e'] |= BEGINS_PREFIX; /* a JSON Web Token */
    bool is_indexed = mask_index_is_of(mask->index, mask->secrets, mask->secret_count);
    const bool *indexed = is_indexed ? mask_index_begins(mask->index) : NULL;
    for (size_t c = 0; indexed && c < MASK_BEGIN_BYTES; c++) {
        begins[c] |= indexed[c] ? BEGINS_SECRET : 0;
    }
    for (size_t i = 0; !indexed && i < mask->secret_count; i++) {
        if (mask->secrets[i].value.len) {
            begins[(unsigned char)mask->secrets[i].value.ptr[0]] |= BEGINS_SECRET;
        }
    }
    for (size_t i = 0; i < mask->prefix_count; i++) {
        struct str prefix = mask->key_prefixes[i];
        bool is_odd = false;
        for (size_t k = 0; k < prefix.len; k++) {
            is_odd = is_odd || !(begins[(unsigned char)prefix.ptr[k]] & BEGINS_WORD);
        }
        if (prefix.len) {
            begins[(unsigned char)prefix.ptr[0]] |=
                BEGINS_PREFIX | (is_odd ? BEGINS_ODD_PREFIX : 0);
        }
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Of a word, and neither of the signs that it may be joined by. */
static bool is_letter(const unsigned char begins[MASK_BEGIN_BYTES], char c)
{
    return begins[(unsigned char)c] & BEGINS_WORD && c != '-' && c != '.';
}

/* Whether a terminal's sequence may end at s[at], or behind figures that begin there. */
static bool may_end_sequence(struct str s, size_t at)
{
    size_t begin = at;
    char c = '\0';
    do {
        c = begin > 0 ? s.ptr[begin - 1] : '\0';
        begin--;
    } while ((is_digit(c) || c == ';' || c == ':' || c == '?') &&
             at - begin <= MASK_SEQUENCE_BYTES_MAX);
    return c == '[' || c == '(' || c == '\x9b';
}

bool mask_begin_is_inside(const unsigned char begins[MASK_BEGIN_BYTES], struct str s, size_t at)
{
    if (at < 2 || begins[(unsigned char)s.ptr[at]] & (BEGINS_SECRET | BEGINS_LOGIN)) {
        return false;
    }
    char last = s.ptr[at - 1], before = s.ptr[at - 2];
    return begins[(unsigned char)last] & BEGINS_WORD && last != '.' &&
           begins[(unsigned char)before] & BEGINS_WORD && !is_digit(before) &&
           !(last == '-' && before == '-');
}

size_t mask_begin_next(const unsigned char begins[MASK_BEGIN_BYTES], struct str s, size_t at)
{
    size_t end = at;
    if (may_end_sequence(s, at)) {
        return at + 1;
    }
    while (end < s.len && is_letter(begins, s.ptr[end]) &&
           (end == at || !(begins[(unsigned char)s.ptr[end]] & BEGINS_SECRET))) {
        end++;
    }
    return end > at ? end : at + 1;
}
