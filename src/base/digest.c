/* Names for bytes that are too long, or too secret, to be shown. */
#include "base/digest.h"

#include <openssl/sha.h>

void digest_hex(struct str bytes, char *out, size_t digits)
{
    static const char hex[] = "0123456789abcdef";
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256((const unsigned char *)(bytes.ptr ? bytes.ptr : ""), bytes.len, digest);
    for (size_t i = 0; i < digits && i < DIGEST_DIGITS_MAX; i++) {
        out[i] = hex[i % 2 ? digest[i / 2] & 0x0F : digest[i / 2] >> 4];
    }
    out[digits] = '\0';
}
