/* Hiding secrets. Takes text and what is known of the keys, gives text that may be shown. Works on
 * bytes, so it also hides keys inside JSON, URLs and broken UTF-8. */
#include "base/mask.h"

#include "base/buf.h"

#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>

#define KEY_MIN 12   /* shortest tail that counts as a key behind a known prefix */
#define SECRET_MIN 6 /* shorter exact secrets ("none", "x") would blot out ordinary words */

struct secret secret_create(struct arena *arena, struct str value)
{
    struct secret secret = {.value = arena_dup(arena, value)};
    unsigned char digest[SHA256_DIGEST_LENGTH];
    if (str_is_set(value)) {
        SHA256((const unsigned char *)value.ptr, value.len, digest);
        snprintf(secret.fingerprint, sizeof secret.fingerprint, "%02x%02x%02x%02x", digest[0],
                 digest[1], digest[2], digest[3]);
    }
    return secret;
}

static bool is_key_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
           c == '_' || c == '.';
}

/* Bytes of key characters at s[at]; '=', '/', '+' count as well where is_wide (base64 tokens). */
static size_t key_run(struct str s, size_t at, bool is_wide)
{
    size_t end = at;
    while (end < s.len &&
           (is_key_char(s.ptr[end]) || (is_wide && strchr("=/+:~", s.ptr[end]) && s.ptr[end]))) {
        end++;
    }
    return end - at;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* The character before s[at] ends an escape of JSON text, as in "\nauthorization": what looks like
 * the letter of a word is a line break. */
static bool follows_escape(struct str s, size_t at)
{
    if (at >= 2 && s.ptr[at - 2] == '\\' && s.ptr[at - 1] && strchr("nrtbfv0", s.ptr[at - 1])) {
        return true;
    }
    return at >= 6 && s.ptr[at - 6] == '\\' && s.ptr[at - 5] == 'u' && is_hex(s.ptr[at - 4]) &&
           is_hex(s.ptr[at - 3]) && is_hex(s.ptr[at - 2]) && is_hex(s.ptr[at - 1]);
}

static bool is_inside_word(struct str s, size_t at)
{
    return at > 0 && is_key_char(s.ptr[at - 1]) && is_key_char(s.ptr[at]) && !follows_escape(s, at);
}

static size_t known_secret(const struct mask *mask, struct str s, size_t at, struct buf *out)
{
    for (size_t i = 0; i < mask->secret_count; i++) {
        struct str value = mask->secrets[i].value;
        if (value.len >= SECRET_MIN && str_starts(str_slice(s, at, s.len), value)) {
            buf_printf(out, "[key %s]", mask->secrets[i].fingerprint);
            return value.len;
        }
    }
    return 0;
}

static bool is_known_secret(const struct mask *mask, struct str s, size_t at)
{
    struct buf nowhere = buf_create(0);
    bool is_known = known_secret(mask, s, at, &nowhere) > 0;
    buf_free(&nowhere);
    return is_known;
}

static size_t shaped_key(const struct mask *mask, struct str s, size_t at, struct buf *out)
{
    if (is_inside_word(s, at)) {
        return 0;
    }
    for (size_t i = 0; i < mask->prefix_count; i++) {
        struct str prefix = mask->key_prefixes[i];
        if (prefix.len && str_starts(str_slice(s, at, s.len), prefix)) {
            size_t run = key_run(s, at + prefix.len, false);
            if (run >= KEY_MIN) {
                buf_add(out, STR("[masked]"));
                return prefix.len + run;
            }
        }
    }
    return 0;
}

/* Skips quotes, blanks, ':' and '=' between a name and its value. */
static size_t skip_joint(struct str s, size_t at)
{
    while (at < s.len && strchr("\"'\\ \t:=", s.ptr[at]) && s.ptr[at]) {
        at++;
    }
    return at;
}

/* "Authorization: Bearer XYZ", "x-api-key": "XYZ", ?key=XYZ: the value goes, the name stays. */
static size_t named_value(const struct mask *mask, struct str s, size_t at, struct buf *out)
{
    static const struct str names[] = {
        STR_INIT("authorization"),  STR_INIT("x-api-key"),    STR_INIT("api-key"),
        STR_INIT("x-goog-api-key"), STR_INIT("bearer"),       STR_INIT("?key"),
        STR_INIT("&key"),           STR_INIT("access_token"), STR_INIT("refresh_token"),
        STR_INIT("api_key"),        STR_INIT("apikey"),
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct str rest = str_slice(s, at, s.len);
        if (!str_istarts(rest, names[i]) || is_inside_word(s, at)) {
            continue;
        }
        size_t value = skip_joint(s, at + names[i].len);
        if (value == at + names[i].len) {
            continue;
        }
        if (str_istarts(str_slice(s, value, s.len), STR("bearer"))) {
            value = skip_joint(s, value + 6);
        } else if (str_istarts(str_slice(s, value, s.len), STR("basic"))) {
            value = skip_joint(s, value + 5);
        }
        if (is_known_secret(mask, s, value)) {
            buf_add(out, str_slice(s, at, value));
            return value - at; /* the secret itself is next, and has a fingerprint to show */
        }
        size_t run = key_run(s, value, true);
        if (run < KEY_MIN) {
            continue;
        }
        buf_add(out, str_slice(s, at, value));
        buf_add(out, STR("[masked]"));
        return value + run - at;
    }
    return 0;
}

/* "://user:password@" */
static size_t url_credentials(struct str s, size_t at, struct buf *out)
{
    if (!str_starts(str_slice(s, at, s.len), STR("://"))) {
        return 0;
    }
    for (size_t end = at + 3; end < s.len && end < at + 512; end++) {
        if (s.ptr[end] == '@') {
            buf_add(out, STR("://[masked]"));
            return end - at;
        }
        if (strchr("/?# \t\r\n\"'<>", s.ptr[end])) {
            return 0;
        }
    }
    return 0;
}

struct str mask_text(struct arena *arena, const struct mask *mask, struct str s)
{
    /* A known secret shrinks or grows by at most this much; the bound only guards the arithmetic.
     */
    struct buf out = buf_create(s.len * 4 + 64);
    bool is_changed = false;
    for (size_t at = 0; at < s.len;) {
        size_t used = known_secret(mask, s, at, &out);
        used = used ? used : url_credentials(s, at, &out);
        used = used ? used : named_value(mask, s, at, &out);
        used = used ? used : shaped_key(mask, s, at, &out);
        if (used) {
            is_changed = true;
            at += used;
        } else {
            buf_add_char(&out, s.ptr[at++]);
        }
    }
    struct str masked = is_changed ? arena_dup(arena, buf_str(&out)) : s;
    buf_free(&out);
    return masked;
}
