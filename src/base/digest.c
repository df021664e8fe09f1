/* Names for bytes that are too long, or too secret, to be shown. */
#include "base/digest.h"

/* The plain functions of SHA-256: the newer ones read OpenSSL's configuration first, which takes
 * longer than all else of a run that sends nothing. */
#define OPENSSL_API_COMPAT 0x10100000L
#include <openssl/sha.h>

void digest_hex(struct str bytes, char *out, size_t digits)
{
    static const char hex[] = "0123456789abcdef";
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256_CTX state;
    SHA256_Init(&state);
    SHA256_Update(&state, bytes.ptr ? bytes.ptr : "", bytes.len);
    SHA256_Final(digest, &state);
    for (size_t i = 0; i < digits && i < DIGEST_DIGITS_MAX; i++) {
        out[i] = hex[i % 2 ? digest[i / 2] & 0x0F : digest[i / 2] >> 4];
    }
    out[digits] = '\0';
}
