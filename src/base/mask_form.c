/* What base64 makes of a secret. Takes a secret, gives the texts by which it is known there; hides
 * nothing itself. */
#include "base/mask_form.h"

#include <openssl/evp.h>
#include <string.h>

#define OFFSETS 3
#define FORM_MIN 9 /* bytes of the shortest secret whose base64 is like no word */

struct str mask_base64(char *text, struct str value, size_t offset)
{
    unsigned char bytes[MASK_FORM_BYTES_MAX + OFFSETS] = {0};
    size_t length = offset + value.len;
    memcpy(bytes + offset, value.ptr, value.len);
    EVP_EncodeBlock((unsigned char *)text, bytes, (int)length);
    return str_slice((struct str){text, length * 8 / 6}, (offset * 8 + 5) / 6, length * 8 / 6);
}

/* The same in the alphabet of URLs; false when that makes no difference. */
static bool for_urls(char *text, size_t length)
{
    bool differs = false;
    for (size_t i = 0; i < length; i++) {
        char other = text[i] == '+' ? '-' : text[i] == '/' ? '_' : text[i];
        differs = differs || other != text[i];
        text[i] = other;
    }
    return differs;
}

static struct secret form_of(struct arena *arena, const struct secret *secret, struct str text)
{
    struct secret form = *secret;
    form.value = arena_dup(arena, text);
    return form;
}

size_t mask_forms(struct arena *arena, const struct secret *secret,
                  struct secret forms[MASK_FORMS_MAX])
{
    struct str value = str_slice(secret->value, 0, MASK_FORM_BYTES_MAX);
    size_t count = 0;
    for (size_t offset = 0; value.len >= FORM_MIN && offset < OFFSETS; offset++) {
        char text[MASK_BASE64_BYTES];
        struct str form = mask_base64(text, value, offset);
        size_t from = (size_t)(form.ptr - text);
        forms[count++] = form_of(arena, secret, form);
        if (for_urls(text + from, form.len)) {
            forms[count++] = form_of(arena, secret, form);
        }
    }
    return count;
}
