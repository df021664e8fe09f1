/* Parts of one secret, in what its receiver answers: a key that was cut, split, or given back in
 * base64. Takes the secret and a text, gives the text without them. */
#include "base/buf.h"
#include "base/mask.h"
#include "base/mask_form.h"
#include "base/mask_letter.h"

#include <string.h>

#define PART_MIN 9 /* fewer letters of a key may be shown */
#define FORMS 4    /* as it is, and in base64 behind 0, 1 and 2 other bytes */
#define GRAM 4
#define STRIDE 3 /* the shortest part holds two grams so far apart, wherever it begins */
#define GRAM_BITS 14
#define GRAM_SLOTS (1u << GRAM_BITS)

/* How the secret may be written, and which runs of GRAM letters that makes. */
struct forms {
    struct str texts[FORMS];
    char base64[FORMS - 1][MASK_BASE64_BYTES];
    unsigned char grams[GRAM_SLOTS / 8];
};

/* A slot for the letters at `ptr`. */
static size_t slot_of(const char *ptr)
{
    uint32_t letters;
    memcpy(&letters, ptr, sizeof letters);
    return letters * UINT32_C(2654435761) >> (32 - GRAM_BITS);
}

static void list_forms(struct str value, struct forms *forms)
{
    memset(forms->grams, 0, sizeof forms->grams);
    forms->texts[0] = value;
    for (size_t offset = 0; offset + 1 < FORMS; offset++) {
        forms->texts[offset + 1] = mask_base64(forms->base64[offset], value, offset);
    }
    for (size_t i = 0; i < FORMS; i++) {
        for (size_t at = 0; at + GRAM <= forms->texts[i].len; at++) {
            size_t slot = slot_of(forms->texts[i].ptr + at);
            forms->grams[slot / 8] |= (unsigned char)(1u << slot % 8);
        }
    }
}

static bool has_gram(const struct forms *forms, struct str text, size_t at)
{
    size_t slot = slot_of(text.ptr + at);
    return forms->grams[slot / 8] & 1u << slot % 8;
}

/* May the text hold a part? Each part that is written plainly covers the letters at a multiple of
 * STRIDE and those STRIDE behind; where letters are escaped only reading tells. */
static bool may_hold_part(const struct forms *forms, struct str text)
{
    for (size_t at = 0; at + STRIDE + GRAM <= text.len; at += STRIDE) {
        if (has_gram(forms, text, at) && has_gram(forms, text, at + STRIDE)) {
            return true;
        }
    }
    for (size_t at = 0; at < text.len; at++) {
        char letter;
        if (mask_may_escape(text.ptr[at]) && mask_letter(text, at, &letter) > 1) {
            return true;
        }
    }
    return false;
}

/* Words that a key shares with a message are no part of a key: those have digits or both cases. */
static bool is_telling(struct str part)
{
    bool has_lower = false, has_upper = false;
    for (size_t i = 0; i < part.len; i++) {
        if (str_is_digit(part.ptr[i])) {
            return true;
        }
        has_lower = has_lower || str_is_lower(part.ptr[i]);
        has_upper = has_upper || str_is_upper(part.ptr[i]);
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

static struct str hide_parts(struct arena *arena, const struct secret *secret,
                             const struct forms *forms, struct str text)
{
    struct buf out = buf_create(text.len * 4 + 64);
    bool is_changed = false;
    for (size_t at = 0; at < text.len;) {
        size_t length = 0;
        for (size_t i = 0; i < FORMS && length == 0; i++) {
            length = part_at(text, at, forms->texts[i]);
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

struct str mask_parts(struct arena *arena, const struct secret *secret, struct str text)
{
    struct str value = str_slice(secret->value, 0, MASK_FORM_BYTES_MAX);
    struct forms forms;
    if (value.len < PART_MIN || text.len < PART_MIN) {
        return text;
    }
    list_forms(value, &forms);
    return may_hold_part(&forms, text) ? hide_parts(arena, secret, &forms, text) : text;
}

bool mask_may_hold_part(const struct secret *secret, const struct str *texts, size_t count)
{
    struct str value = str_slice(secret->value, 0, MASK_FORM_BYTES_MAX);
    struct forms forms;
    if (value.len < PART_MIN) {
        return false;
    }
    list_forms(value, &forms);
    for (size_t i = 0; i < count; i++) {
        if (texts[i].len >= PART_MIN && may_hold_part(&forms, texts[i])) {
            return true;
        }
    }
    return false;
}
