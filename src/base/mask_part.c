/* Parts of one secret, in what its receiver answers: a key that was cut, split, or given back in
 * base64. Takes the secret and a text, gives the text without them. */
#include "base/buf.h"
#include "base/mask.h"
#include "base/mask_letter.h"

#include <openssl/evp.h>
#include <string.h>

#define PART_MIN 9             /* fewer letters of a key may be shown */
#define SECRET_BYTES_MAX 1024u /* of a longer one the beginning */
#define FORMS 4                /* as it is, and in base64 behind 0, 1 and 2 other bytes */

/* The letters of base64 that the secret alone decides, when `offset` bytes stand before it. */
static struct str base64_of(struct arena *arena, struct str value, size_t offset)
{
    size_t length = offset + value.len;
    unsigned char *bytes = arena_alloc(arena, length + 1);
    unsigned char *text = arena_alloc(arena, (length + 2) / 3 * 4 + 1);
    memset(bytes, 0, length + 1);
    memcpy(bytes + offset, value.ptr, value.len);
    EVP_EncodeBlock(text, bytes, (int)length);
    return str_slice((struct str){(char *)text, length * 8 / 6}, (offset * 8 + 5) / 6,
                     length * 8 / 6);
}

/* Words that a key shares with a message are no part of a key: those have digits or both cases. */
static bool is_telling(struct str part)
{
    bool has_lower = false, has_upper = false;
    for (size_t i = 0; i < part.len; i++) {
        if (part.ptr[i] >= '0' && part.ptr[i] <= '9') {
            return true;
        }
        has_lower = has_lower || (part.ptr[i] >= 'a' && part.ptr[i] <= 'z');
        has_upper = has_upper || (part.ptr[i] >= 'A' && part.ptr[i] <= 'Z');
    }
    return has_lower && has_upper;
}

/* Bytes of the text at `at` that read like form[from] and what follows; their number to *letters.
 */
static size_t common(struct str text, size_t at, struct str form, size_t from, size_t *letters)
{
    size_t end = at, i = from;
    for (; i < form.len; i++) {
        char c = '\0';
        size_t length = mask_letter(text, end, &c);
        if (length == 0 || c != form.ptr[i]) {
            break;
        }
        end += length;
    }
    *letters = i - from;
    return end - at;
}

/* Bytes of the longest part of the form that begins at text[at], 0 when there is none. */
static size_t part_at(struct str text, size_t at, struct str form)
{
    size_t longest = 0;
    char first = '\0';
    (void)mask_letter(text, at, &first);
    for (size_t from = 0; from + PART_MIN <= form.len; from++) {
        size_t letters = 0;
        size_t length = form.ptr[from] == first ? common(text, at, form, from, &letters) : 0;
        if (letters >= PART_MIN && length > longest &&
            is_telling(str_slice(form, from, from + letters))) {
            longest = length;
        }
    }
    return longest;
}

struct str mask_parts(struct arena *arena, const struct secret *secret, struct str text)
{
    struct str value = str_slice(secret->value, 0, SECRET_BYTES_MAX), forms[FORMS] = {value};
    if (value.len < PART_MIN || text.len < PART_MIN) {
        return text;
    }
    for (size_t offset = 0; offset + 1 < FORMS; offset++) {
        forms[offset + 1] = base64_of(arena, value, offset);
    }
    struct buf out = buf_create(text.len * 4 + 64);
    bool is_changed = false;
    for (size_t at = 0; at < text.len;) {
        size_t length = 0;
        for (size_t i = 0; i < FORMS && length == 0; i++) {
            length = part_at(text, at, forms[i]);
        }
        if (length) {
            buf_printf(&out, "[key %s]", secret->fingerprint);
            is_changed = true;
            at += length;
        } else {
            buf_add_char(&out, text.ptr[at++]);
        }
    }
    struct str masked = is_changed ? arena_dup(arena, buf_str(&out)) : text;
    buf_free(&out);
    return masked;
}
